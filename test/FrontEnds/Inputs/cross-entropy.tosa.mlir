// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module {
  func.func @main(%arg0: tensor<16x40xbf16>, %arg1: tensor<16xi64>) -> tensor<f32> {
    %0 = tosa.const_shape  {values = dense<16> : tensor<1xindex>} : () -> !tosa.shape<1>
    %1 = tosa.const_shape  {values = dense<[16, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = tosa.const_shape  {values = dense<[16, 1, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %4 = "tosa.const"() <{values = dense<[[[0]], [[1]], [[2]], [[3]], [[4]], [[5]], [[6]], [[7]], [[8]], [[9]], [[10]], [[11]], [[12]], [[13]], [[14]], [[15]]]> : tensor<16x1x1xi32>}> : () -> tensor<16x1x1xi32>
    %5 = tosa.const_shape  {values = dense<[1, 640, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %6 = tosa.const_shape  {values = dense<[16, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %7 = tosa.const_shape  {values = dense<[1, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %8 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %9 = tosa.const_shape  {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>
    %10 = "tosa.const"() <{values = dense<-100> : tensor<1xi64>}> : () -> tensor<1xi64>
    %11 = "tosa.const"() <{values = dense<0> : tensor<1xi64>}> : () -> tensor<1xi64>
    %12 = "tosa.const"() <{values = dense<[[40, 1]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %13 = tosa.cast %arg0 : (tensor<16x40xbf16>) -> tensor<16x40xf32>
    %14 = tosa.reduce_max %13 {axis = 1 : i32} : (tensor<16x40xf32>) -> tensor<16x1xf32>
    %15 = tosa.sub %13, %14 : (tensor<16x40xf32>, tensor<16x1xf32>) -> tensor<16x40xf32>
    %16 = tosa.exp %15 : (tensor<16x40xf32>) -> tensor<16x40xf32>
    %17 = tosa.reduce_sum %16 {axis = 1 : i32} : (tensor<16x40xf32>) -> tensor<16x1xf32>
    %18 = tosa.log %17 : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %19 = tosa.sub %15, %18 : (tensor<16x40xf32>, tensor<16x1xf32>) -> tensor<16x40xf32>
    %20 = tosa.equal %arg1, %10 : (tensor<16xi64>, tensor<1xi64>) -> tensor<16xi1>
    %21 = tosa.select %20, %11, %arg1 : (tensor<16xi1>, tensor<1xi64>, tensor<16xi64>) -> tensor<16xi64>
    %22 = tosa.reshape %21, %1 : (tensor<16xi64>, !tosa.shape<2>) -> tensor<16x1xi64>
    %23 = tosa.cast %22 : (tensor<16x1xi64>) -> tensor<16x1xi32>
    %24 = tosa.reshape %23, %3 : (tensor<16x1xi32>, !tosa.shape<3>) -> tensor<16x1x1xi32>
    %25 = tosa.concat %4, %24 {axis = 2 : i32} : (tensor<16x1x1xi32>, tensor<16x1x1xi32>) -> tensor<16x1x2xi32>
    %26 = tosa.reshape %19, %5 : (tensor<16x40xf32>, !tosa.shape<3>) -> tensor<1x640x1xf32>
    %27 = tosa.reshape %25, %6 : (tensor<16x1x2xi32>, !tosa.shape<2>) -> tensor<16x2xi32>
    %28 = tosa.mul %27, %12, %2 : (tensor<16x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<16x2xi32>
    %29 = tosa.reduce_sum %28 {axis = 1 : i32} : (tensor<16x2xi32>) -> tensor<16x1xi32>
    %30 = tosa.reshape %29, %7 : (tensor<16x1xi32>, !tosa.shape<2>) -> tensor<1x16xi32>
    %31 = tosa.gather %26, %30 : (tensor<1x640x1xf32>, tensor<1x16xi32>) -> tensor<1x16x1xf32>
    %32 = tosa.reshape %31, %0 : (tensor<1x16x1xf32>, !tosa.shape<1>) -> tensor<16xf32>
    %33 = tosa.negate %32, %8, %8 : (tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<16xf32>
    %34 = tosa.select %20, %8, %33 : (tensor<16xi1>, tensor<1xf32>, tensor<16xf32>) -> tensor<16xf32>
    %35 = tosa.logical_not %20 : (tensor<16xi1>) -> tensor<16xi1>
    %36 = tosa.cast %35 : (tensor<16xi1>) -> tensor<16xi64>
    %37 = tosa.reduce_sum %36 {axis = 0 : i32} : (tensor<16xi64>) -> tensor<1xi64>
    %38 = tosa.reshape %37, %9 : (tensor<1xi64>, !tosa.shape<0>) -> tensor<i64>
    %39 = tosa.cast %38 : (tensor<i64>) -> tensor<f32>
    %40 = tosa.reduce_sum %34 {axis = 0 : i32} : (tensor<16xf32>) -> tensor<1xf32>
    %41 = tosa.reshape %40, %9 : (tensor<1xf32>, !tosa.shape<0>) -> tensor<f32>
    %42 = tosa.reciprocal %39 : (tensor<f32>) -> tensor<f32>
    %43 = tosa.mul %41, %42, %2 : (tensor<f32>, tensor<f32>, tensor<1xi8>) -> tensor<f32>
    return %43 : tensor<f32>
  }
}
