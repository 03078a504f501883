// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-bf16 --gpucost-apply-precision --split-input-file | FileCheck %s

// The format of most parameter elements, not of most tensors, is the model's format.
// CHECK-LABEL: func.func @most_elements
// CHECK-NEXT: onnx.Parameter : () -> tensor<1000xbf16>
// CHECK-NEXT: onnx.Parameter : () -> tensor<2xf16>
// CHECK-NEXT: onnx.Parameter : () -> tensor<3xf16>
func.func @most_elements() {
  %0 = onnx.Parameter : () -> tensor<1000xf32>
  %1 = onnx.Parameter : () -> tensor<2xf16>
  %2 = onnx.Parameter : () -> tensor<3xf16>
  return
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
