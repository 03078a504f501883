// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inside of a compiler the pipeline does not change functions other than the entry.
// RUN: %mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(gpucost-analyze{target=a100-bf16 entry=main})' %s | FileCheck %s
// The report of the tool contains only the iteration, in the target's format.
// RUN: gpu-cost-opt %s --target=a100-bf16 --entry=main --emit=ir | FileCheck %s --check-prefix=TOOL --implicit-check-not=@other

// CHECK: gpucost.scenario = #gpucost.scenario<entry = "main", target = "a100-bf16", precision_mode = "as-is", runtime = "as-written">
// CHECK-SAME: kernels = 1
// CHECK: func.func @main(%{{.*}}: tensor<512x512xf32>) -> tensor<512x512xf32>
// CHECK-NEXT: gpucost.kernel
// CHECK: func.func @other(%{{.*}}: tensor<512x512xf32>) -> tensor<512x512xf32>
// CHECK-NEXT: linalg.exp
// CHECK: func.func private @helper(
// TOOL: func.func @main(%{{.*}}: tensor<512x512xbf16>)
func.func @main(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = func.call @helper(%a) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
func.func @other(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = linalg.exp ins(%a : tensor<512x512xf32>) outs(%a : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
func.func private @helper(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = linalg.exp ins(%a : tensor<512x512xf32>) outs(%a : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
