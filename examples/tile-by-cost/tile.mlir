// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts every matmul of a network into the CTA tiles that are predicted to be best on the
// GPU that the module names (pick_tile). NCHW convolutions become matmuls first.
// tile_by_cost.py chooses between @tile_products and @fuse_products, and replaces OBJECTIVE
// by time or energy, and ROWS and COLUMNS by the sizes to choose from. Remarks give the
// predicted nanoseconds of each matmul, with its epilogue where it has one.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile_convolutions(%root: !transform.any_op) {
    %convolutions = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %convolutions : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %image, %reshaped = transform.structured.convert_conv2d_to_img2col %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      %product = transform.get_producer_of_operand %reshaped[0] : (!transform.any_op) -> !transform.any_op
      %m, %n, %k, %ns = transform.gpucost.pick_tile %product from [ROWS] x [COLUMNS] x [32, 64] {objective = "OBJECTIVE"}
        : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
      transform.debug.emit_param_as_remark %ns, "ns" : !transform.param<i64>
      %tiled, %ctas = transform.structured.tile_using_forall %product tile_sizes [1, %m, %n] (mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
      %step, %steps = transform.structured.tile_using_for %tiled tile_sizes [0, 0, 0, %k] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }

  transform.named_sequence @tile_batches(%root: !transform.any_op) {
    %batched = transform.structured.match ops{["linalg.batch_matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %batched : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %m, %n, %k, %ns = transform.gpucost.pick_tile %op from [ROWS] x [COLUMNS] x [32, 64] {objective = "OBJECTIVE"}
        : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
      transform.debug.emit_param_as_remark %ns, "ns" : !transform.param<i64>
      %tiled, %ctas = transform.structured.tile_using_forall %op tile_sizes [1, %m, %n] (mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
      %step, %steps = transform.structured.tile_using_for %tiled tile_sizes [0, 0, 0, %k] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }

  // Only matmuls; the ops after them stay separate kernels.
  transform.named_sequence @tile_products(%root: !transform.any_op) {
    %products = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %products : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %m, %n, %k, %ns = transform.gpucost.pick_tile %op from [ROWS] x [COLUMNS] x [32, 64] {objective = "OBJECTIVE"}
        : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
      transform.debug.emit_param_as_remark %ns, "ns" : !transform.param<i64>
      %tiled, %ctas = transform.structured.tile_using_forall %op tile_sizes [%m, %n] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
      %step, %steps = transform.structured.tile_using_for %tiled tile_sizes [0, 0, %k] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }

  // Matmuls with the bias, activation, gate or residual that is cheaper in their kernel:
  // the last op is tiled, the others follow it into the loops, and nothing is left of them
  // outside.
  transform.named_sequence @fuse_products(%root: !transform.any_op) {
    %products = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %products : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      %last, %others, %epilogue = transform.gpucost.pick_epilogue %op {objective = "OBJECTIVE"}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
      %m, %n, %k, %ns = transform.gpucost.pick_tile %op with %epilogue from [ROWS] x [COLUMNS] x [32, 64] {objective = "OBJECTIVE"}
        : (!transform.any_op, !transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
      transform.debug.emit_param_as_remark %ns, "ns" : !transform.param<i64>
      %tiled, %ctas = transform.structured.tile_using_forall %last tile_sizes [%m, %n] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
      %fused, %grid = transform.structured.fuse_into_containing_op %others into %ctas : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
      %product = transform.structured.match ops{["linalg.matmul"]} in %grid : (!transform.any_op) -> !transform.any_op
      %step, %steps = transform.structured.tile_using_for %product tile_sizes [0, 0, %k] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    }
    transform.apply_dce to %root : !transform.any_op
    transform.yield
  }
}
