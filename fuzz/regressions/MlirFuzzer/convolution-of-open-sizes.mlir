
func.func @tosa(%x: tensor<1x?x?x?xf16>, %w: tensor<1x3x3x?xf16>, %b: tensor<1xf16>)
    -> tensor<1x?x?x1xf16> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %0 = tosa.conv2d %x, %w, %b, %zero, %b {acc_type = f16, dilation = array<i64: 1, 1>,
      pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
      : (tensor<1x?x?x?xf16>, tensor<1x3x3x?xf16>, tensor<1xf16>, tensor<1xf16>, tensor<1xf16>)
      -> tensor<1x?x?x1xf16>
  %1 = tosa.abs %0 : (tensor<1x?x?x1xf16>) -> tensor<1x?x?x1xf16>
  %2 = tosa.custom %1 {domain_name = "mine", implementation_attrs = "", operator_name = "op"}
      : (tensor<1x?x?x1xf16>) -> tensor<1x?x?x1xf16>
  return %2 : tensor<1x?x?x1xf16>
}
