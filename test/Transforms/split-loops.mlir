// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-flatten-loops | FileCheck %s
// RUN: gpu-cost-opt %s --runtime=as-written --target=a100-fp32 --entry=remainder 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: gpu-cost-opt %s --runtime=as-written --target=a100-fp32 --entry=triangle 2>&1 | FileCheck %s --check-prefix=TRIANGLE
// RUN: gpu-cost-opt %s --runtime=as-written --target=a100-fp32 --entry=last_only 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: gpu-cost-opt %s --runtime=as-written --target=a100-fp32 --entry=long_triangle 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: gpu-cost-opt %s --runtime=as-written --target=a100-fp32 --entry=computed 2>&1 | FileCheck %s --check-prefix=COMPUTED
// RUN: gpu-cost-opt %s --runtime=as-written --target=a100-fp32 --entry=parallel 2>&1 | FileCheck %s --check-prefix=PARALLEL

#m = affine_map<(d0) -> (32, -d0 + 100)>
#k = affine_map<(d0) -> (16, -d0 + 50)>

// Rows 32, 32, 32, 4 and k 16, 16, 16, 2: each size that occurs is one launch row.
// 2*100*50*64 = 640,000 FLOP in 4*4 = 16 launches.
// CHECK-LABEL: func.func @remainder
// CHECK: linalg.matmul {gpucost.trip_count = 9 : i64} ins({{.*}} : tensor<32x16xf32>, tensor<16x64xf32>)
// CHECK: linalg.matmul {gpucost.trip_count = 3 : i64} ins({{.*}} : tensor<32x2xf32>, tensor<2x64xf32>)
// CHECK: linalg.matmul {gpucost.trip_count = 3 : i64} ins({{.*}} : tensor<4x16xf32>, tensor<16x64xf32>)
// CHECK: linalg.matmul ins({{.*}} : tensor<4x2xf32>, tensor<2x64xf32>)
// CHECK-NOT: linalg.matmul
// CHECK: return
// TILES: for 16 launches
// TILES: work 640 kFLOP
// TILES: coverage all 16 ops modelled
func.func @remainder(%a: tensor<100x50xf32>, %b: tensor<50x64xf32>, %c: tensor<100x64xf32>) -> tensor<100x64xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c50 = arith.constant 50 : index
  %c100 = arith.constant 100 : index
  %r = scf.for %i = %c0 to %c100 step %c32 iter_args(%ci = %c) -> (tensor<100x64xf32>) {
    %rk = scf.for %k = %c0 to %c50 step %c16 iter_args(%ck = %ci) -> (tensor<100x64xf32>) {
      %m = affine.min #m(%i)
      %kk = affine.min #k(%k)
      %ta = tensor.extract_slice %a[%i, %k] [%m, %kk] [1, 1] : tensor<100x50xf32> to tensor<?x?xf32>
      %tb = tensor.extract_slice %b[%k, 0] [%kk, 64] [1, 1] : tensor<50x64xf32> to tensor<?x64xf32>
      %tc = tensor.extract_slice %ck[%i, 0] [%m, 64] [1, 1] : tensor<100x64xf32> to tensor<?x64xf32>
      %t = linalg.matmul ins(%ta, %tb : tensor<?x?xf32>, tensor<?x64xf32>) outs(%tc : tensor<?x64xf32>) -> tensor<?x64xf32>
      %u = tensor.insert_slice %t into %ck[%i, 0] [%m, 64] [1, 1] : tensor<?x64xf32> into tensor<100x64xf32>
      scf.yield %u : tensor<100x64xf32>
    }
    scf.yield %rk : tensor<100x64xf32>
  }
  return %r : tensor<100x64xf32>
}

// 0 + 1 + ... + 9 = 45 products of 2*16^3 = 8192 FLOP: 368,640.
// TRIANGLE: for 45 launches
// TRIANGLE: work 369 kFLOP
func.func @triangle(%a: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %r = affine.for %i = 0 to 10 iter_args(%ci = %c) -> (tensor<16x16xf32>) {
    %rj = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%cj = %ci) -> (tensor<16x16xf32>) {
      %t = linalg.matmul ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%cj : tensor<16x16xf32>) -> tensor<16x16xf32>
      affine.yield %t : tensor<16x16xf32>
    }
    affine.yield %rj : tensor<16x16xf32>
  }
  return %r : tensor<16x16xf32>
}

// Only the last of 5 iterations runs the product, once: through a branch and a
// bound that is computed.
// ONCE: work 8.19 kFLOP
func.func @last_only(%a: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%ci = %c) -> (tensor<16x16xf32>) {
    %last = arith.cmpi eq, %i, %c4 : index
    %b = scf.if %last -> (tensor<16x16xf32>) {
      %n = arith.subi %i, %c4 : index
      %n1 = arith.addi %n, %c1 : index
      %rj = scf.for %j = %c0 to %n1 step %c1 iter_args(%cj = %ci) -> (tensor<16x16xf32>) {
        %t = linalg.matmul ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%cj : tensor<16x16xf32>) -> tensor<16x16xf32>
        scf.yield %t : tensor<16x16xf32>
      }
      scf.yield %rj : tensor<16x16xf32>
    } else {
      scf.yield %ci : tensor<16x16xf32>
    }
    scf.yield %b : tensor<16x16xf32>
  }
  return %r : tensor<16x16xf32>
}

// More rows than groups: 1024 groups of 2 rows, each like its first one. The rows with
// the counters 0, 2, ..., 2046 have 1024 * 1023 = 1,047,552 products, each twice:
// 2,095,104 of the 2,096,128 that run.
// LONG: for 2095104 launches
// LONG: sizes in 'scf.for' depend on its counter: counted in 1024 groups of iterations
func.func @long_triangle(%a: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2048 = arith.constant 2048 : index
  %r = scf.for %i = %c0 to %c2048 step %c1 iter_args(%ci = %c) -> (tensor<16x16xf32>) {
    %rj = scf.for %j = %c0 to %i step %c1 iter_args(%cj = %ci) -> (tensor<16x16xf32>) {
      %t = linalg.matmul ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%cj : tensor<16x16xf32>) -> tensor<16x16xf32>
      scf.yield %t : tensor<16x16xf32>
    }
    scf.yield %rj : tensor<16x16xf32>
  }
  return %r : tensor<16x16xf32>
}

// The iterations of a parallel loop are one launch, so they cannot differ.
// PARALLEL: sizes in 'scf.forall' depend on its counter: counted as if all iterations were like
func.func @parallel(%x: tensor<100x64xf32>, %out: tensor<100x64xf32>) -> tensor<100x64xf32> {
  %0 = scf.forall (%i) = (0) to (100) step (32) shared_outs(%o = %out) -> (tensor<100x64xf32>) {
    %n = affine.min #m(%i)
    %a = tensor.extract_slice %x[%i, 0] [%n, 64] [1, 1] : tensor<100x64xf32> to tensor<?x64xf32>
    %b = tensor.extract_slice %o[%i, 0] [%n, 64] [1, 1] : tensor<100x64xf32> to tensor<?x64xf32>
    %c = linalg.exp ins(%a : tensor<?x64xf32>) outs(%b : tensor<?x64xf32>) -> tensor<?x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i, 0] [%n, 64] [1, 1]
          : tensor<?x64xf32> into tensor<100x64xf32>
    }
  }
  return %0 : tensor<100x64xf32>
}

// Bounds and sizes that are computed from an outer counter of another type: rows
// 100, 68, 36, 4 in 4 + 3 + 2 + 1 launches, none for i = 4. 208 * 50 = 10,400 exponentials.
// COMPUTED: for 10 launches
// COMPUTED: coverage all 10 ops modelled
// COMPUTED: 6 {{.*}} n=1600
// COMPUTED: 4 {{.*}} n=200
func.func @computed(%a: tensor<100x50xf32>) -> tensor<100x50xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c32 = arith.constant 32 : index
  %c100 = arith.constant 100 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%ci = %a) -> (tensor<100x50xf32>) : i32 {
    %ii = arith.index_cast %i : i32 to index
    %s = arith.muli %ii, %c32 : index
    %rj = scf.for %j = %s to %c100 step %c32 iter_args(%cj = %ci) -> (tensor<100x50xf32>) {
      %m = affine.min #m(%j)
      %t = tensor.extract_slice %cj[%j, 0] [%m, 50] [1, 1] : tensor<100x50xf32> to tensor<?x50xf32>
      %q = linalg.exp ins(%t : tensor<?x50xf32>) outs(%t : tensor<?x50xf32>) -> tensor<?x50xf32>
      %u = tensor.insert_slice %q into %cj[%j, 0] [%m, 50] [1, 1] : tensor<?x50xf32> into tensor<100x50xf32>
      scf.yield %u : tensor<100x50xf32>
    }
    scf.yield %rj : tensor<100x50xf32>
  }
  return %r : tensor<100x50xf32>
}

// An offset is no size: one launch row.
// CHECK-LABEL: func.func @offsets
// CHECK: linalg.exp {gpucost.trip_count = 4 : i64}
// CHECK-NOT: linalg.exp
// CHECK: return
func.func @offsets(%x: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %i = %c0 to %c128 step %c32 iter_args(%o = %x) -> (tensor<128x64xf32>) {
    %a = tensor.extract_slice %o[%i, 0] [32, 64] [1, 1] : tensor<128x64xf32> to tensor<32x64xf32>
    %b = linalg.exp ins(%a : tensor<32x64xf32>) outs(%a : tensor<32x64xf32>) -> tensor<32x64xf32>
    %u = tensor.insert_slice %b into %o[%i, 0] [32, 64] [1, 1] : tensor<32x64xf32> into tensor<128x64xf32>
    scf.yield %u : tensor<128x64xf32>
  }
  return %r : tensor<128x64xf32>
}
