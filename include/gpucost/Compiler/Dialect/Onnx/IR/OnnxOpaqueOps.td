//===- OnnxOpaqueOps.td - Ops on the CPU -------------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXOPAQUEOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXOPAQUEOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// Ops that run on the host have types, but launch no GPU kernel.
def Onnx_StringNormalizerOp : Onnx_OpaqueOp<"StringNormalizer", "inferStringNormalizer"> {
  let attributes = [
    "case_change_action: string = NONE", "is_case_sensitive: int = 0", "locale: string",
    "stopwords: strings"];
  let opsets = [10];
}
def Onnx_StringConcatOp : Onnx_OpaqueOp<"StringConcat", "inferBroadcast"> { let opsets = [20]; }
def Onnx_StringSplitOp : Onnx_OpaqueOp<"StringSplit", "inferStringSplit"> {
  let attributes = ["delimiter: string", "maxsplit: int"];
  let maxResults = 2;
  let opsets = [20];
}
def Onnx_RegexFullMatchOp : Onnx_OpaqueOp<"RegexFullMatch", "inferPredicate"> {
  let attributes = ["pattern: string"];
  let opsets = [20];
}
def Onnx_TfIdfVectorizerOp : Onnx_OpaqueOp<"TfIdfVectorizer", "inferTfIdfVectorizer"> {
  let attributes = [
    "max_gram_length: int !", "max_skip_count: int !", "min_gram_length: int !", "mode: string !",
    "ngram_counts: ints !", "ngram_indexes: ints !", "pool_int64s: ints", "pool_strings: strings",
    "weights: floats"];
  let opsets = [9];
}
def Onnx_ImageDecoderOp : Onnx_OpaqueOp<"ImageDecoder", "inferImageDecoder"> {
  let attributes = ["pixel_format: string = RGB"];
  let opsets = [20];
}
// Generation loops of com.microsoft; the decoder is an attribute.
def Onnx_BeamSearchOp : Onnx_OpaqueOp<"BeamSearch", "inferBeamSearch"> {
  let attributes = [
    "decoder: graph !", "decoder_start_token_id: int = -1", "early_stopping: int = 0",
    "encoder: graph", "eos_token_id: int !", "init_decoder: graph", "model_type: int = 0",
    "no_repeat_ngram_size: int = 0", "pad_token_id: int !", "vocab_size: int = -1"];
  let maxResults = 5;
}
def Onnx_WhisperBeamSearchOp : Onnx_OpaqueOp<"WhisperBeamSearch", "inferBeamSearch"> {
  let attributes = [
    "beginning_timestamp_token_id: int", "decoder: graph !", "decoder_output_cross_qk: int",
    "decoder_start_token_id: int = -1", "early_stopping: int = 0", "encoder: graph",
    "eos_token_id: int !", "init_decoder: graph", "model_type: int = 2",
    "no_repeat_ngram_size: int = 0", "no_speech_token_id: int", "no_timestamps_token_id: int",
    "pad_token_id: int !", "start_of_lm_token_id: int", "transcribe_token_id: int",
    "translate_token_id: int", "vocab_size: int = -1"];
  let maxResults = 5;
}
def Onnx_GreedySearchOp : Onnx_OpaqueOp<"GreedySearch", "inferGreedySearch"> {
  let attributes = [
    "decoder: graph !", "decoder_start_token_id: int = -1", "encoder: graph",
    "eos_token_id: int !", "init_decoder: graph", "model_type: int = 0",
    "no_repeat_ngram_size: int = 0", "pad_token_id: int !", "vocab_size: int = -1"];
  let maxResults = 2;
}
def Onnx_SamplingOp : Onnx_OpaqueOp<"Sampling", "inferGreedySearch"> {
  let attributes = [
    "custom: int = 0", "decoder: graph !", "decoder_start_token_id: int = -1", "encoder: graph",
    "eos_token_id: int !", "filter_value: float = -1e+20", "init_decoder: graph",
    "min_tokens_to_keep: int = 0", "model_type: int = 0", "no_repeat_ngram_size: int = 0",
    "pad_token_id: int !", "presence_penalty: float = 0", "temperature: float = 1",
    "top_p: float = 0", "vocab_size: int = -1"];
  let maxResults = 2;
}
def Onnx_TokenizerOp : Onnx_OpaqueOp<"Tokenizer", "inferNothing"> {
  let attributes = [
    "mark: int !", "mincharnum: int !", "pad_value: string !", "separators: strings",
    "tokenexp: string"];
  let maxResults = -1;
}
// Detection of repeated n-grams in tokens.
def Onnx_BifurcationDetectorOp : Onnx_OpaqueOp<"BifurcationDetector", "inferNothing"> {
  let operands = ["SourceTokens", "CurrentTokens", "PreviousIndex", "PredictedTokens?"];
  let attributes = ["max_ngram_size: int = 3", "min_ngram_size: int = 1"];
  let maxResults = 2;
}
// Parts of a model that a vendor's compiler has translated.
def Onnx_EPContextOp : Onnx_OpaqueOp<"EPContext", "inferNothing"> {
  let operands = ["..."];
  let attributes = [
    "embed_mode: int = 1", "ep_cache_context: string", "ep_sdk_version: string",
    "hardware_architecture: string", "main_context: int = 1", "max_size: int = 0",
    "notes: string", "onnx_model_filename: string", "partition_name: string", "source: string"];
  let maxResults = -1;
}
def Onnx_SnpeOp : Onnx_OpaqueOp<"Snpe", "inferNothing"> {
  let operands = ["X", "..."];
  let attributes = [
    "DLC: string !", "notes: string", "snpe_version: string", "target_device: string"];
  let maxResults = -1;
}
// A convolution over the characters of each word, with a kernel for CPUs only.
def Onnx_WordConvEmbeddingOp : Onnx_OpaqueOp<"WordConvEmbedding", "inferFromRule"> {
  let operands = ["Words", "Weight", "Bias", "Characters"];
  let attributes = [
    "char_embedding_size: int", "conv_window_size: int", "embedding_size: int"];
  let shapes = ["Words: [..., L]", "Weight: [F, ?, ?, ?]", "Bias: [F]"];
  let results = ["f32 [..., F]"];
}
// An LSTM with Bahdanau attention, with a kernel for CPUs only.
def Onnx_AttnLSTMOp : Onnx_OpaqueOp<"AttnLSTM", "inferRecurrent"> {
  let operands = ["X", "W", "R", "..."];
  let attributes = [
    "activation_alpha: floats", "activation_beta: floats", "activations: strings", "clip: float",
    "direction: string = forward", "hidden_size: int", "input_forget: int = 0"];
  let maxResults = 3;
}
// The number of global tokens is data.
def Onnx_QOrderedLongformerAttentionOp
    : Onnx_OpaqueOp<"QOrderedLongformerAttention", "inferSameAsFirst"> {
  let attributes = [
    "num_heads: int !", "order_global_weight: int !", "order_input: int !",
    "order_output: int !", "order_weight: int !", "window: int !"];
}
// Gradients of a graph that the op only refers to by name.
def Onnx_GradientOp : Onnx_OpaqueOp<"Gradient", "inferGradient"> {
  let attributes = ["xs: strings !", "y: string !", "zs: strings"];
  let maxResults = -1;
  let domain = "ai.onnx.preview.training";
  let opsets = [1];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXOPAQUEOPS_TD
