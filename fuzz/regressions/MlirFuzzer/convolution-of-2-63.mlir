
func.func @tosa(%x: tensor<1x9223372036854775807x9223372036854775807x16xf16>, %w: tensor<1x3x3x16xf16>, %b: tensor<1xf16>)
    -> tensor<1x9223372036854775807x9223372036854775807x1xf16> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %0 = tosa.conv2d %x, %w, %b, %zero, %zero {acc_type = f16, dilation = array<i64: 1, 1>,
      pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
      : (tensor<1x9223372036854775807x9223372036854775807x16xf16>, tensor<1x3x3x16xf16>, tensor<1xf16>, tensor<1xf16>, tensor<1xf16>)
      -> tensor<1x9223372036854775807x9223372036854775807x1xf16>
  %1 = tosa.tanh %0 : (tensor<1x9223372036854775807x9223372036854775807x1xf16>) -> tensor<1x9223372036854775807x9223372036854775807x1xf16>
  %2 = tosa.custom %1 {domain_name = "mine", implementation_attrs = "", operator_name = "op"}
      : (tensor<1x9223372036854775807x9223372036854775807x1xf16>) -> tensor<1x9223372036854775807x9223372036854775807x1xf16>
  return %2 : tensor<1x9223372036854775807x9223372036854775807x1xf16>
}
