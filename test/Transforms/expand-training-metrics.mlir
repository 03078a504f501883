// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training="optimizer=none train-metrics=2 loss-variant=fused grad-accum=3" | FileCheck %s
// RUN: gpu-cost-opt %s --target=a100-bf16 --mode=training --precision-mode=cast --train-metrics=1 --loss-variant=fused --optimizer=none --report=json | FileCheck %s --check-prefix=COST

// (B11) Two cross-entropies of the logits once the backward pass is over, in each pass:
// the log-softmax in their format, its loss in fp32.
// CHECK: %[[Y:.*]] = onnx.MatMul
// CHECK: onnx.FusedLossGrad
// CHECK: %[[A:.*]] = onnx.LogSoftmax %[[Y]] {axis = 1 : i64, gpucost.accumulation_count = 3 : i64, gpucost.origin = "metric of the training loop", {{.*}}-> tensor<512x1024xbf16>
// CHECK-NEXT: %[[B:.*]] = onnx.Cast %[[A]] {{.*}}-> tensor<512x1024xf32>
// CHECK-NEXT: onnx.NllLoss %[[B]], %{{.*}} -> tensor<f32>
// CHECK-NEXT: onnx.LogSoftmax %[[Y]]
// CHECK-NOT: onnx.LogSoftmax

// (B10) The fused loss reads 512 * 1024 * 2 bytes twice and 512 labels of 8, and writes
// 4; its gradient reads the same once and one gradient of 4, and writes 512 * 1024 * 2.
// (B11) An fp32 copy of the log-softmax, 512 * 1024 * 6; 512 elements of 4 are read from it.
// COST: "label": "Cast"
// COST: "bytes": 3145728,
// COST: "label": "LogSoftmax"
// COST: "bytes": 2097152,
// COST: "label": "FusedLossGrad"
// COST: "bytes": 2101252,
// COST: "label": "FusedLoss"
// COST: "bytes": 2101252,
// COST: "label": "NllLoss"
// COST: "bytes": 6148,
func.func @main(%x: tensor<512x16xbf16>) -> tensor<512x1024xbf16> {
  %w = onnx.Parameter : () -> tensor<16x1024xbf16>
  %y = onnx.MatMul %x, %w {onnx.values = ["logits"]} : (tensor<512x16xbf16>, tensor<16x1024xbf16>) -> tensor<512x1024xbf16>
  return %y : tensor<512x1024xbf16>
}
