// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A two-layer perceptron in bf16, 512 rows: relu(x W1 + b1) W2 + b2. The first
// product is a named op, the second one its generic form with a transposed
// weight; sums are kept in fp32 as a tensor core does, and cast back.
//
// FLOPs of the products: 2 * 512 * 1024 * 4096 each = 4294967296.
//
//   gpu-cost-opt models/linalg-matmul-chain.mlir --target=a100-bf16

#row = affine_map<(d0, d1) -> (d0, d1)>
#bias = affine_map<(d0, d1) -> (d1)>

func.func @perceptron(%x: tensor<512x1024xbf16>, %w1: tensor<1024x4096xbf16>,
                      %b1: tensor<4096xbf16>, %w2: tensor<1024x4096xbf16>,
                      %b2: tensor<1024xbf16>) -> tensor<512x1024xbf16> {
  %zero = arith.constant 0.0 : f32
  %zero_bf16 = arith.constant 0.0 : bf16

  %hidden_empty = tensor.empty() : tensor<512x4096xf32>
  %hidden_zero = linalg.fill ins(%zero : f32) outs(%hidden_empty : tensor<512x4096xf32>)
      -> tensor<512x4096xf32>
  %hidden_sum = linalg.matmul
      ins(%x, %w1 : tensor<512x1024xbf16>, tensor<1024x4096xbf16>)
      outs(%hidden_zero : tensor<512x4096xf32>) -> tensor<512x4096xf32>

  // Bias, relu and the cast back in one kernel.
  %hidden_out = tensor.empty() : tensor<512x4096xbf16>
  %hidden = linalg.generic {
      indexing_maps = [#row, #bias, #row], iterator_types = ["parallel", "parallel"]}
      ins(%hidden_sum, %b1 : tensor<512x4096xf32>, tensor<4096xbf16>)
      outs(%hidden_out : tensor<512x4096xbf16>) {
    ^bb0(%sum: f32, %b: bf16, %out: bf16):
      %rounded = arith.truncf %sum : f32 to bf16
      %biased = arith.addf %rounded, %b : bf16
      %relu = arith.maximumf %biased, %zero_bf16 : bf16
      linalg.yield %relu : bf16
  } -> tensor<512x4096xbf16>

  %y_empty = tensor.empty() : tensor<512x1024xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<512x1024xf32>)
      -> tensor<512x1024xf32>
  %y_sum = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%hidden, %w2 : tensor<512x4096xbf16>, tensor<1024x4096xbf16>)
      outs(%y_zero : tensor<512x1024xf32>) {
    ^bb0(%a: bf16, %b: bf16, %acc: f32):
      %a32 = arith.extf %a : bf16 to f32
      %b32 = arith.extf %b : bf16 to f32
      %product = arith.mulf %a32, %b32 : f32
      %sum = arith.addf %acc, %product : f32
      linalg.yield %sum : f32
  } -> tensor<512x1024xf32>

  %y_out = tensor.empty() : tensor<512x1024xbf16>
  %y = linalg.generic {
      indexing_maps = [#row, #bias, #row], iterator_types = ["parallel", "parallel"]}
      ins(%y_sum, %b2 : tensor<512x1024xf32>, tensor<1024xbf16>)
      outs(%y_out : tensor<512x1024xbf16>) {
    ^bb0(%sum: f32, %b: bf16, %out: bf16):
      %rounded = arith.truncf %sum : f32 to bf16
      %biased = arith.addf %rounded, %b : bf16
      linalg.yield %biased : bf16
  } -> tensor<512x1024xbf16>
  return %y : tensor<512x1024xbf16>
}
