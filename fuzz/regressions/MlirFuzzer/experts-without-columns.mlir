
func.func @packed_experts(%x: tensor<65536x65536xf16>, %r: tensor<65536x6xf16>) -> tensor<65536x65536xf16> {
  %none = onnx.None : () -> !onnx.none
  %w1 = onnx.Parameter {name = "fc1"} : () -> tensor<6x128x16xui8>
  %s1 = onnx.NonMaxSuppression : () -> tensor<6x128xf16>
  %w2 = onnx.MixedPrecisionScale : () -> tensor<6x128x16xui8>
  %s2 = onnx.Parameter {name = "fc2.scales"} : () -> tensor<6x65536xf16>
  %y = onnx.QMoE %x, %r, %w1, %s1, %none, %w2, %s2 {k = 2 : i64, expert_weight_bits = 1 : i64} : (tensor<65536x65536xf16>, tensor<65536x6xf16>, tensor<6x128x16xui8>, tensor<6x128xf16>, !onnx.none, tensor<6x128x16xui8>, tensor<6x65536xf16>) -> tensor<65536x65536xf16>
  return %y : tensor<65536x65536xf16>
}

