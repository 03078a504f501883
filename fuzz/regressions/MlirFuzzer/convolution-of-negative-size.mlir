
func.func @open_convolution(%x: tensor<1x?x?x8xf16>, %w: tensor<1x3x3x8xf16>, %b: tensor<1xf16>, %zero: tensor<1xf16>) -> tensor<1x?x?x1xf16> {
  %0 = tosa.conv2d %x, %w, %b, %zero, %zero {acc_type = f16, dilation = array<i64: 1, 64>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x?x?x8xf16>, tensor<1x3x3x8xf16>, tensor<1xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x?x?x1xf16>
  return %0 : tensor<1x?x?x1xf16>
}
