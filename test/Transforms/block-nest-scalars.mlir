// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// (J9), (J10): scalars, fragments and outlined kernels in a loop nest of workgroups (CTAs).
// RUN: gpu-cost-opt %s --gpucost-flatten-loops | FileCheck %s

// CHECK: affine_map<(d0, d1) -> (d0 * 2 + d1)>

// 16 x 8 CTAs of 16 x 16 threads with 8 x 8 results each: 2048 x 1024 x 512.
// CHECK-LABEL: func.func @scalars
// CHECK: gpucost.kernel "store" attributes {gpucost.schedule = #gpucost.schedule<tile_m = 128, tile_n = 128, tile_k = 16, split_k = 1, warps = 8, thread_tile_m = 8, thread_tile_n = 8>}
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<2048x512xf32>, tensor<512x1024xf32>) outs(%{{.*}} : tensor<2048x1024xf32>)
#cta = affine_map<(d0) -> (d0 * 128)>
#thread = affine_map<(d0) -> (d0 * 8)>
func.func @scalars(%a: memref<2048x512xf32>, %b: memref<512x1024xf32>, %c: memref<2048x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c16, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c16, %sz = %c1) {
    %row = affine.apply #cta(%by)
    %x = gpu.block_id x
    %column = affine.apply #cta(%x)
    %ty8 = affine.apply #thread(%ty)
    %tx8 = affine.apply #thread(%tx)
    scf.for %k = %c0 to %c512 step %c16 {
      %sa = memref.subview %a[%row, %k] [128, 16] [1, 1] : memref<2048x512xf32> to memref<128x16xf32, strided<[512, 1], offset: ?>>
      %sb = memref.subview %b[%k, %column] [16, 128] [1, 1] : memref<512x1024xf32> to memref<16x128xf32, strided<[1024, 1], offset: ?>>
      %sc = memref.subview %c[%row, %column] [128, 128] [1, 1] : memref<2048x1024xf32> to memref<128x128xf32, strided<[1024, 1], offset: ?>>
      scf.for %i = %c0 to %c8 step %c1 {
        scf.for %j = %c0 to %c8 step %c1 {
          scf.for %kk = %c0 to %c16 step %c1 {
            %m = arith.addi %ty8, %i : index
            %n = arith.addi %tx8, %j : index
            %va = memref.load %sa[%m, %kk] : memref<128x16xf32, strided<[512, 1], offset: ?>>
            %vb = memref.load %sb[%kk, %n] : memref<16x128xf32, strided<[1024, 1], offset: ?>>
            %vc = memref.load %sc[%m, %n] : memref<128x128xf32, strided<[1024, 1], offset: ?>>
            %p = arith.mulf %va, %vb : f32
            %s = arith.addf %vc, %p : f32
            memref.store %s, %sc[%m, %n] : memref<128x128xf32, strided<[1024, 1], offset: ?>>
          }
        }
      }
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

// A window that slides over the image by two elements: a convolution.
// CHECK-LABEL: func.func @window
// CHECK: gpucost.kernel "store"
// CHECK: linalg.generic {indexing_maps = [#[[IMAGE:.*]], #{{.*}}, #{{.*}}], iterator_types = ["parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<2049xf32>, tensor<3xf32>) outs(%{{.*}} : tensor<1024xf32>)
func.func @window(%a: memref<2049xf32>, %w: memref<3xf32>, %c: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  scf.forall (%b) = (0) to (1024) step (64) {
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %k = %c0 to %c3 step %c1 {
        %o = arith.addi %b, %i : index
        %twice = arith.addi %o, %o : index
        %at = arith.addi %twice, %k : index
        %x = memref.load %a[%at] : memref<2049xf32>
        %y = memref.load %w[%k] : memref<3xf32>
        %z = memref.load %c[%o] : memref<1024xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        memref.store %s, %c[%o] : memref<1024xf32>
      }
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// A pooling op: no tensor has the size of its window.
// CHECK-LABEL: func.func @pool
// CHECK: gpucost.kernel "store"
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<2049xf32>, tensor<3xf32>) outs(%{{.*}} : tensor<1024xf32>)
// CHECK: arith.maximumf
func.func @pool(%a: memref<2049xf32>, %c: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  scf.forall (%b) = (0) to (1024) step (64) {
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%b)
    %va = memref.subview %a[%at] [129] [1] : memref<2049xf32> to memref<129xf32, strided<[1], offset: ?>>
    %vc = memref.subview %c[%b] [64] [1] : memref<1024xf32> to memref<64xf32, strided<[1], offset: ?>>
    affine.for %i = 0 to 64 {
      affine.for %k = 0 to 3 {
        %x = affine.load %va[%i * 2 + %k] : memref<129xf32, strided<[1], offset: ?>>
        %z = affine.load %vc[%i] : memref<64xf32, strided<[1], offset: ?>>
        %s = arith.maximumf %z, %x : f32
        affine.store %s, %vc[%i] : memref<64xf32, strided<[1], offset: ?>>
      }
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// The tiles of a batch in memory of the nest, which their loops leave: 16 x 64 x 32 products of 64 summands.
// CHECK-LABEL: func.func @local
// CHECK: gpucost.kernel "store+store"
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<16x64x64xf32>, tensor<64x32xf32>) outs(%{{.*}} : tensor<16x64x32xf32>)
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "parallel"]} ins(%{{.*}} : tensor<16x64x32xf32>) outs(%{{.*}} : tensor<16x64x32xf32>)
// CHECK: math.tanh
func.func @local(%a: memref<16x64x64xf32>, %b: memref<64x32xf32>, %c: memref<16x64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  scf.forall (%n) in (16) {
    %t = memref.alloc() : memref<1x64x32xf32>
    affine.for %i = 0 to 64 {
      affine.for %j = 0 to 32 {
        memref.store %zero, %t[%c0, %i, %j] : memref<1x64x32xf32>
      }
    }
    affine.for %i = 0 to 64 {
      affine.for %j = 0 to 32 {
        affine.for %k = 0 to 64 {
          %x = memref.load %a[%n, %i, %k] : memref<16x64x64xf32>
          %y = memref.load %b[%k, %j] : memref<64x32xf32>
          %z = memref.load %t[%c0, %i, %j] : memref<1x64x32xf32>
          %p = arith.mulf %x, %y : f32
          %s = arith.addf %z, %p : f32
          memref.store %s, %t[%c0, %i, %j] : memref<1x64x32xf32>
        }
      }
    }
    affine.for %i = 0 to 64 {
      affine.for %j = 0 to 32 {
        %x = memref.load %t[%c0, %i, %j] : memref<1x64x32xf32>
        %y = math.tanh %x : f32
        memref.store %y, %c[%n, %i, %j] : memref<16x64x32xf32>
      }
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// One counter moves two dimensions, here the parts of a linear index: no structured op.
// CHECK-LABEL: func.func @parts
// CHECK: gpucost.kernel "forall" attributes {coverage = #gpucost<coverage fallback>, gpucost.reason = "'memref.store' in a loop nest of workgroups (CTAs)"
func.func @parts(%a: memref<64x64xf32>, %w: memref<64x64xf32>, %c: memref<64x64xf32>) {
  scf.forall (%b) in (16) {
    affine.for %i = 0 to 256 {
      %row = affine.apply affine_map<(b, i) -> ((b * 256 + i) floordiv 64)>(%b, %i)
      %column = affine.apply affine_map<(b, i) -> ((b * 256 + i) mod 64)>(%b, %i)
      %x = memref.load %a[%row, %column] : memref<64x64xf32>
      %y = memref.load %w[%row, %column] : memref<64x64xf32>
      %z = memref.load %c[%row, %column] : memref<64x64xf32>
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      memref.store %s, %c[%row, %column] : memref<64x64xf32>
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// The last tile is smaller: 1000 elements, not 8 x 128.
// CHECK-LABEL: func.func @partial
// CHECK: gpucost.kernel "store"
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1000xf32>) outs(%{{.*}} : tensor<1000xf32>)
func.func @partial(%a: memref<1000xf32>, %c: memref<1000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%b) in (8) {
    %at = affine.apply affine_map<(d0) -> (d0 * 128)>(%b)
    %size = affine.min affine_map<(d0) -> (128, d0 * -128 + 1000)>(%b)
    scf.for %i = %c0 to %size step %c1 {
      %o = arith.addi %at, %i : index
      %x = memref.load %a[%o] : memref<1000xf32>
      %y = math.tanh %x : f32
      memref.store %y, %c[%o] : memref<1000xf32>
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// A loop that grows with the CTA has no single trip count.
// CHECK-LABEL: func.func @triangle
// CHECK-NOT: linalg.generic
func.func @triangle(%a: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  scf.forall (%b) in (1024) {
    %most = affine.min affine_map<(d0) -> (1024, d0 + 1)>(%b)
    scf.for %i = %c0 to %most step %c1 {
      %x = memref.load %a[%b, %i] : memref<1024x1024xf32>
      %y = math.tanh %x : f32
      memref.store %y, %c[%b, %i] : memref<1024x1024xf32>
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// One warp per CTA: its 32 threads execute the op once, not 32 times.
// CHECK-LABEL: func.func @fragments
// CHECK: gpucost.kernel "subgroup_mma_compute" attributes {gpucost.schedule = #gpucost.schedule<tile_m = 16, tile_n = 16, tile_k = 16, split_k = 1, warps = 1>}
// CHECK-NOT: gpucost.batched_iterations
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1024x1024xf16>, tensor<1024x1024xf16>) outs(%{{.*}} : tensor<1024x1024xf32>)
func.func @fragments(%a: memref<1024x1024xf16>, %b: memref<1024x1024xf16>, %c: memref<1024x1024xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c64, %gy = %c64, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %i = arith.muli %by, %c16 : index
    %j = arith.muli %bx, %c16 : index
    %acc0 = gpu.subgroup_mma_load_matrix %c[%i, %j] {leadDimension = 1024 : index} : memref<1024x1024xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
    %r = scf.for %k = %c0 to %c1024 step %c16 iter_args(%acc = %acc0) -> (!gpu.mma_matrix<16x16xf32, "COp">) {
      %la = gpu.subgroup_mma_load_matrix %a[%i, %k] {leadDimension = 1024 : index} : memref<1024x1024xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %lb = gpu.subgroup_mma_load_matrix %b[%k, %j] {leadDimension = 1024 : index} : memref<1024x1024xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %m = gpu.subgroup_mma_compute %la, %lb, %acc : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      scf.yield %m : !gpu.mma_matrix<16x16xf32, "COp">
    }
    gpu.subgroup_mma_store_matrix %r, %c[%i, %j] {leadDimension = 1024 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<1024x1024xf32>
    gpu.terminator
  }
  return
}
