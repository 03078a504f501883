// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0:7 = transform.gpucost.estimate %root
        : (!transform.any_op) -> (!transform.param<i64>, !transform.any_param, !transform.any_param, !transform.param<i64>,
                                  !transform.param<i64>, !transform.any_param, !transform.any_param)
    transform.yield
  }
}
