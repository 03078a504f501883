// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two matmuls: one with an add, an exponential and two readers of that; one whose reader
// transposes.
module attributes {gpucost.scenario = #gpucost.scenario<target = "a100-bf16">, transform.with_named_sequence} {
  func.func @main(%x: tensor<2048x1024xbf16>, %w: tensor<1024x2048xbf16>, %r: tensor<2048x2048xbf16>)
      -> (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) {
    %zero = arith.constant 0.0 : bf16
    %empty = tensor.empty() : tensor<2048x2048xbf16>
    %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %first = linalg.matmul {first} ins(%x, %w : tensor<2048x1024xbf16>, tensor<1024x2048xbf16>) outs(%init : tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %sum = linalg.add ins(%first, %r : tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) outs(%empty : tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %exp = linalg.exp ins(%sum : tensor<2048x2048xbf16>) outs(%empty : tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %one = linalg.sqrt ins(%exp : tensor<2048x2048xbf16>) outs(%empty : tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %two = linalg.tanh ins(%exp : tensor<2048x2048xbf16>) outs(%empty : tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %second = linalg.matmul {second} ins(%x, %w : tensor<2048x1024xbf16>, tensor<1024x2048xbf16>) outs(%init : tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
    %turned = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%second : tensor<2048x2048xbf16>) outs(%empty : tensor<2048x2048xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %e = math.exp %in : bf16
        linalg.yield %e : bf16
    } -> tensor<2048x2048xbf16>
    return %one, %two, %turned : tensor<2048x2048xbf16>, tensor<2048x2048xbf16>, tensor<2048x2048xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %first = transform.structured.match attributes {first} in %root : (!transform.any_op) -> !transform.any_op
    %last, %others, %epilogue = transform.gpucost.pick_epilogue %first {objective = "time"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.match.operation_name %last ["linalg.exp"] : !transform.any_op
    transform.debug.emit_remark_at %last, "ends with the exponential" : !transform.any_op
    %second = transform.structured.match attributes {second} in %root : (!transform.any_op) -> !transform.any_op
    %alone, %fill, %none = transform.gpucost.pick_epilogue %second : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.match.operation_name %alone ["linalg.matmul"] : !transform.any_op
    transform.debug.emit_remark_at %alone, "is alone" : !transform.any_op
    transform.yield
  }
}
