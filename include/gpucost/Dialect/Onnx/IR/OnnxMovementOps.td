//===- OnnxMovementOps.td - Ops that move elements *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXMOVEMENTOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXMOVEMENTOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_ConcatOp : Onnx_MovementOp<"Concat", "inferConcat", "foldConcat">;
def Onnx_GatherOp : Onnx_GatherOp<"Gather", "inferGather", "foldGather">;
def Onnx_GatherElementsOp
    : Onnx_GatherOp<"GatherElements", "inferGatherElements", "foldGatherElements">;
def Onnx_GatherNDOp : Onnx_GatherOp<"GatherND", "inferGatherND", "foldGatherND">;
def Onnx_ScatterOp
    : Onnx_GatherOp<"Scatter", "inferSameAsFirst", "nullptr", "Scatter">;
def Onnx_ScatterElementsOp
    : Onnx_GatherOp<"ScatterElements", "inferSameAsFirst", "nullptr", "Scatter">;
def Onnx_ScatterNDOp
    : Onnx_GatherOp<"ScatterND", "inferSameAsFirst", "foldScatterND", "Scatter">;
def Onnx_TensorScatterOp
    : Onnx_GatherOp<"TensorScatter", "inferSameAsFirst", "nullptr", "Scatter">;
def Onnx_OneHotOp : Onnx_GatherOp<"OneHot", "inferOneHot", "nullptr", "Scatter">;
def Onnx_GridSampleOp
    : Onnx_GatherOp<"GridSample", "inferGridSample", "nullptr", "Resize">;
def Onnx_RoiAlignOp
    : Onnx_GatherOp<"RoiAlign", "inferRoiAlign", "nullptr", "Resize">;
def Onnx_PadOp : Onnx_MovementOp<"Pad", "inferPad", "foldPad">;
def Onnx_TileOp : Onnx_MovementOp<"Tile", "inferTile", "foldTile">;
def Onnx_ResizeOp : Onnx_MovementOp<"Resize", "inferResize", instrClass = "Resize">;
def Onnx_UpsampleOp
    : Onnx_MovementOp<"Upsample", "inferResize", instrClass = "Resize">;
def Onnx_DepthToSpaceOp : Onnx_MovementOp<"DepthToSpace", "inferDepthToSpace">;
def Onnx_SpaceToDepthOp : Onnx_MovementOp<"SpaceToDepth", "inferSpaceToDepth">;
def Onnx_TriluOp : Onnx_MovementOp<"Trilu", "inferSameAsFirst", "foldTrilu">;
def Onnx_ReverseSequenceOp : Onnx_MovementOp<"ReverseSequence", "inferSameAsFirst">;
def Onnx_CenterCropPadOp : Onnx_MovementOp<"CenterCropPad", "inferCenterCropPad">;

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXMOVEMENTOPS_TD
