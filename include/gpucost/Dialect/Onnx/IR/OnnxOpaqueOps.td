//===- OnnxOpaqueOps.td - Strings, text and image files: on the CPU, deliberately opaque *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXOPAQUEOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXOPAQUEOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

// What runs on the host has types, but no GPU kernel to cost.
def Onnx_StringNormalizerOp : Onnx_OpaqueOp<"StringNormalizer", "inferStringNormalizer">;
def Onnx_StringConcatOp : Onnx_OpaqueOp<"StringConcat", "inferBroadcast">;
def Onnx_StringSplitOp : Onnx_OpaqueOp<"StringSplit", "inferStringSplit">;
def Onnx_RegexFullMatchOp : Onnx_OpaqueOp<"RegexFullMatch", "inferPredicate">;
def Onnx_TfIdfVectorizerOp : Onnx_OpaqueOp<"TfIdfVectorizer", "inferTfIdfVectorizer">;
def Onnx_ImageDecoderOp : Onnx_OpaqueOp<"ImageDecoder", "inferImageDecoder">;
// Generation loops of com.microsoft; the decoder is an attribute.
def Onnx_BeamSearchOp : Onnx_OpaqueOp<"BeamSearch", "inferBeamSearch">;
def Onnx_WhisperBeamSearchOp : Onnx_OpaqueOp<"WhisperBeamSearch", "inferBeamSearch">;
def Onnx_GreedySearchOp : Onnx_OpaqueOp<"GreedySearch", "inferGreedySearch">;
def Onnx_SamplingOp : Onnx_OpaqueOp<"Sampling", "inferGreedySearch">;
def Onnx_TokenizerOp : Onnx_OpaqueOp<"Tokenizer", "inferNothing">;
// Gradients of a graph that the op only names.
def Onnx_GradientOp : Onnx_OpaqueOp<"Gradient", "inferGradient">;

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXOPAQUEOPS_TD
