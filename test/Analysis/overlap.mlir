// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: split-file %s %t
// DEFINE: %{passes} = gpucost-form-kernels,gpucost-annotate-work,gpucost-select-tiling,gpucost-predict
// RUN: gpu-cost-opt %t/exposed.mlir --pass-pipeline='builtin.module(gpucost-set-target{target-file=%inputs/toy-target.mlir},%{passes})' | FileCheck %s
// RUN: gpu-cost-opt %t/hidden.mlir --pass-pipeline='builtin.module(gpucost-set-target{target-file=%inputs/toy-target.mlir},%{passes})' | FileCheck %s --check-prefix=HIDDEN

// Memory-bound kernels at 100 GB/s: 12 MB take 120 us, 4 MB take 40 us. An all-reduce of
// 8 MB between two GPUs sends V = 2 * 8 MB * 1 / 2 (N1): 80 us.
//
// (N3) It starts when the sum is ready, at 120 us, and ends at 200 us; the second kernel
// ends at 160 us, and the update waits: 160 + 120 us of computation, 40 us exposed.
// (N2) Computation takes 10 W * 280 us, 2.5 * 10^6 instructions at 10 pJ and 28 MB at
// 100 pJ, 5.625 mJ or 20.09 W. While it waits the board draws 10 + 0.5 * 10.09 W, and the
// links read and write 2 * 8 MB: 40 us * 15.04 W + 1.6 mJ = 2.202 mJ.
// CHECK: #gpucost.summary<time = 320.0000{{[0-9]*}} us, gpu_busy = {{.*}}energy = 7.82{{[67][0-9]*}} mJ,
// CHECK-SAME: <phase = backward, time = 160.0000{{[0-9]*}} us,
// CHECK-SAME: <phase = optimizer, time = 120.0000{{[0-9]*}} us,
// CHECK-SAME: <phase = communication, time = {{40.0000[0-9]*|39.9999[0-9]*}} us, gpu_busy = {{80.0000[0-9]*|80}} us, {{.*}}energy = 2.201{{[0-9]*}} mJ,

// Behind 120 us more of computation it costs energy, but no time.
// HIDDEN: #gpucost.summary<time = 360.0000{{[0-9]*}} us,
// HIDDEN-SAME: <phase = communication, time = 0 s, gpu_busy = {{80.0000[0-9]*|80}} us, {{.*}}energy = {{1.6|1.5999[0-9]*}} mJ,

//--- exposed.mlir
func.func @step(%x: tensor<1000000xf32>, %y: tensor<1000000xf32>, %z: tensor<500000xf32>) -> tensor<500000xf32> {
  %g = onnx.Add %x, %y {gpucost.phase = #gpucost<phase backward>} : (tensor<1000000xf32>, tensor<1000000xf32>) -> tensor<1000000xf32>
  %r = gpucost.collective all_reduce(%g) {bytes = 8000000 : i64, world_size = 2 : i64, gpucost.phase = #gpucost<phase communication>} : (tensor<1000000xf32>) -> tensor<1000000xf32>
  %h = onnx.Relu %z {gpucost.phase = #gpucost<phase backward>} : (tensor<500000xf32>) -> tensor<500000xf32>
  gpucost.optimizer_step "sgd"(%r) {elements = 1000000 : i64, reads = 2 : i64, writes = 1 : i64, gpucost.phase = #gpucost<phase optimizer>} : tensor<1000000xf32>
  return %h : tensor<500000xf32>
}

//--- hidden.mlir
func.func @step(%x: tensor<1000000xf32>, %y: tensor<1000000xf32>) -> tensor<1000000xf32> {
  %g = onnx.Add %x, %y {gpucost.phase = #gpucost<phase backward>} : (tensor<1000000xf32>, tensor<1000000xf32>) -> tensor<1000000xf32>
  %r = gpucost.collective all_reduce(%g) {bytes = 8000000 : i64, world_size = 2 : i64, gpucost.phase = #gpucost<phase communication>} : (tensor<1000000xf32>) -> tensor<1000000xf32>
  %h = onnx.Mul %x, %y {gpucost.phase = #gpucost<phase backward>} : (tensor<1000000xf32>, tensor<1000000xf32>) -> tensor<1000000xf32>
  gpucost.optimizer_step "sgd"(%r) {elements = 1000000 : i64, reads = 2 : i64, writes = 1 : i64, gpucost.phase = #gpucost<phase optimizer>} : tensor<1000000xf32>
  return %h : tensor<1000000xf32>
}
