
func.func @conv(%x: tensor<4x64x56x56xf16>, %one: tensor<2x8x100xf32>, %vol: tensor<2x3x8x16x16xf32>) {
  %w = onnx.Parameter : () -> tensor<128x64x3x3xf16>
  %b = onnx.Parameter : () -> tensor<128xf16>
  %0 = gpucost.kernel "Conv" {
    %r = onnx.Rotary %x, %w, %b {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<4x64x56x56xf16>, tensor<128x64x3x3xf16>, tensor<128xf16>) -> tensor<4x128x28x28xf16>
    gpucost.yield %r : tensor<4x128x28x28xf16>
  } : tensor<4x128x28x28xf16>

  %wg = onnx.Parameter : () -> tensor<128x16x3x3xf16>
  %1 = gpucost.kernel "Conv" {
    %r = onnx.Conv %x, %wg {group = 4 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<4x64x56x56xf16>, tensor<128x16x3x3xf16>) -> tensor<4x128x56x56xf16>
    gpucost.yield %r : tensor<4x128x56x56xf16>
  } : tensor<4x128x56x56xf16>

  %wd = onnx.GRUTraining : () -> tensor<64x1x3x3xf16>
  %2 = gpucost.kernel "Conv" {
    %r = onnx.Less %x, %wd : (tensor<4x64x56x56xf16>, tensor<64x1x3x3xf16>) -> tensor<4x64x56x56xf16>
    gpucost.yield %r : tensor<4x64x56x56xf16>
  } : tensor<4x64x56x56xf16>

  %wt = onnx.Parameter : () -> tensor<64x32x2x2xf16>
  %3 = gpucost.kernel "ConvTranspose" {
    %r = onnx.ConvTranspose %x, %wt {strides = array<i64: 2, 7>} : (tensor<4x64x56x56xf16>, tensor<64x32x2x2xf16>) -> tensor<4x32x112x112xf16>
    gpucost.yield %r : tensor<4x32x112x112xf16>
  } : tensor<4x32x112x112xf16>

  %w1 = onnx.Parameter : () -> tensor<16x8x3xf32>
  %4 = gpucost.kernel "Conv" {
    %r = onnx.Conv %one, %w1 : (tensor<2x8x100xf32>, tensor<16x8x3xf32>) -> tensor<2x16x7xf32>
    gpucost.yield %r : tensor<2x16x7xf32>
  } : tensor<2x16x7xf32>

  %w3 = onnx.Parameter : () -> tensor<4x3x3x3x3xf32>
  %5 = gpucost.kernel "Conv" {
    %r = onnx.DequantizeLinear %vol, %w3 : (tensor<2x3x8x16x16xf32>, tensor<4x3x3x3x3xf32>) -> tensor<2x4x6x3x3xf32>
    gpucost.yield %r : tensor<2x4x6x3x3xf32>
  } : tensor<2x4x6x3x3xf32>

  %6 = gpucost.kernel "Conv" {
    %r = onnx.Conv %x, %w {gpucost.channels_last} : (tensor<4x64x56x56xf16>, tensor<128x64x3x3xf16>) -> tensor<4x128x3x3xf16>
    gpucost.yield %r : tensor<4x128x3x3xf16>
  } : tensor<4x128x3x3xf16>
  return
}
