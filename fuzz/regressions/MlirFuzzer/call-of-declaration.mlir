func.func private @elsewhere(tensor<8xf32>) -> tensor<8xf32>
func.func @step(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = func.call @elsewhere(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
