
func.func @products(%x: tensor<8x256xf16>, %a: tensor<2147483648x128xi8>, %f: tensor<f32>, %z: tensor<i8>) {
  %w = onnx.Parameter : () -> tensor<128x8x16xui8>
  %s = onnx.Parameter : () -> tensor<128x8xf16>
  %0 = gpucost.kernel "MatMulNBits" {
    %r = onnx.MatMulNBits %x, %w, %s {K = 256 : i64, N = 128 : i64, bits = 4294967296 : i64, block_size = 4294967296 : i64} : (tensor<8x256xf16>, tensor<128x8x16xui8>, tensor<128x8xf16>) -> tensor<8x128xf16>
    gpucost.yield %r : tensor<8x128xf16>
  } : tensor<8x128xf16>
  %b = onnx.Parameter : () -> tensor<128x4294967296xi8>
  %1 = gpucost.kernel "QLinearMatMul" {
    %r = onnx.QLinearMatMul %a, %f, %z, %b, %f, %z, %f, %z : (tensor<2147483648x128xi8>, tensor<f32>, tensor<i8>, tensor<128x4294967296xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<2147483648x4294967296xi8>
    gpucost.yield %r : tensor<2147483648x4294967296xi8>
  } : tensor<2147483648x4294967296xi8>
  %2 = gpucost.kernel "MatMulInteger" {
    %r = onnx.MatMulInteger %a, %b : (tensor<2147483648x128xi8>, tensor<128x4294967296xi8>) -> tensor<2147483648x4294967296xi32>
    gpucost.yield %r : tensor<2147483648x4294967296xi32>
  } : tensor<2147483648x4294967296xi32>
  return
}

func.func @layers(%x: tensor<1x16x8x8xui8>, %f: tensor<f32>, %z: tensor<ui8>, %i: tensor<7xi64>, %h: tensor<4294967296x2147483648xf16>, %router: tensor<4294967296x8xf16>) {
  %w = onnx.Parameter : () -> tensor<4294967296x16x3x3xui8>
  %0 = gpucost.kernel "QLinearConv" {
    %r = onnx.QLinearConv %x, %f, %z, %w, %f, %z, %f, %z : (tensor<1x16x8x8xui8>, tensor<f32>, tensor<ui8>, tensor<4294967296x16x3x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4294967296x6x6xui8>
    gpucost.yield %r : tensor<1x4294967296x6x6xui8>
  } : tensor<1x4294967296x6x6xui8>
  %t = onnx.Parameter : () -> tensor<100x4294967296xui8>
  %s = onnx.Parameter : () -> tensor<100x4294967296xf16>
  %1 = gpucost.kernel "GatherBlockQuantized" {
    %r = onnx.GatherBlockQuantized %t, %i, %s {bits = 4294967296 : i64, block_size = 16 : i64} : (tensor<100x4294967296xui8>, tensor<7xi64>, tensor<100x4294967296xf16>) -> tensor<7x2147483648xf16>
    gpucost.yield %r : tensor<7x2147483648xf16>
  } : tensor<7x2147483648xf16>
  %w1 = onnx.Parameter : () -> tensor<8x256x2147483648xf16>
  %w2 = onnx.Parameter : () -> tensor<8x2147483648x256xf16>
  %none = onnx.None : () -> !onnx.none
  %2 = gpucost.kernel "MoE" {
    %r = onnx.MoE %h, %router, %w1, %none, %w2 {k = 2 : i64} : (tensor<4294967296x2147483648xf16>, tensor<4294967296x8xf16>, tensor<8x256x2147483648xf16>, !onnx.none, tensor<8x2147483648x256xf16>) -> tensor<4294967296x2147483648xf16>
    gpucost.yield %r : tensor<4294967296x2147483648xf16>
  } : tensor<4294967296x2147483648xf16>
  %3 = gpucost.kernel "MoE" {
    %r = onnx.MoE %h, %router, %w1, %none, %w2 {k = 2 : i64, gpucost.worst_balance} : (tensor<4294967296x2147483648xf16>, tensor<4294967296x8xf16>, tensor<8x256x2147483648xf16>, !onnx.none, tensor<8x2147483648x256xf16>) -> tensor<4294967296x2147483648xf16>
    gpucost.yield %r : tensor<4294967296x2147483648xf16>
  } : tensor<4294967296x2147483648xf16>
  return
}
