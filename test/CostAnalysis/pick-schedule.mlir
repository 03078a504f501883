// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules as parameters: of a matmul, of a convolution's implicit GEMM, and of one query token per sequence.
// RUN: split-file %s %t
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%plugin --transform-interpreter -o /dev/null
// RUN: %{opt} %t/schedules.mlir 2>&1 | FileCheck %s
// RUN: not %{opt} %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE

// The library picks 128 x 256 by shape. 128 x 128 tiles and a split of 4 give 1,024 workgroups.
// CHECK: remark: schedule: faster than the library, which selects the tile 128x256 by a heuristic on the shape
// CHECK: remark: matmul 128 : i64, 128 : i64, 64 : i64, 4 : i64, {{[2-5]}} : i64, {{4|8}} : i64
// CHECK: remark: time [[#%u,]] : i64
// 8 * 56 * 56 pixels, 64 channels.
// CHECK: remark: convolution {{[0-9]+}} : i64, {{32|64}} : i64, {{32|64}} : i64, {{[0-9]+}} : i64, {{[2-5]}} : i64, {{4|8}} : i64
// 4 query heads share each of 8 heads of the cache, so 8 workgroups would leave 100 of 108 SMs idle: the keys are split. No K step.
// CHECK: remark: decode {{16|32|64}} : i64, {{32|64|128}} : i64, 0 : i64, {{16|32}} : i64
//--- schedules.mlir
module attributes {gpucost.scenario = #gpucost.scenario<target = "a100-bf16">, transform.with_named_sequence} {
  func.func @main(%a: tensor<4096x4096xbf16>, %b: tensor<4096x1024xbf16>, %c: tensor<4096x1024xbf16>,
                  %image: tensor<8x58x58x64xbf16>, %filter: tensor<3x3x64x64xbf16>, %out: tensor<8x56x56x64xbf16>)
      -> (tensor<4096x1024xbf16>, tensor<8x56x56x64xbf16>) {
    %p = linalg.matmul ins(%a, %b : tensor<4096x4096xbf16>, tensor<4096x1024xbf16>)
        outs(%c : tensor<4096x1024xbf16>) -> tensor<4096x1024xbf16>
    %q = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<8x58x58x64xbf16>, tensor<3x3x64x64xbf16>)
        outs(%out : tensor<8x56x56x64xbf16>) -> tensor<8x56x56x64xbf16>
    gpucost.kernel "decode" attributes {work = #gpucost.work<family = attention, format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.attention<batch = 1, heads = 32, kv_heads = 8, query_length = 1, kv_length = 16384, head_dim = 128>, tensor_flops = 268435456, bytes_read = 67117056, bytes_written = 8192>} {
    }
    return %p, %q : tensor<4096x1024xbf16>, tensor<8x56x56x64xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %conv = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %m:7 = transform.gpucost.pick_schedule %mm : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>,
        !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    %all = transform.merge_handles %m#0, %m#1, %m#2, %m#3, %m#4, %m#5 : !transform.param<i64>
    transform.debug.emit_param_as_remark %all, "matmul" : !transform.param<i64>
    transform.debug.emit_param_as_remark %m#6, "time" : !transform.param<i64>
    %c:7 = transform.gpucost.pick_schedule %conv {objective = "energy"} : (!transform.any_op) -> (!transform.param<i64>,
        !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>,
        !transform.param<i64>)
    %fields = transform.merge_handles %c#0, %c#1, %c#2, %c#3, %c#4, %c#5 : !transform.param<i64>
    transform.debug.emit_param_as_remark %fields, "convolution" : !transform.param<i64>
    %attention = transform.structured.match ops{["gpucost.kernel"]} in %root : (!transform.any_op) -> !transform.any_op
    %d:7 = transform.gpucost.pick_schedule %attention : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>,
        !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    %split = transform.merge_handles %d#0, %d#1, %d#2, %d#3 : !transform.param<i64>
    transform.debug.emit_param_as_remark %split, "decode" : !transform.param<i64>
    transform.yield
  }
}

// (L14) A product of widened operands runs on tensor cores: below 100 us, not 250 us or more.
// RUN: %{opt} %t/widened.mlir 2>&1 | FileCheck %s --check-prefix=WIDENED
// WIDENED: remark: schedule {{[0-9][0-9]}}{{[0-9][0-9][0-9]}} : i64
// WIDENED: remark: tile {{[0-9][0-9]}}{{[0-9][0-9][0-9]}} : i64
//--- widened.mlir
module attributes {gpucost.scenario = #gpucost.scenario<target = "a100-bf16">, transform.with_named_sequence} {
  func.func @main(%a: tensor<512x1024xbf16>, %b: tensor<1024x4096xbf16>, %c: tensor<512x4096xf32>, %wa: tensor<512x1024xf32>,
                  %wb: tensor<1024x4096xf32>) -> tensor<512x4096xf32> {
    %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<512x1024xbf16>) outs(%wa : tensor<512x1024xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %w = arith.extf %in : bf16 to f32
      linalg.yield %w : f32
    } -> tensor<512x1024xf32>
    %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%b : tensor<1024x4096xbf16>) outs(%wb : tensor<1024x4096xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %w = arith.extf %in : bf16 to f32
      linalg.yield %w : f32
    } -> tensor<1024x4096xf32>
    %p = linalg.matmul ins(%x, %y : tensor<512x1024xf32>, tensor<1024x4096xf32>)
        outs(%c : tensor<512x4096xf32>) -> tensor<512x4096xf32>
    return %p : tensor<512x4096xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %s:7 = transform.gpucost.pick_schedule %mm : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>,
        !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.debug.emit_param_as_remark %s#6, "schedule" : !transform.param<i64>
    %m, %n, %k, %ns = transform.gpucost.pick_tile %mm from [64, 128] x [64, 128]
        : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.debug.emit_param_as_remark %ns, "tile" : !transform.param<i64>
    transform.yield
  }
}

// NONE: error: no schedule: expected a matrix product, a convolution, attention or a memory-bound kernel
// NONE: note: of this op
//--- none.mlir
module attributes {gpucost.scenario = #gpucost.scenario<target = "a100-bf16">, transform.with_named_sequence} {
  func.func @main(%image: tensor<8x58x58x64xbf16>, %window: tensor<3x3xbf16>, %out: tensor<8x56x56x64xbf16>) -> tensor<8x56x56x64xbf16> {
    %p = linalg.pooling_nhwc_max ins(%image, %window : tensor<8x58x58x64xbf16>, tensor<3x3xbf16>)
        outs(%out : tensor<8x56x56x64xbf16>) -> tensor<8x56x56x64xbf16>
    return %p : tensor<8x56x56x64xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %p = transform.structured.match ops{["linalg.pooling_nhwc_max"]} in %root : (!transform.any_op) -> !transform.any_op
    %m:7 = transform.gpucost.pick_schedule %p : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>,
        !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.yield
  }
}
