// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-bf16 --gpucost-apply-precision --split-input-file | FileCheck %s

// (L15) Weights in several formats: fp32 tensors keep theirs, with a note.
// CHECK: gpucost.notes = ["weights in f32 and f16: fp32 tensors keep their format"]
// CHECK-SAME: gpucost.precision = bf16
// CHECK-LABEL: func.func @mixed
// CHECK-NEXT: onnx.Parameter : () -> tensor<1000x2xf32>
// CHECK-NEXT: onnx.Parameter : () -> tensor<2x2xbf16>
func.func @mixed() {
  %0 = onnx.Parameter : () -> tensor<1000x2xf32>
  %1 = onnx.Parameter : () -> tensor<2x2xf16>
  return
}

// -----

// Vectors do not count next to matrices, and are not cast.
// CHECK-NOT: gpucost.notes
// CHECK: gpucost.precision = bf16
// CHECK-LABEL: func.func @vectors
// CHECK-NEXT: onnx.Parameter : () -> tensor<1000x1xf32>
// CHECK-NEXT: onnx.Parameter : () -> tensor<2x2xbf16>
func.func @vectors() {
  %0 = onnx.Parameter : () -> tensor<1000x1xf32>
  %1 = onnx.Parameter : () -> tensor<2x2xf16>
  return
}

// -----

// A table of positions that no product reads does not count, nor does an input.
// CHECK-NOT: gpucost.notes
// CHECK: gpucost.precision = bf16
// CHECK-LABEL: func.func @table
// CHECK: onnx.Parameter : () -> tensor<256x64xf32>
// CHECK: onnx.MatMul {{.*}} -> tensor<4x64xbf16>
func.func @table(%x: tensor<4x32xf16>, %mask: tensor<4x64xf32>) -> (tensor<4x64xf16>, tensor<256x64xf32>, tensor<4x64xf32>) {
  %w = onnx.Parameter : () -> tensor<32x64xf16>
  %positions = onnx.Parameter : () -> tensor<256x64xf32>
  %y = onnx.MatMul %x, %w : (tensor<4x32xf16>, tensor<32x64xf16>) -> tensor<4x64xf16>
  %cos = onnx.Cos %positions : (tensor<256x64xf32>) -> tensor<256x64xf32>
  %kept = onnx.Sigmoid %mask : (tensor<4x64xf32>) -> tensor<4x64xf32>
  return %y, %cos, %kept : tensor<4x64xf16>, tensor<256x64xf32>, tensor<4x64xf32>
}

// -----

// A matrix counts as a weight if a product reads it through slices and reshapes.
// CHECK-NOT: gpucost.notes
// CHECK: gpucost.precision = bf16
// CHECK-LABEL: func.func @moved_weight
// CHECK: onnx.Parameter : () -> tensor<2x16x128xbf16>
// CHECK: onnx.Parameter : () -> tensor<256x64xf32>
// CHECK: onnx.MatMul {{.*}} -> tensor<4x64xbf16>
func.func @moved_weight(%x: tensor<4x32xf16>) -> (tensor<4x64xf16>, tensor<256x64xf32>) {
  %w = onnx.Parameter : () -> tensor<2x16x128xf16>
  %positions = onnx.Parameter : () -> tensor<256x64xf32>
  %start = onnx.Constant {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %end = onnx.Constant {value = dense<64> : tensor<1xi64>} : () -> tensor<1xi64>
  %axis = onnx.Constant {value = dense<2> : tensor<1xi64>} : () -> tensor<1xi64>
  %s = onnx.Slice %w, %start, %end, %axis : (tensor<2x16x128xf16>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x16x64xf16>
  %f = onnx.Flatten %s {axis = 2 : i64} : (tensor<2x16x64xf16>) -> tensor<32x64xf16>
  %y = onnx.MatMul %x, %f : (tensor<4x32xf16>, tensor<32x64xf16>) -> tensor<4x64xf16>
  %cos = onnx.Cos %positions : (tensor<256x64xf32>) -> tensor<256x64xf32>
  return %y, %cos : tensor<4x64xf16>, tensor<256x64xf32>
}

// -----

// A constant that no op reads does not count.
// CHECK-NOT: gpucost.notes
// CHECK: gpucost.precision = bf16
// CHECK-LABEL: func.func @unread_constant
// CHECK: arith.constant {{.*}} : tensor<64x64xf16>
// CHECK: return %{{.*}} : tensor<4x4xbf16>
func.func @unread_constant(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %unread = arith.constant dense<0.0> : tensor<64x64xf16>
  return %x : tensor<4x4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// Without parameters, the format of the arguments; bodies of linalg ops compute on
// scalars of the same type.
// CHECK-LABEL: func.func @linalg
// CHECK-SAME: (%{{.*}}: tensor<64xbf16>) -> tensor<64xbf16>
// CHECK: ^bb0(%[[IN:.*]]: bf16, %{{.*}}: bf16):
// CHECK-NEXT: arith.addf %[[IN]], %[[IN]] : bf16
func.func @linalg(%x: tensor<64xf32>) -> tensor<64xf32> {
  %empty = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
  ^bb0(%in: f32, %init: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// A file without floats has nothing to cast.
// CHECK-NOT: gpucost.precision
// CHECK-LABEL: func.func @integers
// CHECK-SAME: (%{{.*}}: tensor<4xi64>)
func.func @integers(%x: tensor<4xi64>) {
  return
}

// -----

// Only fp16 may add up in fp16.
// CHECK-LABEL: func.func @open_convolution
// CHECK: tosa.conv2d {{.*}}acc_type = f32{{.*}} -> tensor<1x?x?x1xbf16>
func.func @open_convolution(%x: tensor<1x?x?x8xf16>, %w: tensor<1x3x3x8xf16>, %b: tensor<1xf16>, %zero: tensor<1xf16>) -> tensor<1x?x?x1xf16> {
  %0 = tosa.conv2d %x, %w, %b, %zero, %zero {acc_type = f16, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x?x?x8xf16>, tensor<1x3x3x8xf16>, tensor<1xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x?x?x1xf16>
  return %0 : tensor<1x?x?x1xf16>
}
