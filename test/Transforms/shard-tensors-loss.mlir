// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-shard-tensors=gpus=4 --gpucost-expand-training='loss=cross-entropy optimizer=none' | FileCheck %s

// (X7) In training the 104 / 4 = 26 scores of a GPU stay sharded. The loss adds
// the largest one in each row and three sums over the GPUs of 2 * 3 fp32 numbers,
// 24 bytes. Backward, the input gradient of the head is a sum over GPUs, 2 *
// 3 * 64 * 4 bytes; the gradient of the embedding goes to every GPU.
// CHECK-LABEL: func.func @words
// CHECK: gpucost.collective all_reduce{{.*}}bytes = 1536 : i64
// CHECK: onnx.MatMul {{.*}}gpucost.vocabulary_shards = 4 : i64{{.*}} -> tensor<2x3x26xf32>
// CHECK: onnx.ReduceMax {{.*}} -> tensor<2x3xf32>
// CHECK-COUNT-3: gpucost.collective all_reduce{{.*}}bytes = 24 : i64
// CHECK: onnx.LogSoftmax {{.*}} -> tensor<2x3x26xf32>
// CHECK: gpucost.collective all_reduce{{.*}}bytes = 1536 : i64{{.*}}#gpucost<phase backward>
// CHECK-NOT: gpucost.collective
module attributes {gpucost.scenario = #gpucost.scenario<mode = training>} {
  func.func @words(%ids: tensor<2x3xi64>) -> tensor<2x3x101xf32> {
    %w = onnx.Parameter {name = "words"} : () -> tensor<101x64xf32>
    %h = onnx.Parameter {name = "head"} : () -> tensor<64x101xf32>
    %e = onnx.Gather %w, %ids : (tensor<101x64xf32>, tensor<2x3xi64>) -> tensor<2x3x64xf32>
    %y = onnx.MatMul %e, %h : (tensor<2x3x64xf32>, tensor<64x101xf32>) -> tensor<2x3x101xf32>
    return %y : tensor<2x3x101xf32>
  }
}
