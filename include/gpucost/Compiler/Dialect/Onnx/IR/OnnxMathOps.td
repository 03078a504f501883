//===- OnnxMathOps.td - Arithmetic -------------------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXMATHOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXMATHOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_AddOp : Onnx_ElementwiseOp<"Add", "Add", foldFn = "foldAdd"> {
  let grad = "gradAdd";
  let autocast = "Widest";
  let operands = ["A", "B"];
  let attributes = !listconcat(Onnx_LegacyBroadcast, ["consumed_inputs: ints @1-5"]);
  let opsets = [1, 6, 7, 13, 14];
}
def Onnx_SubOp : Onnx_ElementwiseOp<"Sub", "Add", foldFn = "foldSub"> {
  let grad = "gradSub";
  let autocast = "Widest";
  let operands = ["A", "B"];
  let attributes = !listconcat(Onnx_LegacyBroadcast, ["consumed_inputs: ints @1-5"]);
  let opsets = [1, 6, 7, 13, 14];
}
def Onnx_MulOp : Onnx_ElementwiseOp<"Mul", "Mul", foldFn = "foldMul"> {
  let grad = "gradMul";
  let autocast = "Widest";
  let operands = ["A", "B"];
  let attributes = !listconcat(Onnx_LegacyBroadcast, ["consumed_inputs: ints @1-5"]);
  let opsets = [1, 6, 7, 13, 14];
}
// Multiplication by rcp.
def Onnx_DivOp : Onnx_ElementwiseOp<"Div", "Div", 1, 1, "foldDiv"> {
  let grad = "gradDiv";
  let autocast = "Widest";
  let operands = ["A", "B"];
  let attributes = !listconcat(Onnx_LegacyBroadcast, ["consumed_inputs: ints @1-5"]);
  let opsets = [1, 6, 7, 13, 14];
}
// x - y * floor(x / y).
def Onnx_ModOp : Onnx_ElementwiseOp<"Mod", "Div", 3, 1, "foldMod"> {
  let grad = "gradMod";
  let autocast = "Widest";
  let operands = ["A", "B"];
  let attributes = ["fmod: int = 0"];
  let opsets = [10, 13, 28];
}
// ex2(y * lg2(x)).
def Onnx_PowOp : Onnx_ElementwiseOp<"Pow", "Pow", 1, 2, "foldPow", "inferPow"> {
  let grad = "gradPow";
  let autocast = "Single";
  let operands = ["Base", "Exponent"];
  let attributes = Onnx_LegacyBroadcast;
  let opsets = [1, 7, 12, 13, 15];
}
def Onnx_NegOp : Onnx_ElementwiseOp<"Neg", "Neg", foldFn = "foldNeg"> {
  let grad = "gradNeg";
  let operands = ["X"];
  let attributes = ["consumed_inputs: ints @1-5"];
  let opsets = [1, 6, 13];
}
def Onnx_AbsOp : Onnx_ElementwiseOp<"Abs", "Neg", foldFn = "foldAbs"> {
  let grad = "gradAbs";
  let operands = ["X"];
  let attributes = ["consumed_inputs: ints @1-5"];
  let opsets = [1, 6, 13];
}
def Onnx_SignOp : Onnx_ElementwiseOp<"Sign", "Compare", 2, 0, "foldSign"> {
  let grad = "gradZero";
  let operands = ["X"];
  let opsets = [9, 13];
}
def Onnx_FloorOp : Onnx_ElementwiseOp<"Floor", "Neg", foldFn = "foldFloor"> {
  let grad = "gradZero";
  let operands = ["X"];
  let attributes = ["consumed_inputs: ints @1-5"];
  let opsets = [1, 6, 13];
}
def Onnx_CeilOp : Onnx_ElementwiseOp<"Ceil", "Neg", foldFn = "foldCeil"> {
  let grad = "gradZero";
  let operands = ["X"];
  let attributes = ["consumed_inputs: ints @1-5"];
  let opsets = [1, 6, 13];
}
def Onnx_RoundOp : Onnx_ElementwiseOp<"Round", "Neg", foldFn = "foldRound"> {
  let grad = "gradZero";
  let operands = ["X"];
  let opsets = [11, 22];
}
def Onnx_SqrtOp : Onnx_ElementwiseOp<"Sqrt", "Sqrt", 0, 1, "foldSqrt"> {
  let grad = "gradSqrt";
  let operands = ["X"];
  let attributes = ["consumed_inputs: ints @1-5"];
  let opsets = [1, 6, 13];
}
def Onnx_ReciprocalOp
    : Onnx_ElementwiseOp<"Reciprocal", "Div", 0, 1, "foldReciprocal"> {
  let grad = "gradReciprocal";
  let autocast = "Single";
  let operands = ["X"];
  let attributes = ["consumed_inputs: ints @1-5"];
  let opsets = [1, 6, 13];
}
// Not an ONNX operator: gpucost-raise-ops replaces Reciprocal(Sqrt(x)) with it.
def Onnx_RsqrtOp : Onnx_ElementwiseOp<"Rsqrt", "Rsqrt", 0, 1> {
  let grad = "gradRsqrt";
  let autocast = "Single";
  let operands = ["X"];
  let attributes = ["..."];
}
def Onnx_MinOp : Onnx_ElementwiseOp<"Min", "Compare", foldFn = "foldMin"> {
  let attributes = ["consumed_inputs: ints @1-5"];
  let grad = "gradMinMax";
  let autocast = "Widest";
  let opsets = [1, 6, 8, 12, 13];
}
def Onnx_MaxOp : Onnx_ElementwiseOp<"Max", "Compare", foldFn = "foldMax"> {
  let attributes = ["consumed_inputs: ints @1-5"];
  let grad = "gradMinMax";
  let autocast = "Widest";
  let opsets = [1, 6, 8, 12, 13];
}
def Onnx_SumOp : Onnx_ElementwiseOp<"Sum", "Add", foldFn = "foldAdd"> {
  let attributes = ["consumed_inputs: ints @1-5"];
  let grad = "gradAdd";
  let autocast = "Widest";
  let opsets = [1, 6, 8, 13];
}
def Onnx_MeanOp : Onnx_ElementwiseOp<"Mean", "Add", 2> {
  let attributes = ["consumed_inputs: ints @1-5"];
  let grad = "gradMean";
  let autocast = "Widest";
  let opsets = [1, 6, 8, 13];
}
def Onnx_ClipOp
    : Onnx_ElementwiseOp<"Clip", "Compare", 2, 0, "foldClip", "inferSameAsFirst"> {
  let grad = "gradFromInput";
  let operands = ["X", "Min?", "Max?"];
  let attributes = [
    "consumed_inputs: ints @1-5", "max: float = 3.402823e+38 @1-10",
    "min: float = -3.402823e+38 @1-10"];
  let opsets = [1, 6, 11, 12, 13];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXMATHOPS_TD
