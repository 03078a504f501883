// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two convolutions of ResNet-50's first blocks, batch 8, fp32, on padded images:
// the 7x7 stride-2 stem as a named NCHW op, then a 3x3 one on channels-last data
// in generic form.
//
// FLOPs: stem    2 * 8 * 112 * 112 * 64 * 3 * 7 * 7 = 1888223232
//        generic 2 * 8 * 56 * 56 * 64 * 64 * 3 * 3  = 1849688064
//
//   gpu-cost-opt models/linalg-conv.mlir --target=v100-fp32

func.func @convolutions(%image: tensor<8x3x229x229xf32>, %stem: tensor<64x3x7x7xf32>,
                        %block: tensor<8x58x58x64xf32>, %filter: tensor<3x3x64x64xf32>)
    -> (tensor<8x64x112x112xf32>, tensor<8x56x56x64xf32>) {
  %zero = arith.constant 0.0 : f32

  %a_empty = tensor.empty() : tensor<8x64x112x112xf32>
  %a_zero = linalg.fill ins(%zero : f32) outs(%a_empty : tensor<8x64x112x112xf32>)
      -> tensor<8x64x112x112xf32>
  %a = linalg.conv_2d_nchw_fchw
      {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%image, %stem : tensor<8x3x229x229xf32>, tensor<64x3x7x7xf32>)
      outs(%a_zero : tensor<8x64x112x112xf32>) -> tensor<8x64x112x112xf32>

  %b_empty = tensor.empty() : tensor<8x56x56x64xf32>
  %b_zero = linalg.fill ins(%zero : f32) outs(%b_empty : tensor<8x56x56x64xf32>)
      -> tensor<8x56x56x64xf32>
  %b = linalg.generic {
      indexing_maps = [
        affine_map<(n, oh, ow, f, kh, kw, c) -> (n, oh + kh, ow + kw, c)>,
        affine_map<(n, oh, ow, f, kh, kw, c) -> (kh, kw, c, f)>,
        affine_map<(n, oh, ow, f, kh, kw, c) -> (n, oh, ow, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel",
                        "reduction", "reduction", "reduction"]}
      ins(%block, %filter : tensor<8x58x58x64xf32>, tensor<3x3x64x64xf32>)
      outs(%b_zero : tensor<8x56x56x64xf32>) {
    ^bb0(%pixel: f32, %weight: f32, %acc: f32):
      %product = arith.mulf %pixel, %weight : f32
      %sum = arith.addf %acc, %product : f32
      linalg.yield %sum : f32
  } -> tensor<8x56x56x64xf32>
  return %a, %b : tensor<8x64x112x112xf32>, tensor<8x56x56x64xf32>
}
