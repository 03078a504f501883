// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// Exact FLOPs (2 per multiply-add) and bytes (each input read once, each output
// written once). More: annotate-work-*.mlir.

// CHECK-LABEL: func.func @model
func.func @model(%x: tensor<8x128x512xbf16>) -> tensor<8x128x256xbf16> {
  %w = onnx.Parameter : () -> tensor<512x256xbf16>
  %b = onnx.Parameter : () -> tensor<256xbf16>

  // A weight matrix has no batch: the batch of 8 folds into the rows,
  // m = 8 * 128. The bias add that rides along is fp32 work of the same kernel.
  // CHECK: gpucost.kernel "MatMul+Add" attributes {library, work = #gpucost.work<family = matmul, format = bf16, input_bits = 16, output_bits = 16,
  // CHECK-SAME: problem = #gpucost.matmul<m = 1024, n = 256, k = 512>,
  // 2 * 1024 * 256 * 512
  // CHECK-SAME: tensor_flops = 268435456,
  // 1024 * 256 adds
  // CHECK-SAME: fp32_flops = 262144,
  // 2 * (1024 * 512 + 512 * 256 + 256); the sum of the matmul stays inside
  // CHECK-SAME: bytes_read = 1311232,
  // 2 * 1024 * 256
  // CHECK-SAME: bytes_written = 524288>}
  %0 = gpucost.kernel "MatMul+Add" attributes {library} {
    %p = onnx.MatMul %x, %w : (tensor<8x128x512xbf16>, tensor<512x256xbf16>) -> tensor<8x128x256xbf16>
    %s = onnx.Add %p, %b : (tensor<8x128x256xbf16>, tensor<256xbf16>) -> tensor<8x128x256xbf16>
    gpucost.yield %s : tensor<8x128x256xbf16>
  } : tensor<8x128x256xbf16>

  // 20 FLOPs and one special-function result for each of 262144 elements.
  // CHECK: gpucost.kernel "Gelu" attributes {work = #gpucost.work<family = elementwise, instructions = gelu, format = bf16, input_bits = 16, output_bits = 16,
  // CHECK-SAME: problem = #gpucost.elements<count = 262144>, fp32_flops = 5242880, special_ops = 262144, bytes_read = 524288, bytes_written = 524288>}
  %1 = gpucost.kernel "Gelu" {
    %g = onnx.Gelu %0 : (tensor<8x128x256xbf16>) -> tensor<8x128x256xbf16>
    gpucost.yield %g : tensor<8x128x256xbf16>
  } : tensor<8x128x256xbf16>

  // A copy that the framework inserts has no FLOPs.
  // CHECK: gpucost.kernel "contiguous copy" attributes {work = #gpucost.work<family = data_movement, instructions = copy, format = bf16, input_bits = 16, output_bits = 16,
  // CHECK-SAME: problem = #gpucost.elements<count = 262144, strided = true>, bytes_read = 524288, bytes_written = 524288>}
  %2 = gpucost.kernel "contiguous copy" {
    %c = gpucost.copy %1 "contiguous" strided : (tensor<8x128x256xbf16>) -> tensor<8x128x256xbf16>
    gpucost.yield %c : tensor<8x128x256xbf16>
  } : tensor<8x128x256xbf16>
  return %2 : tensor<8x128x256xbf16>
}
