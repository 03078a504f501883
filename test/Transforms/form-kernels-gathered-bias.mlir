// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels | FileCheck %s

// (L5) The bias of a layer with gathered parameters (X2) is the epilogue of its matmul;
// a computed bias vector is not.
// CHECK-LABEL: func.func @gathered
// CHECK: %[[G:.*]]:2 = gpucost.kernel "collective"
// CHECK: gpucost.kernel "MatMul+Add"
// CHECK-NEXT: %[[P:.*]] = onnx.MatMul %{{.*}}, %[[G]]#0
// CHECK-NEXT: onnx.Add %[[P]], %[[G]]#1
func.func @gathered(%x: tensor<8x32xbf16>) -> tensor<8x16xbf16> {
  %w = onnx.Parameter : () -> tensor<32x16xbf16>
  %b = onnx.Parameter : () -> tensor<16xbf16>
  %g:2 = gpucost.collective all_gather(%w, %b) {bytes = 1056 : i64, world_size = 8 : i64} : (tensor<32x16xbf16>, tensor<16xbf16>) -> (tensor<32x16xbf16>, tensor<16xbf16>)
  %0 = onnx.MatMul %x, %g#0 : (tensor<8x32xbf16>, tensor<32x16xbf16>) -> tensor<8x16xbf16>
  %1 = onnx.Add %0, %g#1 : (tensor<8x16xbf16>, tensor<16xbf16>) -> tensor<8x16xbf16>
  return %1 : tensor<8x16xbf16>
}

// CHECK-LABEL: func.func @computed
// CHECK: gpucost.kernel "MatMul"
// CHECK: gpucost.kernel "Add"
func.func @computed(%x: tensor<8x32xbf16>, %b: tensor<16xbf16>) -> tensor<8x16xbf16> {
  %w = onnx.Parameter : () -> tensor<32x16xbf16>
  %c = onnx.Relu %b : (tensor<16xbf16>) -> tensor<16xbf16>
  %g = gpucost.collective all_gather(%c) {bytes = 32 : i64, world_size = 8 : i64} : (tensor<16xbf16>) -> tensor<16xbf16>
  %0 = onnx.MatMul %x, %w : (tensor<8x32xbf16>, tensor<32x16xbf16>) -> tensor<8x16xbf16>
  %1 = onnx.Add %0, %g : (tensor<8x16xbf16>, tensor<16xbf16>) -> tensor<8x16xbf16>
  return %1 : tensor<8x16xbf16>
}
