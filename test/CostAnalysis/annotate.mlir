// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs in place: on any anchor, one thread for each function, nothing but attributes.
// RUN: %mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(func.func(gpucost-annotate{target-file=%examples/a100.mlir}))' %s | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(gpucost-annotate{target-file=%examples/a100.mlir})' %s | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%plugin --mlir-disable-threading --pass-pipeline='any(gpucost-annotate{target-file=%examples/a100.mlir})' %s | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-annotate=target-file=%examples/a100.mlir | FileCheck %s
// A second run gives the same result.
// RUN: %mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(gpucost-annotate{target-file=%examples/h100.mlir},gpucost-annotate{target-file=%examples/a100.mlir})' %s | FileCheck %s
// RUN: not %mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(func.func(gpucost-annotate))' %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %mlir-opt --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(func.func(gpucost-annotate{target=a101}))' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// NONE: error: no target; give one with target=a100-bf16
// UNKNOWN: error: unknown target 'a101'; did you mean

// The function is the sum of its ops: 92.5 + 32.3 us.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = modelled, time = 124.{{[0-9]+}} us, {{.*}}launches = 2>
// CHECK: linalg.fill ins
// CHECK: linalg.matmul {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = modelled, time = 92.{{[0-9]+}} us, low = {{[0-9.]+}} us, high = {{[0-9.]+}} us, energy = {{[0-9.]+}} mJ, power = {{[0-9.]+}} W, bound = {{[a-z0-9]+}}, launches = 1>}
// CHECK: linalg.add {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = modelled, time = 32.2
// CHECK: return
func.func @chain(%a: tensor<2048x1024xbf16>, %b: tensor<1024x4096xbf16>,
                 %c: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<2048x4096xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
  %p = linalg.matmul ins(%a, %b : tensor<2048x1024xbf16>, tensor<1024x4096xbf16>)
      outs(%init : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
  %s = linalg.add ins(%p, %c : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>)
      outs(%empty : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
  return %s : tensor<2048x4096xbf16>
}

// The cost of a loop, and the cost of its ops, covers all iterations: 3 x 32.3 us.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK: linalg.add {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = modelled, time = 96.7{{.*}}launches = 3>}
// CHECK: } {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = modelled, time = 96.7{{.*}}launches = 3, reason = "'scf.for' is not mapped to CTAs: its kernels run in each iteration, one after the other">}
func.func @loop(%x: tensor<2048x4096xbf16>, %y: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %empty = tensor.empty() : tensor<2048x4096xbf16>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %x) -> (tensor<2048x4096xbf16>) {
    %s = linalg.add ins(%acc, %y : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>)
        outs(%empty : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    scf.yield %s : tensor<2048x4096xbf16>
  }
  return %r : tensor<2048x4096xbf16>
}

// A size without a value makes the cost a lower bound, which names the size and the attribute.
// CHECK-LABEL: func.func @dynamic
// CHECK: linalg.add {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = fallback, {{.*}}high = open, {{.*}}launches = 1, reason = "{{.*}}arg0.0{{.*}}bind = 'arg0.0:<n>' in gpucost.scenario; lower bound: every size without a value counts as 1">}
func.func @dynamic(%x: tensor<?x4096xbf16>) -> tensor<?x4096xbf16> {
  %s = linalg.add ins(%x, %x : tensor<?x4096xbf16>, tensor<?x4096xbf16>)
      outs(%x : tensor<?x4096xbf16>) -> tensor<?x4096xbf16>
  return %s : tensor<?x4096xbf16>
}

// An unknown cost has no numbers and states the reason.
// CHECK-LABEL: func.func @unknown
// CHECK: call @of_any_rank{{.*}} {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = unmodelled, bound = unknown, launches = 0, reason = "{{.+}}">}
func.func private @of_any_rank(tensor<*xbf16>) -> tensor<*xbf16>
func.func @unknown(%x: tensor<*xbf16>) -> tensor<*xbf16> {
  %y = call @of_any_rank(%x) : (tensor<*xbf16>) -> tensor<*xbf16>
  return %y : tensor<*xbf16>
}

// CHECK: func.func private @outside(i32)
func.func private @outside(i32)

// (L14) A product of widened operands costs what it costs on narrow ones: 2*2048*1024*4096 FLOP in
// bf16 take as long as those of @chain, which also stores 16 MiB. Widening launches nothing.
// CHECK-LABEL: func.func @widened
// CHECK-SAME: time = 92.{{[0-9]+}} us, {{.*}}launches = 1>
// CHECK-COUNT-2: arith.extf %{{[a-z0-9]+}} : tensor
// CHECK: linalg.matmul {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = modelled, time = 92.{{[0-9]+}} us
func.func @widened(%a: tensor<2048x1024xbf16>, %b: tensor<1024x4096xbf16>) -> tensor<2048x4096xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2048x4096xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2048x4096xf32>) -> tensor<2048x4096xf32>
  %af = arith.extf %a : tensor<2048x1024xbf16> to tensor<2048x1024xf32>
  %bf = arith.extf %b : tensor<1024x4096xbf16> to tensor<1024x4096xf32>
  %p = linalg.matmul ins(%af, %bf : tensor<2048x1024xf32>, tensor<1024x4096xf32>)
      outs(%init : tensor<2048x4096xf32>) -> tensor<2048x4096xf32>
  %r = arith.truncf %p : tensor<2048x4096xf32> to tensor<2048x4096xbf16>
  return %r : tensor<2048x4096xbf16>
}
