// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// Never zero and never silent: an op that cannot be costed has a reason.

// CHECK-LABEL: func.func @fallback
func.func @fallback(%x: tensor<4x8xf32>, %d: tensor<?x8xf32>, %w: tensor<6x2xf32>) {
  // An unknown op: its bytes in and out, 4 * 32 and 4 * 10, as a lower bound.
  // CHECK: gpucost.kernel "Custom" attributes {coverage = #gpucost<coverage fallback>, gpucost.reason = "no cost rule", work = #gpucost.work<family = opaque, instructions = copy, format = fp32, problem = #gpucost.elements<count = 10>, bytes_read = 128, bytes_written = 40>}
  %0 = gpucost.kernel "Custom" {
    %r = onnx.Custom %x {domain = "my.domain", op_type = "Foo"} : (tensor<4x8xf32>) -> tensor<2x5xf32>
    gpucost.yield %r : tensor<2x5xf32>
  } : tensor<2x5xf32>
  // One whose rule is not written yet.
  // CHECK: gpucost.kernel "LongformerAttention" attributes {coverage = #gpucost<coverage fallback>, gpucost.reason = "no cost rule",
  %1 = gpucost.kernel "LongformerAttention" {
    %r = onnx.LongformerAttention %x : (tensor<4x8xf32>) -> tensor<4x2xf32>
    gpucost.yield %r : tensor<4x2xf32>
  } : tensor<4x2xf32>
  // Shapes that contradict the rule: k = 8 and k = 6.
  // CHECK: gpucost.kernel "MatMul" attributes {coverage = #gpucost<coverage fallback>, gpucost.reason = "shapes do not fit its cost rule", work = #gpucost.work<family = opaque,
  %2 = gpucost.kernel "MatMul" {
    %r = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<6x2xf32>) -> tensor<4x2xf32>
    gpucost.yield %r : tensor<4x2xf32>
  } : tensor<4x2xf32>
  // Unknown shapes: no bound exists.
  // CHECK: gpucost.kernel "Relu" attributes {coverage = #gpucost<coverage unmodelled>, gpucost.reason = "'onnx.Relu': unknown shapes"} {
  %3 = gpucost.kernel "Relu" {
    %r = onnx.Relu %d : (tensor<?x8xf32>) -> tensor<?x8xf32>
    gpucost.yield %r : tensor<?x8xf32>
  } : tensor<?x8xf32>
  return
}

// A kernel of several ops: FLOPs add up, bytes are those that cross its border;
// an op without a rule makes the whole kernel a fallback.
// CHECK-LABEL: func.func @fused
func.func @fused(%x: tensor<16x64xf32>, %w: tensor<64xf32>) {
  // 1024 adds, 8 * 1024 of the norm, which names the family;
  // 4 * (1024 + 64) in, 4 * 1024 out.
  // CHECK: gpucost.kernel "Add+LayerNormalization" attributes {work = #gpucost.work<family = normalization, {{.*}}problem = #gpucost.rows<rows = 16, cols = 64, norm = layer>, fp32_flops = 9216, bytes_read = 4352, bytes_written = 4096>}
  %0 = gpucost.kernel "Add+LayerNormalization" {
    %a = onnx.Add %x, %x : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
    %r = onnx.LayerNormalization %a, %w {axis = -1 : i64} : (tensor<16x64xf32>, tensor<64xf32>) -> tensor<16x64xf32>
    gpucost.yield %r : tensor<16x64xf32>
  } : tensor<16x64xf32>
  // CHECK: gpucost.kernel "Add+Custom" attributes {coverage = #gpucost<coverage fallback>, {{.*}}bytes_read = 4096, bytes_written = 4096>}
  %1 = gpucost.kernel "Add+Custom" {
    %a = onnx.Add %x, %x : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
    %r = onnx.Custom %a {domain = "d", op_type = "Foo"} : (tensor<16x64xf32>) -> tensor<16x64xf32>
    gpucost.yield %r : tensor<16x64xf32>
  } : tensor<16x64xf32>
  return
}
