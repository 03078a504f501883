// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<64x1024xf32>) -> tensor<2x65536xi64> {
  %0 = onnx.Relu %x : (tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %1 = onnx.NonZero %0 : (tensor<64x1024xf32>) -> tensor<2x65536xi64>
  return %1 : tensor<2x65536xi64>
}
