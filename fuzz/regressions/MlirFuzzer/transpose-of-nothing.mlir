func.func @product(%x: tensor<2x3xui8>) -> !onnx.unknown {
  %w = onnx.Transpose : () -> tensor<3x4xui8>
  %0 = onnx.MatMul %x, %w : (tensor<2x3xui8>, tensor<3x4xui8>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
