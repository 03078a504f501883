//===- OnnxTranscendentalOps.td - Elementary functions -----*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXTRANSCENDENTALOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXTRANSCENDENTALOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// ex2(x * log2(e)); lg2(x) * ln(2).
def Onnx_ExpOp : Onnx_ElementwiseOp<"Exp", "Exp", 1, 1, "foldExp"> {
  let grad = "gradTimesOutput";
  let autocast = "Single";
  let operands = ["X"];
  let attributes = ["consumed_inputs: ints @1-5"];
  let opsets = [1, 6, 13];
}
def Onnx_LogOp : Onnx_ElementwiseOp<"Log", "Log", 1, 1, "foldLog"> {
  let grad = "gradLog";
  let autocast = "Single";
  let operands = ["X"];
  let attributes = ["consumed_inputs: ints @1-5"];
  let opsets = [1, 6, 13];
}
// Eight multiply-adds of a polynomial and one ex2.
def Onnx_ErfOp : Onnx_ElementwiseOp<"Erf", "Erf", 16, 1> {
  let grad = "gradErf";
  let operands = ["X"];
  let opsets = [9, 13];
}
def Onnx_SinOp : Onnx_ElementwiseOp<"Sin", "Trig", 0, 1, "foldSin"> {
  let grad = "gradSin";
  let operands = ["X"];
  let opsets = [7, 22];
}
def Onnx_CosOp : Onnx_ElementwiseOp<"Cos", "Trig", 0, 1, "foldCos"> {
  let grad = "gradCos";
  let operands = ["X"];
  let opsets = [7, 22];
}
// sin * rcp(cos).
def Onnx_TanOp : Onnx_ElementwiseOp<"Tan", "Trig", 1, 3> {
  let grad = "gradTan";
  let autocast = "Single";
  let operands = ["X"];
  let opsets = [7, 22];
}
// Seven multiply-adds of a polynomial (and sqrt).
def Onnx_AsinOp : Onnx_ElementwiseOp<"Asin", "Trig", 14, 1> {
  let grad = "gradAsin";
  let autocast = "Single";
  let operands = ["X"];
  let opsets = [7, 22];
}
def Onnx_AcosOp : Onnx_ElementwiseOp<"Acos", "Trig", 14, 1> {
  let grad = "gradAcos";
  let autocast = "Single";
  let operands = ["X"];
  let opsets = [7, 22];
}
def Onnx_AtanOp : Onnx_ElementwiseOp<"Atan", "Trig", 14, 1> {
  let grad = "gradAtan";
  let operands = ["X"];
  let opsets = [7, 22];
}
// (exp(x) - exp(-x)) / 2.
def Onnx_SinhOp : Onnx_ElementwiseOp<"Sinh", "Exp", 3, 2> {
  let grad = "gradSinh";
  let autocast = "Single";
  let operands = ["X"];
  let opsets = [9, 22];
}
def Onnx_CoshOp : Onnx_ElementwiseOp<"Cosh", "Exp", 3, 2> {
  let grad = "gradCosh";
  let autocast = "Single";
  let operands = ["X"];
  let opsets = [9, 22];
}
// log(x + sqrt(x * x + 1)).
def Onnx_AsinhOp : Onnx_ElementwiseOp<"Asinh", "Log", 4, 2> {
  let grad = "gradInverseHyperbolic";
  let operands = ["X"];
  let opsets = [9, 22];
}
def Onnx_AcoshOp : Onnx_ElementwiseOp<"Acosh", "Log", 4, 2> {
  let grad = "gradInverseHyperbolic";
  let operands = ["X"];
  let opsets = [9, 22];
}
// log((1 + x) / (1 - x)) / 2.
def Onnx_AtanhOp : Onnx_ElementwiseOp<"Atanh", "Log", 5, 2> {
  let grad = "gradAtanh";
  let operands = ["X"];
  let opsets = [9, 22];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXTRANSCENDENTALOPS_TD
