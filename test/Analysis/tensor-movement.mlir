// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels --gpucost-annotate-work | FileCheck %s

// Ops of the tensor and memref dialects: copies and views.

// Reshapes and slices launch nothing; the consumer reads
// only the elements of the slice: 4 * 16 * 8 = 512 bytes.
// CHECK-LABEL: func.func @views
// CHECK-COUNT-1: gpucost.kernel "exp"{{.*}}bytes_read = 512, bytes_written = 512>
// CHECK-NOT: gpucost.kernel
func.func @views(%x: tensor<64x8xf32>) -> tensor<4x4x8xf32> {
  %0 = tensor.extract_slice %x[8, 0] [16, 8] [1, 1] : tensor<64x8xf32> to tensor<16x8xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [4, 4, 8]
      : tensor<16x8xf32> into tensor<4x4x8xf32>
  %e = tensor.empty() : tensor<4x4x8xf32>
  %2 = linalg.exp ins(%1 : tensor<4x4x8xf32>) outs(%e : tensor<4x4x8xf32>) -> tensor<4x4x8xf32>
  return %2 : tensor<4x4x8xf32>
}

// concat: 4 * (8 + 24) in and out; pad: 32 floats in, 40 out; a slice of 8
// floats goes into a tensor that stays where it is.
// CHECK-LABEL: func.func @copies
// CHECK: gpucost.kernel "concat"{{.*}}count = 32, strided = true>, bytes_read = 128, bytes_written = 128>
// CHECK: gpucost.kernel "pad"{{.*}}bytes_read = 128, bytes_written = 160>
// CHECK: gpucost.kernel "insert_slice"{{.*}}count = 8{{.*}}bytes_read = 32, bytes_written = 32>
func.func @copies(%x: tensor<8xf32>, %y: tensor<24xf32>) -> tensor<40xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.concat dim(0) %x, %y : (tensor<8xf32>, tensor<24xf32>) -> tensor<32xf32>
  %1 = tensor.pad %0 low[4] high[4] {
    ^bb0(%i: index):
      tensor.yield %zero : f32
  } : tensor<32xf32> to tensor<40xf32>
  %2 = tensor.insert_slice %x into %1[0] [8] [1] : tensor<8xf32> into tensor<40xf32>
  return %2 : tensor<40xf32>
}

// A tile that is computed in place goes back without a copy.
// CHECK-LABEL: func.func @in_place
// CHECK-COUNT-1: gpucost.kernel "exp"
// CHECK-NOT: gpucost.kernel
func.func @in_place(%x: tensor<8xf32>, %out: tensor<64xf32>) -> tensor<64xf32> {
  %0 = tensor.extract_slice %out[16] [8] [1] : tensor<64xf32> to tensor<8xf32>
  %1 = linalg.exp ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = tensor.insert_slice %1 into %out[16] [8] [1] : tensor<8xf32> into tensor<64xf32>
  return %2 : tensor<64xf32>
}

// A convolution reads the image and pads it itself: 4 * 1 * 8 * 8 * 4 = 1024
// bytes of image and 4 * 3 * 3 * 4 * 16 = 2304 of filter.
// CHECK-LABEL: func.func @padded_convolution
// CHECK-COUNT-1: gpucost.kernel "conv_2d_nhwc_hwcf"{{.*}}height = 8, width = 8{{.*}}bytes_read = 3328, bytes_written = 4096>
// CHECK-NOT: gpucost.kernel
func.func @padded_convolution(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x16xf32>)
    -> tensor<1x8x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
  } : tensor<1x8x8x4xf32> to tensor<1x10x10x4xf32>
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%0, %w : tensor<1x10x10x4xf32>, tensor<3x3x4x16xf32>)
      outs(%init : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %1 : tensor<1x8x8x16xf32>
}

// A weight that is transposed and broadcast to the batch of a matmul is read
// once, and the batch is part of the rows: m = 2 * 16; the bias is added by the
// matmul. read: 4 * (2 * 16 * 8 + 8 * 4 + 4) = 1168, write: 4 * 2 * 16 * 4 = 512.
// CHECK-LABEL: func.func @linear
// CHECK-COUNT-1: gpucost.kernel "batch_matmul+generic"{{.*}}#gpucost.matmul<m = 32, n = 4, k = 8>{{.*}}bytes_read = 1168, bytes_written = 512>
// CHECK-NOT: gpucost.kernel
func.func @linear(%x: tensor<2x16x8xf32>, %w: tensor<4x8xf32>, %b: tensor<4xf32>)
    -> tensor<2x16x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x4xf32>
  %wt = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%e0 : tensor<8x4xf32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<2x8x4xf32>
  %wb = linalg.broadcast ins(%wt : tensor<8x4xf32>) outs(%e1 : tensor<2x8x4xf32>) dimensions = [0]
  %e2 = tensor.empty() : tensor<2x16x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x16x4xf32>) -> tensor<2x16x4xf32>
  %y = linalg.batch_matmul ins(%x, %wb : tensor<2x16x8xf32>, tensor<2x8x4xf32>)
      outs(%init : tensor<2x16x4xf32>) -> tensor<2x16x4xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>,
      affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y, %b : tensor<2x16x4xf32>, tensor<4xf32>) outs(%e2 : tensor<2x16x4xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
  } -> tensor<2x16x4xf32>
  return %z : tensor<2x16x4xf32>
}

// A transpose that arithmetic reads is a kernel.
// CHECK-LABEL: func.func @transpose
// CHECK-COUNT-2: gpucost.kernel
func.func @transpose(%x: tensor<16x8xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.transpose ins(%x : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0]
  %1 = linalg.exp ins(%0 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @buffers
// CHECK: gpucost.kernel "copy"{{.*}}bytes_read = 256, bytes_written = 256>
func.func @buffers(%x: memref<64xf32>, %y: memref<64xf32>) {
  memref.copy %x, %y : memref<64xf32> to memref<64xf32>
  return
}
