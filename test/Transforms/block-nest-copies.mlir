// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// (J1), (J6), (J10): CTA-mapped loop nests that only move data copy it; packs in them are packs.
// RUN: gpu-cost-opt %s --gpucost-flatten-loops | FileCheck %s
// RUN: gpu-cost-opt %s --target-file=%examples/a100.mlir --precision-mode=as-is --entry=vectors --report=csv | FileCheck %s --check-prefix=BYTES

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[SWAPPED:.*]] = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @vectors
// CHECK: gpucost.kernel "copy" {
// CHECK-NEXT: linalg.generic {indexing_maps = [#[[ID]], #[[ID]]], iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : tensor<1024x512xf32>) outs(%{{.*}} : tensor<1024x512xf32>)
// 2 x 1024 x 512 x 4 bytes.
// BYTES: linalg.generic,copy,data_movement,forward,modelled,fp32,n=524288,1,0,0,4194304,
func.func @vectors(%a: memref<1024x512xf32>, %b: memref<1024x512xf32>) {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) = (0, 0) to (1024, 512) step (32, 64) {
    %v = vector.transfer_read %a[%i, %j], %zero {in_bounds = [true, true]} : memref<1024x512xf32>, vector<32x64xf32>
    vector.transfer_write %v, %b[%i, %j] {in_bounds = [true, true]} : vector<32x64xf32>, memref<1024x512xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// CHECK-LABEL: func.func @transposed
// CHECK: gpucost.kernel "transpose" {
// CHECK-NEXT: linalg.generic {indexing_maps = [#[[SWAPPED]], #[[ID]]], {{.*}} ins(%{{.*}} : tensor<1024x512xf32>) outs(%{{.*}} : tensor<512x1024xf32>)
func.func @transposed(%a: memref<1024x512xf32>, %b: memref<512x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) = (0, 0) to (1024, 512) step (32, 64) {
    %v = vector.transfer_read %a[%i, %j], %zero {in_bounds = [true, true]} : memref<1024x512xf32>, vector<32x64xf32>
    %t = vector.transpose %v, [1, 0] : vector<32x64xf32> to vector<64x32xf32>
    vector.transfer_write %t, %b[%j, %i] {in_bounds = [true, true]} : vector<64x32xf32>, memref<512x1024xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// A slice that is inserted into another tensor.
// CHECK-LABEL: func.func @inserted
// CHECK: gpucost.kernel "copy" {
// CHECK-NEXT: linalg.generic {{.*}} ins(%{{.*}} : tensor<1024x512xf32>) outs(%{{.*}} : tensor<1024x512xf32>)
func.func @inserted(%a: tensor<1024x512xf32>, %b: tensor<1024x512xf32>) -> tensor<1024x512xf32> {
  %r = scf.forall (%i) = (0) to (1024) step (32) shared_outs(%o = %b) -> (tensor<1024x512xf32>) {
    %s = tensor.extract_slice %a[%i, 0] [32, 512] [1, 1] : tensor<1024x512xf32> to tensor<32x512xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [32, 512] [1, 1] : tensor<32x512xf32> into tensor<1024x512xf32>
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<1024x512xf32>
}

// CHECK-LABEL: func.func @packed
// CHECK: gpucost.kernel "pack" {
// CHECK: linalg.pack %{{.*}} inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %{{.*}} : tensor<1024x512xf32> -> tensor<64x32x16x16xf32>
func.func @packed(%a: tensor<1024x512xf32>, %b: tensor<64x32x16x16xf32>) -> tensor<64x32x16x16xf32> {
  %r = scf.forall (%i) in (64) shared_outs(%o = %b) -> (tensor<64x32x16x16xf32>) {
    %row = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %s = tensor.extract_slice %a[%row, 0] [16, 512] [1, 1] : tensor<1024x512xf32> to tensor<16x512xf32>
    %t = tensor.extract_slice %o[%i, 0, 0, 0] [1, 32, 16, 16] [1, 1, 1, 1] : tensor<64x32x16x16xf32> to tensor<1x32x16x16xf32>
    %p = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %t : tensor<16x512xf32> -> tensor<1x32x16x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, 0, 0, 0] [1, 32, 16, 16] [1, 1, 1, 1] : tensor<1x32x16x16xf32> into tensor<64x32x16x16xf32>
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<64x32x16x16xf32>
}

// The same as vectors: rows and columns are split, then exchanged.
// CHECK-LABEL: func.func @split
// CHECK: gpucost.kernel "transpose" {
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2, 3]] output_shape [64, 16, 32, 16] : tensor<1024x512xf32> into tensor<64x16x32x16xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<64x16x32x16xf32>) outs(%{{.*}} : tensor<64x32x16x16xf32>)
func.func @split(%a: memref<1024x512xf32>, %b: memref<64x32x16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (64) {
    %row = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %v = vector.transfer_read %a[%row, %c0], %zero {in_bounds = [true, true]} : memref<1024x512xf32>, vector<16x512xf32>
    %s = vector.shape_cast %v : vector<16x512xf32> to vector<1x16x32x16xf32>
    %t = vector.transpose %s, [0, 2, 1, 3] : vector<1x16x32x16xf32> to vector<1x32x16x16xf32>
    vector.transfer_write %t, %b[%i, %c0, %c0, %c0] {in_bounds = [true, true, true, true]} : vector<1x32x16x16xf32>, memref<64x32x16x16xf32>
  } {mapping = [#gpu.block<x>]}
  return
}
