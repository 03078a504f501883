// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Node names with commas and quotes, as exporters write them.
func.func @main(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = onnx.Relu %x : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32> loc("a \22quoted\22, name")
  %1 = onnx.Custom %0 {domain = "my,domain", op_type = "Foo"} : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32> loc("/a/very/long/name/that/exporters/like/because/it/says/which/layer/of/which/block/of/which/module/it/was")
  return %1 : tensor<1024x1024xf32>
}
