func.func @gelu(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xi1>) {
  %root = onnx.Constant {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.Div %x, %root : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = onnx.Erf %0 : (tensor<64xf32>) -> tensor<64xf32>
  %2 = onnx.Add %1, %one : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  %3 = onnx.Mul %x, %2 : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %4 = onnx.Mul %3, %half : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  %5 = onnx.Greater %x : (tensor<64xf32>) -> tensor<64xi1>
  return %4, %5 : tensor<64xf32>, tensor<64xi1>
}
func.func @nothing(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
func.func @foreign(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = "vendor.transform"(%x) {gpucost.accumulation_count = 2 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
