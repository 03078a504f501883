// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module {
  func.func @main(%arg0: tensor<2x16x8x8xbf16>) -> tensor<2x8x8x16xbf16> {
    %0 = "tosa.const"() <{values = dense_resource<torch_tensor_16_torch.bfloat16_1> : tensor<16xbf16>}> : () -> tensor<16xbf16>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = tosa.const_shape  {values = dense<[1, 1, 1, 16]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %3 = "tosa.const"() <{values = dense<6.250000e-02> : tensor<1x1x1x1xf64>}> : () -> tensor<1x1x1x1xf64>
    %4 = "tosa.const"() <{values = dense<6.250000e-02> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %5 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %6 = "tosa.const"() <{values = dense_resource<torch_tensor_16_torch.bfloat16> : tensor<1x1x1x16xbf16>}> : () -> tensor<1x1x1x16xbf16>
    %7 = tosa.transpose %arg0 {perms = array<i32: 0, 2, 3, 1>} : (tensor<2x16x8x8xbf16>) -> tensor<2x8x8x16xbf16>
    %8 = tosa.cast %7 : (tensor<2x8x8x16xbf16>) -> tensor<2x8x8x16xf32>
    %9 = tosa.cast %8 : (tensor<2x8x8x16xf32>) -> tensor<2x8x8x16xf64>
    %10 = tosa.reduce_sum %9 {axis = 3 : i32} : (tensor<2x8x8x16xf64>) -> tensor<2x8x8x1xf64>
    %11 = tosa.mul %10, %3, %1 : (tensor<2x8x8x1xf64>, tensor<1x1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x8x1xf64>
    %12 = tosa.sub %9, %11 : (tensor<2x8x8x16xf64>, tensor<2x8x8x1xf64>) -> tensor<2x8x8x16xf64>
    %13 = tosa.mul %12, %12, %1 : (tensor<2x8x8x16xf64>, tensor<2x8x8x16xf64>, tensor<1xi8>) -> tensor<2x8x8x16xf64>
    %14 = tosa.reduce_sum %13 {axis = 3 : i32} : (tensor<2x8x8x16xf64>) -> tensor<2x8x8x1xf64>
    %15 = tosa.mul %14, %3, %1 : (tensor<2x8x8x1xf64>, tensor<1x1x1x1xf64>, tensor<1xi8>) -> tensor<2x8x8x1xf64>
    %16 = tosa.cast %15 : (tensor<2x8x8x1xf64>) -> tensor<2x8x8x1xf32>
    %17 = tosa.reduce_sum %8 {axis = 3 : i32} : (tensor<2x8x8x16xf32>) -> tensor<2x8x8x1xf32>
    %18 = tosa.mul %17, %4, %1 : (tensor<2x8x8x1xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x8x8x1xf32>
    %19 = tosa.add %16, %5 : (tensor<2x8x8x1xf32>, tensor<1x1x1x1xf32>) -> tensor<2x8x8x1xf32>
    %20 = tosa.rsqrt %19 : (tensor<2x8x8x1xf32>) -> tensor<2x8x8x1xf32>
    %21 = tosa.sub %8, %18 : (tensor<2x8x8x16xf32>, tensor<2x8x8x1xf32>) -> tensor<2x8x8x16xf32>
    %22 = tosa.mul %21, %20, %1 : (tensor<2x8x8x16xf32>, tensor<2x8x8x1xf32>, tensor<1xi8>) -> tensor<2x8x8x16xf32>
    %23 = tosa.cast %6 : (tensor<1x1x1x16xbf16>) -> tensor<1x1x1x16xf32>
    %24 = tosa.mul %22, %23, %1 : (tensor<2x8x8x16xf32>, tensor<1x1x1x16xf32>, tensor<1xi8>) -> tensor<2x8x8x16xf32>
    %25 = tosa.cast %0 : (tensor<16xbf16>) -> tensor<16xf32>
    %26 = tosa.reshape %25, %2 : (tensor<16xf32>, !tosa.shape<4>) -> tensor<1x1x1x16xf32>
    %27 = tosa.add %24, %26 : (tensor<2x8x8x16xf32>, tensor<1x1x1x16xf32>) -> tensor<2x8x8x16xf32>
    %28 = tosa.cast %27 : (tensor<2x8x8x16xf32>) -> tensor<2x8x8x16xbf16>
    return %28 : tensor<2x8x8x16xbf16>
  }
}

{-#

#-}
