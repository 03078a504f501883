// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scatter of TOSA is one kernel, not a loop over its elements: it reads the values (4 * 8 * 8192), the indices (4 * 2048) and the
// rows (4 * 8 * 2048), and writes a copy of the values and the rows.
// RUN: gpu-cost-opt %s --target=a100-fp32 --strict --report=json | FileCheck %s
// CHECK: "compulsory_bytes": 663552
// CHECK: "launches": 1
// CHECK: "op": "tosa.scatter"
// CHECK: "family": "embedding"
// CHECK: "bytes": 663552
func.func @main(%values: tensor<1x8192x8xf32>, %indices: tensor<1x2048xi32>, %rows: tensor<1x2048x8xf32>) -> tensor<1x8192x8xf32> {
  %0 = tosa.scatter %values, %indices, %rows : (tensor<1x8192x8xf32>, tensor<1x2048xi32>, tensor<1x2048x8xf32>) -> tensor<1x8192x8xf32>
  return %0 : tensor<1x8192x8xf32>
}
