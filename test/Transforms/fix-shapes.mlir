// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes='bind=batch:2,sequence:7' | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-fix-shapes='batch=2 seq=7' | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-fix-shapes='bind=batch:2;*:7' | FileCheck %s

// CHECK: module attributes {gpucost.bindings = {batch = 2 : i64, sequence = 7 : i64}
module attributes {onnx.opsets = {ai.onnx = 20 : i64}} {
  // CHECK: func.func @main(%{{.*}}: tensor<2x7xi64>
  // CHECK-SAME: -> (tensor<2x7x64xf16> {onnx.name = "y"})
  func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids",
                                         onnx.dims = ["batch", "sequence"]})
      -> (!onnx.unknown {onnx.name = "y"}) {
    // CHECK: %[[TABLE:.*]] = onnx.Parameter : () -> tensor<1000x64xf16>
    %table = onnx.Parameter : () -> tensor<1000x64xf16>
    // CHECK: %[[W:.*]] = onnx.Parameter : () -> tensor<64x64xf16>
    %w = onnx.Parameter : () -> tensor<64x64xf16>
    %unused = onnx.Parameter : () -> tensor<9xf16>
    // A transposed weight is made before the iteration.
    // CHECK: %[[T:.*]] = onnx.Transpose %[[W]] {onnx.constant} : (tensor<64x64xf16>) -> tensor<64x64xf16>
    %t = onnx.Transpose %w : (tensor<64x64xf16>) -> !onnx.unknown
    // CHECK: %[[X:.*]] = onnx.Gather %[[TABLE]], %{{.*}} : (tensor<1000x64xf16>, tensor<2x7xi64>) -> tensor<2x7x64xf16>
    %x = onnx.Gather %table, %ids : (tensor<1000x64xf16>, tensor<?x?xi64>) -> !onnx.unknown
    // CHECK: onnx.MatMul %[[X]], %[[T]] : (tensor<2x7x64xf16>, tensor<64x64xf16>) -> tensor<2x7x64xf16>
    %y = onnx.MatMul %x, %t : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}
