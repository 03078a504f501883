// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels --gpucost-annotate-work | FileCheck %s

// A matmul written as loops: 16 * 8 * 32 iterations of a multiply and an add.
//   FLOPs: 2 * 16 * 8 * 32 = 8192
//   read:  4 * (16 * 32 + 32 * 8 + 16 * 8) = 3584, write: 4 * 16 * 8 = 512
// CHECK-LABEL: func.func @product
// CHECK: #gpucost.work<family = elementwise, instructions = {{.*}}fp32_flops = 8192, bytes_read = 3584, bytes_written = 512>
func.func @product(%a: memref<16x32xf32>, %b: memref<32x8xf32>, %c: memref<16x8xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 32 {
        %0 = affine.load %a[%i, %k] : memref<16x32xf32>
        %1 = affine.load %b[%k, %j] : memref<32x8xf32>
        %2 = affine.load %c[%i, %j] : memref<16x8xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %c[%i, %j] : memref<16x8xf32>
      }
    }
  }
  return
}

// A triangle: the inner loop runs 0 + 1 + ... + 9 = 45 times. Of 100 elements 45
// are read and written.
// CHECK-LABEL: func.func @triangle
// CHECK: fp32_flops = 45, bytes_read = 180, bytes_written = 180>
func.func @triangle(%x: memref<10x10xf32>) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %0 = affine.load %x[%i, %j] : memref<10x10xf32>
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %x[%i, %j] : memref<10x10xf32>
    }
  }
  return
}

// The same on scf with a special function, 64 iterations in parallel.
// CHECK-LABEL: func.func @parallel
// CHECK: instructions = exp{{.*}}fp32_flops = 64, special_ops = 64, bytes_read = 256, bytes_written = 256>
func.func @parallel(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %x[%i] : memref<64xf32>
    %1 = math.exp %0 : f32
    memref.store %1, %y[%i] : memref<64xf32>
  }
  return
}
