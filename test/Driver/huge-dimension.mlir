// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's lowering of TOSA would overflow.
// RUN: not gpu-cost-opt %s --target=a100-bf16 2>&1 | FileCheck %s
// CHECK: error: result has a dimension of 9223372036854775807, more than 281474976710656
func.func @main(%x: tensor<1x9223372036854775807xf16>) -> tensor<1x9223372036854775807xf16> {
  %0 = tosa.tanh %x : (tensor<1x9223372036854775807xf16>) -> tensor<1x9223372036854775807xf16>
  return %0 : tensor<1x9223372036854775807xf16>
}
