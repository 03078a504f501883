// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reason for a copy is one of an enumeration; quotes, as older versions
// print them, are accepted.
// RUN: gpu-cost-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @right
func.func @right(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: gpucost.copy %{{.*}} contiguous strided
  %a = gpucost.copy %x "contiguous" strided : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: gpucost.copy %{{.*}} layout :
  %b = gpucost.copy %a layout : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

func.func @wrong(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{failed to parse CopyReasonAttr parameter 'value'}}
  // expected-error @+1 {{expected one of [contiguous, layout, cast] for reason for a copy, got: bananas}}
  %a = gpucost.copy %x "bananas" : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
