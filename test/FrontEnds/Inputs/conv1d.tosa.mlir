// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module {
  func.func @main(%arg0: tensor<2x8x32xbf16>) -> tensor<2x8x32xbf16> {
    %0 = "tosa.const"() <{values = dense_resource<torch_tensor_8_torch.bfloat16> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %1 = tosa.const_shape  {values = dense<[2, 8, 1, 32]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %2 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xbf16>}> : () -> tensor<1xbf16>
    %3 = tosa.const_shape  {values = dense<[2, 8, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.const"() <{values = dense<"0x543B273FE33E723F233F4E3F263E313FF23E073F213C323F3A3E2C3FAD3EC43EAA3E3C3FC33BE43E2A3F5F3E5B3F4A3FD63EFC3E0A3F293FB03E0F3F173F373F7A3E373F633FF23E483FBB3EA03E383F733F0C3FED3E163F5E3F3F3FF43E713F163ED73E3F3DF93E233F933E123FF13E423E4F3F7A3F3D3F133F063FAC3E253EF63CD13BB43E693EE63D943E173FC33E3A3D193F3A3F683E5C3FA43D6D3FD83E303F113EAD3E383E1A3D243F703F2F3F0F3F9E3E583FCA3E593D543FE23D093F7C3B883EDD3E993DF63E083F233FF23E933E873D303F7F3F943EF03EA93E4C3F523FFF3E063F5F3F9F3D133F0A3F993EC03E063F0A3F1D3F1F3E1F3F173F963DD43E0E3E6E3F8C3D753F373FAC3D5E3F2B3E043E3C3F523F143F153FA43E6A3E763FA93E483E3B3D143F7B3E9D3DB93D3A3F6D3E223F3B3E0A3FB93D5A3F0A3FDC3CD83EA73E223F703FEF3E583FF33EF13EFA3ECA3EAA3EAD3E323FE33E6E3DC73D303F4B3FAA3E8C3E413F403FB13D233F123FD93EA73C8C3E223EE03E5A3F"> : tensor<8x1x3x8xbf16>}> : () -> tensor<8x1x3x8xbf16>
    %6 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1x1xbf16>}> : () -> tensor<1x1x1xbf16>
    %7 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1xbf16>}> : () -> tensor<1x1x1xbf16>
    %8 = "tosa.const"() <{values = dense<7.070310e-01> : tensor<1x1x1xbf16>}> : () -> tensor<1x1x1xbf16>
    %9 = tosa.reshape %arg0, %1 : (tensor<2x8x32xbf16>, !tosa.shape<4>) -> tensor<2x8x1x32xbf16>
    %10 = tosa.transpose %9 {perms = array<i32: 0, 2, 3, 1>} : (tensor<2x8x1x32xbf16>) -> tensor<2x1x32x8xbf16>
    %11 = tosa.conv2d %10, %5, %0, %2, %2 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 1, 1>} : (tensor<2x1x32x8xbf16>, tensor<8x1x3x8xbf16>, tensor<8xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<2x1x32x8xbf16>
    %12 = tosa.transpose %11 {perms = array<i32: 0, 3, 1, 2>} : (tensor<2x1x32x8xbf16>) -> tensor<2x8x1x32xbf16>
    %13 = tosa.reshape %12, %3 : (tensor<2x8x1x32xbf16>, !tosa.shape<3>) -> tensor<2x8x32xbf16>
    %14 = tosa.mul %13, %8, %4 : (tensor<2x8x32xbf16>, tensor<1x1x1xbf16>, tensor<1xi8>) -> tensor<2x8x32xbf16>
    %15 = tosa.erf %14 : (tensor<2x8x32xbf16>) -> tensor<2x8x32xbf16>
    %16 = tosa.add %15, %6 : (tensor<2x8x32xbf16>, tensor<1x1x1xbf16>) -> tensor<2x8x32xbf16>
    %17 = tosa.mul %7, %16, %4 : (tensor<1x1x1xbf16>, tensor<2x8x32xbf16>, tensor<1xi8>) -> tensor<2x8x32xbf16>
    %18 = tosa.mul %13, %17, %4 : (tensor<2x8x32xbf16>, tensor<2x8x32xbf16>, tensor<1xi8>) -> tensor<2x8x32xbf16>
    return %18 : tensor<2x8x32xbf16>
  }
}

{-#

#-}
