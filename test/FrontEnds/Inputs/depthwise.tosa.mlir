// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module {
  func.func @main(%arg0: tensor<2x16x8x8xbf16>) -> tensor<2x8x8x8xbf16> {
    %0 = "tosa.const"() <{values = dense_resource<torch_tensor_8_torch.bfloat16> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %1 = "tosa.const"() <{values = dense_resource<torch_tensor_16_torch.bfloat16> : tensor<16xbf16>}> : () -> tensor<16xbf16>
    %2 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xbf16>}> : () -> tensor<1xbf16>
    %3 = "tosa.const"() <{values = dense<"0xE73E233E1B3FA73E5D3D523F583F443DFD3E093EF93D213ED13E763F223F303F9A3E253F163FBB3ECD3E8F3EEF3D9D3EAF3E2B3F263F473F053F613F0B3F4C3F433E363FFE3ED33E073FC03D543E463F053F543F283F293E4B3EE03E4D3F823E0A3F4A3F923E663FF93E543E2C3F5E3F5C3F0E3F693FD13E593F983E083FC63E6B3E4D3E173E073D7B3F433E503FDA3B253F113F083D173F923EEB3E223F433D0E3F403F8A3E333D473F763EE43E413F2D3C593FAF3E7E3F633F4C3D733F283F373FF13EA03E923EFC3E463F1B3F653FF53E553F4B3F2C3FD43C4C3E4E3F323F673F6A3F5C3F6B3F1B3F1F3F5C3F1F3F4F3F1B3E543FF93E103F3C3E873EA33E803ED83E653FE43E293FF53EE63E1F3F9D3C753DCD3E7A3FE53E983E213F1E3F"> : tensor<3x3x16x1xbf16>}> : () -> tensor<3x3x16x1xbf16>
    %4 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1x1x1xbf16>}> : () -> tensor<1x1x1x1xbf16>
    %5 = "tosa.const"() <{values = dense<6.000000e+00> : tensor<1x1x1x1xbf16>}> : () -> tensor<1x1x1x1xbf16>
    %6 = "tosa.const"() <{values = dense<"0x853D053F7F3F553FA03E743F6A3F343F2B3FEC3E203EEB3E433F883E8A3E3B3F4C3FB43E673E2D3F5D3E333F903E253F163FA73E433F393FBA3EBD3BA43E383F073F0B3D293FA03EE33E773F4D3FBD3E113FC23E373F543E3F3F153F093FC13D713FCD3E693FFF3E3E3F123F793F613F6F3EA83A6C3E893E5C3FC93E3A3F2A3F363F453F3A3F6B3E153B4F3F663E623F593F323F1A3F243F863EAE3E223E543FC43CA73E5F3F463F143F183F503F763F713F513F273F4B3E033FE13EE03E7D3F023F843E6E3F9A3ECD3E0C3F3C3E2B3F023F7C3E0D3F963EC03E4B3D7E3F873D573F483F123EE73DEF3E1F3D983EAA3D453F4A3F983D3D3E5A3FF63E7D3EF83E"> : tensor<8x1x1x16xbf16>}> : () -> tensor<8x1x1x16xbf16>
    %7 = tosa.transpose %arg0 {perms = array<i32: 0, 2, 3, 1>} : (tensor<2x16x8x8xbf16>) -> tensor<2x8x8x16xbf16>
    %8 = tosa.depthwise_conv2d %7, %3, %1, %2, %2 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<2x8x8x16xbf16>, tensor<3x3x16x1xbf16>, tensor<16xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<2x8x8x16xbf16>
    %9 = tosa.maximum %8, %4 : (tensor<2x8x8x16xbf16>, tensor<1x1x1x1xbf16>) -> tensor<2x8x8x16xbf16>
    %10 = tosa.minimum %9, %5 : (tensor<2x8x8x16xbf16>, tensor<1x1x1x1xbf16>) -> tensor<2x8x8x16xbf16>
    %11 = tosa.conv2d %10, %6, %0, %2, %2 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<2x8x8x16xbf16>, tensor<8x1x1x16xbf16>, tensor<8xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<2x8x8x8xbf16>
    %12 = tosa.transpose %11 {perms = array<i32: 0, 3, 1, 2>} : (tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16>
    return %12 : tensor<2x8x8x8xbf16>
  }
}

{-#

#-}
