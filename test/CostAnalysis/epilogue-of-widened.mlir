// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In an MLP of torch-mlir the epilogue of the first matmul is its bias, the cast and GELU. The op after them widens an operand of the
// second matmul, so it is part of that one: in the epilogue of the first one it would leave an fp32 matmul.
// RUN: %mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(transform-preload-library{transform-library-paths=%s},gpucost-set-target{target=a100-bf16},transform-interpreter)' %S/../FrontEnds/mlp-gelu.linalg.mlir -o /dev/null 2>&1 | FileCheck %s
// CHECK: remark: epilogue 3 : i64
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %products = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %products : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %last, %others, %epilogue = transform.gpucost.pick_epilogue %first
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %count = transform.num_associations %epilogue : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %count, "epilogue" : !transform.param<i64>
    transform.yield
  }
}
