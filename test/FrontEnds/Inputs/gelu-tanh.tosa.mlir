// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module {
  func.func @main(%arg0: tensor<64x128xbf16>) -> tensor<64x128xbf16> {
    %0 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<64x128xbf16>}> : () -> tensor<64x128xbf16>
    %2 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<64x128xbf16>}> : () -> tensor<64x128xbf16>
    %3 = "tosa.const"() <{values = dense<3.000000e+00> : tensor<64x128xbf16>}> : () -> tensor<64x128xbf16>
    %4 = "tosa.const"() <{values = dense<4.467770e-02> : tensor<64x128xbf16>}> : () -> tensor<64x128xbf16>
    %5 = "tosa.const"() <{values = dense<6.367190e-01> : tensor<64x128xbf16>}> : () -> tensor<64x128xbf16>
    %6 = tosa.mul %1, %arg0, %0 : (tensor<64x128xbf16>, tensor<64x128xbf16>, tensor<1xi8>) -> tensor<64x128xbf16>
    %7 = tosa.pow %5, %1 : (tensor<64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
    %8 = tosa.pow %arg0, %3 : (tensor<64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
    %9 = tosa.mul %4, %8, %0 : (tensor<64x128xbf16>, tensor<64x128xbf16>, tensor<1xi8>) -> tensor<64x128xbf16>
    %10 = tosa.add %arg0, %9 : (tensor<64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
    %11 = tosa.mul %7, %10, %0 : (tensor<64x128xbf16>, tensor<64x128xbf16>, tensor<1xi8>) -> tensor<64x128xbf16>
    %12 = tosa.tanh %11 : (tensor<64x128xbf16>) -> tensor<64x128xbf16>
    %13 = tosa.add %12, %2 : (tensor<64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
    %14 = tosa.mul %6, %13, %0 : (tensor<64x128xbf16>, tensor<64x128xbf16>, tensor<1xi8>) -> tensor<64x128xbf16>
    return %14 : tensor<64x128xbf16>
  }
}
