// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-shard-tensors=gpus=2 --gpucost-shard-sequence='gpus=2 parallel=tp sequence-parallel' | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-shard-tensors=gpus=2 --gpucost-shard-sequence='gpus=2 parallel=tp sequence-parallel' --gpucost-expand-training='loss=none optimizer=none' | FileCheck %s --check-prefix=STEP
// RUN: sed -e 's/x8x64/x7x64/g' -e 's/x8x128/x7x128/g' %s | not gpu-cost-opt --gpucost-shard-tensors=gpus=2 --gpucost-shard-sequence='gpus=2 parallel=tp sequence-parallel' 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: error: --sequence-parallel: 7 tokens cannot be divided among 2 GPUs

// (X17) Two feed-forward blocks. Between them each GPU normalises 4 of 8 tokens; the
// message of both collectives is 2 * 8 * 64 * 4 bytes. The residual of the first block is
// the input, which every GPU has: it reads its tokens.
// CHECK-LABEL: func.func @blocks
// CHECK: onnx.Gelu
// CHECK: %[[PART:.*]] = onnx.MatMul %{{.*}} : (tensor<2x8x64xf32>, tensor<64x64xf32>) -> tensor<2x8x64xf32>
// CHECK: %[[SUM:.*]] = gpucost.collective reduce_scatter(%[[PART]]) {bytes = 4096 : i64, gpucost.origin = "sequence parallel", world_size = 2 : i64} : (tensor<2x8x64xf32>) -> tensor<2x4x64xf32>
// CHECK: %[[OWN:.*]] = onnx.Slice %arg0 : (tensor<2x8x64xf32>) -> tensor<2x4x64xf32>
// CHECK: %[[X:.*]] = onnx.Add %[[OWN]], %[[SUM]] : {{.*}} -> tensor<2x4x64xf32>
// CHECK: %[[N:.*]] = onnx.RMSNormalization %[[X]], %{{.*}} -> tensor<2x4x64xf32>
// CHECK: %[[ALL:.*]] = gpucost.collective all_gather(%[[N]]) {bytes = 4096 : i64, gpucost.origin = "sequence parallel", gpucost.reduce_gradient = 2 : i64, world_size = 2 : i64} : (tensor<2x4x64xf32>) -> tensor<2x8x64xf32>
// CHECK: onnx.MatMul %[[ALL]], %{{.*}} : (tensor<2x8x64xf32>, tensor<64x64xf32>)
// CHECK: gpucost.collective reduce_scatter
// CHECK: %[[Y:.*]] = onnx.Add %[[X]], %{{.*}} -> tensor<2x4x64xf32>
// The reader of the result needs all tokens.
// CHECK: %[[OUT:.*]] = gpucost.collective all_gather(%[[Y]]) {bytes = 4096 : i64, gpucost.origin = "sequence parallel", world_size = 2 : i64}
// CHECK: return %[[OUT]]

// The gradient of the result: its tokens, gathered for the second block. The gradient of
// the weight reads all tokens, which are gathered again; that of the norm's result is a
// sum that is scattered. The same for the first block, whose input has no gradient.
// STEP-LABEL: func.func @blocks
// STEP: gpucost.collective all_gather(%[[LAST:.*]]) {{.*}}phase backward>, world_size = 2 : i64} : (tensor<2x4x64xf32>) -> tensor<2x8x64xf32>
// STEP: gpucost.collective all_gather(%{{.*}}) {{.*}}phase backward>, gpucost.recomputed
// STEP: gpucost.collective reduce_scatter(%{{.*}}) {{.*}}phase backward>, world_size = 2 : i64} : (tensor<2x8x64xf32>) -> tensor<2x4x64xf32>
// STEP: onnx.NormInputGrad {{.*}} -> tensor<2x4x64xf32>
// STEP: gpucost.collective all_gather
// STEP-NOT: gpucost.collective all_reduce
// STEP: return
func.func @blocks(%x: tensor<2x8x64xf32>) -> tensor<2x8x64xf32> {
  %scale = onnx.Parameter {name = "norm.weight"} : () -> tensor<64xf32>
  %up1 = onnx.Parameter {name = "up1"} : () -> tensor<64x128xf32>
  %down1 = onnx.Parameter {name = "down1"} : () -> tensor<128x64xf32>
  %up2 = onnx.Parameter {name = "up2"} : () -> tensor<64x128xf32>
  %down2 = onnx.Parameter {name = "down2"} : () -> tensor<128x64xf32>
  %0 = onnx.MatMul %x, %up1 : (tensor<2x8x64xf32>, tensor<64x128xf32>) -> tensor<2x8x128xf32>
  %1 = onnx.Gelu %0 : (tensor<2x8x128xf32>) -> tensor<2x8x128xf32>
  %2 = onnx.MatMul %1, %down1 : (tensor<2x8x128xf32>, tensor<128x64xf32>) -> tensor<2x8x64xf32>
  %3 = onnx.Add %x, %2 : (tensor<2x8x64xf32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
  %4 = onnx.RMSNormalization %3, %scale : (tensor<2x8x64xf32>, tensor<64xf32>) -> tensor<2x8x64xf32>
  %5 = onnx.MatMul %4, %up2 : (tensor<2x8x64xf32>, tensor<64x128xf32>) -> tensor<2x8x128xf32>
  %6 = onnx.Gelu %5 : (tensor<2x8x128xf32>) -> tensor<2x8x128xf32>
  %7 = onnx.MatMul %6, %down2 : (tensor<2x8x128xf32>, tensor<128x64xf32>) -> tensor<2x8x64xf32>
  %8 = onnx.Add %3, %7 : (tensor<2x8x64xf32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
  return %8 : tensor<2x8x64xf32>
}
