// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A change of the tile must not make the loops slower: 128 x 128 tiles read each operand half as often as
// 64 x 64 tiles.
// RUN: %predict %s -o /dev/null
module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4096x4096xbf16>, %b: tensor<4096x4096xbf16>, %c: tensor<4096x4096xf32>)
      -> (tensor<4096x4096xf32>, tensor<4096x4096xf32>) {
    %old = linalg.matmul {old} ins(%a, %b : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>)
        outs(%c : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    %new = linalg.matmul {new} ins(%b, %a : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>)
        outs(%c : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    return %old, %new : tensor<4096x4096xf32>, tensor<4096x4096xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %old = transform.structured.match attributes {old} in %root : (!transform.any_op) -> !transform.any_op
    %new = transform.structured.match attributes {new} in %root : (!transform.any_op) -> !transform.any_op
    %0, %small = transform.structured.tile_using_forall %old tile_sizes [64, 64] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %1, %large = transform.structured.tile_using_forall %new tile_sizes [128, 128] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.gpucost.expect_time %large relative to %small by [-60, -5] percent : !transform.any_op, !transform.any_op
    transform.yield
  }
}
