// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters times the columns (im2col) of 32 images with 7 x 7 pixels: loops (image, filter, position, k).
module attributes {gpucost.scenario = #gpucost.scenario<target = "a100-bf16">, transform.with_named_sequence} {
  func.func @main(%filters: tensor<512x2048xbf16>, %columns: tensor<32x2048x49xbf16>, %out: tensor<32x512x49xbf16>) -> tensor<32x512x49xbf16> {
    %p = linalg.generic {indexing_maps = [affine_map<(i, f, p, k) -> (f, k)>, affine_map<(i, f, p, k) -> (i, k, p)>, affine_map<(i, f, p, k) -> (i, f, p)>],
        iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%filters, %columns : tensor<512x2048xbf16>, tensor<32x2048x49xbf16>) outs(%out : tensor<32x512x49xbf16>) {
      ^bb0(%a: bf16, %b: bf16, %c: bf16):
        %m = arith.mulf %a, %b : bf16
        %s = arith.addf %c, %m : bf16
        linalg.yield %s : bf16
    } -> tensor<32x512x49xbf16>
    return %p : tensor<32x512x49xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %product = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %m, %n, %k, %ns = transform.gpucost.pick_tile %product from [64, 128] x [16, 32, 64, 128, 256] x [32, 64]
        : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.debug.emit_param_as_remark %n, "columns" : !transform.param<i64>
    transform.debug.emit_param_as_remark %ns, "query" : !transform.param<i64>
    %tiled, %loop = transform.structured.tile_using_forall %product tile_sizes [1, %m, %n] (mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %step, %inner = transform.structured.tile_using_for %tiled tile_sizes [0, 0, 0, %k] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %t = transform.gpucost.estimate %loop : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %t, "tiled" : !transform.param<i64>
    transform.yield
  }
}
