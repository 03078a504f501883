// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// CHECK-LABEL: func.func @rows
func.func @rows(%x: tensor<16x32x64xf32>, %w: tensor<64xf32>, %axes: tensor<2xi64>) {
  // 5 FLOPs and one exponential per element.
  // CHECK: family = softmax, instructions = softmax, format = fp32, problem = #gpucost.rows<rows = 512, cols = 64, pass = forward>, fp32_flops = 163840, special_ops = 32768, bytes_read = 131072, bytes_written = 131072>
  %0 = gpucost.kernel "Softmax" {
    %r = onnx.Softmax %x {axis = -1 : i64} : (tensor<16x32x64xf32>) -> tensor<16x32x64xf32>
    gpucost.yield %r : tensor<16x32x64xf32>
  } : tensor<16x32x64xf32>
  // Along another axis: 16 * 64 rows of 32.
  // CHECK: #gpucost.rows<rows = 1024, cols = 32, pass = forward>
  %1 = gpucost.kernel "Softmax" {
    %r = onnx.Softmax %x {axis = 1 : i64} : (tensor<16x32x64xf32>) -> tensor<16x32x64xf32>
    gpucost.yield %r : tensor<16x32x64xf32>
  } : tensor<16x32x64xf32>
  // 8 FLOPs per element; scale and bias (the same tensor here) are read once:
  // 4 * (32768 + 64).
  // CHECK: family = normalization, instructions = norm, format = fp32, problem = #gpucost.rows<rows = 512, cols = 64, norm = layer>, fp32_flops = 262144, bytes_read = 131328, bytes_written = 131072>
  %2 = gpucost.kernel "LayerNormalization" {
    %r = onnx.LayerNormalization %x, %w, %w {axis = -1 : i64} : (tensor<16x32x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<16x32x64xf32>
    gpucost.yield %r : tensor<16x32x64xf32>
  } : tensor<16x32x64xf32>
  // One FLOP per element that goes in: 16 results of 2048. The axes are read.
  // CHECK: family = reduction, instructions = reduce, format = fp32, problem = #gpucost.rows<rows = 16, cols = 2048>, fp32_flops = 32768, bytes_read = 131088, bytes_written = 64>
  %3 = gpucost.kernel "ReduceMean" {
    %r = onnx.ReduceMean %x, %axes {keepdims = 0 : i64} : (tensor<16x32x64xf32>, tensor<2xi64>) -> tensor<16xf32>
    gpucost.yield %r : tensor<16xf32>
  } : tensor<16xf32>
  return
}

// CHECK-LABEL: func.func @elements
func.func @elements(%x: tensor<16x64xf32>, %v: tensor<64xf32>, %s: tensor<f32>, %i: tensor<16x64xi64>) {
  // CHECK: instructions = relu, format = fp32, problem = #gpucost.elements<count = 1024>, fp32_flops = 1024, bytes_read = 4096, bytes_written = 4096>
  %0 = gpucost.kernel "Relu" {
    %r = onnx.Relu %x : (tensor<16x64xf32>) -> tensor<16x64xf32>
    gpucost.yield %r : tensor<16x64xf32>
  } : tensor<16x64xf32>
  // A vector is broadcast: the kernel indexes it. 4096 + 256 bytes.
  // CHECK: instructions = add, format = fp32, problem = #gpucost.elements<count = 1024, strided = true>, fp32_flops = 1024, bytes_read = 4352, bytes_written = 4096>
  %1 = gpucost.kernel "Add" {
    %r = onnx.Add %x, %v : (tensor<16x64xf32>, tensor<64xf32>) -> tensor<16x64xf32>
    gpucost.yield %r : tensor<16x64xf32>
  } : tensor<16x64xf32>
  // A scalar is not indexed; the same operand twice is read once; integer
  // arithmetic is not a FLOP.
  // CHECK: instructions = mul, format = fp32, problem = #gpucost.elements<count = 1024>, fp32_flops = 1024, bytes_read = 4100, bytes_written = 4096>
  %2 = gpucost.kernel "Mul" {
    %r = onnx.Mul %x, %s : (tensor<16x64xf32>, tensor<f32>) -> tensor<16x64xf32>
    gpucost.yield %r : tensor<16x64xf32>
  } : tensor<16x64xf32>
  // CHECK: instructions = add, format = fp32, input_bits = 64, output_bits = 64, problem = #gpucost.elements<count = 1024>, bytes_read = 8192, bytes_written = 8192>
  %3 = gpucost.kernel "Add" {
    %r = onnx.Add %i, %i : (tensor<16x64xi64>, tensor<16x64xi64>) -> tensor<16x64xi64>
    gpucost.yield %r : tensor<16x64xi64>
  } : tensor<16x64xi64>
  // A comparison writes bytes.
  // CHECK: instructions = compare, format = fp32, output_bits = 8, problem = #gpucost.elements<count = 1024>, fp32_flops = 1024, bytes_read = 4100, bytes_written = 1024>
  %4 = gpucost.kernel "Less" {
    %r = onnx.Less %x, %s : (tensor<16x64xf32>, tensor<f32>) -> tensor<16x64xi1>
    gpucost.yield %r : tensor<16x64xi1>
  } : tensor<16x64xi1>
  return
}

// (M18) Sums over rows that are not contiguous: one adjacent element of each.
// CHECK-LABEL: func.func @column_sums
func.func @column_sums(%x: tensor<16x64x64xf32>, %c: tensor<2x64x8x64xf32>, %l: tensor<2x8x8x64xf32>) {
  %first = onnx.Constant {value_ints = array<i64: 0, 1>} : () -> tensor<2xi64>
  // CHECK: #gpucost.rows<rows = 64, cols = 1024, run = 1>
  %0 = gpucost.kernel "ReduceSum" {
    %r = onnx.ReduceSum %x, %first {keepdims = 0 : i64} : (tensor<16x64x64xf32>, tensor<2xi64>) -> tensor<64xf32>
    gpucost.yield %r : tensor<64xf32>
  } : tensor<64xf32>
  // CHECK: #gpucost.rows<rows = 1024, cols = 64, run = 1>
  %1 = gpucost.kernel "ReduceSum" {
    %r = onnx.ReduceSum %x {axes = array<i64: -2>, keepdims = 0 : i64} : (tensor<16x64x64xf32>) -> tensor<16x64xf32>
    gpucost.yield %r : tensor<16x64xf32>
  } : tensor<16x64xf32>
  // CHECK: #gpucost.rows<rows = 1024, cols = 64>
  %2 = gpucost.kernel "ReduceSum" {
    %r = onnx.ReduceSum %x {axes = array<i64: -1>, keepdims = 0 : i64} : (tensor<16x64x64xf32>) -> tensor<16x64xf32>
    gpucost.yield %r : tensor<16x64xf32>
  } : tensor<16x64xf32>
  // Gradients of a bias: of a convolution, and of a linear layer.
  // CHECK: #gpucost.rows<rows = 64, cols = 1024>
  %3 = gpucost.kernel "ReduceSum" {
    %r = onnx.ReduceSum %c : (tensor<2x64x8x64xf32>) -> tensor<64xf32>
    gpucost.yield %r : tensor<64xf32>
  } : tensor<64xf32>
  // CHECK: #gpucost.rows<rows = 64, cols = 128, run = 1>
  %4 = gpucost.kernel "ReduceSum" {
    %r = onnx.ReduceSum %l : (tensor<2x8x8x64xf32>) -> tensor<64xf32>
    gpucost.yield %r : tensor<64xf32>
  } : tensor<64xf32>
  return
}
