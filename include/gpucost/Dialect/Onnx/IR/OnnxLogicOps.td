//===- OnnxLogicOps.td - Comparison, logic, bits *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXLOGICOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXLOGICOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_EqualOp
    : Onnx_ElementwiseOp<"Equal", "Compare", 1, 0, "foldEqual", "inferCompare">;
def Onnx_LessOp
    : Onnx_ElementwiseOp<"Less", "Compare", 1, 0, "foldLess", "inferCompare">;
def Onnx_GreaterOp
    : Onnx_ElementwiseOp<"Greater", "Compare", 1, 0, "foldGreater", "inferCompare">;
def Onnx_LessOrEqualOp
    : Onnx_ElementwiseOp<"LessOrEqual", "Compare", 1, 0, "foldLessOrEqual", "inferCompare">;
def Onnx_GreaterOrEqualOp
    : Onnx_ElementwiseOp<"GreaterOrEqual", "Compare", 1, 0, "foldGreaterOrEqual", "inferCompare">;
def Onnx_AndOp
    : Onnx_ElementwiseOp<"And", "Compare", 1, 0, "foldAnd", "inferCompare">;
def Onnx_OrOp : Onnx_ElementwiseOp<"Or", "Compare", 1, 0, "foldOr", "inferCompare">;
def Onnx_XorOp
    : Onnx_ElementwiseOp<"Xor", "Compare", 1, 0, "foldXor", "inferCompare">;
def Onnx_NotOp
    : Onnx_ElementwiseOp<"Not", "Compare", 1, 0, "foldNot", "inferPredicate">;
def Onnx_IsNaNOp
    : Onnx_ElementwiseOp<"IsNaN", "Compare", 1, 0, "nullptr", "inferPredicate">;
def Onnx_IsInfOp
    : Onnx_ElementwiseOp<"IsInf", "Compare", 1, 0, "nullptr", "inferPredicate">;
def Onnx_WhereOp
    : Onnx_ElementwiseOp<"Where", "Where", 1, 0, "foldWhere", "inferWhere"> {
  let grad = "gradWhere";
  let autocast = "Widest";
}
def Onnx_BitShiftOp : Onnx_ElementwiseOp<"BitShift", "Add">;
def Onnx_BitwiseAndOp
    : Onnx_ElementwiseOp<"BitwiseAnd", "Add", foldFn = "foldBitwiseAnd">;
def Onnx_BitwiseOrOp
    : Onnx_ElementwiseOp<"BitwiseOr", "Add", foldFn = "foldBitwiseOr">;
def Onnx_BitwiseXorOp : Onnx_ElementwiseOp<"BitwiseXor", "Add">;
def Onnx_BitwiseNotOp : Onnx_ElementwiseOp<"BitwiseNot", "Neg">;

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXLOGICOPS_TD
