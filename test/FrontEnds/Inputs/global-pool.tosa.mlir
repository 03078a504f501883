// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module {
  func.func @main(%arg0: tensor<2x8x4x4xbf16>) -> tensor<2x8xbf16> {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = tosa.const_shape  {values = dense<[2, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %2 = "tosa.const"() <{values = dense<6.250000e-02> : tensor<1x1x1x1xbf16>}> : () -> tensor<1x1x1x1xbf16>
    %3 = tosa.reduce_sum %arg0 {axis = 3 : i32} : (tensor<2x8x4x4xbf16>) -> tensor<2x8x4x1xbf16>
    %4 = tosa.reduce_sum %3 {axis = 2 : i32} : (tensor<2x8x4x1xbf16>) -> tensor<2x8x1x1xbf16>
    %5 = tosa.mul %4, %2, %0 : (tensor<2x8x1x1xbf16>, tensor<1x1x1x1xbf16>, tensor<1xi8>) -> tensor<2x8x1x1xbf16>
    %6 = tosa.reshape %5, %1 : (tensor<2x8x1x1xbf16>, !tosa.shape<2>) -> tensor<2x8xbf16>
    return %6 : tensor<2x8xbf16>
  }
}
