// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs with which split_by_cost.py decides whether the sum over K of a matmul is split among workgroups. It replaces FACTOR, the number of
// parts.
module attributes {transform.with_named_sequence} {
  // The best tile of each matmul.
  transform.named_sequence @whole(%root: !transform.any_op {transform.readonly}) {
    %products = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %products : !transform.any_op {
    ^bb0(%product: !transform.any_op):
      %m, %n, %k, %ns = transform.gpucost.pick_tile %product from [64, 128, 256] x [64, 128, 256]
          : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
      transform.debug.emit_param_as_remark %m, "rows" at %product : !transform.param<i64>, !transform.any_op
      transform.debug.emit_param_as_remark %n, "columns" at %product : !transform.param<i64>, !transform.any_op
      transform.debug.emit_param_as_remark %ns, "whole" at %product : !transform.param<i64>, !transform.any_op
    }
    transform.yield
  }
  // Likewise for FACTOR products of a part of K each, and the kernel that adds them.
  transform.named_sequence @parts(%root: !transform.any_op {transform.consumed}) {
    %products = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %products : !transform.any_op {
    ^bb0(%product: !transform.any_op):
      %init, %fill, %parts, %sum = transform.structured.split_reduction %product {split_factor = FACTOR, insert_split_dimension = 0}
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
      %m, %n, %k, %ns = transform.gpucost.pick_tile %parts from [64, 128, 256] x [64, 128, 256]
          : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
      transform.debug.emit_param_as_remark %ns, "parts" at %parts : !transform.param<i64>, !transform.any_op
      %add = transform.gpucost.estimate %sum : (!transform.any_op) -> !transform.param<i64>
      transform.debug.emit_param_as_remark %add, "sum" at %sum : !transform.param<i64>, !transform.any_op
    }
    transform.yield
  }
}
