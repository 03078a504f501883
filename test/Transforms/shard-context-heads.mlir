// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-shard-context='gpus=4 parallel=cp seq=1024 context=ulysses2.ring2' | FileCheck %s

// (X22) Heads are divided among 2 neighbours, and keys and values pass round 2 such groups. 256 tokens of one GPU are
// 2 * 256 * 128 * 2 bytes; the ring moves 512 tokens of half of the heads twice, 2 * 1024 * 64 * 2 bytes.
// CHECK-LABEL: func.func @heads
// CHECK-COUNT-3: gpucost.collective all_to_all(%{{.*}}) {bytes = 131072 : i64, gpucost.origin = "heads of context", world_size = 2 : i64} : (tensor<2x256x128xbf16>) -> tensor<2x512x64xbf16>
// CHECK-COUNT-2: gpucost.collective all_gather(%{{.*}}) {bytes = 262144 : i64, {{.*}}world_size = 2 : i64} : (tensor<2x512x64xbf16>) -> tensor<2x1024x64xbf16>
// CHECK: onnx.Attention {{.*}}kv_num_heads = 2 : i64, q_num_heads = 2 : i64{{.*}} : (tensor<2x512x64xbf16>, tensor<2x1024x64xbf16>, tensor<2x1024x64xbf16>) -> tensor<2x512x64xbf16>
// CHECK: gpucost.collective all_to_all(%{{.*}}) {bytes = 131072 : i64, gpucost.origin = "heads of context", world_size = 2 : i64} : (tensor<2x512x64xbf16>) -> tensor<2x256x128xbf16>
// Attention to 77 tokens of text is not divided.
// CHECK: onnx.Attention {{.*}} : (tensor<2x256x128xbf16>, tensor<2x77x128xbf16>, tensor<2x77x128xbf16>) -> tensor<2x256x128xbf16>
func.func @heads(%q: tensor<2x256x128xbf16>, %k: tensor<2x256x128xbf16>, %v: tensor<2x256x128xbf16>, %t: tensor<2x77x128xbf16>) -> tensor<2x256x128xbf16> {
  %y = onnx.Attention %q, %k, %v {q_num_heads = 4 : i64, kv_num_heads = 4 : i64} : (tensor<2x256x128xbf16>, tensor<2x256x128xbf16>, tensor<2x256x128xbf16>) -> tensor<2x256x128xbf16>
  %z = onnx.Attention %y, %t, %t {q_num_heads = 4 : i64, kv_num_heads = 4 : i64} : (tensor<2x256x128xbf16>, tensor<2x77x128xbf16>, tensor<2x77x128xbf16>) -> tensor<2x256x128xbf16>
  return %z : tensor<2x256x128xbf16>
}
