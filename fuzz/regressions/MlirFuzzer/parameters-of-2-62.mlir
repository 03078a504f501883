
func.func @step(%x: tensor<1x?x2147483647xf32>) -> tensor<1x?x2147483647xf32> {
  %w0 = onnx.Parameter : () -> tensor<2147483647x2147483647xf32>
  %w1 = onnx.Parameter : () -> tensor<2147483647x2147483647xf32>
  %w2 = onnx.Parameter : () -> tensor<2147483647x2147483647xf32>
  %0 = onnx.MatMul %x, %w0 : (tensor<1x?x2147483647xf32>, tensor<2147483647x2147483647xf32>) -> tensor<1x?x2147483647xf32>
  %t = onnx.Transpose %0 {perm = array<i64: 0, 2, 1>} : (tensor<1x?x2147483647xf32>) -> tensor<1x2147483647x?xf32>
  %1 = onnx.MatMul %0, %t : (tensor<1x?x2147483647xf32>, tensor<1x2147483647x?xf32>) -> tensor<1x?x?xf32>
  %2 = onnx.Softmax %1 {axis = -1 : i64} : (tensor<1x?x?xf32>) -> tensor<1x?x?xf32>
  %3 = onnx.MatMul %2, %0 : (tensor<1x?x?xf32>, tensor<1x?x2147483647xf32>) -> tensor<1x?x2147483647xf32>
  %4 = onnx.MatMul %3, %w1 : (tensor<1x?x2147483647xf32>, tensor<2147483647x2147483647xf32>) -> tensor<1x?x2147483647xf32>
  %5 = onnx.MatMul %4, %w2 : (tensor<1x?x2147483647xf32>, tensor<2147483647x2147483647xf32>) -> tensor<1x?x2147483647xf32>
  return %5 : tensor<1x?x2147483647xf32>
}
