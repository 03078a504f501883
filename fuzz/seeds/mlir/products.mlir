func.func @matmul(%a: tensor<512x256xbf16>, %b: tensor<256x1024xbf16>, %c: tensor<512x1024xbf16>) -> tensor<512x1024xbf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<512x256xbf16>, tensor<256x1024xbf16>) outs(%c : tensor<512x1024xbf16>) -> tensor<512x1024xbf16>
  %1 = linalg.exp ins(%0 : tensor<512x1024xbf16>) outs(%c : tensor<512x1024xbf16>) -> tensor<512x1024xbf16>
  return %1 : tensor<512x1024xbf16>
}
func.func @convolution(%x: tensor<4x16x16x32xf32>, %w: tensor<3x3x32x64xf32>, %o: tensor<4x14x14x64xf32>) -> tensor<4x14x14x64xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<4x16x16x32xf32>, tensor<3x3x32x64xf32>) outs(%o : tensor<4x14x14x64xf32>) -> tensor<4x14x14x64xf32>
  return %0 : tensor<4x14x14x64xf32>
}
func.func @attention(%q: tensor<2x12x128x64xf16>, %k: tensor<2x12x64x128xf16>, %v: tensor<2x12x128x64xf16>) -> tensor<2x12x128x64xf16> {
  %0 = onnx.MatMul %q, %k : (tensor<2x12x128x64xf16>, tensor<2x12x64x128xf16>) -> tensor<2x12x128x128xf16>
  %1 = onnx.Softmax %0 {axis = -1 : i64} : (tensor<2x12x128x128xf16>) -> tensor<2x12x128x128xf16>
  %2 = onnx.MatMul %1, %v : (tensor<2x12x128x128xf16>, tensor<2x12x128x64xf16>) -> tensor<2x12x128x64xf16>
  return %2 : tensor<2x12x128x64xf16>
}
func.func @layer(%x: tensor<?x128x768xf32>, %w: tensor<768x3072xf32>, %s: tensor<768xf32>) -> tensor<?x128x3072xf32> {
  %0 = onnx.LayerNormalization %x, %s, %s {axis = -1 : i64} : (tensor<?x128x768xf32>, tensor<768xf32>, tensor<768xf32>) -> tensor<?x128x768xf32>
  %1 = onnx.MatMul %0, %w : (tensor<?x128x768xf32>, tensor<768x3072xf32>) -> tensor<?x128x3072xf32>
  %2 = onnx.Relu %1 : (tensor<?x128x3072xf32>) -> tensor<?x128x3072xf32>
  return %2 : tensor<?x128x3072xf32>
}
