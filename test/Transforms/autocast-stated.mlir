// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-fp16 --gpucost-apply-precision=precision-mode=amp --gpucost-autocast | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-fp32 --gpucost-apply-precision=precision-mode=amp --gpucost-autocast | FileCheck %s --check-prefix=FP32

// T5 in transformers 4.49, exported in bf16 with a bias in fp32: scores += bias;
// softmax(scores.float()).type_as(scores).  The sum in place is one kernel that
// reads both formats and writes fp16. The two casts around softmax are kernels.
// FP32-NOT: onnx.Cast
// CHECK-LABEL: func.func @attention(
// CHECK: %[[S:.*]] = onnx.MatMul {{.*}} -> tensor<8x8xf16>
// CHECK-NEXT: %[[SUM:.*]] = onnx.Add %[[S]], %{{.*}} : (tensor<8x8xf16>, tensor<8x8xf32>) -> tensor<8x8xf16>
// CHECK-NEXT: %[[WIDE:.*]] = onnx.Cast %[[SUM]] {{.*}} : (tensor<8x8xf16>) -> tensor<8x8xf32>
// CHECK-NEXT: %[[P:.*]] = onnx.Softmax %[[WIDE]] {{.*}} -> tensor<8x8xf32>
// CHECK-NEXT: %[[NARROW:.*]] = onnx.Cast %[[P]] {{.*}} : (tensor<8x8xf32>) -> tensor<8x8xf16>
// CHECK-NEXT: onnx.Dropout %[[NARROW]] {{.*}} -> tensor<8x8xf16>
func.func @attention(%q: tensor<8x8xbf16>, %bias: tensor<8x8xf32>) -> tensor<8x8xbf16> {
  %w = onnx.Parameter {name = "w"} : () -> tensor<8x8xbf16>
  %0 = onnx.MatMul %q, %w : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %1 = onnx.Cast %0 {to = 1 : i64} : (tensor<8x8xbf16>) -> tensor<8x8xf32>
  %2 = onnx.Add %1, %bias : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = onnx.Cast %2 {to = 16 : i64} : (tensor<8x8xf32>) -> tensor<8x8xbf16>
  %4 = onnx.Cast %3 {to = 1 : i64} : (tensor<8x8xbf16>) -> tensor<8x8xf32>
  %5 = onnx.Softmax %4 {axis = -1 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %6 = onnx.Cast %5 {to = 16 : i64} : (tensor<8x8xf32>) -> tensor<8x8xbf16>
  %7 = onnx.Dropout %6 : (tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return %7 : tensor<8x8xbf16>
}

// The second layer keeps its weights in fp32: x.to(weight.dtype). Autocast casts
// back for the product, as PyTorch does.
// CHECK-LABEL: func.func @layer(
// CHECK: %[[R:.*]] = onnx.Relu {{.*}} -> tensor<8x8xf16>
// CHECK-NEXT: %[[WIDE:.*]] = onnx.Cast %[[R]] {{.*}} -> tensor<8x8xf32>
// CHECK-NEXT: %[[BACK:.*]] = onnx.Cast %[[WIDE]] {{.*}} -> tensor<8x8xf16>
// CHECK: onnx.MatMul %[[BACK]], {{.*}} -> tensor<8x8xf16>
func.func @layer(%x: tensor<8x8xbf16>) -> tensor<8x8xf32> {
  %w = onnx.Parameter {name = "wi"} : () -> tensor<8x8xbf16>
  %v = onnx.Parameter {name = "wo"} : () -> tensor<8x8xf32>
  %0 = onnx.MatMul %x, %w : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %1 = onnx.Relu %0 : (tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %2 = onnx.Cast %1 {to = 1 : i64} : (tensor<8x8xbf16>) -> tensor<8x8xf32>
  %3 = onnx.MatMul %2, %v : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// softmax(scores, dtype=float32).to(dtype): PyTorch's kernel widens fp16 itself.
// CHECK-LABEL: func.func @softmax(
// CHECK: %[[S:.*]] = onnx.MatMul {{.*}} -> tensor<8x8xf16>
// CHECK-NEXT: onnx.Softmax %[[S]] {{.*}} -> tensor<8x8xf32>
func.func @softmax(%q: tensor<8x8xbf16>) -> tensor<8x8xbf16> {
  %w = onnx.Parameter {name = "w"} : () -> tensor<8x8xbf16>
  %0 = onnx.MatMul %q, %w : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %1 = onnx.Cast %0 {to = 1 : i64} : (tensor<8x8xbf16>) -> tensor<8x8xf32>
  %2 = onnx.Softmax %1 {axis = -1 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = onnx.Cast %2 {to = 16 : i64} : (tensor<8x8xf32>) -> tensor<8x8xbf16>
  return %3 : tensor<8x8xbf16>
}
