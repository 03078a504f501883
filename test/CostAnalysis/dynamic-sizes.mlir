// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op with static shapes has its cost whatever else its function contains. An op that depends on a size without a value has a lower bound, with
// the size as 1: 4096 x 4096 weights in bf16 are 33.6 MB, 10 us at 3.35 TB/s.
// RUN: %mlir-opt --load-dialect-plugin=%plugin --allow-unregistered-dialect --pass-pipeline='builtin.module(gpucost-annotate)' %s | FileCheck %s
module attributes {gpucost.scenario = #gpucost.scenario<target = "h100-bf16">} {
// A function of another module, and an op of an unknown dialect.
func.func private @elsewhere(tensor<?x4096xbf16>) -> tensor<?x4096xf32>
// CHECK-LABEL: @opaque
// CHECK-SAME: coverage = fallback, time = {{[0-9.]+}} us, {{.*}}high = open, {{.*}}launches = 4, reason = "'func.call': no cost rule; symbolic dimension 'arg2.0'
// CHECK: linalg.matmul {{.*}}coverage = modelled
// CHECK: call @elsewhere{{.*}}coverage = fallback, {{.*}}reason = "'func.call': no cost rule; symbolic dimension 'arg2.0' of input 'arg2' has no value; set it with bind = 'arg2.0:<n>' in gpucost.scenario; lower bound: every size without a value counts as 1"
// CHECK: "acme.op"{{.*}}coverage = fallback, {{.*}}reason = "'acme.op': no cost rule; symbolic dimension
// CHECK: linalg.exp {{.*}}coverage = fallback, {{.*}}reason = "symbolic dimension
func.func @opaque(%a: tensor<4096x4096xbf16>, %c: tensor<4096x4096xf32>, %x: tensor<?x4096xbf16>) -> (tensor<4096x4096xf32>, tensor<?x4096xf32>) {
  %0 = linalg.matmul ins(%a, %a : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) outs(%c : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %1 = call @elsewhere(%x) : (tensor<?x4096xbf16>) -> tensor<?x4096xf32>
  %2 = "acme.op"(%1) : (tensor<?x4096xf32>) -> tensor<?x4096xf32>
  %3 = linalg.exp ins(%2 : tensor<?x4096xf32>) outs(%1 : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  return %0, %3 : tensor<4096x4096xf32>, tensor<?x4096xf32>
}
// Buffers.
// CHECK-LABEL: @buffers
// CHECK: linalg.matmul {{.*}}coverage = modelled
// CHECK: linalg.matmul {{.*}}coverage = fallback, time = [[ROW:[0-9.]+]] us, {{.*}}bound = dram, launches = 1, reason = "symbolic dimensions have no values: 'arg2.0' of input 'arg2', 'arg3.0' of input 'arg3'
func.func @buffers(%a: memref<4096x4096xbf16>, %c: memref<4096x4096xf32>, %x: memref<?x4096xbf16>, %y: memref<?x4096xf32>) {
  linalg.matmul ins(%a, %a : memref<4096x4096xbf16>, memref<4096x4096xbf16>) outs(%c : memref<4096x4096xf32>)
  linalg.matmul ins(%x, %a : memref<?x4096xbf16>, memref<4096x4096xbf16>) outs(%y : memref<?x4096xf32>)
  return
}
// Sizes that are arguments, elements of tensors, or constants.
// CHECK-LABEL: @data
// CHECK: linalg.matmul {{.*}}coverage = fallback, time = [[ROW]] us, {{.*}}reason = "'linalg.matmul': unknown shapes; lower bound: every size without a value counts as 1"
// CHECK: linalg.matmul {{.*}}coverage = fallback, time = [[ROW]] us, {{.*}}reason = "'linalg.matmul': unknown shapes; lower bound
// CHECK: linalg.matmul {{.*}}coverage = modelled, time = [[ROW]] us
func.func @data(%a: tensor<4096x4096xbf16>, %n: index, %s: tensor<i64>) -> (tensor<?x4096xf32>, tensor<?x4096xf32>, tensor<?x4096xf32>) {
  %e = tensor.empty(%n) : tensor<?x4096xf32>
  %x = tensor.extract_slice %a[0, 0] [%n, 4096] [1, 1] : tensor<4096x4096xbf16> to tensor<?x4096xbf16>
  %0 = linalg.matmul ins(%x, %a : tensor<?x4096xbf16>, tensor<4096x4096xbf16>) outs(%e : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  %k = tensor.extract %s[] : tensor<i64>
  %m = arith.index_cast %k : i64 to index
  %f = tensor.empty(%m) : tensor<?x4096xf32>
  %y = tensor.extract_slice %a[0, 0] [%m, 4096] [1, 1] : tensor<4096x4096xbf16> to tensor<?x4096xbf16>
  %1 = linalg.matmul ins(%y, %a : tensor<?x4096xbf16>, tensor<4096x4096xbf16>) outs(%f : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  %one = arith.constant 1 : index
  %g = tensor.empty(%one) : tensor<?x4096xf32>
  %z = tensor.extract_slice %a[0, 0] [%one, 4096] [1, 1] : tensor<4096x4096xbf16> to tensor<?x4096xbf16>
  %2 = linalg.matmul ins(%z, %a : tensor<?x4096xbf16>, tensor<4096x4096xbf16>) outs(%g : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  return %0, %1, %2 : tensor<?x4096xf32>, tensor<?x4096xf32>, tensor<?x4096xf32>
}
// Jumps are branches: the more expensive one counts, also in a callee.
// CHECK-LABEL: @jumps
// CHECK-SAME: coverage = modelled, {{.*}}launches = 1>
// CHECK: linalg.matmul {{.*}}coverage = modelled
// CHECK: linalg.exp
// CHECK-NOT: gpucost.cost
// CHECK-LABEL: @caller
// CHECK-SAME: coverage = modelled, {{.*}}launches = 2>
func.func @jumps(%a: tensor<4096x4096xbf16>, %c: tensor<4096x4096xf32>, %p: i1) -> tensor<4096x4096xf32> {
  cf.cond_br %p, ^yes, ^no
^yes:
  %0 = linalg.matmul ins(%a, %a : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) outs(%c : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  cf.br ^end(%0 : tensor<4096x4096xf32>)
^no:
  %1 = linalg.exp ins(%c : tensor<4096x4096xf32>) outs(%c : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  cf.br ^end(%1 : tensor<4096x4096xf32>)
^end(%r : tensor<4096x4096xf32>):
  return %r : tensor<4096x4096xf32>
}
func.func @caller(%a: tensor<4096x4096xbf16>, %c: tensor<4096x4096xf32>, %p: i1) -> tensor<4096x4096xf32> {
  %0 = call @jumps(%a, %c, %p) : (tensor<4096x4096xbf16>, tensor<4096x4096xf32>, i1) -> tensor<4096x4096xf32>
  %1 = linalg.exp ins(%0 : tensor<4096x4096xf32>) outs(%c : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}
// An unknown number of iterations is stated in the module, by the name of the loop.
// CHECK-LABEL: @loop
// CHECK: coverage = fallback, {{.*}}reason = "'scf.for': unknown trip count; state it with trip = 'loop_0:<n>' in gpucost.scenario; 'scf.for' is not mapped
func.func @loop(%a: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = math.exp %x : f32
    memref.store %y, %a[%i] : memref<64xf32>
  }
  return
}
}
