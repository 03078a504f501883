// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-shard-experts=gpus=4 | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-shard-experts=gpus=4 | FileCheck %s --check-prefix=WEIGHTS

// (X12) 8 experts on 4 GPUs, two experts per layer on each. 32 tokens of 4 GPUs choose 2 experts each: 16 rows
// for each GPU on average, with the variance 32 * 2/4 * 3/4 * 6/7 = 10.3. The busiest of 4 GPUs has 16 + 1.05 * 3.21 = 19.4, 20
// whole rows (32 numbers with 2 bytes each) that leave and arrive, 1280 bytes. The router is not sharded.
// WEIGHTS-DAG: onnx.Parameter {name = "router"} : () -> tensor<32x8xf16>
// WEIGHTS-DAG: onnx.Parameter {name = "fc1"} : () -> tensor<2x128x32xf16>
// WEIGHTS-DAG: onnx.Parameter {name = "bias"} : () -> tensor<2x128xf16>
// WEIGHTS-DAG: onnx.Parameter {name = "fc2"} : () -> tensor<2x32x64xf16>
// CHECK: gpucost.parallel_notes = ["expert parallelism, 1 MoE layers: the others wait for the busiest GPU; the all-to-alls and the experts after them are uncalibrated"]
// CHECK-LABEL: func.func @experts(%{{.*}}: tensor<2x4x32xf16>) -> tensor<2x4x32xf16>
// CHECK: %[[SENT:.*]] = gpucost.collective all_to_all({{.*}}bytes = 1280 : i64{{.*}}world_size = 4{{.*}} : (tensor<2x4x32xf16>) -> tensor<20x32xf16>
// CHECK: %[[RESULT:.*]] = onnx.MoE %[[SENT]]{{.*}}gpucost.expert_shards = 4 : i64{{.*}}-> tensor<20x32xf16>
// CHECK: gpucost.collective all_to_all(%[[RESULT]]) {bytes = 1280 : i64{{.*}} : (tensor<20x32xf16>) -> tensor<2x4x32xf16>
func.func @experts(%x: tensor<2x4x32xf16>) -> tensor<2x4x32xf16> {
  %wr = onnx.Parameter {name = "router"} : () -> tensor<32x8xf16>
  %w1 = onnx.Parameter {name = "fc1"} : () -> tensor<8x128x32xf16>
  %b1 = onnx.Parameter {name = "bias"} : () -> tensor<8x128xf16>
  %w2 = onnx.Parameter {name = "fc2"} : () -> tensor<8x32x64xf16>
  %r = onnx.MatMul %x, %wr : (tensor<2x4x32xf16>, tensor<32x8xf16>) -> tensor<2x4x8xf16>
  %y = onnx.MoE %x, %r, %w1, %b1, %w2 {k = 2 : i64, activation_type = "swiglu", swiglu_fusion = 1 : i64} : (tensor<2x4x32xf16>, tensor<2x4x8xf16>, tensor<8x128x32xf16>, tensor<8x128xf16>, tensor<8x32x64xf16>) -> tensor<2x4x32xf16>
  return %y : tensor<2x4x32xf16>
}
