// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-flatten-loops --verify-diagnostics | FileCheck %s
// RUN: gpu-cost-opt %s --runtime=as-written --target=a100-fp32 --entry=nested --report=csv 2>&1 | FileCheck %s --check-prefix=CSV --implicit-check-not=warning
// RUN: gpu-cost-opt %s --runtime=as-written --target=a100-fp32 --entry=tiles --report=csv 2>&1 | FileCheck %s --check-prefix=TILES --implicit-check-not=warning
// RUN: gpu-cost-opt %s --runtime=as-written --target=a100-fp32 --entry=unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// The body of 4 x 3 iterations appears once, with 12 launches.
// CHECK-LABEL: func.func @nested
// CHECK-NOT: scf.for
// CHECK: linalg.exp {gpucost.trip_count = 12 : i64}
// CHECK: linalg.exp {gpucost.trip_count = 4 : i64}
// CHECK-NOT: scf.for
// Equal launches are one row: 12 + 4.
// CSV: linalg.exp,exp,{{.*}},n=1024,16,
func.func @nested(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c8 step %c2 iter_args(%a = %x) -> (tensor<1024xf32>) {
    %1 = scf.for %j = %c0 to %c3 step %c1 iter_args(%b = %a) -> (tensor<1024xf32>) {
      %2 = linalg.exp ins(%b : tensor<1024xf32>) outs(%b : tensor<1024xf32>) -> tensor<1024xf32>
      scf.yield %2 : tensor<1024xf32>
    }
    %3 = linalg.exp ins(%1 : tensor<1024xf32>) outs(%1 : tensor<1024xf32>) -> tensor<1024xf32>
    scf.yield %3 : tensor<1024xf32>
  }
  return %0 : tensor<1024xf32>
}

// Tiles: 4 of 32 rows, and the last one is shorter; counters halfway (32)
// give a full one. One launch does the work of all: 4 * 32 * 64 = 8192 elements.
// CHECK-LABEL: func.func @tiles
// CHECK: tensor.extract_slice {{.*}}[32, 0] [32, 64]
// CHECK: linalg.exp {gpucost.batched_iterations = 4 : i64} ins({{.*}} : tensor<32x64xf32>)
// CHECK: tensor.insert_slice
// TILES: linalg.exp,exp,{{.*}},n=8192,1,
func.func @tiles(%x: tensor<100x64xf32>, %out: tensor<100x64xf32>) -> tensor<100x64xf32> {
  %0 = scf.forall (%i) = (0) to (100) step (32) shared_outs(%o = %out) -> (tensor<100x64xf32>) {
    %n = affine.min affine_map<(d0) -> (32, 100 - d0)>(%i)
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

// Tiles of more rows than there are: the canonicalizer leaves their sizes as
// operands.
// CHECK-LABEL: func.func @out_of_bounds
// CHECK: %[[TILE:.*]] = linalg.exp {{.*}} -> tensor<?x64xf32>
// CHECK-NEXT: tensor.insert_slice %[[TILE]]
func.func @out_of_bounds(%x: tensor<3x64xf32>, %out: tensor<3x64xf32>) -> tensor<3x64xf32> {
  %0 = scf.forall (%i) = (0) to (100) step (32) shared_outs(%o = %out) -> (tensor<3x64xf32>) {
    %n = affine.min affine_map<(d0) -> (32, 100 - d0)>(%i)
    %a = tensor.extract_slice %x[%i, 0] [%n, 64] [1, 1] : tensor<3x64xf32> to tensor<?x64xf32>
    %b = tensor.extract_slice %o[%i, 0] [%n, 64] [1, 1] : tensor<3x64xf32> to tensor<?x64xf32>
    %c = linalg.exp ins(%a : tensor<?x64xf32>) outs(%b : tensor<?x64xf32>) -> tensor<?x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i, 0] [%n, 64] [1, 1]
          : tensor<?x64xf32> into tensor<3x64xf32>
    }
  }
  return %0 : tensor<3x64xf32>
}

// CHECK-LABEL: func.func @unknown
// CHECK: linalg.exp {gpucost.unknown_trip_count}
// UNKNOWN: warning: number of iterations of 'scf.for' is unknown; its body is counted once
// UNKNOWN: linalg.exp{{.*}}in a loop with an unknown trip count, counted once
func.func @unknown(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{number of iterations of 'scf.for' is unknown; its body is counted once}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %1 = linalg.exp ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// Loops of buffers; a body that never runs costs nothing.
// CHECK-LABEL: func.func @buffers
// CHECK-NOT: affine.for
// CHECK: linalg.exp {gpucost.trip_count = 10 : i64}
// CHECK-NOT: linalg.exp
// CHECK: return
func.func @buffers(%x: memref<8xf32>, %y: memref<8xf32>) {
  affine.for %i = 0 to 10 {
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  }
  affine.for %i = 3 to 3 {
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  }
  return
}

// Loops over scalars stay, and arithmetic on tensors is a structured op.
// CHECK-LABEL: func.func @scalars
// CHECK: affine.for
// CHECK: linalg.generic
func.func @scalars(%x: memref<8xf32>, %t: tensor<8xf32>) -> tensor<8xf32> {
  affine.for %i = 0 to 8 {
    %0 = affine.load %x[%i] : memref<8xf32>
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %x[%i] : memref<8xf32>
  }
  %2 = math.exp %t : tensor<8xf32>
  return %2 : tensor<8xf32>
}
