// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of other dialects with unknown bounds: the trip count is given by number or by
// the name of their location. 2 * 64^3 = 524288 FLOP for each matmul.
// RUN: gpu-cost-opt %s --runtime=as-written --target=a100-fp32 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: gpu-cost-opt %s --runtime=as-written --target=a100-fp32 --trip=loop_0:10 --trip=decode:5 --trip=loop_1:128 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STATED
// RUN: gpu-cost-opt %s --runtime=as-written --target=a100-fp32 --trip=*:4 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: not gpu-cost-opt %s --runtime=as-written --target=a100-fp32 --trip=lop:4 2>&1 | FileCheck %s --check-prefix=ERROR

// ONCE: warning: number of iterations of 'scf.for' is unknown; its body is counted once; state it with --trip=loop_0:<n>
// ONCE: warning: {{.*}}number of iterations of 'scf.while' is unknown; its body is counted once; state it with --trip=decode:<n>
// ONCE: 1.05 MFLOP of it in matrix products
// ONCE: scf.for {{.*}} unknown trip count; state it with --trip=loop_1:<n>
// STATED-NOT: warning
// STATED: 7.86 MFLOP of it in matrix products
// STATED: coverage all
// 8 matmuls, 4 additions.
// ALL: work 4.19 MFLOP
// ALL: coverage all
// ERROR: error: no loop is called 'lop'; there are 'loop_0', 'decode', 'loop_1'
func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %from: memref<128xf32>, %to: memref<128xf32>, %n: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<64x64xf32>) {
    %m = linalg.matmul ins(%a, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %m : tensor<64x64xf32>
  }
  %q = scf.while (%a = %r) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
    %s = tensor.extract %a[%c0, %c0] : tensor<64x64xf32>
    %c = arith.cmpf olt, %s, %f : f32
    scf.condition(%c) %a : tensor<64x64xf32>
  } do {
  ^bb0(%b: tensor<64x64xf32>):
    %m = linalg.matmul ins(%b, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %m : tensor<64x64xf32>
  } loc("decode")
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %from[%i] : memref<128xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %to[%i] : memref<128xf32>
  }
  return %q : tensor<64x64xf32>
}
