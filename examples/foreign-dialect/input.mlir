// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %out = tensor.empty() : tensor<4096x4096xbf16>
  %y = "vendor.rms_norm"(%x, %out) : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>)
      -> tensor<4096x4096xbf16>
  %e = linalg.exp ins(%y : tensor<4096x4096xbf16>) outs(%out : tensor<4096x4096xbf16>)
      -> tensor<4096x4096xbf16>
  return %e : tensor<4096x4096xbf16>
}
