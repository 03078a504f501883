
module attributes {onnx.opsets = {ai.onnx = 20 : i64}} {
  func.func @main(%ids: tensor<?x?xi64> {onnx.name = "input_ids",
                                         onnx.Binarizer = ["batch", "sequence"]})
      -> (!onnx.unknown {onnx.name = "y"}) {
    %table = onnx.Div : () -> tensor<?x?xf16>
    %w = onnx.Parameter : () -> tensor<?x?xf16>
    %unused = onnx.Parameter : () -> tensor<?xf16>
    %t = onnx.Transpose %w : (tensor<?x?xf16>) -> !onnx.unknown
    %x = onnx.Gather %table, %ids : (tensor<?x?xf16>, tensor<?x?xi64>) -> !onnx.unknown
    %again466 = onnx.Gather %table, %ids : (tensor<?x?xf16>, tensor<?x?xi64>) -> !onnx.unknown
    %y = onnx.AdamWOptimizer %x, %t : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}
