// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels --gpucost-annotate-work | FileCheck %s

// Work of linalg ops: FLOP = 2 per multiply-add, bytes = each tensor once.

#mn = affine_map<(d0, d1) -> (d0, d1)>

// A named op and its generic form cost the same.
//   FLOPs: 2 * 128 * 256 * 64                       = 4194304
//   read:  4 * (128 * 64 + 64 * 256)                = 98304
//   write: 4 * 128 * 256                            = 131072
// CHECK-LABEL: func.func @matmul
// CHECK-COUNT-2: #gpucost.work<family = matmul, format = fp32, problem = #gpucost.matmul<m = 128, n = 256, k = 64>, tensor_flops = 4194304, bytes_read = 98304, bytes_written = 131072>
func.func @matmul(%a: tensor<128x64xf32>, %b: tensor<64x256xf32>)
    -> (tensor<128x256xf32>, tensor<128x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x256xf32>) -> tensor<128x256xf32>
  %named = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x256xf32>)
      outs(%init : tensor<128x256xf32>) -> tensor<128x256xf32>
  %generic = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x64xf32>, tensor<64x256xf32>) outs(%init : tensor<128x256xf32>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %product = arith.mulf %x, %y : f32
      %sum = arith.addf %acc, %product : f32
      linalg.yield %sum : f32
  } -> tensor<128x256xf32>
  return %named, %generic : tensor<128x256xf32>, tensor<128x256xf32>
}

// An accumulator that holds data is read: here 2 * 8 * 32 * 16 bytes of fp16.
//   FLOPs: 2 * 8 * 32 * 16 * 64                     = 524288
//   read:  2 * (8 * 32 * 64 + 8 * 64 * 16 + 8 * 32 * 16) = 57344
//   write: 2 * 8 * 32 * 16                          = 8192
// CHECK-LABEL: func.func @batch_matmul
// CHECK: family = matmul, format = fp16, input_bits = 16, output_bits = 16, problem = #gpucost.matmul<batch = 8, m = 32, n = 16, k = 64, linear = false>, tensor_flops = 524288, bytes_read = 57344, bytes_written = 8192>
func.func @batch_matmul(%a: tensor<8x32x64xf16>, %b: tensor<8x64x16xf16>,
                        %c: tensor<8x32x16xf16>) -> tensor<8x32x16xf16> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<8x32x64xf16>, tensor<8x64x16xf16>)
      outs(%c : tensor<8x32x16xf16>) -> tensor<8x32x16xf16>
  return %0 : tensor<8x32x16xf16>
}

// A value that the body computes twice counts once; exp of another value counts too.
//   FLOPs: exp(x), exp(b), their sum and its square: (1 + 1 + 1 + 1) * 64 * 32 = 8192, special results: 2 * 64 * 32 = 4096
// CHECK-LABEL: func.func @twice
// CHECK: fp32_flops = 8192, special_ops = 4096,
func.func @twice(%x: tensor<64x32xf32>, %b: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %0 = linalg.generic {indexing_maps = [#mn, #mn, #mn], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<64x32xf32>, tensor<64x32xf32>) outs(%x : tensor<64x32xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %1 = math.exp %p : f32
      %2 = math.exp %q : f32
      %3 = arith.addf %1, %2 : f32
      %4 = math.exp %p : f32
      %5 = math.exp %q : f32
      %6 = arith.addf %4, %5 : f32
      %7 = arith.mulf %3, %6 : f32
      linalg.yield %7 : f32
  } -> tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// exp(x + b): an add, and exp as one multiply and one special result.
//   FLOPs: 2 * 64 * 32 = 4096, special results: 64 * 32 = 2048
//   read:  4 * (64 * 32 + 32) = 8320, write: 4 * 64 * 32 = 8192
// CHECK-LABEL: func.func @elementwise
// CHECK: family = elementwise, instructions = exp, format = fp32, problem = #gpucost.elements<count = 2048, strided = true>, fp32_flops = 4096, special_ops = 2048, bytes_read = 8320, bytes_written = 8192>
func.func @elementwise(%x: tensor<64x32xf32>, %b: tensor<32xf32>) -> tensor<64x32xf32> {
  %out = tensor.empty() : tensor<64x32xf32>
  %0 = linalg.generic {indexing_maps = [#mn, affine_map<(d0, d1) -> (d1)>, #mn],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<64x32xf32>, tensor<32xf32>) outs(%out : tensor<64x32xf32>) {
    ^bb0(%v: f32, %w: f32, %o: f32):
      %sum = arith.addf %v, %w : f32
      %e = math.exp %sum : f32
      linalg.yield %e : f32
  } -> tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// One add for each of 64 * 32 = 2048 elements; 4 * 64 bytes come out.
// CHECK-LABEL: func.func @reduction
// CHECK: family = reduction, instructions = reduce, format = fp32, problem = #gpucost.rows<rows = 64, cols = 32>, fp32_flops = 2048, bytes_read = 8192, bytes_written = 256>
func.func @reduction(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %init = arith.constant dense<0.0> : tensor<64xf32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<64x32xf32>) outs(%init : tensor<64xf32>)
      dimensions = [1]
  return %0 : tensor<64xf32>
}

// 5 FLOP and one exponential for each of 4 * 16 * 32 = 2048 elements.
// CHECK-LABEL: func.func @softmax
// CHECK: family = softmax, instructions = softmax, format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.rows<rows = 64, cols = 32>, fp32_flops = 10240, special_ops = 2048, bytes_read = 4096, bytes_written = 4096>
func.func @softmax(%x: tensor<4x16x32xbf16>) -> tensor<4x16x32xbf16> {
  %out = tensor.empty() : tensor<4x16x32xbf16>
  %0 = linalg.softmax dimension(2) ins(%x : tensor<4x16x32xbf16>)
      outs(%out : tensor<4x16x32xbf16>) -> tensor<4x16x32xbf16>
  return %0 : tensor<4x16x32xbf16>
}
