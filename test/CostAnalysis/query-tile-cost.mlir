// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Query, tile, cost: pick_tile predicts for a tile the cost of the nest with this tile,
// ragged sizes included.
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%plugin --transform-interpreter -o %t.mlir
// RUN: sed 's/\[128\] x \[128\] x \[32\]/[64] x [128] x [32]/' %s | %{opt} 2>&1 | FileCheck %s
// RUN: sed 's/\[128\] x \[128\] x \[32\]/[128] x [256] x [64]/' %s | %{opt} 2>&1 | FileCheck %s
// RUN: sed 's/\[128\] x \[128\] x \[32\]/[32] x [64] x [64]/' %s | %{opt} 2>&1 | FileCheck %s
// RUN: sed 's/\[128\] x \[128\] x \[32\]/[256] x [128] x [32]/' %s | %{opt} 2>&1 | FileCheck %s
// RUN: sed 's/2048x/2050x/g' %s | %{opt} 2>&1 | FileCheck %s
// RUN: sed 's/a100-bf16/l4-bf16/' %s | %{opt} 2>&1 | FileCheck %s
// RUN: %{opt} %s 2>&1 | FileCheck %s
// CHECK: remark: query [[#%u,TIME:]]
// CHECK: remark: tiled [[#TIME]]

module attributes {gpucost.scenario = #gpucost.scenario<target = "a100-bf16">, transform.with_named_sequence} {
  func.func @main(%a: tensor<2048x1024xbf16>, %b: tensor<1024x4096xbf16>, %c: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
    %p = linalg.matmul ins(%a, %b : tensor<2048x1024xbf16>, tensor<1024x4096xbf16>)
        outs(%c : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    return %p : tensor<2048x4096xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %m, %n, %k, %ns = transform.gpucost.pick_tile %mm from [128] x [128] x [32]
        : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.debug.emit_param_as_remark %ns, "query" : !transform.param<i64>
    %tiled, %loop = transform.structured.tile_using_forall %mm tile_sizes [%m, %n] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %step, %inner = transform.structured.tile_using_for %tiled tile_sizes [0, 0, %k] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %t = transform.gpucost.estimate %loop : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %t, "tiled" : !transform.param<i64>
    transform.yield
  }
}
