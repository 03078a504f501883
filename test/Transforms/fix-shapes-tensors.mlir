// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --split-input-file --gpucost-fix-shapes=bind=arg0.0:4,arg0.1:16 | FileCheck %s
// RUN: gpu-cost-opt %s --split-input-file --gpucost-fix-shapes="batch=4 seq=16" | FileCheck %s
// RUN: not gpu-cost-opt %s --split-input-file --gpucost-fix-shapes=batch=4 2>&1 | FileCheck %s --check-prefix=UNBOUND

// Dimensions without names are called after argument and position; the batch is
// the first one.
// CHECK-LABEL: func.func @linalg
// CHECK-SAME: (%{{.*}}: tensor<4x16x8xf32>, %{{.*}}: tensor<8x8xf32>) -> tensor<64x8xf32>
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<64x8xf32>, tensor<8x8xf32>)
// CHECK: return %{{.*}} : tensor<64x8xf32>
// UNBOUND: error: symbolic dimension 'arg0.1' of input 'arg0' has no value; set it with --bind='arg0.1:<n>'
func.func @linalg(%x: tensor<?x?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x8xf32> into tensor<?x8xf32>
  %rows = tensor.dim %flat, %c0 : tensor<?x8xf32>
  %empty = tensor.empty(%rows) : tensor<?x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x8xf32>) -> tensor<?x8xf32>
  %0 = linalg.matmul ins(%flat, %w : tensor<?x8xf32>, tensor<8x8xf32>)
      outs(%init : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func.func @tosa
// CHECK-SAME: tensor<4x16xf32>
// CHECK: tosa.sigmoid %{{.*}} : (tensor<4x16xf32>) -> tensor<4x16xf32>
func.func @tosa(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = tosa.sigmoid %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// A broadcast to a size that turns out to be that of the operand is no gather; with
// other indices it is.
// CHECK-LABEL: func.func @own_indices
// CHECK: linalg.exp ins(%[[X:[a-z0-9]+]] : tensor<4x16xf32>)
// CHECK: linalg.generic
// CHECK: tensor.extract %[[X]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @own_indices(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %is1 = arith.cmpi eq, %m, %c1 : index
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %b = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<?x?xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.select %is1, %c0, %i : index
    %v = tensor.extract %x[%k, %j] : tensor<?x?xf32>
    linalg.yield %v : f32
  } -> tensor<?x?xf32>
  %y = linalg.exp ins(%b : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<?x?xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %x[%c0, %i] : tensor<?x?xf32>
    linalg.yield %v : f32
  } -> tensor<?x?xf32>
  return %y, %g : tensor<?x?xf32>, tensor<?x?xf32>
}
