// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes --gpucost-form-kernels --gpucost-annotate-work | FileCheck %s

// GPT-2 in transformers 4.51: scores / torch.full([], 8.0). (L3) The divisor is a
// tensor in device memory: a kernel fills it in each pass, and the division is
// indexed.
// CHECK-LABEL: func.func @tensor(
// CHECK: gpucost.kernel "ConstantOfShape" {{.*}} problem = #gpucost.elements<count = 1>
// CHECK: gpucost.kernel "Div" {{.*}} problem = #gpucost.elements<count = 8192, strided = true>
func.func @tensor(%scores: tensor<2x64x64xbf16>) -> !onnx.unknown {
  %none = onnx.Constant {value = dense<> : tensor<0xi64>} : () -> !onnx.unknown
  %full = onnx.ConstantOfShape %none {value = dense<8.0> : tensor<1xbf16>} : (!onnx.unknown) -> !onnx.unknown
  %0 = onnx.Div %scores, %full : (tensor<2x64x64xbf16>, !onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// A number is an argument of the kernel.
// CHECK-LABEL: func.func @number(
// CHECK-NOT: ConstantOfShape
// CHECK: gpucost.kernel "Div" {{.*}} problem = #gpucost.elements<count = 8192>
func.func @number(%scores: tensor<2x64x64xbf16>) -> !onnx.unknown {
  %eight = onnx.Constant {value = dense<8.0> : tensor<bf16>} : () -> !onnx.unknown
  %0 = onnx.Div %scores, %eight : (tensor<2x64x64xbf16>, !onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}
