func.func @gelu(%x: tensor<4294967296xf32>) -> (tensor<4294967296xf32>, tensor<4294967296xi1>) {
  %root = onnx.Constant {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %half = onnx.Constant {value = dense<0.2147483648> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.Div %x, %root : (tensor<4294967296xf32>, tensor<f32>) -> tensor<4294967296xf32>
  %1 = onnx.Erf %0 : (tensor<4294967296xf32>) -> tensor<4294967296xf32>
  %2 = onnx.StringNormalizer %1, %one : (tensor<4294967296xf32>, tensor<f32>) -> tensor<4294967296xf32>
  %3 = onnx.Mul %x, %2 : (tensor<4294967296xf32>, tensor<4294967296xf32>) -> tensor<4294967296xf32>
  %4 = onnx.Mul %3, %half : (tensor<4294967296xf32>, tensor<f32>) -> tensor<4294967296xf32>
  %5 = onnx.Greater %x : (tensor<4294967296xf32>) -> tensor<4294967296xi1>
  return %4, %5 : tensor<4294967296xf32>, tensor<4294967296xi1>
}
func.func @nothing(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func @foreign(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "vendor.transform"(%x) {gpucost.accumulation_count = 2 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
}
