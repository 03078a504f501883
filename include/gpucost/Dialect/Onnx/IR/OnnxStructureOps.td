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
def Onnx_ParameterOp : Onnx_MetadataOp<"Parameter", "inferNothing">;
// Attribute `value` (dense elements), or ONNX `value_int(s)`, `value_float(s)`.
def Onnx_ConstantOp : Onnx_MetadataOp<"Constant", "inferConstant", "foldConstant">;
// A missing optional operand.
def Onnx_NoneOp : Onnx_MetadataOp<"None", "inferNothing">;
// An operator without an op of its own: `domain`, `op_type`.
def Onnx_CustomOp : Onnx_OpaqueOp<"Custom", "inferCustom">;
def Onnx_IdentityOp : Onnx_ViewOp<"Identity", "inferSameAsFirst", "foldCopy">;
def Onnx_ShapeOp : Onnx_MetadataOp<"Shape", "inferShape", "foldShape">;
def Onnx_SizeOp : Onnx_MetadataOp<"Size", "inferSize", "foldSize">;
def Onnx_ReshapeOp : Onnx_ViewOp<"Reshape", "inferReshape", "foldCopy">;
def Onnx_FlattenOp : Onnx_ViewOp<"Flatten", "inferFlatten", "foldCopy">;
def Onnx_SqueezeOp : Onnx_ViewOp<"Squeeze", "inferSqueeze", "foldCopy">;
def Onnx_UnsqueezeOp : Onnx_ViewOp<"Unsqueeze", "inferUnsqueeze", "foldCopy">;
// A permuted view; whether a copy is needed is decided where kernels are formed.
def Onnx_TransposeOp : Onnx_ViewOp<"Transpose", "inferTranspose", "foldTranspose">;
// Broadcast dimensions get stride 0.
def Onnx_ExpandOp : Onnx_ViewOp<"Expand", "inferExpand", "foldExpand">;
def Onnx_SplitOp : Onnx_ViewOp<"Split", "inferSplit", "foldSplit">;
def Onnx_SliceOp : Onnx_ViewOp<"Slice", "inferSlice", "foldSlice">;
def Onnx_RangeOp : Onnx_MovementOp<"Range", "inferRange", "foldRange">;
def Onnx_ConstantOfShapeOp
    : Onnx_MovementOp<"ConstantOfShape", "inferConstantOfShape", "foldConstantOfShape">;
def Onnx_EyeLikeOp : Onnx_MovementOp<"EyeLike", "inferEyeLike">;

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXSTRUCTUREOPS_TD
