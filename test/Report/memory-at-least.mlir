// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --target=a100-bf16 --mode=training --loss=none | FileCheck %s
// RUN: gpu-cost-opt %s --target=a100-bf16 --mode=training --loss=none --report=json | FileCheck %s --check-prefix=JSON
// RUN: gpu-cost-opt %s --target=a100-bf16 | FileCheck %s --check-prefix=INFERENCE

// What an unmodelled op saves for its gradient is unknown, and whether it has parameters.
// CHECK: memory >=
// CHECK: device >= {{.*}} without the unmodelled ops,
// CHECK-NEXT: fits in 79.2 GiB (nominal 80 GiB)
// JSON: "memory_is_lower_bound": true
// INFERENCE: memory {{[0-9]}}
// INFERENCE: device {{[0-9].*}}; fits in 79.2 GiB
func.func @main(%x: tensor<8x64xf32>) -> tensor<8x16xf32> {
  %w = onnx.Parameter : () -> tensor<64x16xf32>
  %0 = onnx.Custom %x {op_type = "Foo"} : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = onnx.MatMul %0, %w : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
