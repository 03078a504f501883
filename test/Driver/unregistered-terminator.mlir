// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verifier lets an op of an unregistered dialect pass for a terminator.
// RUN: not gpu-cost-opt %s --target=a100-bf16 --allow-unregistered-dialect 2>&1 | FileCheck %s
// RUN: not gpu-cost-opt %s --target=a100-bf16 --allow-unregistered-dialect --max-batch 2>&1 | FileCheck %s
// RUN: not gpu-cost-opt %s --allow-unregistered-dialect --emit=shapes 2>&1 | FileCheck %s
// CHECK: error: expected a 'func.return' at the end of 'main'
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  "foo.bar"(%a) : (tensor<4xf32>) -> ()
}
