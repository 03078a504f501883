// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// CHECK-LABEL: func.func @movement
func.func @movement(%x: tensor<2x16x8x8xf16>, %ids: tensor<2x128xi64>, %row: tensor<1x64xf32>, %s: tensor<2xi64>) {
  %table = onnx.Parameter : () -> tensor<50000x768xf16>

  // Only the gathered rows are read, not the table of 76.8 MB:
  // 2 * 2 * 128 * 768 of rows and 8 * 2 * 128 of ids.
  // CHECK: family = embedding, instructions = gather, format = fp16, input_bits = 16, output_bits = 16, problem = #gpucost.elements<count = 196608, strided = true>, bytes_read = 395264, bytes_written = 393216>
  %0 = gpucost.kernel "Gather" {
    %r = onnx.Gather %table, %ids {axis = 0 : i64} : (tensor<50000x768xf16>, tensor<2x128xi64>) -> tensor<2x128x768xf16>
    gpucost.yield %r : tensor<2x128x768xf16>
  } : tensor<2x128x768xf16>

  // More rows than the table has: each is read once.
  // 4 * 64 + 8 * 2 * 128 bytes in, 4 * 2 * 128 * 64 out.
  // CHECK: family = embedding, {{.*}}bytes_read = 2304, bytes_written = 65536>
  %1 = gpucost.kernel "Gather" {
    %r = onnx.Gather %row, %ids {axis = 0 : i64} : (tensor<1x64xf32>, tensor<2x128xi64>) -> tensor<2x128x64xf32>
    gpucost.yield %r : tensor<2x128x64xf32>
  } : tensor<2x128x64xf32>

  // One FLOP for each of 9 elements in the window of 2 * 16 * 6 * 6 outputs.
  // CHECK: family = pooling, instructions = pool, format = fp16, input_bits = 16, output_bits = 16, problem = #gpucost.elements<count = 1152, strided = true>, fp32_flops = 10368, bytes_read = 4096, bytes_written = 2304>
  %2 = gpucost.kernel "MaxPool" {
    %r = onnx.MaxPool %x {kernel_shape = array<i64: 3, 3>} : (tensor<2x16x8x8xf16>) -> tensor<2x16x6x6xf16>
    gpucost.yield %r : tensor<2x16x6x6xf16>
  } : tensor<2x16x6x6xf16>

  // Without a window over the whole image: a reduction of 64 to one.
  // CHECK: family = reduction, instructions = reduce, {{.*}}problem = #gpucost.rows<rows = 32, cols = 64>, fp32_flops = 2048, bytes_read = 4096, bytes_written = 64>
  %3 = gpucost.kernel "GlobalAveragePool" {
    %r = onnx.GlobalAveragePool %x : (tensor<2x16x8x8xf16>) -> tensor<2x16x1x1xf16>
    gpucost.yield %r : tensor<2x16x1x1xf16>
  } : tensor<2x16x1x1xf16>

  // An expanded view reads the bytes of its source once, one row of 4 * 64, and not
  // 1000 times that; the other operand reads 4 * 1000 * 64.
  // CHECK: instructions = add, {{.*}}fp32_flops = 64000, bytes_read = 256256, bytes_written = 256000>
  %big = onnx.Parameter : () -> tensor<1000x64xf32>
  %view = onnx.Expand %row, %s : (tensor<1x64xf32>, tensor<2xi64>) -> tensor<1000x64xf32>
  %4 = gpucost.kernel "Add" {
    %r = onnx.Add %big, %view : (tensor<1000x64xf32>, tensor<1000x64xf32>) -> tensor<1000x64xf32>
    gpucost.yield %r : tensor<1000x64xf32>
  } : tensor<1000x64xf32>

  // A slice of a large tensor is read, not the tensor.
  // CHECK: instructions = relu, {{.*}}bytes_read = 40, bytes_written = 40>
  %slice = onnx.Slice %big, %s, %s, %s : (tensor<1000x64xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x5xf32>
  %5 = gpucost.kernel "Relu" {
    %r = onnx.Relu %slice : (tensor<2x5xf32>) -> tensor<2x5xf32>
    gpucost.yield %r : tensor<2x5xf32>
  } : tensor<2x5xf32>
  return
}

// CHECK-LABEL: func.func @scatter_of_shape
func.func @scatter_of_shape(%indices: tensor<2x1xi64>, %updates: tensor<2x5xf32>) {
  %shape = onnx.Constant {value = dense<[7, 5]> : tensor<2xi64>} : () -> tensor<2xi64>
  // Ten updates are added to zeros: a shape of 16 bytes, indices 16, updates 40.
  // CHECK: gpucost.kernel "ScatterNDOfShape" {{.*}}fp32_flops = 10, bytes_read = 72, bytes_written = 140>
  %0 = gpucost.kernel "ScatterNDOfShape" {
    %r = onnx.ScatterNDOfShape %shape, %indices, %updates {reduction = "add"} : (tensor<2xi64>, tensor<2x1xi64>, tensor<2x5xf32>) -> tensor<7x5xf32>
    gpucost.yield %r : tensor<7x5xf32>
  } : tensor<7x5xf32>
  return
}
