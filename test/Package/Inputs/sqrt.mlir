// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @forward(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %y = math.sqrt %x : tensor<1024xf32>
  return %y : tensor<1024xf32>
}
