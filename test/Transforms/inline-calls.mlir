// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --split-input-file --gpucost-inline-calls --verify-diagnostics | FileCheck %s
// RUN: not gpu-cost-opt %s --split-input-file --gpucost-inline-calls=entry=none 2>&1 | FileCheck %s --check-prefix=NONE

// `main` is the iteration; a function that it calls twice appears twice.
// CHECK-LABEL: module @calls
// CHECK-NEXT: func.func @main
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: return
// CHECK-NOT: func.func
// NONE: error: no function 'none' with a body; there are 'main', 'block', 'layer', 'other'
module @calls {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = func.call @block(%x) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @block(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = func.call @layer(%x) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = func.call @layer(%0) : (tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @layer(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func @other(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

// The only public function that no other one calls; a body elsewhere stays a call.
// CHECK-LABEL: module @root
// CHECK: func.func @predict
// CHECK-NEXT: call @elsewhere
// CHECK-NEXT: return
// CHECK-NOT: @step
module @root {
  func.func private @elsewhere(tensor<8xf32>) -> tensor<8xf32>
  func.func @step(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = func.call @elsewhere(%x) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func @predict(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = func.call @step(%x) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// expected-warning @+4 {{the iteration is the sum of 2 functions; choose one of 'encode', 'decode' with --entry}}
// CHECK-LABEL: module @two
// CHECK: @encode
// CHECK: @decode
module @two {
  func.func @encode(%x: tensor<8xf32>) -> tensor<8xf32> { return %x : tensor<8xf32> }
  func.func @decode(%x: tensor<8xf32>) -> tensor<8xf32> { return %x : tensor<8xf32> }
}

// -----

module @recursive {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{recursive call of 'main' with an unknown number of iterations}}
    %0 = func.call @main(%x) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
