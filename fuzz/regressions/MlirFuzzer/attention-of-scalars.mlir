
func.func @tanh(%x: tensor<f32>) -> tensor<f32> {
  %three = onnx.Constant {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %k = onnx.Constant {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %c = onnx.Constant {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %half = onnx.Constant {value = dense<0.4294967296> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.Pow %x, %three : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = onnx.Mul %k, %0 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %2 = onnx.Add %x, %1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %3 = onnx.MultiHeadAttention %c, %2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %4 = onnx.Tanh %3 : (tensor<f32>) -> tensor<f32>
  %5 = onnx.Add %4, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %6 = onnx.Mul %half, %5 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %7 = onnx.Mul %x, %6 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %7 : tensor<f32>
}

