//===- OnnxMathOps.td - Arithmetic *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXMATHOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXMATHOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_AddOp : Onnx_ElementwiseOp<"Add", "Add", foldFn = "foldAdd">;
def Onnx_SubOp : Onnx_ElementwiseOp<"Sub", "Add", foldFn = "foldSub">;
def Onnx_MulOp : Onnx_ElementwiseOp<"Mul", "Mul", foldFn = "foldMul">;
// Multiplication by rcp.
def Onnx_DivOp : Onnx_ElementwiseOp<"Div", "Div", 1, 1, "foldDiv">;
// x - y * floor(x / y).
def Onnx_ModOp : Onnx_ElementwiseOp<"Mod", "Div", 3, 1, "foldMod">;
// ex2(y * lg2(x)).
def Onnx_PowOp : Onnx_ElementwiseOp<"Pow", "Pow", 1, 2, "foldPow", "inferPow">;
def Onnx_NegOp : Onnx_ElementwiseOp<"Neg", "Neg", foldFn = "foldNeg">;
def Onnx_AbsOp : Onnx_ElementwiseOp<"Abs", "Neg", foldFn = "foldAbs">;
def Onnx_SignOp : Onnx_ElementwiseOp<"Sign", "Compare", 2, 0, "foldSign">;
def Onnx_FloorOp : Onnx_ElementwiseOp<"Floor", "Neg", foldFn = "foldFloor">;
def Onnx_CeilOp : Onnx_ElementwiseOp<"Ceil", "Neg", foldFn = "foldCeil">;
def Onnx_RoundOp : Onnx_ElementwiseOp<"Round", "Neg", foldFn = "foldRound">;
def Onnx_SqrtOp : Onnx_ElementwiseOp<"Sqrt", "Sqrt", 0, 1, "foldSqrt">;
def Onnx_ReciprocalOp
    : Onnx_ElementwiseOp<"Reciprocal", "Div", 0, 1, "foldReciprocal">;
// Not an ONNX operator: what gpucost-recompose makes of Reciprocal(Sqrt(x)).
def Onnx_RsqrtOp : Onnx_ElementwiseOp<"Rsqrt", "Rsqrt", 0, 1>;
def Onnx_MinOp : Onnx_ElementwiseOp<"Min", "Compare", foldFn = "foldMin">;
def Onnx_MaxOp : Onnx_ElementwiseOp<"Max", "Compare", foldFn = "foldMax">;
def Onnx_SumOp : Onnx_ElementwiseOp<"Sum", "Add", foldFn = "foldAdd">;
def Onnx_MeanOp : Onnx_ElementwiseOp<"Mean", "Add", 2>;
def Onnx_ClipOp
    : Onnx_ElementwiseOp<"Clip", "Compare", 2, 0, "foldClip", "inferSameAsFirst">;

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXMATHOPS_TD
