// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s

// An op without a backward rule reads its gradient and its operands and writes their
// gradients, in the coverage report as a lower bound; ops before it still get gradients.
// CHECK-LABEL: func.func @unknown
// dY and x of 4 * 8 floats in, 4 * 8 out.
// CHECK: %[[D2:.*]] = gpucost.kernel "UnknownGrad" attributes {coverage = #gpucost<coverage fallback>, gpucost.origin = "gradient of Normalizer", gpucost.reason = "no backward rule", {{.*}}bytes_read = 256, bytes_written = 128>
// CHECK-NEXT: onnx.UnknownGrad {{.*}}of = "onnx.Normalizer"
// CHECK: %[[D1:.*]] = gpucost.kernel "UnknownGrad" {{.*}}coverage fallback{{.*}}bytes_read = 256, bytes_written = 128>
// CHECK-NEXT: onnx.UnknownGrad %[[D2]], %{{.*}} {{.*}}of = "onnx.Affine"
// CHECK: %[[D0:.*]] = gpucost.kernel "Mul" {{.*}}origin = "gradient of Mul"
// CHECK-NEXT: onnx.Mul %[[D1]], %
// CHECK: return {gpucost.gradients = array<i64: 0>} %[[D0]]
func.func @unknown(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = onnx.Parameter : () -> tensor<4x8xf32>
  %0 = onnx.Mul %x, %w : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = onnx.Affine %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = onnx.Normalizer %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
