// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// CHECK-LABEL: func.func @selection
func.func @selection(%x: tensor<4x1000xf32>, %m: tensor<1024xi1>, %b: tensor<1x100x4xf32>, %s: tensor<1x2x100xf32>) {
  %k = onnx.Constant {value = dense<5> : tensor<1xi64>} : () -> tensor<1xi64>
  // Before gpucost-expand-selection an operator has the work of one pass: 4000 compares,
  // 4 * 4000 bytes in, (4 + 8) * 20 out.
  // CHECK: instructions = compare, {{.*}}#gpucost.elements<count = 4000>, fp32_flops = 4000, bytes_read = 16000, bytes_written = 240>
  %0:2 = gpucost.kernel "TopK" {
    %r:2 = onnx.TopK %x, %k : (tensor<4x1000xf32>, tensor<1xi64>) -> (tensor<4x5xf32>, tensor<4x5xi64>)
    gpucost.yield %r#0, %r#1 : tensor<4x5xf32>, tensor<4x5xi64>
  } : tensor<4x5xf32>, tensor<4x5xi64>
  // 1024 bytes in; unknown, so at most 8 * 1024 out.
  // CHECK: #gpucost.elements<count = 1024>, fp32_flops = 2048, bytes_read = 1024, bytes_written = 8192>
  %1 = gpucost.kernel "NonZero" {
    %r = onnx.NonZero %m : (tensor<1024xi1>) -> tensor<1x?xi64>
    gpucost.yield %r : tensor<1x?xi64>
  } : tensor<1x?xi64>
  // A known size is exact, not a bound: 8 * 10 out.
  // CHECK: #gpucost.elements<count = 1024>, fp32_flops = 2048, bytes_read = 1024, bytes_written = 80>
  %2 = gpucost.kernel "NonZero" {
    %r = onnx.NonZero %m : (tensor<1024xi1>) -> tensor<1x10xi64>
    gpucost.yield %r : tensor<1x10xi64>
  } : tensor<1x10xi64>
  // 4000 values of 4 bytes in, at most as many out.
  // CHECK: #gpucost.elements<count = 4000>, fp32_flops = 4000, bytes_read = 16000, bytes_written = 16000>
  %3 = gpucost.kernel "Unique" {
    %r = onnx.Unique %x : (tensor<4x1000xf32>) -> tensor<?xf32>
    gpucost.yield %r : tensor<?xf32>
  } : tensor<?xf32>
  // Each of 2 * 100 boxes against at most 5 kept ones, 16 FLOP each: 16000; boxes 1600
  // and scores 800 bytes in, 2 * 5 rows of 3 * 8 bytes out.
  // CHECK: #gpucost.elements<count = 1000, strided = true>, fp32_flops = 16000, bytes_read = 2400, bytes_written = 240>
  %4 = gpucost.kernel "NonMaxSuppression" {
    %r = onnx.NonMaxSuppression %b, %s, %k : (tensor<1x100x4xf32>, tensor<1x2x100xf32>, tensor<1xi64>) -> tensor<?x3xi64>
    gpucost.yield %r : tensor<?x3xi64>
  } : tensor<?x3xi64>
  return
}

// CHECK-LABEL: func.func @signals
func.func @signals(%x: tensor<2x1024x1xf32>, %c: tensor<2x1024x2xf32>, %a: tensor<3x4x4xf32>) {
  // 2 real transforms of 1024 points: 2 * 2.5 * 1024 * 10; 513 complex results each.
  // CHECK: #gpucost.elements<count = 2048, strided = true>, fp32_flops = 51200, bytes_read = 8192, bytes_written = 8208>
  %0 = gpucost.kernel "DFT" {
    %r = onnx.DFT %x {axis = 1 : i64, onesided = 1 : i64} : (tensor<2x1024x1xf32>) -> tensor<2x513x2xf32>
    gpucost.yield %r : tensor<2x513x2xf32>
  } : tensor<2x513x2xf32>
  // Complex ones: 2 * 5 * 1024 * 10.
  // CHECK: #gpucost.elements<count = 2048, strided = true>, fp32_flops = 102400, bytes_read = 16384, bytes_written = 16384>
  %1 = gpucost.kernel "DFT" {
    %r = onnx.DFT %c {axis = 1 : i64} : (tensor<2x1024x2xf32>) -> tensor<2x1024x2xf32>
    gpucost.yield %r : tensor<2x1024x2xf32>
  } : tensor<2x1024x2xf32>
  // 2 * 15 frames of 128 points: 30 * 2.5 * 128 * 7 = 67200.
  // CHECK: #gpucost.elements<count = 3840, strided = true>, fp32_flops = 67200,
  %step = onnx.Constant {value = dense<64> : tensor<i64>} : () -> tensor<i64>
  %2 = gpucost.kernel "STFT" {
    %r = onnx.STFT %x, %step : (tensor<2x1024x1xf32>, tensor<i64>) -> tensor<2x15x65x2xf32>
    gpucost.yield %r : tensor<2x15x65x2xf32>
  } : tensor<2x15x65x2xf32>
  // LU of three 4 x 4 matrices: 3 * 2/3 * 64; the inverse takes three times as much.
  // CHECK: #gpucost.elements<count = 48, strided = true>, fp32_flops = 128, bytes_read = 192, bytes_written = 12>
  %3 = gpucost.kernel "Det" {
    %r = onnx.Det %a : (tensor<3x4x4xf32>) -> tensor<3xf32>
    gpucost.yield %r : tensor<3xf32>
  } : tensor<3xf32>
  // CHECK: fp32_flops = 384, bytes_read = 192, bytes_written = 192>
  %4 = gpucost.kernel "Inverse" {
    %r = onnx.Inverse %a : (tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
    gpucost.yield %r : tensor<3x4x4xf32>
  } : tensor<3x4x4xf32>
  return
}

// CHECK-LABEL: func.func @images
func.func @images(%x: tensor<1x8x16x16xf16>, %g: tensor<1x4x4x2xf16>, %rois: tensor<3x4xf16>, %i: tensor<3xi64>, %cols: tensor<1x12x16xf32>) {
  // 8 * 4 * 4 results of 4 neighbours, 2 FLOP each.
  // CHECK: #gpucost.elements<count = 128, strided = true>, fp32_flops = 1024, bytes_read = 4160, bytes_written = 256>
  %0 = gpucost.kernel "GridSample" {
    %r = onnx.GridSample %x, %g {mode = "bilinear"} : (tensor<1x8x16x16xf16>, tensor<1x4x4x2xf16>) -> tensor<1x8x4x4xf16>
    gpucost.yield %r : tensor<1x8x4x4xf16>
  } : tensor<1x8x4x4xf16>
  // 3 * 8 * 2 * 2 results, 3 x 3 samples of 8 FLOP: 96 * 72.
  // CHECK: #gpucost.elements<count = 96, strided = true>, fp32_flops = 6912,
  %1 = gpucost.kernel "RoiAlign" {
    %r = onnx.RoiAlign %x, %rois, %i {sampling_ratio = 3 : i64, output_height = 2 : i64, output_width = 2 : i64} : (tensor<1x8x16x16xf16>, tensor<3x4xf16>, tensor<3xi64>) -> tensor<3x8x2x2xf16>
    gpucost.yield %r : tensor<3x8x2x2xf16>
  } : tensor<3x8x2x2xf16>
  // Each of 192 column elements is added once.
  // CHECK: #gpucost.elements<count = 192, strided = true>, fp32_flops = 192, bytes_read = 768, bytes_written = 300>
  %size = onnx.Constant {value = dense<[5, 5]> : tensor<2xi64>} : () -> tensor<2xi64>
  %block = onnx.Constant {value = dense<[2, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
  %2 = gpucost.kernel "Col2Im" {
    %r = onnx.Col2Im %cols, %size, %block : (tensor<1x12x16xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x3x5x5xf32>
    gpucost.yield %r : tensor<1x3x5x5xf32>
  } : tensor<1x3x5x5xf32>
  return
}

// Up to opset 12 a softmax row contains all dimensions starting at the axis.
// CHECK-LABEL: func.func @rows
func.func @rows(%x: tensor<2x3x4xf32>, %p: tensor<5xf32>) {
  // CHECK: #gpucost.rows<rows = 2, cols = 12, pass = forward>
  %0 = gpucost.kernel "Softmax" {
    %r = onnx.Softmax %x {axis = 1 : i64, gpucost.rows_from_axis} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    gpucost.yield %r : tensor<2x3x4xf32>
  } : tensor<2x3x4xf32>
  // Adam: 5 parameters, 14 FLOP and 2 special results each; rate 4, count 8, and
  // parameters, gradients and two moments of 20 bytes in; three of those out.
  %rate = onnx.Parameter : () -> tensor<f32>
  %t = onnx.Parameter : () -> tensor<i64>
  %g = onnx.Parameter : () -> tensor<5xf32>
  %v = onnx.Parameter : () -> tensor<5xf32>
  %h = onnx.Parameter : () -> tensor<5xf32>
  // CHECK: family = optimizer, {{.*}}#gpucost.elements<count = 5>, fp32_flops = 70, special_ops = 10, bytes_read = 92, bytes_written = 60>
  %1:3 = gpucost.kernel "Adam" {
    %r:3 = onnx.Adam %rate, %t, %p, %g, %v, %h : (tensor<f32>, tensor<i64>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>)
    gpucost.yield %r#0, %r#1, %r#2 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
  } : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
  return
}
