// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4096x1024xbf16>, %b: tensor<1024x4096xbf16>) -> tensor<4096x4096xf32> {
    %zero = arith.constant 0.0 : f32
    %ea = tensor.empty() : tensor<256x64x16x16xbf16>
    %pa = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %ea : tensor<4096x1024xbf16> -> tensor<256x64x16x16xbf16>
    %eb = tensor.empty() : tensor<256x64x16x16xbf16>
    %pb = linalg.pack %b outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 16] into %eb : tensor<1024x4096xbf16> -> tensor<256x64x16x16xbf16>
    %ec = tensor.empty() : tensor<256x256x16x16xf32>
    %c = linalg.fill ins(%zero : f32) outs(%ec : tensor<256x256x16x16xf32>) -> tensor<256x256x16x16xf32>
    %p = linalg.generic {indexing_maps = [affine_map<(i, j, k, m, n, l) -> (i, k, m, l)>, affine_map<(i, j, k, m, n, l) -> (j, k, n, l)>, affine_map<(i, j, k, m, n, l) -> (i, j, m, n)>], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
        ins(%pa, %pb : tensor<256x64x16x16xbf16>, tensor<256x64x16x16xbf16>) outs(%c : tensor<256x256x16x16xf32>) {
    ^bb0(%x: bf16, %y: bf16, %o: f32):
      %wx = arith.extf %x : bf16 to f32
      %wy = arith.extf %y : bf16 to f32
      %m = arith.mulf %wx, %wy : f32
      %s = arith.addf %o, %m : f32
      linalg.yield %s : f32
    } -> tensor<256x256x16x16xf32>
    %e = tensor.empty() : tensor<4096x4096xf32>
    %r = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %e : tensor<256x256x16x16xf32> -> tensor<4096x4096xf32>
    return %r : tensor<4096x4096xf32>
  }
  transform.named_sequence @tile(%root: !transform.any_op) {
    %packs = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    %tp, %gp = transform.structured.tile_using_forall %packs tile_sizes [8, 4] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %unpack = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %tu, %grid = transform.structured.tile_using_forall %unpack tile_sizes [128, 128] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %grid1 = transform.structured.fuse_into_containing_op %op into %grid : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %f1, %grid2 = transform.structured.fuse_into_containing_op %fill into %grid1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %k, %loop = transform.structured.tile_using_for %tiled tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.yield
  }
  transform.named_sequence @lower(%root: !transform.any_op) {
    %packs = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.op<"linalg.pack">
    %lp:3 = transform.structured.lower_pack %packs : (!transform.op<"linalg.pack">) -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    %unpacks = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.op<"linalg.unpack">
    %lu:4 = transform.structured.lower_unpack %unpacks : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
  transform.named_sequence @launch(%root: !transform.any_op) {
    %nests = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %nests : !transform.any_op {
    ^bb0(%nest: !transform.any_op):
      %l = transform.gpu.map_forall_to_blocks %nest generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
  transform.named_sequence @vectors(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %v = transform.structured.vectorize_children_and_apply_patterns %f {fold_type_extensions_into_contract} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
