
func.func @lstm(%x: tensor<2147483647x1000x1xf32>) -> (tensor<2147483647x1000x1xf32>, tensor<2147483647x1000x1x64xf32>) {
  %w = onnx.Parameter {name = "w"} : () -> tensor<1x2147483647x1xf32>
  %r = onnx.Add : () -> tensor<1x2147483647x64xf32>
  %b = onnx.MatMul : () -> tensor<1x512xf32>
  %y = onnx.QOrderedLayerNormalization %x, %w, %r, %b : (tensor<2147483647x1000x1xf32>, tensor<1x2147483647x1xf32>, tensor<1x2147483647x64xf32>, tensor<1x512xf32>) -> tensor<2147483647x1000x1xf32>
  %z = onnx.LSTM %x, %w, %r, %b {layout = 1 : i64} : (tensor<2147483647x1000x1xf32>, tensor<1x2147483647x1xf32>, tensor<1x2147483647x64xf32>, tensor<1x512xf32>) -> tensor<2147483647x1000x1x64xf32>
  return %y, %z : tensor<2147483647x1000x1xf32>, tensor<2147483647x1000x1x64xf32>
}
