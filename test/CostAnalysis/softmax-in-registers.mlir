// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-bf16})' | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-bf16 software=pytorch-2.7})' | FileCheck %s --check-prefix=OLD
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-bf16 runtime=compiled})' | FileCheck %s --check-prefix=COMPILED
// RUN: gpu-cost-opt %s --target-file=%examples/h100.mlir --target=bf16 | FileCheck %s --check-prefix=TIME

// (M14) Releases after 2.7 keep long rows on chip; older ones read them again. A
// compiled softmax is a reduction that keeps rows of up to 16384 elements on chip.
// CHECK: kernel "Softmax" {{.*}}implementation = "softmax-on-chip"{{.*}}rows = 8192, cols = 8192, pass = forward>
// CHECK: kernel "ReduceSum" {{.*}}implementation = reduction{{.*}}rows = 8192, cols = 8192>
// OLD: kernel "Softmax" {{.*}}implementation = "softmax-reread"
// COMPILED: kernel "Softmax+ReduceSum" {{.*}}implementation = reduction

// Cycles of 62.06 rows of an SM, 1.3 * (560 + 8 * 720) each, at 1.98 GHz: 257 us,
// and what a launch and other terms add.
// TIME: 260.2 {{ *}}softmax {{ *}}Softmax {{ *}}rows=8192 cols=8192
func.func @main(%x: tensor<8192x8192xbf16>) -> tensor<8192x1xbf16> {
  %0 = onnx.Softmax %x {axis = 1 : i64} : (tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16>
  %1 = onnx.ReduceSum %0 {axes = array<i64: 1>} : (tensor<8192x8192xbf16>) -> tensor<8192x1xbf16>
  return %1 : tensor<8192x1xbf16>
}
