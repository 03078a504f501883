// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-fp8 --gpucost-expand-training='loss=none optimizer=none grad-accum=4' --gpucost-quantize | FileCheck %s --check-prefixes=CHECK,CURRENT
// RUN: gpu-cost-opt %s --gpucost-set-target=target=b200-mxfp8 --gpucost-expand-training='loss=none optimizer=none grad-accum=4' --gpucost-quantize | FileCheck %s --check-prefixes=CHECK,MX
// RUN: gpu-cost-opt %s --gpucost-set-target=target=b200-fp8 --gpucost-expand-training='loss=none optimizer=none grad-accum=4' --gpucost-quantize | FileCheck %s --check-prefix=ONE

// (Q6) X[256, 512] of a hidden layer, W[512, 1024], dY[256, 1024]. The forward matmul reads X and W
// along k = 512; the gradient of X reads dY along 1024 and W along 1024, the gradient of W
// reads X and dY along 256: two copies of each tensor, in one kernel. Scales of the tensor
// itself need its largest element before. Weights are quantised once in a step.
// CURRENT: gpucost.format_notes = ["3 matmuls in fp8 (recipe current): a kernel quantises each operand"]
// MX: gpucost.format_notes = ["3 matmuls in mxfp8 (recipe mxfp8): a kernel quantises each operand"]
// CHECK-LABEL: func.func @linear
// CURRENT: %[[W:.*]] = onnx.Parameter {{.*}}name = "w"
// CURRENT: %[[WT:.*]] = onnx.Parameter {gpucost.role = #gpucost<role parameter>} : () -> tensor<512x1024xf8E4M3FN>
// CURRENT: %[[WR:.*]] = onnx.Parameter {gpucost.role = #gpucost<role parameter>} : () -> tensor<512x1024xf8E4M3FN>
// Two reads of 512 * 1024 elements in 2 bytes, two copies in 1 byte.
// CURRENT: gpucost.optimizer_step "quantise weight"(%[[W]], %[[WT]], %[[WR]]) {{.*}}read_bytes = 2097152 : i64, {{.*}}written_bytes = 1048576 : i64}
// CURRENT: %[[QX:.*]]:2 = onnx.QuantizeBlocks %{{.*}} {gpucost.accumulation_count = 4 : i64, gpucost.origin = "quantisation"} : (tensor<256x512xbf16>, tensor<f32>) -> (tensor<256x512xf8E4M3FN>, tensor<256x512xf8E4M3FN>)
// CURRENT: onnx.MatMul %[[QX]]#1, %[[WR]] {{.*}} -> tensor<256x1024xbf16>
// CURRENT: %[[T:.*]] = onnx.Transpose %[[WT]]
// CURRENT: %[[QY:.*]]:2 = onnx.QuantizeBlocks %arg1, %{{.*}}phase backward>
// (G19) Matmuls of the backward pass have a split accumulator.
// CURRENT: onnx.MatMul %[[QY]]#1, %[[T]] {{.*}}gpucost.split_accumulator{{.*}} : (tensor<256x1024xf8E4M3FN>, tensor<1024x512xf8E4M3FN>) -> tensor<256x512xbf16>
// CURRENT: %[[XT:.*]] = onnx.Transpose %[[QX]]#0
// CURRENT: onnx.MatMul %[[XT]], %[[QY]]#0 {{.*}} : (tensor<512x256xf8E4M3FN>, tensor<256x1024xf8E4M3FN>) -> tensor<512x1024xbf16>
// Blackwell reads one copy in either order.
// ONE: %[[W:.*]] = onnx.Parameter {{.*}}name = "w"
// ONE: %[[NARROW:.*]] = onnx.Parameter {gpucost.role = #gpucost<role parameter>} : () -> tensor<512x1024xf8E4M3FN>
// ONE: gpucost.optimizer_step "quantise weight"(%[[W]], %[[NARROW]]) {{.*}}written_bytes = 524288 : i64}
// ONE: %[[QX:.*]] = onnx.QuantizeBlocks %{{.*}} : (tensor<256x512xbf16>, tensor<f32>) -> tensor<256x512xf8E4M3FN>
// ONE: onnx.MatMul %[[QX]], %[[NARROW]] {{.*}} -> tensor<256x1024xbf16>
// A scale for 32 elements: 512 * 1024 / 32 = 16384 bytes for each copy of W, 4096 of X.
// MX: onnx.Parameter {gpucost.role = #gpucost<role parameter>} : () -> tensor<512x1024xf8E4M3FN>
// MX: onnx.Parameter {gpucost.role = #gpucost<role parameter>} : () -> tensor<16384xi8>
// MX: %[[QX:.*]]:4 = onnx.QuantizeBlocks
// MX: onnx.MatMul %[[QX]]#2, %{{.*}}, %[[QX]]#3, %{{.*}} : (tensor<256x512xf8E4M3FN>, tensor<512x1024xf8E4M3FN>, tensor<4096xi8>, tensor<16384xi8>) -> tensor<256x1024xbf16>
// The head stays in 16 bit.
// CHECK-LABEL: func.func @head
// CHECK-NOT: QuantizeBlocks
// CHECK: return
func.func @linear(%x: tensor<256x512xbf16>) -> tensor<256x1024xbf16> {
  %scale = onnx.Parameter {name = "scale"} : () -> tensor<512xbf16>
  %w = onnx.Parameter {name = "w"} : () -> tensor<512x1024xbf16>
  %h = onnx.Mul %x, %scale : (tensor<256x512xbf16>, tensor<512xbf16>) -> tensor<256x512xbf16>
  %y = onnx.MatMul %h, %w : (tensor<256x512xbf16>, tensor<512x1024xbf16>) -> tensor<256x1024xbf16>
  return %y : tensor<256x1024xbf16>
}
func.func @head(%x: tensor<256x512xbf16>) -> tensor<256x1024xbf16> {
  %w = onnx.Parameter {name = "lm_head.weight"} : () -> tensor<512x1024xbf16>
  %y = onnx.MatMul %x, %w : (tensor<256x512xbf16>, tensor<512x1024xbf16>) -> tensor<256x1024xbf16>
  return %y : tensor<256x1024xbf16>
}
