// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels --gpucost-annotate-work | FileCheck %s

// Convolutions, pooling and matmuls in every layout: FLOPs by hand.

// 1-d, N=2, 4 -> 8 channels, width 16 - 3 + 1 = 14: 2 * 2 * 8 * 14 * 4 * 3 = 5376
// CHECK-LABEL: func.func @conv_1d_ncw
// CHECK: family = convolution{{.*}}tensor_flops = 5376
func.func @conv_1d_ncw(%x: memref<2x4x16xf32>, %w: memref<8x4x3xf32>, %y: memref<2x8x14xf32>) {
  linalg.conv_1d_ncw_fcw ins(%x, %w : memref<2x4x16xf32>, memref<8x4x3xf32>) outs(%y : memref<2x8x14xf32>)
  return
}

// 3-d, channels last: 2 * (4 * 4 * 4) positions * 8 filters * 27 taps * 4 = 110592
// CHECK-LABEL: func.func @conv_3d_ndhwc
// CHECK: family = convolution{{.*}}tensor_flops = 110592
func.func @conv_3d_ndhwc(%x: memref<1x6x6x6x4xf32>, %w: memref<3x3x3x4x8xf32>, %y: memref<1x4x4x4x8xf32>) {
  linalg.conv_3d_ndhwc_dhwcf ins(%x, %w : memref<1x6x6x6x4xf32>, memref<3x3x3x4x8xf32>) outs(%y : memref<1x4x4x4x8xf32>)
  return
}

// Two groups of 4 -> 8 channels: 2 * 2 groups * 8 * 36 * 4 * 9 = 41472
// CHECK-LABEL: func.func @conv_grouped
// CHECK: family = convolution{{.*}}channels = 8{{.*}}out_channels = 16{{.*}}groups = 2{{.*}}tensor_flops = 41472
func.func @conv_grouped(%x: memref<1x2x4x8x8xf32>, %w: memref<2x8x4x3x3xf32>, %y: memref<1x2x8x6x6xf32>) {
  linalg.conv_2d_ngchw_gfchw ins(%x, %w : memref<1x2x4x8x8xf32>, memref<2x8x4x3x3xf32>) outs(%y : memref<1x2x8x6x6xf32>)
  return
}

// Depthwise, with a multiplier of 2: 2 * 36 * 4 * 2 * 9 = 5184
// CHECK-LABEL: func.func @depthwise
// CHECK: family = convolution{{.*}}groups = 4{{.*}}tensor_flops = 5184
func.func @depthwise(%x: memref<1x8x8x4xf32>, %w: memref<3x3x4x2xf32>, %y: memref<1x6x6x4x2xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : memref<1x8x8x4xf32>, memref<3x3x4x2xf32>) outs(%y : memref<1x6x6x4x2xf32>)
  return
}

// Quantised: int8 operands with zero points, 32-bit sums: 2 * 16 * 8 * 32 = 8192
// CHECK-LABEL: func.func @quantized_matmul
// CHECK: family = matmul, format = int8, input_bits = 8{{.*}}tensor_flops = 8192
func.func @quantized_matmul(%a: memref<16x32xi8>, %b: memref<32x8xi8>, %za: i32, %zb: i32, %c: memref<16x8xi32>) {
  linalg.quantized_matmul ins(%a, %b, %za, %zb : memref<16x32xi8>, memref<32x8xi8>, i32, i32) outs(%c : memref<16x8xi32>)
  return
}

// Packed tiles: 2 * (4 * 8) rows * (2 * 8) columns * (3 * 4) = 12288
// CHECK-LABEL: func.func @mmt4d
// CHECK: #gpucost.matmul<m = 32, n = 16, k = 12>{{.*}}tensor_flops = 12288
func.func @mmt4d(%a: memref<4x3x8x4xf32>, %b: memref<2x3x8x4xf32>, %c: memref<4x2x8x8xf32>) {
  linalg.mmt4d ins(%a, %b : memref<4x3x8x4xf32>, memref<2x3x8x4xf32>) outs(%c : memref<4x2x8x8xf32>)
  return
}

// A transposed operand, through indexing maps and as a contraction: 2 * 16 * 8 * 32 = 8192
// CHECK-LABEL: func.func @transposed
// CHECK: #gpucost.matmul<m = 16, n = 8, k = 32>{{.*}}tensor_flops = 8192
// CHECK: #gpucost.matmul<m = 16, n = 8, k = 32>{{.*}}tensor_flops = 8192
func.func @transposed(%a: memref<16x32xf32>, %b: memref<8x32xf32>, %c: memref<16x8xf32>) {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                 affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : memref<16x32xf32>, memref<8x32xf32>) outs(%c : memref<16x8xf32>)
  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                   affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : memref<16x32xf32>, memref<8x32xf32>) outs(%c : memref<16x8xf32>)
  return
}

// Vectors: 2 * 32 * 8 = 512, in a batch of 4: 2048
// CHECK-LABEL: func.func @vectors
// CHECK: tensor_flops = 512
// CHECK: tensor_flops = 512
// CHECK: tensor_flops = 2048
func.func @vectors(%v: memref<32xf32>, %m: memref<32x8xf32>, %t: memref<8x32xf32>, %y: memref<8xf32>,
                   %bv: memref<4x32xf32>, %bm: memref<4x32x8xf32>, %by: memref<4x8xf32>) {
  linalg.vecmat ins(%v, %m : memref<32xf32>, memref<32x8xf32>) outs(%y : memref<8xf32>)
  linalg.matvec ins(%t, %v : memref<8x32xf32>, memref<32xf32>) outs(%y : memref<8xf32>)
  linalg.batch_vecmat ins(%bv, %bm : memref<4x32xf32>, memref<4x32x8xf32>) outs(%by : memref<4x8xf32>)
  return
}

// Sum over a batch of matmuls: k = 4 * 32.
// CHECK-LABEL: func.func @batch_reduce
// CHECK: #gpucost.matmul<m = 16, n = 8, k = 128>{{.*}}tensor_flops = 32768
func.func @batch_reduce(%a: memref<4x16x32xf32>, %b: memref<4x32x8xf32>, %c: memref<16x8xf32>) {
  linalg.batch_reduce_matmul ins(%a, %b : memref<4x16x32xf32>, memref<4x32x8xf32>) outs(%c : memref<16x8xf32>)
  return
}

// Poolings: a maximum or an add for each of 1 * 4 * 3 * 3 results and 4 taps: 144
// CHECK-LABEL: func.func @pooling
// CHECK: family = pooling{{.*}}count = 36{{.*}}fp32_flops = 144
// CHECK: family = pooling{{.*}}count = 36{{.*}}fp32_flops = 144
func.func @pooling(%x: memref<1x4x6x6xf32>, %w: memref<2x2xf32>, %y: memref<1x4x3x3xf32>,
                   %xl: memref<1x6x6x4xf32>, %yl: memref<1x3x3x4xf32>) {
  linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%x, %w : memref<1x4x6x6xf32>, memref<2x2xf32>) outs(%y : memref<1x4x3x3xf32>)
  linalg.pooling_nhwc_sum {strides = dense<2> : tensor<2xi64>} ins(%xl, %w : memref<1x6x6x4xf32>, memref<2x2xf32>) outs(%yl : memref<1x3x3x4xf32>)
  return
}

// A complex product is six operations: 6 * 8.
// CHECK-LABEL: func.func @complex
// CHECK: fp32_flops = 48
func.func @complex(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %e = tensor.empty() : tensor<8xcomplex<f32>>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x : tensor<8xcomplex<f32>>) outs(%e : tensor<8xcomplex<f32>>) {
    ^bb0(%a: complex<f32>, %o: complex<f32>):
      %p = complex.mul %a, %a : complex<f32>
      linalg.yield %p : complex<f32>
  } -> tensor<8xcomplex<f32>>
  return %0 : tensor<8xcomplex<f32>>
}
