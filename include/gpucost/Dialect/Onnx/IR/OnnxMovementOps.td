//===- OnnxMovementOps.td - Ops that move elements *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXMOVEMENTOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXMOVEMENTOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_ConcatOp : Onnx_MovementOp<"Concat", "inferConcat", "foldConcat"> {
  let grad = "gradConcat";
  let autocast = "Promote";
}
def Onnx_GatherOp : Onnx_GatherOp<"Gather", "inferGather", "foldGather"> {
  let grad = "gradGather";
}
def Onnx_GatherElementsOp
    : Onnx_GatherOp<"GatherElements", "inferGatherElements", "foldGatherElements"> {
  let grad = "gradGather";
}
def Onnx_GatherNDOp : Onnx_GatherOp<"GatherND", "inferGatherND", "foldGatherND"> {
  let grad = "gradGather";
}
def Onnx_ScatterOp
    : Onnx_GatherOp<"Scatter", "inferSameAsFirst", "foldScatterElements", "Scatter"> {
  let grad = "gradScatter";
}
def Onnx_ScatterElementsOp
    : Onnx_GatherOp<"ScatterElements", "inferSameAsFirst", "foldScatterElements", "Scatter"> {
  let grad = "gradScatter";
  let autocast = "Promote";
}
def Onnx_ScatterNDOp
    : Onnx_GatherOp<"ScatterND", "inferSameAsFirst", "foldScatterND", "Scatter"> {
  let grad = "gradScatter";
  let autocast = "Promote";
}
def Onnx_TensorScatterOp
    : Onnx_GatherOp<"TensorScatter", "inferSameAsFirst", "nullptr", "Scatter">;
def Onnx_OneHotOp : Onnx_GatherOp<"OneHot", "inferOneHot", "nullptr", "Scatter"> {
  let grad = "gradNothing";
}
def Onnx_PadOp : Onnx_MovementOp<"Pad", "inferPad", "foldPad"> { let grad = "gradPad"; }
def Onnx_TileOp : Onnx_MovementOp<"Tile", "inferTile", "foldTile"> { let grad = "gradExpand"; }
def Onnx_ResizeOp : Onnx_MovementOp<"Resize", "inferResize", instrClass = "Resize"> {
  let grad = "gradResize";
}
def Onnx_UpsampleOp
    : Onnx_MovementOp<"Upsample", "inferResize", instrClass = "Resize"> {
  let grad = "gradResize";
}
def Onnx_DepthToSpaceOp : Onnx_MovementOp<"DepthToSpace", "inferDepthToSpace"> {
  let grad = "gradPermuteCopy";
}
def Onnx_SpaceToDepthOp : Onnx_MovementOp<"SpaceToDepth", "inferSpaceToDepth"> {
  let grad = "gradPermuteCopy";
}
def Onnx_TriluOp : Onnx_MovementOp<"Trilu", "inferSameAsFirst", "foldTrilu"> {
  let grad = "gradPermuteCopy";
}
def Onnx_ReverseSequenceOp : Onnx_MovementOp<"ReverseSequence", "inferSameAsFirst"> {
  let grad = "gradPermuteCopy";
}
def Onnx_CenterCropPadOp : Onnx_MovementOp<"CenterCropPad", "inferCenterCropPad"> {
  let grad = "gradSlice";
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXMOVEMENTOPS_TD
