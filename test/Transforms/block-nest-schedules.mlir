// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// (J4), (J5): the loops of a nest are the schedule of its matmul.
// RUN: gpu-cost-opt %s --gpucost-flatten-loops 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN --input-file=%t.err
// RUN: gpu-cost-opt %s --target=a100-bf16 --precision-mode=as-is --entry=wide --report=json | FileCheck %s --check-prefix=WIDE
// RUN: gpu-cost-opt %s --target=a100-bf16 --precision-mode=as-is --entry=persistent | FileCheck %s --check-prefix=NOTE
// RUN: gpu-cost-opt %s --target=a100-bf16 --precision-mode=as-is --entry=untiled --report=json | FileCheck %s --check-prefix=UNTILED
// RUN: gpu-cost-opt %s --target=a100-bf16 --precision-mode=as-is --entry=untiled --emit=ir | FileCheck %s --check-prefix=KERNEL
// RUN: not gpu-cost-opt %s --target=a100-bf16 --precision-mode=as-is --entry=wide --strict 2>&1 | FileCheck %s --check-prefix=STRICT

// CHECK: gpucost.notes = ["a workgroup (CTA) of 'linalg.matmul' computes several tiles one after the other; the model chooses the tile"]

// Four CTAs share the K range of a tile, 1024 elements each in steps of 64.
// CHECK-LABEL: func.func @split
// CHECK: gpucost.kernel "matmul" attributes {gpucost.schedule = #gpucost.schedule<tile_m = 128, tile_n = 64, tile_k = 64, split_k = 4>}
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<512x4096xbf16>, tensor<4096x512xbf16>)
func.func @split(%a: memref<512x4096xbf16>, %b: memref<4096x512xbf16>, %c: memref<512x512xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  scf.forall (%i, %j, %s) = (0, 0, 0) to (512, 512, 4096) step (128, 64, 1024) {
    %sa = memref.subview %a[%i, %s] [128, 1024] [1, 1] : memref<512x4096xbf16> to memref<128x1024xbf16, strided<[4096, 1], offset: ?>>
    %sb = memref.subview %b[%s, %j] [1024, 64] [1, 1] : memref<4096x512xbf16> to memref<1024x64xbf16, strided<[512, 1], offset: ?>>
    %sc = memref.subview %c[%i, %j] [128, 64] [1, 1] : memref<512x512xf32> to memref<128x64xf32, strided<[512, 1], offset: ?>>
    scf.for %k = %c0 to %c1024 step %c64 {
      %ka = memref.subview %sa[0, %k] [128, 64] [1, 1] : memref<128x1024xbf16, strided<[4096, 1], offset: ?>> to memref<128x64xbf16, strided<[4096, 1], offset: ?>>
      %kb = memref.subview %sb[%k, 0] [64, 64] [1, 1] : memref<1024x64xbf16, strided<[512, 1], offset: ?>> to memref<64x64xbf16, strided<[512, 1], offset: ?>>
      linalg.matmul ins(%ka, %kb : memref<128x64xbf16, strided<[4096, 1], offset: ?>>, memref<64x64xbf16, strided<[512, 1], offset: ?>>) outs(%sc : memref<128x64xf32, strided<[512, 1], offset: ?>>)
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>, #gpu.block<z>]}
  return
}

// 16 x 16 threads with 8 x 8 results each: 8 warps.
// CHECK-LABEL: func.func @threads
// CHECK: #gpucost.schedule<tile_m = 128, tile_n = 128, split_k = 1, warps = 8, thread_tile_m = 8, thread_tile_n = 8>
func.func @threads(%a: memref<1024x256xf32>, %b: memref<256x1024xf32>, %c: memref<1024x1024xf32>) {
  scf.forall (%i, %j) = (0, 0) to (1024, 1024) step (128, 128) {
    %sa = memref.subview %a[%i, 0] [128, 256] [1, 1] : memref<1024x256xf32> to memref<128x256xf32, strided<[256, 1], offset: ?>>
    %sb = memref.subview %b[0, %j] [256, 128] [1, 1] : memref<256x1024xf32> to memref<256x128xf32, strided<[1024, 1], offset: ?>>
    %sc = memref.subview %c[%i, %j] [128, 128] [1, 1] : memref<1024x1024xf32> to memref<128x128xf32, strided<[1024, 1], offset: ?>>
    scf.forall (%y, %x) = (0, 0) to (128, 128) step (8, 8) {
      %ta = memref.subview %sa[%y, 0] [8, 256] [1, 1] : memref<128x256xf32, strided<[256, 1], offset: ?>> to memref<8x256xf32, strided<[256, 1], offset: ?>>
      %tb = memref.subview %sb[0, %x] [256, 8] [1, 1] : memref<256x128xf32, strided<[1024, 1], offset: ?>> to memref<256x8xf32, strided<[1024, 1], offset: ?>>
      %tc = memref.subview %sc[%y, %x] [8, 8] [1, 1] : memref<128x128xf32, strided<[1024, 1], offset: ?>> to memref<8x8xf32, strided<[1024, 1], offset: ?>>
      linalg.matmul ins(%ta, %tb : memref<8x256xf32, strided<[256, 1], offset: ?>>, memref<256x8xf32, strided<[1024, 1], offset: ?>>) outs(%tc : memref<8x8xf32, strided<[1024, 1], offset: ?>>)
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// Values that the loops do not show are on the matmul: the schedule of the kernel
// has all fields.
// CHECK-LABEL: func.func @stated
// CHECK: gpucost.kernel "matmul" attributes {gpucost.schedule = #gpucost.schedule<tile_m = 256, tile_n = 64, tile_k = 64, split_k = 1, stages = 3, warps = 4>}
// CHECK-NOT: linalg.matmul {gpucost.schedule
func.func @stated(%a: memref<100x512xbf16>, %b: memref<512x1024xbf16>, %c: memref<100x1024xbf16>) {
  scf.forall (%j) = (0) to (1024) step (64) {
    %sb = memref.subview %b[0, %j] [512, 64] [1, 1] : memref<512x1024xbf16> to memref<512x64xbf16, strided<[1024, 1], offset: ?>>
    %sc = memref.subview %c[0, %j] [100, 64] [1, 1] : memref<100x1024xbf16> to memref<100x64xbf16, strided<[1024, 1], offset: ?>>
    linalg.matmul {gpucost.schedule = #gpucost.schedule<tile_m = 256, tile_k = 64, stages = 3, warps = 4>} ins(%a, %sb : memref<100x512xbf16>, memref<512x64xbf16, strided<[1024, 1], offset: ?>>) outs(%sc : memref<100x64xbf16, strided<[1024, 1], offset: ?>>)
  } {mapping = [#gpu.block<x>]}
  return
}

// 100 rows in one tile are a tile of 128 unless another size is stated; the stated
// 32 columns contradict the 64 columns of the loops.
// CHECK-LABEL: func.func @contradicts
// CHECK: #gpucost.schedule<tile_m = 128, tile_n = 64, split_k = 1>
// WARN: warning: 'gpucost.schedule' contradicts the surrounding loops, which take precedence
func.func @contradicts(%a: memref<100x512xbf16>, %b: memref<512x1024xbf16>, %c: memref<100x1024xbf16>) {
  scf.forall (%j) = (0) to (1024) step (64) {
    %sb = memref.subview %b[0, %j] [512, 64] [1, 1] : memref<512x1024xbf16> to memref<512x64xbf16, strided<[1024, 1], offset: ?>>
    %sc = memref.subview %c[0, %j] [100, 64] [1, 1] : memref<100x1024xbf16> to memref<100x64xbf16, strided<[1024, 1], offset: ?>>
    linalg.matmul ins(%a, %sb : memref<100x512xbf16>, memref<512x64xbf16, strided<[1024, 1], offset: ?>>) outs(%sc : memref<100x64xbf16, strided<[1024, 1], offset: ?>>)
  } {gpucost.schedule = #gpucost.schedule<tile_n = 32>, mapping = [#gpu.block<x>]}
  return
}

// A kernel cannot hold 512 x 512 accumulators: only its bytes, and the reason. 2 *
// (1024 * 512 + 512 * 1024) bytes read, 2 * 1024 * 1024 written.
// WIDE: "coverage": "fallback"
// WIDE: "bytes": 4194304
// WIDE: "reason": "infeasible schedule: the accumulators of a 512 x 512 tile of
// STRICT: infeasible schedule
func.func @wide(%a: memref<1024x512xbf16>, %b: memref<512x1024xbf16>, %c: memref<1024x1024xbf16>) {
  %zero = arith.constant 0.0 : bf16
  scf.forall (%i, %j) = (0, 0) to (1024, 1024) step (512, 512) {
    %sa = memref.subview %a[%i, 0] [512, 512] [1, 1] : memref<1024x512xbf16> to memref<512x512xbf16, strided<[512, 1], offset: ?>>
    %sb = memref.subview %b[0, %j] [512, 512] [1, 1] : memref<512x1024xbf16> to memref<512x512xbf16, strided<[1024, 1], offset: ?>>
    %sc = memref.subview %c[%i, %j] [512, 512] [1, 1] : memref<1024x1024xbf16> to memref<512x512xbf16, strided<[1024, 1], offset: ?>>
    linalg.fill ins(%zero : bf16) outs(%sc : memref<512x512xbf16, strided<[1024, 1], offset: ?>>)
    linalg.matmul ins(%sa, %sb : memref<512x512xbf16, strided<[512, 1], offset: ?>>, memref<512x512xbf16, strided<[1024, 1], offset: ?>>) outs(%sc : memref<512x512xbf16, strided<[1024, 1], offset: ?>>)
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// Four CTAs that go through the tiles of a row.
// CHECK-LABEL: func.func @persistent
// CHECK: gpucost.kernel "matmul" {
// NOTE: a workgroup (CTA) of 'linalg.matmul' computes several tiles one after the other; the model
func.func @persistent(%a: memref<512x512xbf16>, %b: memref<512x1024xbf16>, %c: memref<512x1024xbf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  scf.forall (%i) = (0) to (512) step (128) {
    %sa = memref.subview %a[%i, 0] [128, 512] [1, 1] : memref<512x512xbf16> to memref<128x512xbf16, strided<[512, 1], offset: ?>>
    scf.for %j = %c0 to %c1024 step %c64 {
      %sb = memref.subview %b[0, %j] [512, 64] [1, 1] : memref<512x1024xbf16> to memref<512x64xbf16, strided<[1024, 1], offset: ?>>
      %sc = memref.subview %c[%i, %j] [128, 64] [1, 1] : memref<512x1024xbf16> to memref<128x64xbf16, strided<[1024, 1], offset: ?>>
      linalg.matmul ins(%sa, %sb : memref<128x512xbf16, strided<[512, 1], offset: ?>>, memref<512x64xbf16, strided<[1024, 1], offset: ?>>) outs(%sc : memref<128x64xbf16, strided<[1024, 1], offset: ?>>)
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// An op that is not tiled: its kernel has the schedule.
// UNTILED: "tile": "64x64"
// KERNEL: gpucost.kernel "matmul" attributes {gpucost.schedule = #gpucost.schedule<tile_m = 64, tile_n = 64>
// KERNEL: linalg.matmul ins(
func.func @untiled(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>, %c: tensor<512x512xbf16>) -> tensor<512x512xbf16> {
  %r = linalg.matmul {gpucost.schedule = #gpucost.schedule<tile_m = 64, tile_n = 64>} ins(%a, %b : tensor<512x512xbf16>, tensor<512x512xbf16>) outs(%c : tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %r : tensor<512x512xbf16>
}

// A CTA computes 4 rows of 32 pixels for 128 filters; a step reads 64 channels of one tap. The loops over taps belong to K.
// CHECK-LABEL: func.func @convolution
// CHECK: gpucost.kernel "conv_2d_nhwc_hwcf" attributes {gpucost.schedule = #gpucost.schedule<tile_m = 128, tile_n = 128, tile_k = 64, split_k = 1>}
func.func @convolution(%i: tensor<8x34x34x256xbf16>, %w: tensor<3x3x256x256xbf16>, %o: tensor<8x32x32x256xf32>) -> tensor<8x32x32x256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %r = scf.forall (%n, %h, %f) = (0, 0, 0) to (8, 32, 256) step (1, 4, 128) shared_outs(%out = %o) -> (tensor<8x32x32x256xf32>) {
    %so = tensor.extract_slice %out[%n, %h, 0, %f] [1, 4, 32, 128] [1, 1, 1, 1] : tensor<8x32x32x256xf32> to tensor<1x4x32x128xf32>
    %sum = scf.for %y = %c0 to %c3 step %c1 iter_args(%a = %so) -> (tensor<1x4x32x128xf32>) {
      %row = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%h, %y)
      %b = scf.for %x = %c0 to %c3 step %c1 iter_args(%c = %a) -> (tensor<1x4x32x128xf32>) {
        %d = scf.for %k = %c0 to %c256 step %c64 iter_args(%e = %c) -> (tensor<1x4x32x128xf32>) {
          %si = tensor.extract_slice %i[%n, %row, %x, %k] [1, 4, 32, 64] [1, 1, 1, 1] : tensor<8x34x34x256xbf16> to tensor<1x4x32x64xbf16>
          %sw = tensor.extract_slice %w[%y, %x, %k, %f] [1, 1, 64, 128] [1, 1, 1, 1] : tensor<3x3x256x256xbf16> to tensor<1x1x64x128xbf16>
          %p = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
              ins(%si, %sw : tensor<1x4x32x64xbf16>, tensor<1x1x64x128xbf16>) outs(%e : tensor<1x4x32x128xf32>) -> tensor<1x4x32x128xf32>
          scf.yield %p : tensor<1x4x32x128xf32>
        }
        scf.yield %d : tensor<1x4x32x128xf32>
      }
      scf.yield %b : tensor<1x4x32x128xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %out[%n, %h, 0, %f] [1, 4, 32, 128] [1, 1, 1, 1] : tensor<1x4x32x128xf32> into tensor<8x32x32x256xf32>
    }
  } {mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]}
  return %r : tensor<8x32x32x256xf32>
}
