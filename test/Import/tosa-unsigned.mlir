// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's lowering requires signless integers.
// RUN: gpu-cost-opt %s --target=a100-bf16 --report=csv --verify-each | FileCheck %s
// CHECK: n=12,1,
func.func @main(%x: tensor<3x4xui8>) -> tensor<3x4xui8> {
  %0 = tosa.abs %x : (tensor<3x4xui8>) -> tensor<3x4xui8>
  return %0 : tensor<3x4xui8>
}
