//===- OnnxMovementOps.td - Ops that move elements ---------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXMOVEMENTOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXMOVEMENTOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_ConcatOp : Onnx_MovementOp<"Concat", "inferConcat", "foldConcat"> {
  let attributes = ["axis: int = 1 @1-3", "axis: int ! @4-"];
  let grad = "gradConcat";
  let autocast = "Promote";
  let opsets = [1, 4, 11, 13];
}
def Onnx_GatherOp : Onnx_GatherOp<"Gather", "inferGather", "foldGather"> {
  let grad = "gradGather";
  let operands = ["Data", "Indices", "..."];
  let attributes = ["axis: int = 0"];
  let opsets = [1, 11, 13];
}
def Onnx_GatherElementsOp
    : Onnx_GatherOp<"GatherElements", "inferGatherElements", "foldGatherElements"> {
  let grad = "gradGather";
  let operands = ["Data", "Indices", "..."];
  let attributes = ["axis: int = 0"];
  let opsets = [11, 13];
}
def Onnx_GatherNDOp : Onnx_GatherOp<"GatherND", "inferGatherND", "foldGatherND"> {
  let grad = "gradGather";
  let operands = ["Data", "Indices"];
  let attributes = ["batch_dims: int = 0 @12-"];
  let opsets = [11, 12, 13];
}
def Onnx_ScatterOp
    : Onnx_GatherOp<"Scatter", "inferSameAsFirst", "foldScatterElements", "Scatter"> {
  let grad = "gradScatter";
  let operands = ["Data", "Indices", "Updates"];
  let attributes = ["axis: int = 0"];
  let opsets = [9, 11];
}
def Onnx_ScatterElementsOp
    : Onnx_GatherOp<"ScatterElements", "inferSameAsFirst", "foldScatterElements", "Scatter"> {
  let grad = "gradScatter";
  let autocast = "Promote";
  let operands = ["Data", "Indices", "Updates"];
  let attributes = ["axis: int = 0", "reduction: string = none @16-"];
  let opsets = [11, 13, 16, 18];
  let work = "scatterWork";
  let formula = "0, 1 per update with a reduction; only the gathered bytes of operand 0";
}
def Onnx_ScatterNDOp
    : Onnx_GatherOp<"ScatterND", "inferSameAsFirst", "foldScatterND", "Scatter"> {
  let grad = "gradScatter";
  let autocast = "Promote";
  let operands = ["Data", "Indices", "Updates"];
  let attributes = ["reduction: string = none @16-"];
  let opsets = [11, 13, 16, 18];
  let work = "scatterWork";
  let formula = "0, 1 per update with a reduction; only the gathered bytes of operand 0";
}
// (K1) Writes the update into the cache, independent of the setting.
def Onnx_TensorScatterOp
    : Onnx_GatherOp<"TensorScatter", "inferSameAsFirst", "nullptr", "Scatter"> {
  let work = "tensorScatterWork";
  let inPlaceOperand = 0;
  let operands = ["Data", "Update", "Indices?"];
  let attributes = ["axis: int = -2", "mode: string = linear"];
  let opsets = [24];
}
def Onnx_OneHotOp : Onnx_GatherOp<"OneHot", "inferOneHot", "nullptr", "Scatter"> {
  let grad = "gradNothing";
  let operands = ["Indices", "Depth", "Values"];
  let attributes = ["axis: int = -1"];
  let opsets = [9, 11, 28];
}
def Onnx_PadOp : Onnx_MovementOp<"Pad", "inferPad", "foldPad"> {
  let grad = "gradPad";
  let operands = ["X", "Pads?", "Value?", "Axes?"];
  let attributes = [
    "mode: string = constant", "paddings: ints ! @1", "pads: ints ! @2-10",
    "value: float = 0 @1-10"];
  let opsets = [1, 2, 11, 13, 18, 19, 21, 23, 24, 25];
}
def Onnx_TileOp : Onnx_MovementOp<"Tile", "inferTile", "foldTile"> {
  let grad = "gradExpand";
  let opsets = [1, 6, 13];
}
def Onnx_ResizeOp : Onnx_MovementOp<"Resize", "inferResize", instrClass = "Resize"> {
  let grad = "gradResize";
  let operands = ["X", "..."];
  let attributes = [
    "antialias: int = 0 @18- *", "axes: ints @18-",
    "coordinate_transformation_mode: string = half_pixel @11-",
    "cubic_coeff_a: float = -0.75 @11-", "exclude_outside: int = 0 @11-",
    "extrapolation_value: float = 0 @11-", "keep_aspect_ratio_policy: string = stretch @18-",
    "mode: string = nearest *", "nearest_mode: string = round_prefer_floor @11-"];
  let opsets = [10, 11, 13, 18, 19];
}
def Onnx_UpsampleOp
    : Onnx_MovementOp<"Upsample", "inferResize", instrClass = "Resize"> {
  let grad = "gradResize";
  let operands = ["X", "..."];
  let attributes = [
    "height_scale: float ! @1-6", "mode: string = nearest *", "scales: floats ! @7-8",
    "width_scale: float ! @1-6"];
  let opsets = [1, 7, 9, 10];
}
def Onnx_DepthToSpaceOp : Onnx_MovementOp<"DepthToSpace", "inferDepthToSpace"> {
  let grad = "gradPermuteCopy";
  let operands = ["X"];
  let attributes = ["blocksize: int !", "mode: string = DCR @11-"];
  let opsets = [1, 11, 13, 28];
}
def Onnx_SpaceToDepthOp : Onnx_MovementOp<"SpaceToDepth", "inferSpaceToDepth"> {
  let grad = "gradPermuteCopy";
  let operands = ["X"];
  let attributes = ["blocksize: int !", "mode: string = DCR @28-"];
  let opsets = [1, 13, 28];
}
def Onnx_TriluOp : Onnx_MovementOp<"Trilu", "inferSameAsFirst", "foldTrilu"> {
  let grad = "gradPermuteCopy";
  let operands = ["X", "Diagonal?"];
  let attributes = ["upper: int = 1"];
  let opsets = [14];
}
def Onnx_ReverseSequenceOp : Onnx_MovementOp<"ReverseSequence", "inferSameAsFirst"> {
  let attributes = ["batch_axis: int = 1", "time_axis: int = 0"];
  let grad = "gradPermuteCopy";
  let opsets = [10, 28];
}
def Onnx_CenterCropPadOp : Onnx_MovementOp<"CenterCropPad", "inferCenterCropPad"> {
  let attributes = ["axes: ints"];
  let grad = "gradSlice";
  let opsets = [18];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXMOVEMENTOPS_TD
