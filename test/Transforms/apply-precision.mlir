// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-fp16 --gpucost-apply-precision | FileCheck %s --check-prefixes=CHECK,FP16
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-fp32 --gpucost-apply-precision | FileCheck %s --check-prefixes=CHECK,FP32
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-tf32 --gpucost-apply-precision | FileCheck %s --check-prefixes=CHECK,FP32
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-fp32 --gpucost-apply-precision=tf32=conv | FileCheck %s --check-prefixes=CHECK,FP32,CONV
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-fp8 --gpucost-apply-precision | FileCheck %s --check-prefixes=CHECK,BF16
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-int8 --gpucost-apply-precision | FileCheck %s --check-prefixes=CHECK,BF16
// RUN: gpu-cost-opt %s --gpucost-set-target=target=t4-int8 --gpucost-apply-precision | FileCheck %s --check-prefixes=CHECK,FP16
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-fp16 --gpucost-apply-precision=precision-mode=as-is | FileCheck %s --check-prefixes=CHECK,ASIS

// A model of bfloat16 weights whose softmax computes in fp32. `cast` moves the
// format of the weights; fp32 stays, integers stay. 8-bit targets keep 16-bit
// tensors.
// FP16: gpucost.precision = f16,
// FP32: gpucost.precision = f32,
// CONV-SAME: gpucost.scenario = #gpucost.scenario<tf32 = conv>
// BF16: gpucost.precision = bf16,
// ASIS-NOT: gpucost.precision
// CHECK-LABEL: func.func @model(
// FP16-SAME: tensor<8x4xf16>, %{{.*}}: tensor<8xi64>) -> tensor<8x4xf16>
// FP32-SAME: tensor<8x4xf32>, %{{.*}}: tensor<8xi64>) -> tensor<8x4xf32>
// BF16-SAME: tensor<8x4xbf16>, %{{.*}}: tensor<8xi64>) -> tensor<8x4xbf16>
// ASIS-SAME: tensor<8x4xbf16>, %{{.*}}: tensor<8xi64>) -> tensor<8x4xbf16>
// FP16: onnx.Parameter : () -> tensor<4x4xf16>
// FP16: onnx.MatMul {{.*}} -> tensor<8x4xf16>
// FP16: onnx.Cast {{.*}} (tensor<8x4xf16>) -> tensor<8x4xf32>
// FP16: onnx.Softmax {{.*}} (tensor<8x4xf32>) -> tensor<8x4xf32>
// FP16: onnx.Cast {{.*}} (tensor<8x4xf32>) -> tensor<8x4xf16>
// A cast from fp32 to fp32 launches nothing.
// FP32: onnx.MatMul {{.*}} -> tensor<8x4xf32>
// FP32-NEXT: onnx.Softmax {{.*}} (tensor<8x4xf32>) -> tensor<8x4xf32>
// FP32-NEXT: onnx.Gather
// BF16: onnx.Cast {{.*}} (tensor<8x4xbf16>) -> tensor<8x4xf32>
// ASIS: onnx.Cast {{.*}} (tensor<8x4xbf16>) -> tensor<8x4xf32>
func.func @model(%x: tensor<8x4xbf16>, %ids: tensor<8xi64>) -> tensor<8x4xbf16> {
  %w = onnx.Parameter : () -> tensor<4x4xbf16>
  %0 = onnx.MatMul %x, %w : (tensor<8x4xbf16>, tensor<4x4xbf16>) -> tensor<8x4xbf16>
  %1 = onnx.Cast %0 {to = 1 : i64} : (tensor<8x4xbf16>) -> tensor<8x4xf32>
  %2 = onnx.Softmax %1 {axis = -1 : i64} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %3 = onnx.Cast %2 {to = 16 : i64} : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %4 = onnx.Gather %3, %ids {axis = 0 : i64} : (tensor<8x4xbf16>, tensor<8xi64>) -> tensor<8x4xbf16>
  return %4 : tensor<8x4xbf16>
}
