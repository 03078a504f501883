// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names with commas and quotes, a dimension without a name, and one named "?".
module attributes {onnx.opsets = {ai.onnx = 17 : i64}} {
  func.func @main(%x: tensor<?x?x?x?xf32> {onnx.dims = ["seq,len", "it's \"so\"", "", "?"], onnx.name = "x"}) -> !onnx.unknown attributes {onnx.output_names = ["y"]} {
    %y = onnx.Relu %x {onnx.values = ["y"]} : (tensor<?x?x?x?xf32>) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}
