// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// (J1), (J2), (J3): loops over CTAs are one kernel of ops on whole tensors.
// RUN: gpu-cost-opt %s --gpucost-flatten-loops | FileCheck %s
// RUN: gpu-cost-opt %s --target=a100-bf16 --precision-mode=as-is --entry=ragged --report=csv 2>&1 | FileCheck %s --check-prefix=RAGGED --implicit-check-not=warning
// RUN: gpu-cost-opt %s --target=a100-bf16 --precision-mode=as-is --entry=epilogue --report=csv 2>&1 | FileCheck %s --check-prefix=EPILOGUE --implicit-check-not=warning
// RUN: gpu-cost-opt %s --target=a100-bf16 --precision-mode=as-is --entry=vectors --report=csv 2>&1 | FileCheck %s --check-prefix=VECTORS --implicit-check-not=warning

#rows = affine_map<(d0) -> (d0 * 128)>
#rest = affine_map<(d0) -> (d0 * -128 + 2050, 128)>

// 16 x 32 tiles of 128 x 128, K in steps of 32: one matmul of the whole
// tensors.
// CHECK-LABEL: func.func @tiled
// CHECK-NOT: scf.
// CHECK: gpucost.kernel "matmul" attributes {{.*}}gpucost.schedule = #gpucost.schedule<tile_m = 128, tile_n = 128, tile_k = 32, split_k = 1>
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2048x1024xbf16>, tensor<1024x4096xbf16>) outs(%{{.*}} : tensor<2048x4096xbf16>)
// CHECK-NOT: linalg.
// CHECK: return
func.func @tiled(%a: tensor<2048x1024xbf16>, %b: tensor<1024x4096xbf16>) -> tensor<2048x4096xbf16> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<2048x4096xbf16>
  %r = scf.forall (%i, %j) in (16, 32) shared_outs(%out = %e) -> (tensor<2048x4096xbf16>) {
    %row = affine.apply #rows(%i)
    %col = affine.apply #rows(%j)
    %sa = tensor.extract_slice %a[%row, 0] [128, 1024] [1, 1] : tensor<2048x1024xbf16> to tensor<128x1024xbf16>
    %sb = tensor.extract_slice %b[0, %col] [1024, 128] [1, 1] : tensor<1024x4096xbf16> to tensor<1024x128xbf16>
    %so = tensor.extract_slice %out[%row, %col] [128, 128] [1, 1] : tensor<2048x4096xbf16> to tensor<128x128xbf16>
    %f = linalg.fill ins(%zero : bf16) outs(%so : tensor<128x128xbf16>) -> tensor<128x128xbf16>
    %p = scf.for %k = %c0 to %c1024 step %c32 iter_args(%acc = %f) -> (tensor<128x128xbf16>) {
      %ka = tensor.extract_slice %sa[0, %k] [128, 32] [1, 1] : tensor<128x1024xbf16> to tensor<128x32xbf16>
      %kb = tensor.extract_slice %sb[%k, 0] [32, 128] [1, 1] : tensor<1024x128xbf16> to tensor<32x128xbf16>
      %m = linalg.matmul ins(%ka, %kb : tensor<128x32xbf16>, tensor<32x128xbf16>) outs(%acc : tensor<128x128xbf16>) -> tensor<128x128xbf16>
      scf.yield %m : tensor<128x128xbf16>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %out[%row, %col] [128, 128] [1, 1] : tensor<128x128xbf16> into tensor<2048x4096xbf16>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return %r : tensor<2048x4096xbf16>
}

// 17 tiles of at most 128 rows cover 2050, not 2176: 2 * 2050 * 256 * 512 FLOP.
// CHECK-LABEL: func.func @ragged
// CHECK: gpucost.schedule = #gpucost.schedule<tile_m = 128, tile_n = 256, split_k = 1>
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2050x512xbf16>, tensor<512x256xbf16>)
// RAGGED: matmul,{{.*}},m=2050 n=256 k=512,1,{{.*}}537395200
func.func @ragged(%a: memref<2050x512xbf16>, %b: memref<512x256xbf16>, %c: memref<2050x256xbf16>) {
  scf.forall (%i) in (17) {
    %row = affine.apply #rows(%i)
    %size = affine.min #rest(%i)
    %sa = memref.subview %a[%row, 0] [%size, 512] [1, 1] : memref<2050x512xbf16> to memref<?x512xbf16, strided<[512, 1], offset: ?>>
    %sc = memref.subview %c[%row, 0] [%size, 256] [1, 1] : memref<2050x256xbf16> to memref<?x256xbf16, strided<[256, 1], offset: ?>>
    linalg.matmul ins(%sa, %b : memref<?x512xbf16, strided<[512, 1], offset: ?>>, memref<512x256xbf16>) outs(%sc : memref<?x256xbf16, strided<[256, 1], offset: ?>>)
    memref.copy %sc, %sc : memref<?x256xbf16, strided<[256, 1], offset: ?>> to memref<?x256xbf16, strided<[256, 1], offset: ?>>
  } {mapping = [#gpu.block<x>]}
  return
}

// A matmul and an epilogue on each of its tiles, through CTA memory.
// Read: 2 * (2048*512 + 512*1024 + 2048*1024), written 2 * 2048*1024 bytes.
// CHECK-LABEL: func.func @epilogue
// CHECK: gpucost.kernel "matmul+add+exp"
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2048x512xbf16>, tensor<512x1024xbf16>)
// CHECK: linalg.add ins({{.*}} : tensor<2048x1024xbf16>, tensor<2048x1024xbf16>)
// CHECK: linalg.exp ins({{.*}} : tensor<2048x1024xbf16>)
// EPILOGUE: matmul+add+exp,{{.*}},m=2048 n=1024 k=512,1,
func.func @epilogue(%a: memref<2048x512xbf16>, %b: memref<512x1024xbf16>, %d: memref<2048x1024xbf16>, %c: memref<2048x1024xbf16>) {
  %zero = arith.constant 0.0 : bf16
  scf.forall (%i, %j) = (0, 0) to (2048, 1024) step (128, 128) {
    %sa = memref.subview %a[%i, 0] [128, 512] [1, 1] : memref<2048x512xbf16> to memref<128x512xbf16, strided<[512, 1], offset: ?>>
    %sb = memref.subview %b[0, %j] [512, 128] [1, 1] : memref<512x1024xbf16> to memref<512x128xbf16, strided<[1024, 1], offset: ?>>
    %sd = memref.subview %d[%i, %j] [128, 128] [1, 1] : memref<2048x1024xbf16> to memref<128x128xbf16, strided<[1024, 1], offset: ?>>
    %sc = memref.subview %c[%i, %j] [128, 128] [1, 1] : memref<2048x1024xbf16> to memref<128x128xbf16, strided<[1024, 1], offset: ?>>
    %t = memref.alloc() : memref<128x128xbf16>
    linalg.fill ins(%zero : bf16) outs(%t : memref<128x128xbf16>)
    linalg.matmul ins(%sa, %sb : memref<128x512xbf16, strided<[512, 1], offset: ?>>, memref<512x128xbf16, strided<[1024, 1], offset: ?>>) outs(%t : memref<128x128xbf16>)
    linalg.add ins(%t, %sd : memref<128x128xbf16>, memref<128x128xbf16, strided<[1024, 1], offset: ?>>) outs(%t : memref<128x128xbf16>)
    linalg.exp ins(%t : memref<128x128xbf16>) outs(%sc : memref<128x128xbf16, strided<[1024, 1], offset: ?>>)
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// The rows of a tile are scaled again for each of the 8 column tiles.
// CHECK-LABEL: func.func @recomputed
// CHECK: linalg.exp {gpucost.batched_iterations = 8 : i64} ins({{.*}} : tensor<2048x512xbf16>)
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2048x512xbf16>, tensor<512x1024xbf16>)
func.func @recomputed(%a: tensor<2048x512xbf16>, %b: tensor<512x1024xbf16>, %c: tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16> {
  %r = scf.forall (%i, %j) = (0, 0) to (2048, 1024) step (128, 128) shared_outs(%out = %c) -> (tensor<2048x1024xbf16>) {
    %sa = tensor.extract_slice %a[%i, 0] [128, 512] [1, 1] : tensor<2048x512xbf16> to tensor<128x512xbf16>
    %sb = tensor.extract_slice %b[0, %j] [512, 128] [1, 1] : tensor<512x1024xbf16> to tensor<512x128xbf16>
    %so = tensor.extract_slice %out[%i, %j] [128, 128] [1, 1] : tensor<2048x1024xbf16> to tensor<128x128xbf16>
    %e = tensor.empty() : tensor<128x512xbf16>
    %x = linalg.exp ins(%sa : tensor<128x512xbf16>) outs(%e : tensor<128x512xbf16>) -> tensor<128x512xbf16>
    %m = linalg.matmul ins(%x, %sb : tensor<128x512xbf16>, tensor<512x128xbf16>) outs(%so : tensor<128x128xbf16>) -> tensor<128x128xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %out[%i, %j] [128, 128] [1, 1] : tensor<128x128xbf16> into tensor<2048x1024xbf16>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return %r : tensor<2048x1024xbf16>
}

// Instances of a batch: 4 matmuls.
// CHECK-LABEL: func.func @batch
// CHECK: linalg.matmul {gpucost.batched_iterations = 4 : i64} ins(%{{.*}}, %{{.*}} : tensor<128x64xbf16>, tensor<64x128xbf16>)
func.func @batch(%a: tensor<4x128x64xbf16>, %b: tensor<4x64x128xbf16>, %c: tensor<4x128x128xbf16>) -> tensor<4x128x128xbf16> {
  %r = scf.forall (%i) in (4) shared_outs(%out = %c) -> (tensor<4x128x128xbf16>) {
    %sa = tensor.extract_slice %a[%i, 0, 0] [1, 128, 64] [1, 1, 1] : tensor<4x128x64xbf16> to tensor<128x64xbf16>
    %sb = tensor.extract_slice %b[%i, 0, 0] [1, 64, 128] [1, 1, 1] : tensor<4x64x128xbf16> to tensor<64x128xbf16>
    %so = tensor.extract_slice %out[%i, 0, 0] [1, 128, 128] [1, 1, 1] : tensor<4x128x128xbf16> to tensor<128x128xbf16>
    %m = linalg.matmul ins(%sa, %sb : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%so : tensor<128x128xbf16>) -> tensor<128x128xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %out[%i, 0, 0] [1, 128, 128] [1, 1, 1] : tensor<128x128xbf16> into tensor<4x128x128xbf16>
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<4x128x128xbf16>
}

// (J10) A contraction of vectors is the matmul.
// CHECK-LABEL: func.func @contracted
// CHECK: gpucost.kernel "contract" attributes {gpucost.schedule = #gpucost.schedule<tile_m = 128, tile_n = 128, tile_k = 16, split_k = 1>}
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2048x1024xf16>, tensor<1024x512xf16>) outs(%{{.*}} : tensor<2048x512xf32>)
func.func @contracted(%a: memref<2048x1024xf16>, %b: memref<1024x512xf16>, %c: memref<2048x512xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  %z = arith.constant 0.0 : f16
  %zf = arith.constant 0.0 : f32
  scf.forall (%i, %j) = (0, 0) to (2048, 512) step (128, 128) {
    %init = vector.transfer_read %c[%i, %j], %zf : memref<2048x512xf32>, vector<128x128xf32>
    %r = scf.for %k = %c0 to %c1024 step %c16 iter_args(%acc = %init) -> vector<128x128xf32> {
      %va = vector.transfer_read %a[%i, %k], %z : memref<2048x1024xf16>, vector<128x16xf16>
      %vb = vector.transfer_read %b[%k, %j], %z : memref<1024x512xf16>, vector<16x128xf16>
      %n = vector.contract {indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>], iterator_types = ["parallel","parallel","reduction"], kind = #vector.kind<add>} %va, %vb, %acc : vector<128x16xf16>, vector<16x128xf16> into vector<128x128xf32>
      scf.yield %n : vector<128x128xf32>
    }
    vector.transfer_write %r, %c[%i, %j] : vector<128x128xf32>, memref<2048x512xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// A cast of bits is not understood: one kernel, at least 2 * (2048 * 1024 +
// 1024 * 512) bytes of operands and 4 * 2048 * 512 of results, which are read
// as well.
// CHECK-LABEL: func.func @vectors
// CHECK: gpucost.kernel "forall" attributes {coverage = #gpucost<coverage fallback>, gpucost.reason = "'vector.bitcast' in a loop nest of workgroups (CTAs)"
// CHECK-SAME: bytes_read = 9437184, bytes_written = 4194304
// VECTORS: forall,opaque,forward,fallback,
func.func @vectors(%a: memref<2048x1024xf16>, %b: memref<1024x512xf16>, %c: memref<2048x512xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  %z = arith.constant 0.0 : f16
  %zf = arith.constant 0.0 : f32
  scf.forall (%i, %j) = (0, 0) to (2048, 512) step (128, 128) {
    %init = vector.transfer_read %c[%i, %j], %zf : memref<2048x512xf32>, vector<128x128xf32>
    %r = scf.for %k = %c0 to %c1024 step %c16 iter_args(%acc = %init) -> vector<128x128xf32> {
      %va = vector.transfer_read %a[%i, %k], %z : memref<2048x1024xf16>, vector<128x16xf16>
      %vb = vector.transfer_read %b[%k, %j], %z : memref<1024x512xf16>, vector<16x128xf16>
      %bits = vector.bitcast %va : vector<128x16xf16> to vector<128x16xi16>
      %vc = vector.bitcast %bits : vector<128x16xi16> to vector<128x16xf16>
      %n = vector.contract {indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>], iterator_types = ["parallel","parallel","reduction"], kind = #vector.kind<add>} %vc, %vb, %acc : vector<128x16xf16>, vector<16x128xf16> into vector<128x128xf32>
      scf.yield %n : vector<128x128xf32>
    }
    vector.transfer_write %r, %c[%i, %j] : vector<128x128xf32>, memref<2048x512xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// Outside of a mapping to CTAs a parallel loop stays a batch of independent
// ops.
// CHECK-LABEL: func.func @unmapped
// CHECK-NOT: gpucost.kernel
// CHECK: linalg.exp {gpucost.batched_iterations = 16 : i64}
func.func @unmapped(%a: tensor<2048xf32>) -> tensor<2048xf32> {
  %r = scf.forall (%i) = (0) to (2048) step (128) shared_outs(%out = %a) -> (tensor<2048xf32>) {
    %s = tensor.extract_slice %out[%i] [128] [1] : tensor<2048xf32> to tensor<128xf32>
    %x = linalg.exp ins(%s : tensor<128xf32>) outs(%s : tensor<128xf32>) -> tensor<128xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %out[%i] [128] [1] : tensor<128xf32> into tensor<2048xf32>
    }
  }
  return %r : tensor<2048xf32>
}

// Nothing is put into the result.
// CHECK-LABEL: func.func @nothing
// CHECK: gpucost.kernel "forall" attributes {coverage = #gpucost<coverage fallback>
func.func @nothing(%a: tensor<2048xf32>) -> tensor<2048xf32> {
  %r = scf.forall (%i) = (0) to (2048) step (128) shared_outs(%out = %a) -> (tensor<2048xf32>) {
    %s = tensor.extract_slice %out[%i] [128] [1] : tensor<2048xf32> to tensor<128xf32>
    %x = linalg.exp ins(%s : tensor<128xf32>) outs(%s : tensor<128xf32>) -> tensor<128xf32>
    scf.forall.in_parallel {
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<2048xf32>
}
