// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 mode=training loss=none optimizer=none precision-mode=as-is software=pytorch-2.7})' | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 mode=training loss=none optimizer=none precision-mode=as-is software=pytorch-1.13})' | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 mode=training loss=none optimizer=none precision-mode=as-is})' | FileCheck %s --check-prefixes=CHECK,NEW

// (M11) Up to PyTorch 2.7 a CTA sums the gradients of 32 columns; newer ones fill the
// GPU. The kernel of dX is the same.
// CHECK: kernel "NormInputGrad"
// CHECK-NOT: results_per_cta
// OLD: kernel "NormWeightGrad" {{.*}}#gpucost.rows<rows = 768, cols = 64, results_per_cta = 32>
// NEW: kernel "NormWeightGrad" {{.*}}#gpucost.rows<rows = 768, cols = 64>
func.func @main(%x: tensor<64x768xf16>) -> tensor<64x768xf16> {
  %e = onnx.Parameter : () -> tensor<768xf16>
  %s = onnx.Parameter : () -> tensor<768xf16>
  %b = onnx.Parameter : () -> tensor<768xf16>
  %0 = onnx.Add %x, %e : (tensor<64x768xf16>, tensor<768xf16>) -> tensor<64x768xf16>
  %1 = onnx.LayerNormalization %0, %s, %b : (tensor<64x768xf16>, tensor<768xf16>, tensor<768xf16>) -> tensor<64x768xf16>
  return %1 : tensor<64x768xf16>
}
