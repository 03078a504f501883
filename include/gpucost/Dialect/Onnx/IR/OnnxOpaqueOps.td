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
def Onnx_StringNormalizerOp : Onnx_OpaqueOp<"StringNormalizer", "inferStringNormalizer"> {
  let opsets = [10];
}
def Onnx_StringConcatOp : Onnx_OpaqueOp<"StringConcat", "inferBroadcast"> { let opsets = [20]; }
def Onnx_StringSplitOp : Onnx_OpaqueOp<"StringSplit", "inferStringSplit"> {
  let maxResults = 2;
  let opsets = [20];
}
def Onnx_RegexFullMatchOp : Onnx_OpaqueOp<"RegexFullMatch", "inferPredicate"> { let opsets = [20]; }
def Onnx_TfIdfVectorizerOp : Onnx_OpaqueOp<"TfIdfVectorizer", "inferTfIdfVectorizer"> {
  let opsets = [9];
}
def Onnx_ImageDecoderOp : Onnx_OpaqueOp<"ImageDecoder", "inferImageDecoder"> { let opsets = [20]; }
// Generation loops of com.microsoft; the decoder is an attribute.
def Onnx_BeamSearchOp : Onnx_OpaqueOp<"BeamSearch", "inferBeamSearch"> { let maxResults = 5; }
def Onnx_WhisperBeamSearchOp : Onnx_OpaqueOp<"WhisperBeamSearch", "inferBeamSearch"> {
  let maxResults = 5;
}
def Onnx_GreedySearchOp : Onnx_OpaqueOp<"GreedySearch", "inferGreedySearch"> { let maxResults = 2; }
def Onnx_SamplingOp : Onnx_OpaqueOp<"Sampling", "inferGreedySearch"> { let maxResults = 2; }
def Onnx_TokenizerOp : Onnx_OpaqueOp<"Tokenizer", "inferNothing"> { let maxResults = -1; }
// Gradients of a graph that the op only names.
def Onnx_GradientOp : Onnx_OpaqueOp<"Gradient", "inferGradient"> {
  let maxResults = -1;
  let domain = "ai.onnx.preview.training";
  let opsets = [1];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXOPAQUEOPS_TD
