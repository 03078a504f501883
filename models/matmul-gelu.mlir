// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half of a transformer's feed-forward block in bf16, for 4096 tokens: one matrix
// product and GELU. docs/CostModel.md computes its time and energy by hand.
//
// FLOPs of the product: 2 * 4096 * 4096 * 1024 = 34359738368.
//
//   gpu-cost-opt models/matmul-gelu.mlir --target=a100-bf16

func.func @main(%x: tensor<4096x1024xbf16>, %w: tensor<1024x4096xbf16>)
    -> tensor<4096x4096xbf16> {
  %h = onnx.MatMul %x, %w : (tensor<4096x1024xbf16>, tensor<1024x4096xbf16>)
      -> tensor<4096x4096xbf16>
  %y = onnx.Gelu %h : (tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %y : tensor<4096x4096xbf16>
}
