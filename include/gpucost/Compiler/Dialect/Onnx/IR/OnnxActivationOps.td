//===- OnnxActivationOps.td - Activation functions ---------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXACTIVATIONOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXACTIVATIONOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_ReluOp : Onnx_ElementwiseOp<"Relu", "Relu", foldFn = "foldRelu"> {
  let grad = "gradFromOutput";
  let operands = ["X"];
  let attributes = ["consumed_inputs: ints @1-5"];
  let gradientOp = "ReluGrad";
  let opsets = [1, 6, 13, 14];
}
// max and a product.
def Onnx_LeakyReluOp : Onnx_ElementwiseOp<"LeakyRelu", "Relu", 2> {
  let grad = "gradFromInput";
  let operands = ["X"];
  let attributes = ["alpha: float = 0.01", "consumed_inputs: ints @1-5"];
  let gradientOp = "LeakyReluGrad";
  let opsets = [1, 6, 16];
}
def Onnx_PReluOp : Onnx_ElementwiseOp<"PRelu", "Relu", 2, 0, "nullptr", "inferSameAsFirst"> {
  let grad = "gradPRelu";
  let autocast = "Widest";
  let operands = ["X", "Slope"];
  let attributes = ["consumed_inputs: ints @1-5"];
  let opsets = [1, 6, 7, 9, 16];
}
def Onnx_ThresholdedReluOp : Onnx_ElementwiseOp<"ThresholdedRelu", "Relu", 1> {
  let grad = "gradFromInput";
  let operands = ["X"];
  let attributes = ["alpha: float = 1"];
  let opsets = [10, 22];
}
def Onnx_ShrinkOp : Onnx_ElementwiseOp<"Shrink", "Where", 3> {
  let grad = "gradFromInput";
  let operands = ["X"];
  let attributes = ["bias: float = 0", "lambd: float = 0.5"];
  let opsets = [9];
}
// rcp(1 + ex2(-x * log2(e))).
def Onnx_SigmoidOp : Onnx_ElementwiseOp<"Sigmoid", "Sigmoid", 2, 2> {
  let grad = "gradFromOutput";
  let operands = ["X"];
  let attributes = ["consumed_inputs: ints @1-5"];
  let gradientOp = "SigmoidGrad";
  let opsets = [1, 6, 13];
}
// 1 - 2 * rcp(ex2(2 x * log2(e)) + 1).
def Onnx_TanhOp : Onnx_ElementwiseOp<"Tanh", "Tanh", 4, 2> {
  let grad = "gradFromOutput";
  let operands = ["X"];
  let attributes = ["consumed_inputs: ints @1-5"];
  let gradientOp = "TanhGrad";
  let opsets = [1, 6, 13];
}
// 0.5 x (1 + erf(x / sqrt(2))): 4 FLOP and erf (16, 1).
def Onnx_GeluOp : Onnx_ElementwiseOp<"Gelu", "Gelu", 20, 1> {
  let grad = "gradFromInput";
  let operands = ["X"];
  let attributes = ["approximate: string = none"];
  let gradientOp = "GeluGrad";
  let opsets = [20];
}
// x * sigmoid(x); `Swish` has a factor `alpha`.
def Onnx_SiluOp : Onnx_ElementwiseOp<"Silu", "Silu", 3, 2> {
  let grad = "gradFromInput";
  let operands = ["X"];
  let attributes = ["..."];
  let gradientOp = "SiluGrad";
}
def Onnx_SwishOp : Onnx_ElementwiseOp<"Swish", "Silu", 4, 2> {
  let grad = "gradFromInput";
  let operands = ["X"];
  let attributes = ["alpha: float = 1"];
  let opsets = [24];
}
// Gate multiplied by a value.
def Onnx_SwiGLUOp
    : Onnx_ElementwiseOp<"SwiGLU", "Silu", 5, 2, "nullptr", "inferSameAsFirst"> {
  let attributes = [
    "activation_alpha: float = 1", "activation_beta: float = 0", "alpha: float = 1",
    "limit: float = 0", "round_activation: int = 0"];
  let grad = "gradJoint";
  let opsets = [28];
}
def Onnx_HardSigmoidOp : Onnx_ElementwiseOp<"HardSigmoid", "Relu", 4> {
  let grad = "gradFromInput";
  let operands = ["X"];
  let attributes = ["alpha: float = 0.2", "beta: float = 0.5", "consumed_inputs: ints @1-5"];
  let gradientOp = "HardSigmoidGrad";
  let opsets = [1, 6, 22];
}
def Onnx_HardSwishOp : Onnx_ElementwiseOp<"HardSwish", "Relu", 5> {
  let grad = "gradFromInput";
  let operands = ["X"];
  let opsets = [14, 22];
}
// Compare, select and exp(x) - 1, scaled.
def Onnx_EluOp : Onnx_ElementwiseOp<"Elu", "Exp", 5, 1> {
  let grad = "gradFromInput";
  let operands = ["X"];
  let attributes = ["alpha: float = 1", "consumed_inputs: ints @1-5"];
  let gradientOp = "EluGrad";
  let opsets = [1, 6, 22];
}
def Onnx_SeluOp : Onnx_ElementwiseOp<"Selu", "Exp", 6, 1> {
  let grad = "gradFromInput";
  let operands = ["X"];
  let attributes = [
    "alpha: float = 1.673263", "consumed_inputs: ints @1-5", "gamma: float = 1.050701"];
  let opsets = [1, 6, 22];
}
def Onnx_CeluOp : Onnx_ElementwiseOp<"Celu", "Exp", 6, 1> {
  let grad = "gradFromInput";
  let operands = ["X"];
  let attributes = ["alpha: float = 1"];
  let opsets = [12, 28];
}
// log(1 + exp(x)).
def Onnx_SoftplusOp : Onnx_ElementwiseOp<"Softplus", "Log", 3, 2> {
  let grad = "gradFromInput";
  let autocast = "Single";
  let operands = ["X"];
  let opsets = [1, 22];
}
// x * rcp(1 + abs(x)).
def Onnx_SoftsignOp : Onnx_ElementwiseOp<"Softsign", "Div", 3, 1> {
  let grad = "gradFromInput";
  let operands = ["X"];
  let opsets = [1, 22];
}
// x * tanh(softplus(x)).
def Onnx_MishOp : Onnx_ElementwiseOp<"Mish", "Tanh", 8, 4> {
  let grad = "gradFromInput";
  let operands = ["X"];
  let opsets = [18, 22];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXACTIVATIONOPS_TD
