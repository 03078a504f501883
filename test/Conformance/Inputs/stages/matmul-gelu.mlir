// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4096x1024xbf16>, %b: tensor<1024x4096xbf16>, %bias: tensor<4096xf32>, %d: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<4096x4096xf32>
    %c = linalg.fill ins(%zero : f32) outs(%empty : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    %p = linalg.matmul ins(%a, %b : tensor<4096x1024xbf16>, tensor<1024x4096xbf16>) outs(%c : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%p, %bias : tensor<4096x4096xf32>, tensor<4096xf32>) outs(%d : tensor<4096x4096xbf16>) {
    ^bb0(%x: f32, %y: f32, %o: bf16):
      %s = arith.addf %x, %y : f32
      %h = arith.constant 0.70710678 : f32
      %one = arith.constant 1.0 : f32
      %t = arith.mulf %s, %h : f32
      %e = math.erf %t : f32
      %u = arith.addf %e, %one : f32
      %v = arith.mulf %s, %u : f32
      %w = arith.truncf %v : f32 to bf16
      linalg.yield %w : bf16
    } -> tensor<4096x4096xbf16>
    return %r : tensor<4096x4096xbf16>
  }
  transform.named_sequence @tile(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %grid = transform.structured.tile_using_forall %op tile_sizes [128, 128] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %m1, %grid1 = transform.structured.fuse_into_containing_op %mm into %grid : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %f1, %grid2 = transform.structured.fuse_into_containing_op %fill into %grid1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %k, %loop = transform.structured.tile_using_for %m1 tile_sizes [0, 0, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // Erases fused producers, and takes the accumulators from the whole tensor into the tile.
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.yield
  }
  transform.named_sequence @launch(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %l = transform.gpu.map_forall_to_blocks %f generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @vectors(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %v = transform.structured.vectorize_children_and_apply_patterns %f {fold_type_extensions_into_contract} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
