func.func @forward(%x: tensor<?x512xbf16>, %w: tensor<512x256xbf16>) -> tensor<?x256xbf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x512xbf16>
  %y = tensor.empty(%n) : tensor<?x256xbf16>
  %0 = linalg.matmul ins(%x, %w : tensor<?x512xbf16>, tensor<512x256xbf16>) outs(%y : tensor<?x256xbf16>) -> tensor<?x256xbf16>
  return %0 : tensor<?x256xbf16>
}
func.func @backward(%x: tensor<8x512xbf16>) -> tensor<8x512xbf16> {
  return %x : tensor<8x512xbf16>
}
