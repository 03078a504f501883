// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op without a shape: its kernels are unknown.
func.func @main(%x: tensor<1024x?xf32>) -> tensor<*xf32> {
  %1 = onnx.Custom %x {domain = "d", op_type = "Foo"} : (tensor<1024x?xf32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}
