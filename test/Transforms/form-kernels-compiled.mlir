// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels=runtime=compiled | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-form-kernels=runtime=cudagraph | FileCheck %s --check-prefix=EAGER
// RUN: gpu-cost-opt %s --gpucost-form-kernels=runtime=eager | FileCheck %s --check-prefix=EAGER

// A CUDA graph launches the kernels of eager execution: 4 + 3 + 3 + 3 + 2 + 2 + 3 + 2 + 2.
// EAGER-COUNT-24: gpucost.kernel
// EAGER-NOT: gpucost.kernel

// A chain over the same elements is one kernel; a view in the middle goes along.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: gpucost.kernel "Mul+Add+Sigmoid+LayerNormalization" {
// CHECK-NEXT: onnx.Mul
// CHECK-NEXT: onnx.Add
// CHECK-NEXT: onnx.Reshape
// CHECK-NEXT: onnx.Sigmoid
// CHECK-NEXT: onnx.LayerNormalization
// CHECK-NEXT: gpucost.yield
// CHECK-NOT: gpucost.kernel
// CHECK: return
func.func @chain(%x: tensor<8x64xf32>, %b: tensor<64xf32>, %s: tensor<3xi64>) -> tensor<2x4x64xf32> {
  %0 = onnx.Mul %x, %x : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = onnx.Add %0, %b : (tensor<8x64xf32>, tensor<64xf32>) -> tensor<8x64xf32>
  %2 = onnx.Reshape %1, %s : (tensor<8x64xf32>, tensor<3xi64>) -> tensor<2x4x64xf32>
  %3 = onnx.Sigmoid %2 : (tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
  %4 = onnx.LayerNormalization %3, %b {axis = -1 : i64} : (tensor<2x4x64xf32>, tensor<64xf32>) -> tensor<2x4x64xf32>
  return %4 : tensor<2x4x64xf32>
}

// A matmul is a separate kernel: only its bias is fused with it.
// CHECK-LABEL: func.func @product
// CHECK: gpucost.kernel "Relu"
// CHECK: gpucost.kernel "MatMul" attributes {library}
// CHECK: gpucost.kernel "Tanh"
func.func @product(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = onnx.Relu %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = onnx.MatMul %0, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = onnx.Tanh %1 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// A collective, which runs on a separate stream, is not fused either.
// CHECK-LABEL: func.func @collective
// CHECK: gpucost.kernel "Relu" {
// CHECK: gpucost.kernel "collective" attributes {phase = #gpucost<phase communication>} {
// CHECK-NEXT: gpucost.collective
// CHECK-NEXT: gpucost.yield
// CHECK: gpucost.kernel "Tanh" {
func.func @collective(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = onnx.Relu %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = gpucost.collective all_reduce(%0) {bytes = 256 : i64, world_size = 2 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = onnx.Tanh %1 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// The add cannot join the first Relu: its other operand comes from a matmul
// that starts later.
// CHECK-LABEL: func.func @open
// CHECK: gpucost.kernel "Relu" {
// CHECK: gpucost.kernel "MatMul"
// CHECK: gpucost.kernel "Add" {
func.func @open(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = onnx.Relu %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = onnx.MatMul %0, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = onnx.Add %0, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// Two results of one kernel: the sum is used outside as well.
// CHECK-LABEL: func.func @two_results
// CHECK-NEXT: %[[K:.*]]:2 = gpucost.kernel "Add+Neg" {
// CHECK: return %[[K]]#0, %[[K]]#1
func.func @two_results(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = onnx.Add %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Neg %0 : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// The reshape that required a copy goes into the copy's kernel as a view; otherwise
// its reader would precede it.
// CHECK-LABEL: func.func @copy
// CHECK-NEXT: onnx.Transpose
// CHECK-NEXT: gpucost.kernel "contiguous copy+Mul" {
// CHECK-NEXT: gpucost.copy
// CHECK-NEXT: onnx.Reshape
// CHECK-NEXT: onnx.Mul
// CHECK-NEXT: gpucost.yield
func.func @copy(%x: tensor<2x8x16x4xf32>, %f: tensor<f32>, %s: tensor<3xi64>) -> tensor<2x16x32xf32> {
  %0 = onnx.Transpose %x {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x8x16x4xf32>) -> tensor<2x16x8x4xf32>
  %1 = onnx.Reshape %0, %s : (tensor<2x16x8x4xf32>, tensor<3xi64>) -> tensor<2x16x32xf32>
  %2 = onnx.Mul %1, %f : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<2x16x32xf32>
  return %2 : tensor<2x16x32xf32>
}

// The Neg cannot join the Relu: the shape of the view between them is computed
// later.
// CHECK-LABEL: func.func @late_shape
// CHECK: gpucost.kernel "Relu" {
// CHECK: gpucost.kernel "Add" {
// CHECK: gpucost.kernel "Neg" {
func.func @late_shape(%x: tensor<2x4xf32>, %i: tensor<1xi64>) -> tensor<8xf32> {
  %0 = onnx.Relu %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = onnx.Add %i, %i : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %2 = onnx.Reshape %0, %1 : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<8xf32>
  %3 = onnx.Neg %2 : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// A row of more than 16384 elements is too long for one CTA: the kernel ends.
// CHECK-LABEL: func.func @long_rows
// CHECK: gpucost.kernel "ReduceMean" {
// CHECK: gpucost.kernel "Sub" {
// CHECK-LABEL: func.func @short_rows
// CHECK: gpucost.kernel "ReduceMean+Sub" {
func.func @long_rows(%x: tensor<4x32768xf32>) -> tensor<4x32768xf32> {
  %0 = onnx.ReduceMean %x {axes = array<i64: 1>, keepdims = 1 : i64} : (tensor<4x32768xf32>) -> tensor<4x1xf32>
  %1 = onnx.Sub %x, %0 : (tensor<4x32768xf32>, tensor<4x1xf32>) -> tensor<4x32768xf32>
  return %1 : tensor<4x32768xf32>
}
func.func @short_rows(%x: tensor<4x16384xf32>) -> tensor<4x16384xf32> {
  %0 = onnx.ReduceMean %x {axes = array<i64: 1>, keepdims = 1 : i64} : (tensor<4x16384xf32>) -> tensor<4x1xf32>
  %1 = onnx.Sub %x, %0 : (tensor<4x16384xf32>, tensor<4x1xf32>) -> tensor<4x16384xf32>
  return %1 : tensor<4x16384xf32>
}
