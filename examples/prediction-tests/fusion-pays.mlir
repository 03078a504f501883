// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel for an addition and an exponential saves a third to a half of the time: it moves 3 tensors,
// the two kernels move 5.
// RUN: %predict %s -o /dev/null
module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<4096x4096xbf16>, %b: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
    %s = linalg.add ins(%a, %b : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>)
        outs(%a : tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
    %e = linalg.exp ins(%s : tensor<4096x4096xbf16>) outs(%a : tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
    return %e : tensor<4096x4096xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %both = transform.structured.match ops{["linalg.add", "linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.gpucost.expect_time %both as_kernel relative to %both by [-50, -30] percent
        : !transform.any_op, !transform.any_op
    transform.yield
  }
}
