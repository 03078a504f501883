// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s --check-prefixes=CHECK,OFF
// RUN: sed 's/^module {/module attributes {gpucost.scenario = #gpucost.scenario<tf32 = on>} {/' %s | gpu-cost-opt --gpucost-annotate-work | FileCheck %s --check-prefixes=CHECK,ON
// RUN: sed 's/^module {/module attributes {gpucost.scenario = #gpucost.scenario<tf32 = conv>} {/' %s | gpu-cost-opt --gpucost-annotate-work | FileCheck %s --check-prefixes=CHECK,CONV
// RUN: gpu-cost-opt %s --gpucost-set-target='target=fp8 target-file=%inputs/toy-target.mlir' --gpucost-annotate-work | FileCheck %s --check-prefixes=CHECK,OFF
// RUN: gpu-cost-opt %s --gpucost-set-target='target=int8 target-file=%inputs/toy-target.mlir' --gpucost-annotate-work | FileCheck %s --check-prefixes=CHECK,OFF
// RUN: gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir --gpucost-annotate-work | FileCheck %s --check-prefixes=CHECK,OFF

module {
  func.func @formats(%x: tensor<64x128xf32>, %i: tensor<1x8x4x4xf32>, %h: tensor<64x128xbf16>, %q: tensor<64x128xi8>) {
    // fp32 tensors: CUDA cores, or TF32 tensor cores where the module allows it.
    // Elements keep their 32 bits: 4 * (64 * 128 + 128 * 32) bytes.
    // OFF: gpucost.kernel "MatMul" attributes {work = #gpucost.work<family = matmul, format = fp32,
    // ON: gpucost.kernel "MatMul" attributes {work = #gpucost.work<family = matmul, format = tf32,
    // CONV: gpucost.kernel "MatMul" attributes {work = #gpucost.work<family = matmul, format = fp32,
    // CHECK-SAME: problem = #gpucost.matmul<m = 64, n = 32, k = 128>, tensor_flops = 524288, bytes_read = 49152, bytes_written = 8192>
    %w = onnx.Parameter : () -> tensor<128x32xf32>
    %0 = gpucost.kernel "MatMul" {
      %r = onnx.MatMul %x, %w : (tensor<64x128xf32>, tensor<128x32xf32>) -> tensor<64x32xf32>
      gpucost.yield %r : tensor<64x32xf32>
    } : tensor<64x32xf32>
    // PyTorch's default allows it only for convolutions.
    // OFF: gpucost.kernel "Conv" attributes {work = #gpucost.work<family = convolution, format = fp32,
    // ON: gpucost.kernel "Conv" attributes {work = #gpucost.work<family = convolution, format = tf32,
    // CONV: gpucost.kernel "Conv" attributes {work = #gpucost.work<family = convolution, format = tf32,
    %f = onnx.Parameter : () -> tensor<8x8x1x1xf32>
    %1 = gpucost.kernel "Conv" {
      %r = onnx.Conv %i, %f : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32>
      gpucost.yield %r : tensor<1x8x4x4xf32>
    } : tensor<1x8x4x4xf32>
    // 16-bit tensors are unchanged: 8-bit tensors have a separate type
    // (gpucost-quantize).
    // CHECK: gpucost.kernel "Half" attributes {work = #gpucost.work<family = matmul, format = bf16, input_bits = 16, output_bits = 16, {{.*}}, tensor_flops = 524288, bytes_read = 24576, bytes_written = 4096>
    %wh = onnx.Parameter : () -> tensor<128x32xbf16>
    %2 = gpucost.kernel "Half" {
      %r = onnx.MatMul %h, %wh : (tensor<64x128xbf16>, tensor<128x32xbf16>) -> tensor<64x32xbf16>
      gpucost.yield %r : tensor<64x32xbf16>
    } : tensor<64x32xbf16>
    // Other kernels keep their format: a softmax of bf16 tensors is one.
    // CHECK: gpucost.kernel "Softmax" attributes {work = #gpucost.work<family = softmax, instructions = softmax, format = bf16, input_bits = 16, output_bits = 16,
    %3 = gpucost.kernel "Softmax" {
      %r = onnx.Softmax %h {axis = -1 : i64} : (tensor<64x128xbf16>) -> tensor<64x128xbf16>
      gpucost.yield %r : tensor<64x128xbf16>
    } : tensor<64x128xbf16>
    // Integer operands run on the int8 unit of any target and give 32 bits.
    // CHECK: gpucost.kernel "Integer" attributes {work = #gpucost.work<family = matmul, format = int8, input_bits = 8, problem = {{.*}}, tensor_flops = 524288, bytes_read = 12288, bytes_written = 8192>
    %wq = onnx.Parameter : () -> tensor<128x32xi8>
    %4 = gpucost.kernel "Integer" {
      %r = onnx.MatMulInteger %q, %wq : (tensor<64x128xi8>, tensor<128x32xi8>) -> tensor<64x32xi32>
      gpucost.yield %r : tensor<64x32xi32>
    } : tensor<64x32xi32>
    return
  }
}
