// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --split-input-file --verify-diagnostics --gpucost-shard-experts='gpus=8 parallel=ep4.dp8 mode=training' | FileCheck %s
// RUN: gpu-cost-opt %s --split-input-file --verify-diagnostics --gpucost-shard-experts='gpus=8 parallel=ep4.dp8 mode=training' --gpucost-expand-training='loss=none optimizer=adamw optimizer-variant=fused' --gpucost-parallelize='gpus=8 parallel=ep4.dp8' | FileCheck %s --check-prefix=STEP
// RUN: gpu-cost-opt %s --split-input-file --verify-diagnostics --gpucost-shard-experts='gpus=8 parallel=ep4.zero1x8 mode=training' --gpucost-expand-training='loss=none optimizer=adamw optimizer-variant=fused' --gpucost-parallelize='gpus=8 parallel=ep4.zero1x8' | FileCheck %s --check-prefix=ZERO

// (X21) 8 experts with 16 rows each on 4 GPUs: 2 experts with the 64 rows of all GPUs. The rows of
// a GPU are 8 * 16 * 32 * 2 bytes.
// CHECK-LABEL: func.func @experts
// CHECK: onnx.Parameter {gpucost.expert_shards = 4 : i64, name = "up"} : () -> tensor<2x32x64xbf16>
// CHECK: onnx.Parameter {gpucost.expert_shards = 4 : i64, name = "bias"} : () -> tensor<2x1x64xbf16>
// CHECK: onnx.Parameter {gpucost.expert_shards = 4 : i64, name = "down"} : () -> tensor<2x64x32xbf16>
// CHECK: %[[THERE:.*]] = gpucost.collective all_to_all(%{{.*}}) {bytes = 8192 : i64, gpucost.origin = "expert parallel", world_size = 4 : i64} : (tensor<8x16x32xbf16>) -> tensor<2x64x32xbf16>
// CHECK: onnx.MatMul %[[THERE]], %{{.*}} -> tensor<2x64x64xbf16>
// CHECK: onnx.Add %{{.*}} -> tensor<2x64x64xbf16>
// CHECK: onnx.Relu %{{.*}} -> tensor<2x64x64xbf16>
// CHECK: %[[DOWN:.*]] = onnx.MatMul %{{.*}} -> tensor<2x64x32xbf16>
// CHECK: gpucost.collective all_to_all(%[[DOWN]]) {bytes = 8192 : i64, {{.*}} : (tensor<2x64x32xbf16>) -> tensor<8x16x32xbf16>
// CHECK: onnx.Reshape

// The gradients return on the same way; those of experts are added up over 2 GPUs, 2 * 32 * 64 * 2 +
// 2 * 64 * 2 + 2 * 64 * 32 * 2 bytes, others over 8.
// STEP-LABEL: func.func @experts
// STEP-COUNT-2: gpucost.collective all_to_all(
// STEP: gpucost.collective all_to_all({{.*}}phase backward
// STEP: gpucost.collective all_reduce({{.*}} {bytes = 16640 : i64, {{.*}}world_size = 2 : i64
// STEP: gpucost.collective all_to_all({{.*}}phase backward
// STEP: gpucost.collective all_reduce({{.*}} {bytes = 2048 : i64, {{.*}}world_size = 8 : i64

// (X11) A GPU updates 1024 / 8 elements of the dense weight and 8320 / 2 of the experts.
// ZERO-LABEL: func.func @experts
// ZERO: gpucost.optimizer_step "fused adam"{{.*}}elements = 4288
// ZERO: gpucost.collective all_gather({{.*}}bytes = 2048 : i64{{.*}}world_size = 8 : i64
// ZERO: gpucost.collective all_gather({{.*}}bytes = 16640 : i64{{.*}}world_size = 2 : i64
func.func @experts(%x: tensor<128x32xbf16>, %shape: tensor<3xi64>, %flat: tensor<2xi64>) -> tensor<128x32xbf16> {
  %dense = onnx.Parameter {name = "dense"} : () -> tensor<32x32xbf16>
  %up = onnx.Parameter {name = "up"} : () -> tensor<8x32x64xbf16>
  %bias = onnx.Parameter {name = "bias"} : () -> tensor<8x1x64xbf16>
  %down = onnx.Parameter {name = "down"} : () -> tensor<8x64x32xbf16>
  %h = onnx.MatMul %x, %dense : (tensor<128x32xbf16>, tensor<32x32xbf16>) -> tensor<128x32xbf16>
  %rows = onnx.Reshape %h, %shape : (tensor<128x32xbf16>, tensor<3xi64>) -> tensor<8x16x32xbf16>
  %a = onnx.MatMul %rows, %up : (tensor<8x16x32xbf16>, tensor<8x32x64xbf16>) -> tensor<8x16x64xbf16>
  %b = onnx.Add %a, %bias : (tensor<8x16x64xbf16>, tensor<8x1x64xbf16>) -> tensor<8x16x64xbf16>
  %c = onnx.Relu %b : (tensor<8x16x64xbf16>) -> tensor<8x16x64xbf16>
  %d = onnx.MatMul %c, %down : (tensor<8x16x64xbf16>, tensor<8x64x32xbf16>) -> tensor<8x16x32xbf16>
  %y = onnx.Reshape %d, %flat : (tensor<8x16x32xbf16>, tensor<2xi64>) -> tensor<128x32xbf16>
  return %y : tensor<128x32xbf16>
}
