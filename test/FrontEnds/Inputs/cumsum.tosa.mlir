// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module {
  func.func @main(%arg0: tensor<4x8xbf16>) -> tensor<4x8xf32> {
    %0 = tosa.const_shape  {values = dense<[4, 8, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = tosa.const_shape  {values = dense<0> : tensor<3xindex>} : () -> !tosa.shape<3>
    %3 = tosa.const_shape  {values = dense<[0, 0, 1, 0, 0, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
    %4 = tosa.const_shape  {values = dense<[0, 0, 2, 0, 0, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
    %5 = tosa.const_shape  {values = dense<[0, 0, 4, 0, 0, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
    %6 = tosa.const_shape  {values = dense<[4, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %7 = tosa.cast %arg0 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %8 = tosa.reshape %7, %0 : (tensor<4x8xf32>, !tosa.shape<3>) -> tensor<4x8x1xf32>
    %9 = tosa.pad %8, %3, %1 : (tensor<4x8x1xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<4x9x1xf32>
    %10 = tosa.slice %9, %2, %0 : (tensor<4x9x1xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<4x8x1xf32>
    %11 = tosa.add %8, %10 : (tensor<4x8x1xf32>, tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
    %12 = tosa.pad %11, %4, %1 : (tensor<4x8x1xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<4x10x1xf32>
    %13 = tosa.slice %12, %2, %0 : (tensor<4x10x1xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<4x8x1xf32>
    %14 = tosa.add %11, %13 : (tensor<4x8x1xf32>, tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
    %15 = tosa.pad %14, %5, %1 : (tensor<4x8x1xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<4x12x1xf32>
    %16 = tosa.slice %15, %2, %0 : (tensor<4x12x1xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<4x8x1xf32>
    %17 = tosa.add %14, %16 : (tensor<4x8x1xf32>, tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
    %18 = tosa.reshape %17, %6 : (tensor<4x8x1xf32>, !tosa.shape<2>) -> tensor<4x8xf32>
    return %18 : tensor<4x8xf32>
  }
}
