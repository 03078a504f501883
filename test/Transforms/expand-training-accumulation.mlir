// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=sgd grad-accum=4},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=sgd grad-accum=4 zero-grad=zero},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s --check-prefixes=CHECK,ZERO
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=sgd zero-grad=keep},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s --check-prefix=KEEP
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=sgd},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s --check-prefix=ONCE

// Four passes, one update. Gradients live on between the passes.
// CHECK-LABEL: func.func @step
// CHECK-DAG: onnx.Parameter {gpucost.role = #gpucost<role gradient>} : () -> tensor<300xf32>
// CHECK-DAG: onnx.Parameter {gpucost.role = #gpucost<role gradient>} : () -> tensor<1000x300xf32>
// CHECK: kernel "Gemm" attributes {count = 4 : i64, gpucost.accumulated = 4 : i64,
// CHECK: kernel "ReduceSum" attributes {count = 4 : i64,
// Each sum follows its gradient at once.
// (O4) The gradient of the first pass becomes the buffer, three are added to it; zeros
// instead are added to four times. 4 * 300,000 bytes a tensor: two in, one out.
// NONE: kernel "InPlaceAccumulator" attributes {count = 3 : i64, {{.*}}count = 300>
// ZERO: kernel "InPlaceAccumulator" attributes {count = 4 : i64,
// CHECK: kernel "MatMul" attributes {count = 4 : i64, {{.*}}phase backward
// NONE: kernel "InPlaceAccumulator" attributes {count = 3 : i64, {{.*}}phase backward{{.*}}count = 300000>, fp32_flops = 300000, bytes_read = 2400000, bytes_written = 1200000>
// ZERO: kernel "InPlaceAccumulator" attributes {count = 4 : i64,
// NONE-NOT: zero gradients
// ZERO: kernel "zero gradients" attributes {gpucost.origin = "zero gradients",
// CHECK: kernel "param += -lr grad" attributes {gpucost.origin = "param += -lr grad",

// KEEP: onnx.Parameter {gpucost.role = #gpucost<role gradient>}
// KEEP: kernel "InPlaceAccumulator" attributes {gpucost.origin = "gradient accumulation",
// KEEP-NOT: zero gradients
// KEEP: return

// ONCE-NOT: {{InPlaceAccumulator|gpucost.role|gpucost.accumulated|zero gradients}}
// ONCE: return
func.func @step(%x: tensor<8x1000xf32>) -> tensor<8x300xf32> {
  %w = onnx.Parameter : () -> tensor<1000x300xf32>
  %b = onnx.Parameter : () -> tensor<300xf32>
  %0 = onnx.Gemm %x, %w, %b : (tensor<8x1000xf32>, tensor<1000x300xf32>, tensor<300xf32>) -> tensor<8x300xf32>
  return %0 : tensor<8x300xf32>
}
