func.func @convolution(%x: tensor<?x4x?xf32>, %w: tensor<8x4x16xf32>, %y: tensor<?x8x?xf32>) -> tensor<?x8x?xf32> {
  %0 = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<?x4x?xf32>, tensor<8x4x16xf32>) outs(%y : tensor<?x8x?xf32>) -> tensor<?x8x?xf32>
  return %0 : tensor<?x8x?xf32>
}
