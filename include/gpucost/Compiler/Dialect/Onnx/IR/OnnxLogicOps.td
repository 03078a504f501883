//===- OnnxLogicOps.td - Comparison, logic, bits -----------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXLOGICOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXLOGICOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_EqualOp
    : Onnx_ElementwiseOp<"Equal", "Compare", 1, 0, "foldEqual", "inferCompare"> {
  let operands = ["A", "B"];
  let attributes = Onnx_LegacyBroadcast;
  let opsets = [1, 7, 11, 13, 19];
}
def Onnx_LessOp
    : Onnx_ElementwiseOp<"Less", "Compare", 1, 0, "foldLess", "inferCompare"> {
  let operands = ["A", "B"];
  let attributes = Onnx_LegacyBroadcast;
  let opsets = [1, 7, 9, 13];
}
def Onnx_GreaterOp
    : Onnx_ElementwiseOp<"Greater", "Compare", 1, 0, "foldGreater", "inferCompare"> {
  let operands = ["A", "B"];
  let attributes = Onnx_LegacyBroadcast;
  let opsets = [1, 7, 9, 13];
}
def Onnx_LessOrEqualOp
    : Onnx_ElementwiseOp<"LessOrEqual", "Compare", 1, 0, "foldLessOrEqual", "inferCompare"> {
  let operands = ["A", "B"];
  let opsets = [12, 16];
}
def Onnx_GreaterOrEqualOp
    : Onnx_ElementwiseOp<"GreaterOrEqual", "Compare", 1, 0, "foldGreaterOrEqual", "inferCompare"> {
  let operands = ["A", "B"];
  let opsets = [12, 16];
}
def Onnx_AndOp
    : Onnx_ElementwiseOp<"And", "Compare", 1, 0, "foldAnd", "inferCompare"> {
  let operands = ["A", "B"];
  let attributes = Onnx_LegacyBroadcast;
  let opsets = [1, 7];
}
def Onnx_OrOp : Onnx_ElementwiseOp<"Or", "Compare", 1, 0, "foldOr", "inferCompare"> {
  let operands = ["A", "B"];
  let attributes = Onnx_LegacyBroadcast;
  let opsets = [1, 7];
}
def Onnx_XorOp
    : Onnx_ElementwiseOp<"Xor", "Compare", 1, 0, "foldXor", "inferCompare"> {
  let operands = ["A", "B"];
  let attributes = Onnx_LegacyBroadcast;
  let opsets = [1, 7];
}
def Onnx_NotOp
    : Onnx_ElementwiseOp<"Not", "Compare", 1, 0, "foldNot", "inferPredicate"> {
  let operands = ["X"];
  let opsets = [1];
}
def Onnx_IsNaNOp
    : Onnx_ElementwiseOp<"IsNaN", "Compare", 1, 0, "nullptr", "inferPredicate"> {
  let operands = ["X"];
  let opsets = [9, 13, 20];
}
def Onnx_IsInfOp
    : Onnx_ElementwiseOp<"IsInf", "Compare", 1, 0, "nullptr", "inferPredicate"> {
  let operands = ["X"];
  let attributes = ["detect_negative: int = 1", "detect_positive: int = 1"];
  let opsets = [10, 20];
}
def Onnx_WhereOp
    : Onnx_ElementwiseOp<"Where", "Where", 1, 0, "foldWhere", "inferWhere"> {
  let grad = "gradWhere";
  let autocast = "Widest";
  let operands = ["Condition", "X", "Y"];
  let opsets = [9, 16];
}
def Onnx_BitShiftOp : Onnx_ElementwiseOp<"BitShift", "Add"> {
  let operands = ["A", "B"];
  let attributes = ["direction: string !"];
  let opsets = [11, 28];
}
def Onnx_BitwiseAndOp
    : Onnx_ElementwiseOp<"BitwiseAnd", "Add", foldFn = "foldBitwiseAnd"> {
  let operands = ["A", "B"];
  let opsets = [18];
}
def Onnx_BitwiseOrOp
    : Onnx_ElementwiseOp<"BitwiseOr", "Add", foldFn = "foldBitwiseOr"> {
  let operands = ["A", "B"];
  let opsets = [18];
}
def Onnx_BitwiseXorOp : Onnx_ElementwiseOp<"BitwiseXor", "Add"> {
  let operands = ["A", "B"];
  let opsets = [18];
}
def Onnx_BitwiseNotOp : Onnx_ElementwiseOp<"BitwiseNot", "Neg"> {
  let operands = ["X"];
  let opsets = [18];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXLOGICOPS_TD
