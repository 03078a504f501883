// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expert layers in mxfp4 with activations in mxfp8 (Q1), (Q3).
// RUN: gpu-cost-opt %s --gpucost-set-target='target=b200-sxm-bf16' --gpucost-quantize='weights=mxfp4 activations=mxfp8' | FileCheck %s
// Loaders pad experts: 72 is not a multiple of 16. Scales along 256 and 72 elements, and
// for 2 * 256 activations.
// CHECK-LABEL: func.func @experts
// CHECK: onnx.MoE %{{.*}} : (tensor<2x256xf8E4M3FN>, tensor<2x4xbf16>, tensor<4x144x256xf4E2M1FN>, !onnx.none, tensor<4x256x72xf4E2M1FN>, tensor<576x8xi8>, tensor<1024x3xi8>, tensor<16xi8>) -> tensor<2x256xbf16>
func.func @experts(%x: tensor<2x256xbf16>, %r: tensor<2x4xbf16>) -> tensor<2x256xbf16> {
  %none = onnx.None : () -> !onnx.none
  %up = onnx.Parameter : () -> tensor<4x144x256xbf16>
  %down = onnx.Parameter : () -> tensor<4x256x72xbf16>
  %0 = onnx.MoE %x, %r, %up, %none, %down {k = 2 : i64, activation_type = "swiglu", swiglu_fusion = 1 : i64} : (tensor<2x256xbf16>, tensor<2x4xbf16>, tensor<4x144x256xbf16>, !onnx.none, tensor<4x256x72xbf16>) -> tensor<2x256xbf16>
  return %0 : tensor<2x256xbf16>
}
