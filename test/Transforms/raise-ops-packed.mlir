// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{lengths} = 256
// DEFINE: %{file} = %t/causal.mlir
// DEFINE: %{run} = gpu-cost-opt %{file} --pass-pipeline='builtin.module(gpucost-raise-ops{mode=training packed-lengths=%{lengths}},gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels,gpucost-annotate-work)'
// RUN: split-file %s %t

// (A16) 2 heads of 64 channels, 1024 tokens.

// Four documents: 4*256*257/2 = 131584 scores a head instead of 1024*1025/2 = 524800. Products: 2*131584*2*64*2 =
// 67371008 FLOP, the softmax 5 a score, 1315840; the backward pass five products and 8: 168427520 + 2105344.
// RUN: %{run} | FileCheck %t/causal.mlir --check-prefix=FOUR
// REDEFINE: %{lengths} = 256,256,512
// Two of 256 and one of 512: 2*256*257/2 + 512*513/2 = 197120 scores; 100925440 FLOP.
// RUN: %{run} | FileCheck %t/causal.mlir --check-prefix=MIXED
// REDEFINE: %{lengths} = 2048
// Longer documents are cut.
// RUN: %{run} | FileCheck %t/causal.mlir --check-prefix=WHOLE
// REDEFINE: %{lengths} = 256
// REDEFINE: %{file} = %t/encoder.mlir
// Without a causal mask: 4*256*256 = 262144 scores; 134217728 FLOP.
// RUN: %{run} | FileCheck %t/encoder.mlir --check-prefix=ENCODER
// REDEFINE: %{file} = %t/both.mlir
// An encoder next to causal attention has no documents: 1024*1024 scores, 536870912 FLOP.
// RUN: %{run} | FileCheck %t/both.mlir --check-prefix=BOTH
// RUN: not gpu-cost-opt %t/none.mlir --pass-pipeline='builtin.module(gpucost-raise-ops{mode=training packed-lengths=256})' 2>&1 | FileCheck %t/none.mlir
// RUN: not gpu-cost-opt %t/none.mlir --pass-pipeline='builtin.module(gpucost-raise-ops{mode=training packed-lengths=many})' 2>&1 | FileCheck %t/none.mlir --check-prefix=TEXT

//--- causal.mlir
// FOUR: gpucost.notes = [{{.*}}"packed documents: the document of a token has 256 of the 1024 tokens of its sequence on average, and attention reads no others"
// FOUR: query_length = 1024, kv_length = 1024, head_dim = 64, causal = true, document = 256>{{.*}}, tensor_flops = 67371008, fp32_flops = 1315840
// FOUR: causal = true, backward = true, document = 256>{{.*}}, tensor_flops = 168427520, fp32_flops = 2105344
// MIXED: has 384 of the 1024 tokens
// MIXED: causal = true, document = {{38[45]}}>{{.*}}, tensor_flops = 100925440
// WHOLE: causal = true>{{.*}}, tensor_flops = 268697600
func.func @causal(%q: tensor<1x2x1024x64xbf16>, %k: tensor<1x2x1024x64xbf16>, %v: tensor<1x2x1024x64xbf16>) -> tensor<1x2x1024x64xbf16> {
  %w = onnx.Parameter : () -> tensor<64x64xbf16>
  %p = onnx.MatMul %q, %w : (tensor<1x2x1024x64xbf16>, tensor<64x64xbf16>) -> tensor<1x2x1024x64xbf16>
  %y = onnx.FusedAttention %p, %k, %v {is_causal = 1 : i64} : (tensor<1x2x1024x64xbf16>, tensor<1x2x1024x64xbf16>, tensor<1x2x1024x64xbf16>) -> tensor<1x2x1024x64xbf16>
  return %y : tensor<1x2x1024x64xbf16>
}

//--- encoder.mlir
// ENCODER: kv_length = 1024, head_dim = 64, document = 256>{{.*}}, tensor_flops = 134217728
func.func @encoder(%q: tensor<1x2x1024x64xbf16>, %k: tensor<1x2x1024x64xbf16>, %v: tensor<1x2x1024x64xbf16>) -> tensor<1x2x1024x64xbf16> {
  %y = onnx.FusedAttention %q, %k, %v : (tensor<1x2x1024x64xbf16>, tensor<1x2x1024x64xbf16>, tensor<1x2x1024x64xbf16>) -> tensor<1x2x1024x64xbf16>
  return %y : tensor<1x2x1024x64xbf16>
}

//--- both.mlir
// BOTH: kv_length = 1024, head_dim = 64>{{.*}}, tensor_flops = 536870912
// BOTH: kv_length = 1024, head_dim = 64, causal = true, document = 256>{{.*}}, tensor_flops = 67371008
func.func @both(%q: tensor<1x2x1024x64xbf16>, %k: tensor<1x2x1024x64xbf16>, %v: tensor<1x2x1024x64xbf16>) -> tensor<1x2x1024x64xbf16> {
  %y = onnx.FusedAttention %q, %k, %v : (tensor<1x2x1024x64xbf16>, tensor<1x2x1024x64xbf16>, tensor<1x2x1024x64xbf16>) -> tensor<1x2x1024x64xbf16>
  %z = onnx.FusedAttention %y, %k, %v {is_causal = 1 : i64} : (tensor<1x2x1024x64xbf16>, tensor<1x2x1024x64xbf16>, tensor<1x2x1024x64xbf16>) -> tensor<1x2x1024x64xbf16>
  return %z : tensor<1x2x1024x64xbf16>
}

//--- none.mlir
// CHECK: error: --packed-lengths needs attention inside of sequences as one kernel; --attention=flash fuses its matmuls and softmax
// TEXT: for the --packed-lengths option: --packed-lengths expects tokens of each document, several lengths separated by commas, or lengths with numbers of documents (512:3,2048:1), but got 'many'
func.func @none(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %x : tensor<4x8xf32>
}
