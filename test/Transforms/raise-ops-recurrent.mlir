// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-raise-ops | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-raise-ops --gpucost-expand-training='loss=none optimizer=none' --gpucost-form-kernels --gpucost-annotate-work | FileCheck %s --check-prefix=WORK

// An LSTM of 10 steps, batch 4, 32 inputs, 64 hidden units (256 gates): one
// matmul of all inputs, then a matmul and a pointwise kernel for each step.
// CHECK-LABEL: func.func @lstm
// CHECK: onnx.MatMul %{{.*}} : (tensor<10x4x32xf32>, tensor<32x256xf32>) -> tensor<10x4x256xf32>
// CHECK: %[[ALL:.*]] = onnx.Add
// CHECK: %[[STEP:.*]] = onnx.RecurrentProduct %[[ALL]], %{{.*}} {gpucost.host_launches = 0 : i64, gpucost.trip_count = 10 : i64}
// CHECK: onnx.RecurrentCell %[[ALL]], %[[STEP]] {gpucost.host_launches = 0 : i64, gpucost.trip_count = 10 : i64} : {{.*}} -> tensor<10x4x64xf32>
// A batch-major layer is transposed before and after: 4 steps with a batch of 10.
// CHECK: onnx.Transpose %{{.*}} {perm = array<i64: 1, 0, 2>} : (tensor<10x4x32xf32>) -> tensor<4x10x32xf32>
// CHECK: onnx.RecurrentCell {{.*}} {gpucost.host_launches = 0 : i64, gpucost.trip_count = 4 : i64} : {{.*}} -> tensor<4x10x64xf32>
// CHECK: onnx.Transpose %{{.*}} {perm = array<i64: 2, 0, 1, 3>} : (tensor<4x1x10x64xf32>) -> tensor<10x4x1x64xf32>
// (R5) The host calls the library once: the steps are launched inside of the call.
// Forward: 2 * 40 * 32 * 256 for all inputs, (R1) 2 * 4 * 64 * 256 a step.
// WORK-DAG: #gpucost.matmul<m = 40, n = 256, k = 32>, tensor_flops = 655360,
// WORK-DAG: gpucost.kernel "RecurrentProduct" attributes {count = 10 : i64, {{.*}}host_launches = 0 : i64{{.*}}#gpucost.matmul<m = 4, n = 256, k = 64>, tensor_flops = 131072, bytes_read = 66560, bytes_written = 4096>
// (R2) A step reads both gates and the cell state, writes gates and both states:
// (2 * 4 * 256 + 4 * 64) * 4 and (4 * 256 + 2 * 4 * 64) * 4 bytes.
// WORK-DAG: gpucost.kernel "RecurrentCell" attributes {count = 10 : i64, {{.*}}host_launches = 0 : i64{{.*}}bytes_read = 9216, bytes_written = 6144>
// (R3), (R4) Backward: pointwise and one matmul a step, the gradient of R over
// all steps at once: 2 * 256 * 40 * 64.
// WORK-DAG: gpucost.kernel "RecurrentCellGrad" attributes {count = 10 : i64, {{.*}}host_launches = 0 : i64
// WORK-DAG: gpucost.kernel "RecurrentInputGrad" attributes {count = 10 : i64, {{.*}}host_launches = 0 : i64{{.*}}#gpucost.matmul<m = 4, n = 64, k = 256, strided_k = true>, tensor_flops = 131072,
// WORK-DAG: #gpucost.matmul<m = 256, n = 64, k = 40, trans_a = true, strided_k = true>, tensor_flops = 1310720,
func.func @lstm(%x: tensor<10x4x32xf32>) -> (tensor<10x1x4x64xf32>, tensor<10x4x1x64xf32>) {
  %w = onnx.Parameter {name = "w"} : () -> tensor<1x256x32xf32>
  %r = onnx.Parameter {name = "r"} : () -> tensor<1x256x64xf32>
  %b = onnx.Parameter {name = "b"} : () -> tensor<1x512xf32>
  %y = onnx.LSTM %x, %w, %r, %b {hidden_size = 64 : i64} : (tensor<10x4x32xf32>, tensor<1x256x32xf32>, tensor<1x256x64xf32>, tensor<1x512xf32>) -> tensor<10x1x4x64xf32>
  %z = onnx.LSTM %x, %w, %r, %b {layout = 1 : i64} : (tensor<10x4x32xf32>, tensor<1x256x32xf32>, tensor<1x256x64xf32>, tensor<1x512xf32>) -> tensor<10x4x1x64xf32>
  return %y, %z : tensor<10x1x4x64xf32>, tensor<10x4x1x64xf32>
}
