// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4096x1024xbf16>, %b: tensor<1024x4096xbf16>, %c: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
    %p = linalg.matmul ins(%a, %b : tensor<4096x1024xbf16>, tensor<1024x4096xbf16>) outs(%c : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    return %p : tensor<4096x4096xf32>
  }
  transform.named_sequence @tile(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %grid = transform.structured.tile_using_forall %mm tile_sizes [128, 128] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %k, %loop = transform.structured.tile_using_for %tiled tile_sizes [0, 0, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %a = transform.get_operand %k[0] : (!transform.any_op) -> !transform.any_value
    %pa = transform.structured.promote_tensor to 3 %a : !transform.any_value
    %b = transform.get_operand %k[1] : (!transform.any_op) -> !transform.any_value
    %pb = transform.structured.promote_tensor to 3 %b : !transform.any_value
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
