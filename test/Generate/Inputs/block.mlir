// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention of 4 heads of 64 and one matmul, for any number of samples and tokens.
func.func @main(%x: tensor<?x?x256xbf16> {onnx.name = "x", onnx.dims = ["batch", "sequence", ""]}) -> tensor<?x?x256xbf16> {
  %w = onnx.Parameter {name = "w"} : () -> tensor<256x256xbf16>
  %q = onnx.MatMul %x, %w : (tensor<?x?x256xbf16>, tensor<256x256xbf16>) -> tensor<?x?x256xbf16>
  %y = onnx.Attention %q, %q, %q {q_num_heads = 4 : i64, kv_num_heads = 4 : i64} : (tensor<?x?x256xbf16>, tensor<?x?x256xbf16>, tensor<?x?x256xbf16>) -> tensor<?x?x256xbf16>
  return %y : tensor<?x?x256xbf16>
}
