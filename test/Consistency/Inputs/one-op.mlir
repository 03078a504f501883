// One kernel per function: the row with the same name in one-op.csv queries only this kernel.
func.func @gemm(%x: tensor<2048x1024xf32>) -> tensor<2048x4096xf32> {
  %w = onnx.Parameter : () -> tensor<1024x4096xf32>
  %0 = onnx.MatMul %x, %w : (tensor<2048x1024xf32>, tensor<1024x4096xf32>) -> tensor<2048x4096xf32>
  return %0 : tensor<2048x4096xf32>
}
func.func @gemm_large(%x: tensor<8192x8192xf32>) -> tensor<8192x8192xf32> {
  %w = onnx.Parameter : () -> tensor<8192x8192xf32>
  %0 = onnx.MatMul %x, %w : (tensor<8192x8192xf32>, tensor<8192x8192xf32>) -> tensor<8192x8192xf32>
  return %0 : tensor<8192x8192xf32>
}
func.func @gemm_skinny(%x: tensor<16x4096xf32>) -> tensor<16x4096xf32> {
  %w = onnx.Parameter : () -> tensor<4096x4096xf32>
  %0 = onnx.MatMul %x, %w : (tensor<16x4096xf32>, tensor<4096x4096xf32>) -> tensor<16x4096xf32>
  return %0 : tensor<16x4096xf32>
}
func.func @gemm_batched(%x: tensor<96x512x64xf32>, %y: tensor<96x512x64xf32>) -> tensor<96x512x512xf32> {
  %t = onnx.Transpose %y {perm = array<i64: 0, 2, 1>} : (tensor<96x512x64xf32>) -> tensor<96x64x512xf32>
  %0 = onnx.MatMul %x, %t : (tensor<96x512x64xf32>, tensor<96x64x512xf32>) -> tensor<96x512x512xf32>
  return %0 : tensor<96x512x512xf32>
}
func.func @convolution(%x: tensor<16x128x28x28xf32>) -> tensor<16x128x28x28xf32> {
  %w = onnx.Parameter : () -> tensor<128x128x3x3xf32>
  %0 = onnx.Conv %x, %w {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<16x128x28x28xf32>, tensor<128x128x3x3xf32>) -> tensor<16x128x28x28xf32>
  return %0 : tensor<16x128x28x28xf32>
}
func.func @attention(%q: tensor<4x16x1024x64xf32>, %k: tensor<4x16x1024x64xf32>, %v: tensor<4x16x1024x64xf32>) -> tensor<4x16x1024x64xf32> {
  %0 = onnx.Attention %q, %k, %v {is_causal = 1 : i64} : (tensor<4x16x1024x64xf32>, tensor<4x16x1024x64xf32>, tensor<4x16x1024x64xf32>) -> tensor<4x16x1024x64xf32>
  return %0 : tensor<4x16x1024x64xf32>
}
func.func @softmax(%x: tensor<16384x512xf32>) -> tensor<16384x512xf32> {
  %0 = onnx.Softmax %x {axis = -1 : i64} : (tensor<16384x512xf32>) -> tensor<16384x512xf32>
  return %0 : tensor<16384x512xf32>
}
func.func @layernorm(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  %s = onnx.Parameter : () -> tensor<1024xf32>
  %b = onnx.Parameter : () -> tensor<1024xf32>
  %0 = onnx.LayerNormalization %x, %s, %b {axis = -1 : i64} : (tensor<8192x1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<8192x1024xf32>
  return %0 : tensor<8192x1024xf32>
}
func.func @add(%x: tensor<16777216xf32>, %y: tensor<16777216xf32>) -> tensor<16777216xf32> {
  %0 = onnx.Add %x, %y : (tensor<16777216xf32>, tensor<16777216xf32>) -> tensor<16777216xf32>
  return %0 : tensor<16777216xf32>
}
func.func @gelu(%x: tensor<16777216xf32>) -> tensor<16777216xf32> {
  %0 = onnx.Gelu %x : (tensor<16777216xf32>) -> tensor<16777216xf32>
  return %0 : tensor<16777216xf32>
}
