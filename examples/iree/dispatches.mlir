// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of each dispatch region of IREE, one compiler-generated kernel, as remarks for dispatches.py.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %dispatches = transform.structured.match ops{["flow.dispatch.workgroups"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.foreach %dispatches : !transform.any_op {
    ^bb0(%dispatch: !transform.any_op):
      %ops = transform.structured.match interface{LinalgOp} in %dispatch : (!transform.any_op) -> !transform.any_op
      %ns, %runtime, %status = transform.gpucost.estimate %ops as_kernel
          : (!transform.any_op) -> (!transform.param<i64>, !transform.any_param, !transform.any_param)
      transform.debug.emit_param_as_remark %ns, "dispatch" at %dispatch : !transform.param<i64>, !transform.any_op
      transform.debug.emit_param_as_remark %status, "status" at %dispatch : !transform.any_param, !transform.any_op
    }
    transform.yield
  }
}
