
module attributes {onnx.opsets = {ai.onnx = 20 : i64}} {
  func.func @main(%ids: tensor<?x?xi64> {onnx.LogGrad = "input_ids",
                                         onnx.dims = ["batch", "sequence"]})
      -> (!onnx.unknown {onnx.name = "y"}) {
    %table = onnx.Parameter : () -> tensor<1000x7xf16>
    %w = onnx.Parameter : () -> tensor<7x7xf16>
    %unused = onnx.Parameter : () -> tensor<9xf16>
    %t = onnx.Transpose %w : (tensor<7x7xf16>) -> !onnx.unknown
    %x = onnx.Gather %table, %ids : (tensor<1000x7xf16>, tensor<?x?xi64>) -> !onnx.unknown
    %y = onnx.MatMul %x, %t : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}
