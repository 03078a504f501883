// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For widened-epilogue.test: the first matmul of a model with its epilogue, as a query and in loops.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %all = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %op, %rest = transform.split_handle %all : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %last, %others, %epilogue = transform.gpucost.pick_epilogue %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %m, %n, %k, %ns = transform.gpucost.pick_tile %op with %epilogue from [64] x [128] x [64]
      : (!transform.any_op, !transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.debug.emit_param_as_remark %ns, "query" : !transform.param<i64>
    %tiled, %ctas = transform.structured.tile_using_forall %last tile_sizes [64, 128] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %grid = transform.structured.fuse_into_containing_op %others into %ctas : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %product = transform.structured.match ops{["linalg.matmul"]} in %grid : (!transform.any_op) -> !transform.any_op
    %step, %steps = transform.structured.tile_using_for %product tile_sizes [0, 0, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %time = transform.gpucost.estimate %grid : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %time, "tiled" : !transform.param<i64>
    transform.yield
  }
}
