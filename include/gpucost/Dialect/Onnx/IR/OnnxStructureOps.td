//===- OnnxStructureOps.td - Constants, shapes and views *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXSTRUCTUREOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXSTRUCTUREOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

// A tensor of the file without its contents: weight or buffer.
def Onnx_ParameterOp : Onnx_MetadataOp<"Parameter", "inferNothing"> {
  let grad = "gradNothing";
}
// Attribute `value` (dense elements), or ONNX `value_int(s)`, `value_float(s)`.
def Onnx_ConstantOp : Onnx_MetadataOp<"Constant", "inferConstant", "foldConstant"> {
  let grad = "gradNothing";
}
// A missing optional operand.
def Onnx_NoneOp : Onnx_MetadataOp<"None", "inferNothing"> { let grad = "gradNothing"; }
// An operator without an op of its own: `domain`, `op_type`.
def Onnx_CustomOp : Onnx_OpaqueOp<"Custom", "inferCustom"> {
  let maxResults = -1;
}
def Onnx_IdentityOp : Onnx_ViewOp<"Identity", "inferSameAsFirst", "foldCopy"> {
  let grad = "gradReshape";
}
def Onnx_ShapeOp : Onnx_MetadataOp<"Shape", "inferShape", "foldShape"> {
  let grad = "gradNothing";
}
def Onnx_SizeOp : Onnx_MetadataOp<"Size", "inferSize", "foldSize"> {
  let grad = "gradNothing";
}
def Onnx_ReshapeOp : Onnx_ViewOp<"Reshape", "inferReshape", "foldCopy"> {
  let grad = "gradReshape";
}
def Onnx_FlattenOp : Onnx_ViewOp<"Flatten", "inferFlatten", "foldCopy"> {
  let grad = "gradReshape";
}
def Onnx_SqueezeOp : Onnx_ViewOp<"Squeeze", "inferSqueeze", "foldCopy"> {
  let grad = "gradReshape";
}
def Onnx_UnsqueezeOp : Onnx_ViewOp<"Unsqueeze", "inferUnsqueeze", "foldCopy"> {
  let grad = "gradReshape";
}
// A permuted view; whether a copy is needed is decided where kernels are formed.
def Onnx_TransposeOp : Onnx_ViewOp<"Transpose", "inferTranspose", "foldTranspose"> {
  let grad = "gradTranspose";
}
// Broadcast dimensions get stride 0.
def Onnx_ExpandOp : Onnx_ViewOp<"Expand", "inferExpand", "foldExpand"> {
  let grad = "gradExpand";
}
def Onnx_SplitOp : Onnx_ViewOp<"Split", "inferSplit", "foldSplit"> { let grad = "gradSplit"; }
def Onnx_SliceOp : Onnx_ViewOp<"Slice", "inferSlice", "foldSlice"> { let grad = "gradSlice"; }
def Onnx_RangeOp : Onnx_MovementOp<"Range", "inferRange", "foldRange"> {
  let grad = "gradNothing";
}
def Onnx_ConstantOfShapeOp
    : Onnx_MovementOp<"ConstantOfShape", "inferConstantOfShape", "foldConstantOfShape"> {
  let grad = "gradNothing";
}
def Onnx_EyeLikeOp : Onnx_MovementOp<"EyeLike", "inferEyeLike"> { let grad = "gradNothing"; }

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXSTRUCTUREOPS_TD
