// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs with which decompose_by_cost.py decides whether a convolution is kept or decomposed into the columns of its windows and a matmul.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @keep(%root: !transform.any_op {transform.readonly}) {
    %convolutions = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %convolutions : !transform.any_op {
    ^bb0(%convolution: !transform.any_op):
      %ns = transform.gpucost.estimate %convolution : (!transform.any_op) -> !transform.param<i64>
      transform.debug.emit_param_as_remark %ns, "keep" at %convolution : !transform.param<i64>, !transform.any_op
    }
    transform.yield
  }
  transform.named_sequence @decompose(%root: !transform.any_op {transform.consumed}) {
    %convolutions = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %convolutions : !transform.any_op {
    ^bb0(%convolution: !transform.any_op):
      %columns, %result = transform.structured.convert_conv2d_to_img2col %convolution : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
      %product = transform.get_producer_of_operand %result[0] : (!transform.any_op) -> !transform.any_op
      %copy = transform.gpucost.estimate %columns : (!transform.any_op) -> !transform.param<i64>
      transform.debug.emit_param_as_remark %copy, "columns" at %columns : !transform.param<i64>, !transform.any_op
      %ns = transform.gpucost.estimate %product : (!transform.any_op) -> !transform.param<i64>
      transform.debug.emit_param_as_remark %ns, "product" at %product : !transform.param<i64>, !transform.any_op
    }
    transform.yield
  }
}
