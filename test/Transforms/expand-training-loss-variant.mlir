// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=cross-entropy optimizer=none" | FileCheck %s --check-prefix=EAGER
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=cross-entropy optimizer=none loss-variant=upcast" | FileCheck %s --check-prefix=UPCAST
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=cross-entropy optimizer=none loss-variant=in-place" | FileCheck %s --check-prefix=PLACE
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=cross-entropy optimizer=none loss-variant=fused" | FileCheck %s --check-prefix=FUSED
// RUN: gpu-cost-opt %s --target=a100-bf16 --mode=training --precision-mode=cast --loss-variant=in-place --optimizer=none --report=json | FileCheck %s --check-prefix=MEMORY

// (B10) In the format of the outputs, which the caller keeps: the step returns them
// after the gradients.
// EAGER: %[[Y:.*]] = onnx.MatMul
// EAGER: onnx.LogSoftmax %[[Y]] {{.*}}-> tensor<512x1024xbf16>
// EAGER: return {{.*}}, %[[Y]] : tensor<16x1024xbf16>, tensor<512x1024xbf16>

// UPCAST: %[[Y:.*]] = onnx.MatMul
// UPCAST: %[[S:.*]] = onnx.Cast %[[Y]] {{.*}}-> tensor<512x1024xf32>
// UPCAST: onnx.LogSoftmax %[[S]] {{.*}}-> tensor<512x1024xf32>
// UPCAST: onnx.LogSoftmaxGrad {{.*}}-> tensor<512x1024xf32>
// UPCAST: onnx.Cast {{.*}}-> tensor<512x1024xbf16>
// UPCAST: return {{.*}}, %[[Y]] :

// PLACE: %[[Y:.*]] = onnx.MatMul
// PLACE: %[[S:.*]] = onnx.Cast %[[Y]] {{.*}}-> tensor<512x1024xf32>
// PLACE: %[[M:.*]] = onnx.ReduceMax %[[S]] {{.*}}-> tensor<512xf32>
// PLACE: %[[D:.*]] = onnx.InPlaceSub %[[S]], %[[M]]
// PLACE: %[[E:.*]] = onnx.InPlaceExp %[[D]]
// PLACE: %[[Z:.*]] = onnx.ReduceSum %[[E]] {{.*}}-> tensor<512xf32>
// PLACE: %[[P:.*]] = onnx.InPlaceDiv %[[E]], %[[Z]]
// PLACE: onnx.InPlaceLoss %[[S]], %{{.*}}, %[[P]] {{.*}}-> tensor<f32>
// PLACE: %[[I:.*]] = onnx.Insert %{{.*}}, %[[P]],
// PLACE: %[[G:.*]] = onnx.InPlaceMul %[[I]], %{{.*}}
// PLACE: onnx.Cast %[[G]] {{.*}}-> tensor<512x1024xbf16>
// PLACE: return {{.*}}} %{{[0-9]+}} : tensor<16x1024xbf16>

// FUSED: %[[Y:.*]] = onnx.MatMul
// FUSED-NEXT: onnx.FusedLoss %[[Y]], %{{.*}} -> tensor<f32>
// FUSED: %[[R:.*]] = onnx.Expand {{.*}}-> tensor<512xf32>
// FUSED-NEXT: onnx.FusedLossGrad %[[Y]], %{{.*}}, %[[R]] {{.*}}-> tensor<512x1024xbf16>
// FUSED: return {{.*}}, %[[Y]] :

// x 512 * 16 * 2 = 16384, labels 512 * 8 = 4096: 20480. y 1048576 goes into its fp32
// copy 2097152, which becomes the gradient, then a 16-bit one of 1048576:
// 20480 + 2097152 + 1048576 both times.
// MEMORY: "activation_bytes": 3166208,
func.func @main(%x: tensor<512x16xbf16>) -> tensor<512x1024xbf16> {
  %w = onnx.Parameter : () -> tensor<16x1024xbf16>
  %y = onnx.MatMul %x, %w : (tensor<512x16xbf16>, tensor<16x1024xbf16>) -> tensor<512x1024xbf16>
  return %y : tensor<512x1024xbf16>
}
