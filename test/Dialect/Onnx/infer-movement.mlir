// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes | FileCheck %s

// CHECK: func.func @gather
// CHECK-SAME: -> (tensor<2x7x768xf16>, tensor<3x5xf32>, tensor<2x7xf32>, tensor<2x5xf32>)
func.func @gather(%table: tensor<50257x768xf16>, %ids: tensor<2x7xi64>,
                  %x: tensor<4x5xf32>, %i: tensor<3x5xi64>, %nd: tensor<2x7x2xi64>,
                  %rows: tensor<2x1xi64>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0 = onnx.Gather %table, %ids : (tensor<50257x768xf16>, tensor<2x7xi64>) -> !onnx.unknown
  %1 = onnx.GatherElements %x, %i : (tensor<4x5xf32>, tensor<3x5xi64>) -> !onnx.unknown
  // [2, 7] index pairs into [4, 5]; [2] indices of 5-element rows.
  %2 = onnx.GatherND %x, %nd : (tensor<4x5xf32>, tensor<2x7x2xi64>) -> !onnx.unknown
  %3 = onnx.GatherND %x, %rows : (tensor<4x5xf32>, tensor<2x1xi64>) -> !onnx.unknown
  return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// CHECK: func.func @concat_pad_tile
// CHECK-SAME: -> (tensor<2x8xf32>, tensor<2x6xf32>, tensor<5x3xf32>, tensor<4x9xf32>)
func.func @concat_pad_tile(%a: tensor<2x3xf32>, %b: tensor<2x5xf32>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0 = onnx.Concat %a, %b {axis = -1 : i64}
      : (tensor<2x3xf32>, tensor<2x5xf32>) -> !onnx.unknown
  // Begins, then ends, for axis 1 only (opset 18): 1 + 3 + 2.
  %none = onnx.None : () -> !onnx.none
  %p = onnx.Constant {value_ints = array<i64: 1, 2>} : () -> !onnx.unknown
  %x = onnx.Constant {value_ints = array<i64: 1>} : () -> !onnx.unknown
  %1 = onnx.Pad %a, %p, %none, %x
      : (tensor<2x3xf32>, !onnx.unknown, !onnx.none, !onnx.unknown) -> !onnx.unknown
  // Opset 2, all axes: 1 + 2 + 2 and 1 + 3 - 1.
  %2 = onnx.Pad %a {pads = array<i64: 1, 1, 2, -1>} : (tensor<2x3xf32>) -> !onnx.unknown
  %r = onnx.Constant {value_ints = array<i64: 2, 3>} : () -> !onnx.unknown
  %3 = onnx.Tile %a, %r : (tensor<2x3xf32>, !onnx.unknown) -> !onnx.unknown
  return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// CHECK: func.func @resize
// CHECK-SAME: -> (tensor<1x8x14x7xf32>, tensor<1x8x30x20xf32>, tensor<1x8x10x10xf32>, tensor<1x2x14x14xf32>)
func.func @resize(%x: tensor<1x8x7x7xf32>) -> (!onnx.unknown, !onnx.unknown,
    !onnx.unknown, !onnx.unknown) {
  %none = onnx.None : () -> !onnx.none
  // floor(7 * 2.0) = 14, floor(7 * 1.1) = 7.
  %s = onnx.Constant {value = dense<[1.0, 1.0, 2.0, 1.1]> : tensor<4xf32>} : () -> !onnx.unknown
  %0 = onnx.Resize %x, %none, %s
      : (tensor<1x8x7x7xf32>, !onnx.none, !onnx.unknown) -> !onnx.unknown
  %z = onnx.Constant {value_ints = array<i64: 30, 20>} : () -> !onnx.unknown
  %1 = onnx.Resize %x, %none, %none, %z {axes = array<i64: 2, 3>}
      : (tensor<1x8x7x7xf32>, !onnx.none, !onnx.none, !onnx.unknown) -> !onnx.unknown
  // One scale for both axes, the smaller one: min(30 / 7, 10 / 7) * 7 = 10.
  %y = onnx.Constant {value_ints = array<i64: 30, 10>} : () -> !onnx.unknown
  %2 = onnx.Resize %x, %none, %none, %y {axes = array<i64: 2, 3>,
      keep_aspect_ratio_policy = "not_larger"}
      : (tensor<1x8x7x7xf32>, !onnx.none, !onnx.none, !onnx.unknown) -> !onnx.unknown
  // 8 / 2^2 channels.
  %3 = onnx.DepthToSpace %x {blocksize = 2 : i64} : (tensor<1x8x7x7xf32>) -> !onnx.unknown
  return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}
