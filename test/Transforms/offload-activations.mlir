// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training='loss=none optimizer=none' --gpucost-form-kernels --gpucost-offload-activations='offload-activations' | FileCheck %s

// (B13) Units end before attention; a tensor has 2 * 128 * 64 * 2 = 32768 bytes. The first unit makes one that the backward
// pass reads, the others two, results of attention and of the matmul. Units 0 to 2 of 5 go to the host when the next one ends.
// CHECK: activations: 160.0 KiB of a micro-batch wait in host memory; unseen: no public measurement
// CHECK: %[[Q0:.*]] = gpucost.kernel "MatMul"
// CHECK: %[[Y0:.*]] = gpucost.kernel "Attention"
// CHECK: %[[Q1:.*]] = gpucost.kernel "MatMul"
// CHECK: gpucost.kernel "host copy" attributes {gpucost.origin = "offload", phase = #gpucost<phase communication>}
// CHECK-NEXT: gpucost.collective to_host(%[[Q0]]) {bytes = 32768 : i64, world_size = 1 : i64}
// CHECK: gpucost.kernel "Attention"
// CHECK: gpucost.collective to_host(%[[Y0]], %[[Q1]]) {bytes = 65536 : i64,
// CHECK: gpucost.kernel "Attention"
// CHECK: gpucost.collective to_host({{.*}}) {bytes = 65536 : i64,
// CHECK: gpucost.kernel "Attention"
// A unit returns when the backward pass of the next one begins: that of unit 3 with the last attention, whose queries it has made.
// CHECK-NOT: "FusedAttentionGrad"
// CHECK: %[[BACK2:.*]]:2 = gpucost.kernel "host copy"
// CHECK-NEXT: gpucost.collective from_host() {bytes = 65536 : i64,
// CHECK: onnx.FusedAttentionGrad
// CHECK: %[[BACK1:.*]]:2 = gpucost.kernel "host copy"
// CHECK: onnx.FusedAttentionGrad %[[BACK2]]#1
// CHECK: %[[BACK0:.*]] = gpucost.kernel "host copy"
// CHECK: onnx.FusedAttentionGrad %[[BACK1]]#1
// CHECK: onnx.FusedAttentionGrad %[[BACK0]]
func.func @step(%x: tensor<2x128x64xbf16>) -> tensor<2x128x64xbf16> {
  %w0 = onnx.Parameter {name = "w0"} : () -> tensor<64x64xbf16>
  %w1 = onnx.Parameter {name = "w1"} : () -> tensor<64x64xbf16>
  %w2 = onnx.Parameter {name = "w2"} : () -> tensor<64x64xbf16>
  %w3 = onnx.Parameter {name = "w3"} : () -> tensor<64x64xbf16>
  %q0 = onnx.MatMul %x, %w0 : (tensor<2x128x64xbf16>, tensor<64x64xbf16>) -> tensor<2x128x64xbf16>
  %y0 = onnx.Attention %q0, %q0, %q0 {is_causal = 1 : i64, q_num_heads = 2 : i64, kv_num_heads = 2 : i64} : (tensor<2x128x64xbf16>, tensor<2x128x64xbf16>, tensor<2x128x64xbf16>) -> tensor<2x128x64xbf16>
  %q1 = onnx.MatMul %y0, %w1 : (tensor<2x128x64xbf16>, tensor<64x64xbf16>) -> tensor<2x128x64xbf16>
  %y1 = onnx.Attention %q1, %q1, %q1 {is_causal = 1 : i64, q_num_heads = 2 : i64, kv_num_heads = 2 : i64} : (tensor<2x128x64xbf16>, tensor<2x128x64xbf16>, tensor<2x128x64xbf16>) -> tensor<2x128x64xbf16>
  %q2 = onnx.MatMul %y1, %w2 : (tensor<2x128x64xbf16>, tensor<64x64xbf16>) -> tensor<2x128x64xbf16>
  %y2 = onnx.Attention %q2, %q2, %q2 {is_causal = 1 : i64, q_num_heads = 2 : i64, kv_num_heads = 2 : i64} : (tensor<2x128x64xbf16>, tensor<2x128x64xbf16>, tensor<2x128x64xbf16>) -> tensor<2x128x64xbf16>
  %q3 = onnx.MatMul %y2, %w3 : (tensor<2x128x64xbf16>, tensor<64x64xbf16>) -> tensor<2x128x64xbf16>
  %y3 = onnx.Attention %q3, %q3, %q3 {is_causal = 1 : i64, q_num_heads = 2 : i64, kv_num_heads = 2 : i64} : (tensor<2x128x64xbf16>, tensor<2x128x64xbf16>, tensor<2x128x64xbf16>) -> tensor<2x128x64xbf16>
  return %y3 : tensor<2x128x64xbf16>
}
