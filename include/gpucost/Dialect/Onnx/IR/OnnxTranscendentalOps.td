//===- OnnxTranscendentalOps.td - Elementary functions *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXTRANSCENDENTALOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXTRANSCENDENTALOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

// ex2(x * log2(e)); lg2(x) * ln(2).
def Onnx_ExpOp : Onnx_ElementwiseOp<"Exp", "Exp", 1, 1, "foldExp"> {
  let grad = "gradTimesOutput";
  let autocast = "Single";
}
def Onnx_LogOp : Onnx_ElementwiseOp<"Log", "Log", 1, 1, "foldLog"> {
  let grad = "gradLog";
  let autocast = "Single";
}
// Eight multiply-adds of a polynomial and one ex2.
def Onnx_ErfOp : Onnx_ElementwiseOp<"Erf", "Erf", 16, 1> { let grad = "gradErf"; }
def Onnx_SinOp : Onnx_ElementwiseOp<"Sin", "Trig", 0, 1, "foldSin"> { let grad = "gradTrig"; }
def Onnx_CosOp : Onnx_ElementwiseOp<"Cos", "Trig", 0, 1, "foldCos"> { let grad = "gradTrig"; }
// sin * rcp(cos).
def Onnx_TanOp : Onnx_ElementwiseOp<"Tan", "Trig", 1, 3> {
  let grad = "gradHyperbolic";
  let autocast = "Single";
}
// Seven multiply-adds of a polynomial (and sqrt).
def Onnx_AsinOp : Onnx_ElementwiseOp<"Asin", "Trig", 14, 1> {
  let grad = "gradInverseTrig";
  let autocast = "Single";
}
def Onnx_AcosOp : Onnx_ElementwiseOp<"Acos", "Trig", 14, 1> {
  let grad = "gradInverseTrig";
  let autocast = "Single";
}
def Onnx_AtanOp : Onnx_ElementwiseOp<"Atan", "Trig", 14, 1> {
  let grad = "gradInverseTrig";
}
// (exp(x) - exp(-x)) / 2.
def Onnx_SinhOp : Onnx_ElementwiseOp<"Sinh", "Exp", 3, 2> {
  let grad = "gradHyperbolic";
  let autocast = "Single";
}
def Onnx_CoshOp : Onnx_ElementwiseOp<"Cosh", "Exp", 3, 2> {
  let grad = "gradHyperbolic";
  let autocast = "Single";
}
// log(x + sqrt(x * x + 1)).
def Onnx_AsinhOp : Onnx_ElementwiseOp<"Asinh", "Log", 4, 2> {
  let grad = "gradInverseTrig";
}
def Onnx_AcoshOp : Onnx_ElementwiseOp<"Acosh", "Log", 4, 2> {
  let grad = "gradInverseTrig";
}
// log((1 + x) / (1 - x)) / 2.
def Onnx_AtanhOp : Onnx_ElementwiseOp<"Atanh", "Log", 5, 2> {
  let grad = "gradInverseTrig";
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXTRANSCENDENTALOPS_TD
