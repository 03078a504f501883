// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// (J6), (J7), (J8): reshapes, branches and narrowing casts in a loop nest of workgroups (CTAs).
// RUN: gpu-cost-opt %s --gpucost-flatten-loops | FileCheck %s
// RUN: gpu-cost-opt %s --target=a100-bf16 --precision-mode=as-is --entry=narrowed --emit=ir | FileCheck %s --check-prefix=NARROWED
// RUN: gpu-cost-opt %s --target=a100-bf16 --precision-mode=as-is --entry=plain --emit=ir | FileCheck %s --check-prefix=PLAIN
// RUN: gpu-cost-opt %s --target=a100-bf16 --precision-mode=as-is --entry=kept --runtime=as-written --report=csv | FileCheck %s --check-prefix=KEPT

// 16 CTAs of 128 = 4 x 32 rows: 64 x 32 rows of the whole tensor.
// CHECK-LABEL: func.func @expanded
// CHECK: gpucost.kernel "exp" {
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [64, 32, 256] : tensor<2048x256xbf16> into tensor<64x32x256xbf16>
// CHECK: linalg.exp ins({{.*}} : tensor<64x32x256xbf16>)
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<64x32x256xbf16> into tensor<2048x256xbf16>
func.func @expanded(%a: tensor<2048x256xbf16>, %c: tensor<2048x256xbf16>) -> tensor<2048x256xbf16> {
  %r = scf.forall (%i) = (0) to (2048) step (128) shared_outs(%out = %c) -> (tensor<2048x256xbf16>) {
    %sa = tensor.extract_slice %a[%i, 0] [128, 256] [1, 1] : tensor<2048x256xbf16> to tensor<128x256xbf16>
    %x = tensor.expand_shape %sa [[0, 1], [2]] output_shape [4, 32, 256] : tensor<128x256xbf16> into tensor<4x32x256xbf16>
    %e = tensor.empty() : tensor<4x32x256xbf16>
    %y = linalg.exp ins(%x : tensor<4x32x256xbf16>) outs(%e : tensor<4x32x256xbf16>) -> tensor<4x32x256xbf16>
    %z = tensor.collapse_shape %y [[0, 1], [2]] : tensor<4x32x256xbf16> into tensor<128x256xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %out[%i, 0] [128, 256] [1, 1] : tensor<128x256xbf16> into tensor<2048x256xbf16>
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<2048x256xbf16>
}

// The rows [8, 64] of each image are the matmul's rows: 4 images with 512 rows,
// tiles with 64 rows.
// CHECK-LABEL: func.func @collapsed
// CHECK: gpucost.kernel "matmul" attributes {gpucost.schedule = #gpucost.schedule<tile_m = 64, tile_n = 128, split_k = 1>}
// CHECK: tensor.collapse_shape %{{.*}} : tensor<32x64x256xbf16> into tensor<2048x256xbf16>
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2048x256xbf16>, tensor<256x128xbf16>)
func.func @collapsed(%a: memref<32x64x256xbf16>, %b: memref<256x128xbf16>, %c: memref<32x64x128xbf16>) {
  scf.forall (%i) in (32) {
    %sa = memref.subview %a[%i, 0, 0] [1, 64, 256] [1, 1, 1] : memref<32x64x256xbf16> to memref<1x64x256xbf16, strided<[16384, 256, 1], offset: ?>>
    %ca = memref.collapse_shape %sa [[0, 1], [2]] : memref<1x64x256xbf16, strided<[16384, 256, 1], offset: ?>> into memref<64x256xbf16, strided<[256, 1], offset: ?>>
    %sc = memref.subview %c[%i, 0, 0] [1, 64, 128] [1, 1, 1] : memref<32x64x128xbf16> to memref<1x64x128xbf16, strided<[8192, 128, 1], offset: ?>>
    %cc = memref.collapse_shape %sc [[0, 1], [2]] : memref<1x64x128xbf16, strided<[8192, 128, 1], offset: ?>> into memref<64x128xbf16, strided<[128, 1], offset: ?>>
    linalg.matmul ins(%ca, %b : memref<64x256xbf16, strided<[256, 1], offset: ?>>, memref<256x128xbf16>) outs(%cc : memref<64x128xbf16, strided<[128, 1], offset: ?>>)
  } {mapping = [#gpu.block<x>]}
  return
}

// A grid of 20 where 16 CTAs have rows; the last of 8 K steps adds a bias once
// for each tile, not 8 times.
// CHECK-LABEL: func.func @bounds
// CHECK: gpucost.kernel "matmul+add" attributes {gpucost.schedule = #gpucost.schedule<tile_m = 128, tile_n = 256, tile_k = 64, split_k = 1>}
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2048x512xbf16>, tensor<512x256xbf16>)
// CHECK-NOT: gpucost.batched_iterations
// CHECK: linalg.add ins({{.*}} : tensor<2048x256xbf16>, tensor<2048x256xbf16>)
func.func @bounds(%a: memref<2048x512xbf16>, %b: memref<512x256xbf16>, %d: memref<2048x256xbf16>, %c: memref<2048x256xbf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c448 = arith.constant 448 : index
  %c512 = arith.constant 512 : index
  %c2048 = arith.constant 2048 : index
  scf.forall (%i) = (0) to (2560) step (128) {
    %inside = arith.cmpi slt, %i, %c2048 : index
    scf.if %inside {
      %sd = memref.subview %d[%i, 0] [128, 256] [1, 1] : memref<2048x256xbf16> to memref<128x256xbf16, strided<[256, 1], offset: ?>>
      %sc = memref.subview %c[%i, 0] [128, 256] [1, 1] : memref<2048x256xbf16> to memref<128x256xbf16, strided<[256, 1], offset: ?>>
      scf.for %k = %c0 to %c512 step %c64 {
        %sa = memref.subview %a[%i, %k] [128, 64] [1, 1] : memref<2048x512xbf16> to memref<128x64xbf16, strided<[512, 1], offset: ?>>
        %sb = memref.subview %b[%k, 0] [64, 256] [1, 1] : memref<512x256xbf16> to memref<64x256xbf16, strided<[256, 1], offset: ?>>
        linalg.matmul ins(%sa, %sb : memref<128x64xbf16, strided<[512, 1], offset: ?>>, memref<64x256xbf16, strided<[256, 1], offset: ?>>) outs(%sc : memref<128x256xbf16, strided<[256, 1], offset: ?>>)
        %last = arith.cmpi eq, %k, %c448 : index
        scf.if %last {
          linalg.add ins(%sc, %sd : memref<128x256xbf16, strided<[256, 1], offset: ?>>, memref<128x256xbf16, strided<[256, 1], offset: ?>>) outs(%sc : memref<128x256xbf16, strided<[256, 1], offset: ?>>)
        }
      }
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// A condition on data is not understood.
// CHECK-LABEL: func.func @unknown
// CHECK: gpucost.kernel "forall" attributes {coverage = #gpucost<coverage fallback>, gpucost.reason = "'scf.if' in a loop nest of workgroups (CTAs)"
func.func @unknown(%a: memref<2048xbf16>, %c: memref<2048xbf16>, %flag: i1) {
  scf.forall (%i) = (0) to (2048) step (128) {
    %sa = memref.subview %a[%i] [128] [1] : memref<2048xbf16> to memref<128xbf16, strided<[1], offset: ?>>
    %sc = memref.subview %c[%i] [128] [1] : memref<2048xbf16> to memref<128xbf16, strided<[1], offset: ?>>
    scf.if %flag {
      linalg.exp ins(%sa : memref<128xbf16, strided<[1], offset: ?>>) outs(%sc : memref<128xbf16, strided<[1], offset: ?>>)
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// A thread inserts a slice with one dimension less than the later read.
// CHECK-LABEL: func.func @reduced
// CHECK: gpucost.kernel "forall" attributes {coverage = #gpucost<coverage fallback>, gpucost.reason = "'linalg.exp' in a loop nest of workgroups (CTAs)"
func.func @reduced(%a: tensor<64x256xbf16>, %c: tensor<64x256xbf16>) -> tensor<64x256xbf16> {
  %r = scf.forall (%i) = (0) to (64) step (8) shared_outs(%out = %c) -> (tensor<64x256xbf16>) {
    %sa = tensor.extract_slice %a[%i, 0] [8, 256] [1, 1] : tensor<64x256xbf16> to tensor<8x256xbf16>
    %e = tensor.empty() : tensor<8x256xbf16>
    %t = scf.forall (%j) in (8) shared_outs(%o = %e) -> (tensor<8x256xbf16>) {
      %row = tensor.extract_slice %sa[%j, 0] [1, 256] [1, 1] : tensor<8x256xbf16> to tensor<256xbf16>
      %f = tensor.empty() : tensor<256xbf16>
      %y = linalg.exp ins(%row : tensor<256xbf16>) outs(%f : tensor<256xbf16>) -> tensor<256xbf16>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %y into %o[%j, 0] [1, 256] [1, 1] : tensor<256xbf16> into tensor<8x256xbf16>
      }
    } {mapping = [#gpu.thread<x>]}
    %z = linalg.exp ins(%t : tensor<8x256xbf16>) outs(%e : tensor<8x256xbf16>) -> tensor<8x256xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %out[%i, 0] [8, 256] [1, 1] : tensor<8x256xbf16> into tensor<64x256xbf16>
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<64x256xbf16>
}

// An f32 accumulator that only the cast reads: the kernel reads 2 * (1024 * 256
// + 256 * 512) and writes 2 * 1024 * 512 bytes, of 16-bit results.
// NARROWED: gpucost.kernel "matmul+generic"
// NARROWED-SAME: output_bits = 16
// NARROWED-SAME: bytes_read = 786432, bytes_written = 1048576
func.func @narrowed(%a: tensor<1024x256xbf16>, %b: tensor<256x512xbf16>) -> tensor<1024x512xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x512xbf16>
  %r = scf.forall (%i) = (0) to (1024) step (128) shared_outs(%out = %e) -> (tensor<1024x512xbf16>) {
    %sa = tensor.extract_slice %a[%i, 0] [128, 256] [1, 1] : tensor<1024x256xbf16> to tensor<128x256xbf16>
    %so = tensor.extract_slice %out[%i, 0] [128, 512] [1, 1] : tensor<1024x512xbf16> to tensor<128x512xbf16>
    %t = tensor.empty() : tensor<128x512xf32>
    %f = linalg.fill ins(%zero : f32) outs(%t : tensor<128x512xf32>) -> tensor<128x512xf32>
    %m = linalg.matmul ins(%sa, %b : tensor<128x256xbf16>, tensor<256x512xbf16>) outs(%f : tensor<128x512xf32>) -> tensor<128x512xf32>
    %n = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<128x512xf32>) outs(%so : tensor<128x512xbf16>) {
    ^bb0(%x: f32, %y: bf16):
      %z = arith.truncf %x : f32 to bf16
      linalg.yield %z : bf16
    } -> tensor<128x512xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %out[%i, 0] [128, 512] [1, 1] : tensor<128x512xbf16> into tensor<1024x512xbf16>
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<1024x512xbf16>
}

// The same without a nest, as frontends write 16-bit matmuls.
// PLAIN-COUNT-1: gpucost.kernel "MatMul"
// PLAIN-SAME: output_bits = 16
// PLAIN-SAME: bytes_read = 786432, bytes_written = 1048576
// PLAIN-NOT: gpucost.kernel
func.func @plain(%a: tensor<1024x256xbf16>, %b: tensor<256x512xbf16>) -> tensor<1024x512xbf16> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<1024x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%t : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %m = linalg.matmul ins(%a, %b : tensor<1024x256xbf16>, tensor<256x512xbf16>) outs(%f : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %r = arith.truncf %m : tensor<1024x512xf32> to tensor<1024x512xbf16>
  return %r : tensor<1024x512xbf16>
}

// An fp32 matmul with fp32 operands is another kernel than the cast of its
// result.
// KEPT: {{^}},linalg.matmul,matmul,
// KEPT-NEXT: {{^}},linalg.generic,generic,
func.func @kept(%a: tensor<1024x256xf32>, %b: tensor<256x512xf32>) -> tensor<1024x512xbf16> {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<1024x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%t : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %m = linalg.matmul ins(%a, %b : tensor<1024x256xf32>, tensor<256x512xf32>) outs(%f : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %r = arith.truncf %m : tensor<1024x512xf32> to tensor<1024x512xbf16>
  return %r : tensor<1024x512xbf16>
}
