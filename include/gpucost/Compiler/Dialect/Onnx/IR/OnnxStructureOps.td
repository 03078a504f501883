//===- OnnxStructureOps.td - Constants, shapes and views ---*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXSTRUCTUREOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXSTRUCTUREOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// A tensor of the file without its contents: weight or buffer.
def Onnx_ParameterOp : Onnx_MetadataOp<"Parameter", "inferNothing"> {
  let grad = "gradNothing";
  let operands = [];
  let attributes = ["name: string"];
  let isInternal = 1;
}
// Attribute `value` (dense elements), or ONNX `value_int(s)`, `value_float(s)`.
def Onnx_ConstantOp : Onnx_MetadataOp<"Constant", "inferConstant", "foldConstant"> {
  let grad = "gradNothing";
  let operands = [];
  let attributes = [
    "sparse_value: sparse @11-", "value: tensor", "value_float: float @12-",
    "value_floats: floats @12-", "value_int: int @12-", "value_ints: ints @12-",
    "value_string: string @12-", "value_strings: strings @12-"];
  let opsets = [1, 9, 11, 12, 13, 19, 21, 23, 24, 25];
}
// A missing optional operand.
def Onnx_NoneOp : Onnx_MetadataOp<"None", "inferNothing"> {
  let grad = "gradNothing";
  let operands = [];
  let isInternal = 1;
}
// An operator without a dedicated op: `domain`, `op_type`.
def Onnx_CustomOp : Onnx_OpaqueOp<"Custom", "inferCustom"> {
  let maxResults = -1;
  let operands = ["..."];
  let attributes = ["domain: string", "op_type: string", "..."];
  let isInternal = 1;
}
def Onnx_IdentityOp : Onnx_ViewOp<"Identity", "inferSameAsFirst", "foldCopy"> {
  let grad = "gradReshape";
  let operands = ["X"];
  let opsets = [1, 13, 14, 16, 19, 21, 23, 24, 25];
}
def Onnx_ShapeOp : Onnx_MetadataOp<"Shape", "inferShape", "foldShape"> {
  let grad = "gradNothing";
  let operands = ["X"];
  let attributes = ["end: int @15-", "start: int = 0 @15-"];
  let opsets = [1, 13, 15, 19, 21, 23, 24, 25];
}
def Onnx_SizeOp : Onnx_MetadataOp<"Size", "inferSize", "foldSize"> {
  let grad = "gradNothing";
  let operands = ["X"];
  let opsets = [1, 13, 19, 21, 23, 24, 25];
}
def Onnx_ReshapeOp : Onnx_ViewOp<"Reshape", "inferReshape", "foldCopy"> {
  let grad = "gradReshape";
  let operands = ["Data", "Shape?"];
  let attributes = ["allowzero: int = 0 @14-", "consumed_inputs: ints @1-4", "shape: ints @1-4"];
  let opsets = [1, 5, 13, 14, 19, 21, 23, 24, 25];
}
def Onnx_FlattenOp : Onnx_ViewOp<"Flatten", "inferFlatten", "foldCopy"> {
  let grad = "gradReshape";
  let operands = ["X"];
  let attributes = ["axis: int = 1"];
  let opsets = [1, 9, 11, 13, 21, 23, 24, 25];
}
def Onnx_SqueezeOp : Onnx_ViewOp<"Squeeze", "inferSqueeze", "foldCopy"> {
  let grad = "gradReshape";
  let operands = ["X", "Axes?"];
  let attributes = ["axes: ints @1-12"];
  let opsets = [1, 11, 13, 21, 23, 24, 25];
}
def Onnx_UnsqueezeOp : Onnx_ViewOp<"Unsqueeze", "inferUnsqueeze", "foldCopy"> {
  let grad = "gradReshape";
  let operands = ["X", "Axes?"];
  let attributes = ["axes: ints ! @1-12"];
  let opsets = [1, 11, 13, 21, 23, 24, 25];
}
// A permuted view; kernel formation decides whether a copy is needed.
def Onnx_TransposeOp : Onnx_ViewOp<"Transpose", "inferTranspose", "foldTranspose"> {
  let grad = "gradTranspose";
  let operands = ["X"];
  let attributes = ["perm: ints"];
  let opsets = [1, 13, 21, 23, 24, 25];
}
// Broadcast dimensions get stride 0.
def Onnx_ExpandOp : Onnx_ViewOp<"Expand", "inferExpand", "foldExpand"> {
  let grad = "gradExpand";
  let operands = ["Data", "Shape?"];
  let opsets = [8, 13];
}
def Onnx_SplitOp : Onnx_ViewOp<"Split", "inferSplit", "foldSplit"> {
  let grad = "gradSplit";
  let maxResults = -1;
  let operands = ["X", "Sizes?"];
  let attributes = ["axis: int = 0", "num_outputs: int @18-", "split: ints @1-12"];
  let opsets = [1, 2, 11, 13, 18];
}
def Onnx_SliceOp : Onnx_ViewOp<"Slice", "inferSlice", "foldSlice"> {
  let grad = "gradSlice";
  let operands = ["Data", "Starts?", "Ends?", "Axes?", "Steps?"];
  let attributes = ["axes: ints @1-9", "ends: ints ! @1-9", "starts: ints ! @1-9"];
  let opsets = [1, 10, 11, 13];
}
def Onnx_RangeOp : Onnx_MovementOp<"Range", "inferRange", "foldRange"> {
  let grad = "gradNothing";
  let operands = ["Start", "Limit", "Delta"];
  let attributes = ["stash_type: int = 1 @27-"];
  let opsets = [11, 27];
}
def Onnx_ConstantOfShapeOp
    : Onnx_MovementOp<"ConstantOfShape", "inferConstantOfShape", "foldConstantOfShape"> {
  let attributes = ["value: tensor"];
  let grad = "gradNothing";
  let opsets = [9, 20, 21, 23, 24, 25];
}
def Onnx_EyeLikeOp : Onnx_MovementOp<"EyeLike", "inferEyeLike"> {
  let grad = "gradNothing";
  let operands = ["X"];
  let attributes = ["dtype: int", "k: int = 0"];
  let opsets = [9, 22];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXSTRUCTUREOPS_TD
