// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time of one op: in a range, and near a stated time.
// RUN: %predict %s -o /dev/null
module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<512x1024xbf16>, %b: tensor<1024x4096xbf16>, %c: tensor<512x4096xf32>)
      -> tensor<512x4096xf32> {
    %p = linalg.matmul ins(%a, %b : tensor<512x1024xbf16>, tensor<1024x4096xbf16>)
        outs(%c : tensor<512x4096xf32>) -> tensor<512x4096xf32>
    return %p : tensor<512x4096xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %p = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.gpucost.expect_time %p within [25 us, 45 us] : !transform.any_op
    transform.gpucost.expect_time %p within 5 percent of 33.4 us : !transform.any_op
    transform.yield
  }
}
