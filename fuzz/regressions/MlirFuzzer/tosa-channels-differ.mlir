
func.func @tosa(%x: tensor<1x2147483647x2147483647x16xf32>, %w: tensor<16x3x3x4xf32>, %b: tensor<16xf32>)
    -> tensor<1x2147483647x2147483647x16xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>,
      pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
      : (tensor<1x2147483647x2147483647x16xf32>, tensor<16x3x3x4xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x2147483647x2147483647x16xf32>
  %1 = tosa.exp %0 : (tensor<1x2147483647x2147483647x16xf32>) -> tensor<1x2147483647x2147483647x16xf32>
  %2 = tosa.custom %1 {domain_name = "mine", implementation_attrs = "", operator_name = "op"}
      : (tensor<1x2147483647x2147483647x16xf32>) -> tensor<1x2147483647x2147483647x16xf32>
  return %2 : tensor<1x2147483647x2147483647x16xf32>
}
