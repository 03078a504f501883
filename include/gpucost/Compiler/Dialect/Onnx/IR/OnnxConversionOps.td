//===- OnnxConversionOps.td - Casts and random numbers -----*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXCONVERSIONOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXCONVERSIONOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_CastOp : Onnx_ElementwiseOp<"Cast", "Cast", 0, 0, "foldCast", "inferCast"> {
  let grad = "gradCast";
  let operands = ["X"];
  let attributes = [
    "round_mode: string = up @24-", "saturate: int = 1 @19-", "to: string ! @1-5",
    "to: int ! @6-"];
  let opsets = [1, 6, 9, 13, 19, 21, 23, 24, 25, 28];
}
def Onnx_CastLikeOp
    : Onnx_ElementwiseOp<"CastLike", "Cast", 0, 0, "foldCast", "inferCastLike"> {
  let grad = "gradCast";
  let operands = ["X", "Like"];
  let attributes = ["round_mode: string = up @24-", "saturate: int = 1 @19-"];
  let opsets = [15, 19, 21, 23, 24, 25];
}
def Onnx_BitCastOp : Onnx_ViewOp<"BitCast", "inferCast"> {
  let attributes = ["to: int !"];
  let opsets = [26];
}
def Onnx_RandomNormalOp
    : Onnx_MovementOp<"RandomNormal", "inferRandom", instrClass = "Dropout"> {
  let operands = [];
  let attributes = [
    "dtype: int = 1", "mean: float = 0", "scale: float = 1", "seed: float", "shape: ints !"];
  let opsets = [1, 22];
}
def Onnx_RandomUniformOp
    : Onnx_MovementOp<"RandomUniform", "inferRandom", instrClass = "Dropout"> {
  let operands = [];
  let attributes = [
    "dtype: int = 1", "high: float = 1", "low: float = 0", "seed: float", "shape: ints !"];
  let opsets = [1, 22];
}
def Onnx_RandomNormalLikeOp
    : Onnx_MovementOp<"RandomNormalLike", "inferRandomLike", instrClass = "Dropout"> {
  let attributes = ["dtype: int", "mean: float = 0", "scale: float = 1", "seed: float"];
  let grad = "gradNothing";
  let opsets = [1, 22];
}
def Onnx_RandomUniformLikeOp
    : Onnx_MovementOp<"RandomUniformLike", "inferRandomLike", instrClass = "Dropout"> {
  let attributes = ["dtype: int", "high: float = 1", "low: float = 0", "seed: float"];
  let grad = "gradNothing";
  let opsets = [1, 22];
}
def Onnx_BernoulliOp
    : Onnx_ElementwiseOp<"Bernoulli", "Dropout", 1, 0, "nullptr", "inferRandomLike"> {
  let attributes = ["dtype: int", "seed: float"];
  let grad = "gradNothing";
  let opsets = [15, 22];
}
// The cumulative sum of each row, then a search for each sample.
def Onnx_MultinomialOp : Onnx_LibraryOp<"Multinomial", "inferMultinomial", "multinomialWork",
    "4 and an exponential per probability", "Softmax", 4, 1> {
  let attributes = ["dtype: int = 6", "sample_size: int = 1", "seed: float"];
  let opsets = [7, 22];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXCONVERSIONOPS_TD
