// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-fuse-projections{software=sglang},gpucost-form-kernels{software=sglang})' | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-fuse-projections{software=sglang},gpucost-form-kernels{software=pytorch})' | FileCheck %s --check-prefix=APART

// (L13) Gate and up are the halves of one matmul: their rows have 1024 elements and are 2048 apart. A stack's kernel loads
// vectors, PyTorch's two index their operands.
// CHECK: gpucost.kernel "Swish+Mul"
// CHECK-NEXT: onnx.Swish %{{[0-9]+}} : (tensor
// CHECK-NEXT: onnx.Mul %{{[0-9]+}}, %{{[0-9]+}} : (tensor
// APART: onnx.Swish %{{[0-9]+}} {gpucost.strided} : (tensor
// APART: onnx.Mul %{{[0-9]+}}, %{{[0-9]+}} {gpucost.strided} : (tensor

// The elements in a row of the transposed gate are 64 apart.
// CHECK: gpucost.kernel "Swish+Mul"
// CHECK: onnx.Mul %{{[0-9]+}}, %{{[0-9]+}} {gpucost.strided} : (tensor
func.func @main(%x: tensor<64x256xbf16>, %t: tensor<1024x64xbf16>) -> (tensor<64x1024xbf16>, tensor<64x1024xbf16>) {
  %wg = onnx.Parameter {name = "gate"} : () -> tensor<256x1024xbf16>
  %wu = onnx.Parameter {name = "up"} : () -> tensor<256x1024xbf16>
  %g = onnx.MatMul %x, %wg : (tensor<64x256xbf16>, tensor<256x1024xbf16>) -> tensor<64x1024xbf16>
  %u = onnx.MatMul %x, %wu : (tensor<64x256xbf16>, tensor<256x1024xbf16>) -> tensor<64x1024xbf16>
  %a = onnx.Swish %g : (tensor<64x1024xbf16>) -> tensor<64x1024xbf16>
  %m = onnx.Mul %a, %u : (tensor<64x1024xbf16>, tensor<64x1024xbf16>) -> tensor<64x1024xbf16>
  %tg = onnx.Transpose %t {perm = array<i64: 1, 0>} : (tensor<1024x64xbf16>) -> tensor<64x1024xbf16>
  %ta = onnx.Swish %tg : (tensor<64x1024xbf16>) -> tensor<64x1024xbf16>
  %tm = onnx.Mul %ta, %u : (tensor<64x1024xbf16>, tensor<64x1024xbf16>) -> tensor<64x1024xbf16>
  return %m, %tm : tensor<64x1024xbf16>, tensor<64x1024xbf16>
}
