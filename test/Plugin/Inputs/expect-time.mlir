// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//--- range.mlir
module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<2048x4096xbf16>, %b: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
    %s = linalg.add ins(%a, %b : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>) outs(%a : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    return %s : tensor<2048x4096xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.gpucost.expect_time %add within [1 us, 2 us] : !transform.any_op
    transform.yield
  }
}
//--- near.mlir
module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<2048x4096xbf16>, %b: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
    %s = linalg.add ins(%a, %b : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>) outs(%a : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    return %s : tensor<2048x4096xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.gpucost.expect_time %add within 5 percent of 1 ms : !transform.any_op
    transform.yield
  }
}
//--- relative.mlir
module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<2048x4096xbf16>, %b: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
    %s = linalg.add ins(%a, %b : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>) outs(%a : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    return %s : tensor<2048x4096xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.gpucost.expect_time %add relative to %add by [-90, -80] percent : !transform.any_op, !transform.any_op
    transform.yield
  }
}
//--- unknown.mlir
module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<?x4096xbf16>, %b: tensor<?x4096xbf16>) -> tensor<?x4096xbf16> {
    %s = linalg.add ins(%a, %b : tensor<?x4096xbf16>, tensor<?x4096xbf16>) outs(%a : tensor<?x4096xbf16>) -> tensor<?x4096xbf16>
    return %s : tensor<?x4096xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.gpucost.expect_time %add within [0 us, 1 s] : !transform.any_op
    transform.yield
  }
}
