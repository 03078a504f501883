// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Widened operands and their product cost the same as one hypothetical kernel and once fused.
// RUN: %mlir-opt --load-dialect-plugin=%plugin --transform-interpreter %s -o %t 2>&1 | FileCheck %s

// CHECK: remark: hypothetical [[#%u,TIME:]] : i64
// CHECK: remark: fused [[#TIME]] : i64
// An fp32 operand keeps the product in fp32: 2*1024^3 FLOP at 19.5 TFLOPS take 110 us.
// CHECK: remark: mixed 1{{[0-9][0-9][0-9][0-9][0-9]}} : i64
#id = affine_map<(i, j) -> (i, j)>
module attributes {gpucost.scenario = #gpucost.scenario<target = "a100-bf16">, transform.with_named_sequence} {
  func.func @main(%x: tensor<1024x1024xbf16>, %w: tensor<1024x1024xbf16>) -> tensor<1024x1024xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<1024x1024xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %xf = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<1024x1024xbf16>) outs(%e : tensor<1024x1024xf32>) attrs = {asked} {
    ^bb0(%i: bf16, %o: f32):
      %r = arith.extf %i : bf16 to f32
      linalg.yield %r : f32
    } -> tensor<1024x1024xf32>
    %wf = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%w : tensor<1024x1024xbf16>) outs(%e : tensor<1024x1024xf32>) attrs = {asked} {
    ^bb0(%i: bf16, %o: f32):
      %r = arith.extf %i : bf16 to f32
      linalg.yield %r : f32
    } -> tensor<1024x1024xf32>
    %m = linalg.matmul {asked} ins(%xf, %wf : tensor<1024x1024xf32>, tensor<1024x1024xf32>)
        outs(%f : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    return %m : tensor<1024x1024xf32>
  }
  func.func @mixed(%x: tensor<1024x1024xbf16>, %w: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<1024x1024xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %m = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                         iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<1024x1024xbf16>, tensor<1024x1024xf32>) outs(%f : tensor<1024x1024xf32>) attrs = {mixed} {
    ^bb0(%a: bf16, %b: f32, %acc: f32):
      %wide = arith.extf %a : bf16 to f32
      %p = arith.mulf %wide, %b : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1024x1024xf32>
    return %m : tensor<1024x1024xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %ops = transform.structured.match attributes {asked} in %root : (!transform.any_op) -> !transform.any_op
    %t = transform.gpucost.estimate %ops as_kernel : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %t, "hypothetical" : !transform.param<i64>
    %x = transform.structured.match attributes {mixed} in %root : (!transform.any_op) -> !transform.any_op
    %n = transform.gpucost.estimate %x : (!transform.any_op) -> !transform.param<i64>
    %main = transform.structured.match ops{["func.func"]} attributes {sym_name = "main"} in %root : (!transform.any_op) -> !transform.any_op
    %general = transform.apply_registered_pass "linalg-generalize-named-ops" to %main : (!transform.any_op) -> !transform.any_op
    %fused = transform.apply_registered_pass "linalg-fuse-elementwise-ops" to %general : (!transform.any_op) -> !transform.any_op
    %k = transform.structured.match attributes {iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>]} in %fused : (!transform.any_op) -> !transform.any_op
    %u = transform.gpucost.estimate %k : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %u, "fused" : !transform.param<i64>
    transform.debug.emit_param_as_remark %n, "mixed" : !transform.param<i64>
    transform.yield
  }
}
