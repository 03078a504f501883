// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// A value without an inferred type has unknown bytes, not zero: a kernel that reads or
// writes it has no lower bound, but a fallback of 0 bytes would be one.

// CHECK-LABEL: func.func @unknown
// CHECK: gpucost.kernel "Custom" attributes {coverage = #gpucost<coverage unmodelled>, gpucost.reason = "'onnx.Custom': unknown shapes"} {
// CHECK: gpucost.kernel "Tanh" attributes {coverage = #gpucost<coverage unmodelled>, gpucost.reason = "'onnx.Tanh': unknown shapes"} {
func.func @unknown(%x: tensor<8xf32>) -> !onnx.unknown {
  %0 = gpucost.kernel "Custom" {
    %r = onnx.Custom %x {domain = "d", op_type = "Foo"} : (tensor<8xf32>) -> !onnx.unknown
    gpucost.yield %r : !onnx.unknown
  } : !onnx.unknown
  %1 = gpucost.kernel "Tanh" {
    %r = onnx.Tanh %0 : (!onnx.unknown) -> !onnx.unknown
    gpucost.yield %r : !onnx.unknown
  } : !onnx.unknown
  return %1 : !onnx.unknown
}
