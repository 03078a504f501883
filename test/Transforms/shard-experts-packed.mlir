// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-shard-experts=gpus=4 | FileCheck %s

// (X12) 8 tokens of each of 4 GPUs choose 2 of 8 experts each, two of which are on each GPU, in their blocks: 20 rows of the
// busiest GPU, as in shard-experts.mlir. Scores
// and mixing values of the tokens are not weights, although both have 8 rows.
// CHECK-DAG: onnx.Parameter {name = "gate"} : () -> tensor<2x32x36xui8>
// CHECK-DAG: onnx.Parameter {name = "up"} : () -> tensor<2x32x36xui8>
// CHECK-DAG: onnx.Parameter {name = "down"} : () -> tensor<2x64x18xui8>
// CHECK: %[[SENT:.*]] = gpucost.collective all_to_all({{.*}} : (tensor<8x64xbf16>) -> tensor<20x64xbf16>
// CHECK: onnx.MoEPacked %[[SENT]], %{{.*}}gpucost.expert_shards = 4 : i64{{.*}}tensor<8x8xf32>, {{.*}}tensor<8x8xf32>) -> tensor<20x64xbf16>
func.func @experts(%x: tensor<8x64xbf16>, %s: tensor<8x8xf32>, %m: tensor<8x8xf32>) -> tensor<8x64xbf16> {
  %w1 = onnx.Parameter {name = "gate"} : () -> tensor<8x32x36xui8>
  %w2 = onnx.Parameter {name = "up"} : () -> tensor<8x32x36xui8>
  %w3 = onnx.Parameter {name = "down"} : () -> tensor<8x64x18xui8>
  %y = onnx.MoEPacked %x, %s, %w1, %w2, %w3, %m {k = 2 : i64, gate_type = 2 : i64, up_type = 2 : i64, down_type = 2 : i64} : (tensor<8x64xbf16>, tensor<8x8xf32>, tensor<8x32x36xui8>, tensor<8x32x36xui8>, tensor<8x64x18xui8>, tensor<8x8xf32>) -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}
