// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=sgd" --gpucost-parallelize="gpus=4 bucket-mib=8" | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=sgd},gpucost-parallelize{gpus=4 bucket-mib=8},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s --check-prefix=WORK
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=sgd" --gpucost-parallelize=gpus=1 | FileCheck %s --check-prefix=ONE
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=sgd" --gpucost-parallelize="parallel=tp2.dp4 nodes=2" | FileCheck %s --check-prefix=NODES
// RUN: not gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=sgd" --gpucost-parallelize="gpus=4 nodes=3" 2>&1 | FileCheck %s --check-prefix=UNEVEN

// ddp (X1): one all-reduce per bucket, in the order in which gradients are ready.
// CHECK: gpucost.scenario = #gpucost.scenario<mode = training, loss = none, optimizer = sgd, gpus = 4>
// CHECK-LABEL: func.func @step
// The first bucket is full at 1 MiB: the last layer's 4 * 1024 * 1024 bytes.
// CHECK: %[[D2:.*]] = onnx.MatMul {{.*}}phase backward{{.*}} -> tensor<1024x1024xf32>
// (X5) Its gradient is copied into the bucket, and back at the end.
// CHECK-NEXT: gpucost.optimizer_step "copy into bucket"(%[[D2]]) {elements = 1048576 : i64, {{.*}}reads = 1 : i64, writes = 1 : i64}
// CHECK-NEXT: %[[R2:.*]] = gpucost.collective all_reduce(%[[D2]]) {bytes = 4194304 : i64, gpucost.in_place, gpucost.origin = "all_reduce", gpucost.phase = #gpucost<phase communication>, world_size = 4 : i64}
// The second one takes 8 MiB and the remaining bytes: 4 * (1024 * 1024 + 1024 + 256 * 1024).
// CHECK: %[[D1:.*]] = onnx.MatMul {{.*}} -> tensor<1024x1024xf32>
// CHECK-NOT: collective
// CHECK: %[[B0:.*]] = onnx.ReduceSum
// CHECK: %[[D0:.*]] = onnx.MatMul {{.*}} -> tensor<256x1024xf32>
// CHECK-NEXT: gpucost.optimizer_step "copy into bucket"(%[[D1]], %[[B0]], %[[D0]]) {elements = 1311744 : i64, {{.*}}launches = 3 : i64
// CHECK-NEXT: %[[R:.*]]:3 = gpucost.collective all_reduce(%[[D1]], %[[B0]], %[[D0]]) {bytes = 5246976 : i64,
// CHECK-NEXT: gpucost.optimizer_step "copy from bucket"(%[[R2]])
// CHECK-NEXT: gpucost.optimizer_step "copy from bucket"(%[[R]]#0, %[[R]]#1, %[[R]]#2)
// The update waits for both.
// CHECK-NEXT: gpucost.optimizer_step "param += -lr grad"(%[[R]]#2, %[[R]]#1, %[[R]]#0, %[[R2]])
// CHECK: return {gpucost.gradients = array<i64: 0, 1, 2, 3>} %[[R]]#2, %[[R]]#1, %[[R]]#0, %[[R2]]

// Twice (n - 1) / n of the message leave and arrive: 2 * 3 / 4 * 4194304.
// WORK: kernel "{{.*}}" {{.*}}phase communication{{.*}}family = collective{{.*}}#gpucost.collective<kind = all_reduce, bytes = 4194304, world_size = 4>, bytes_read = 6291456, bytes_written = 6291456>
// 2 * 3 / 4 * 5246976
// WORK: #gpucost.collective<kind = all_reduce, bytes = 5246976, world_size = 4>, bytes_read = 7870464, bytes_written = 7870464>

// (X10) Two of the four in each node; the groups of both tensor parallel GPUs share its network.
// NODES: gpucost.scenario = #gpucost.scenario<{{.*}}nodes = 2
// NODES: gpucost.collective all_reduce({{.*}}bytes = 4194304 : i64, {{.*}}groups = 2 : i64, nodes = 2 : i64, world_size = 4 : i64}
// UNEVEN: error: expected data-parallel GPUs that fill 3 nodes evenly, but got 4

// ONE-NOT: collective
// ONE: return
func.func @step(%x: tensor<8x256xf32>) -> tensor<8x1024xf32> {
  %w0 = onnx.Parameter : () -> tensor<256x1024xf32>
  %b0 = onnx.Parameter : () -> tensor<1024xf32>
  %w1 = onnx.Parameter : () -> tensor<1024x1024xf32>
  %w2 = onnx.Parameter : () -> tensor<1024x1024xf32>
  %0 = onnx.Gemm %x, %w0, %b0 : (tensor<8x256xf32>, tensor<256x1024xf32>, tensor<1024xf32>) -> tensor<8x1024xf32>
  %1 = onnx.MatMul %0, %w1 : (tensor<8x1024xf32>, tensor<1024x1024xf32>) -> tensor<8x1024xf32>
  %2 = onnx.MatMul %1, %w2 : (tensor<8x1024xf32>, tensor<1024x1024xf32>) -> tensor<8x1024xf32>
  return %2 : tensor<8x1024xf32>
}
