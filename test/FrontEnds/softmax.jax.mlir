// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JAX 0.10.2 and IREE 3.13.0, input phase in generic form: softmax over 262144 rows of 512 bf16 numbers. A compiler makes one kernel
// of it, which reads and writes each number once: 2 * 2 * 134217728 bytes.
// RUN: gpu-cost-opt %s --target=a100-bf16 --strict --runtime=compiled --report=json | FileCheck %s
// CHECK: "matrix_flops": 0
// CHECK: "compulsory_bytes": 536870912
// CHECK: "launches": 1
// CHECK: "shape": "rows=262144 cols=512"

"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<32x16x512x512xbf16>) -> tensor<32x16x512x512xbf16>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<32x16x512x512xbf16>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %1 = "arith.constant"() <{value = 0xFF80 : bf16}> : () -> bf16
    %2 = "tensor.empty"() : () -> tensor<32x16x512xbf16>
    %3 = "linalg.fill"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg23: bf16, %arg24: bf16):
      "linalg.yield"(%arg23) : (bf16) -> ()
    }) : (bf16, tensor<32x16x512xbf16>) -> tensor<32x16x512xbf16>
    %4 = "linalg.generic"(%arg0, %3) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg21: bf16, %arg22: bf16):
      %29 = "arith.maximumf"(%arg22, %arg21) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%29) : (bf16) -> ()
    }) : (tensor<32x16x512x512xbf16>, tensor<32x16x512xbf16>) -> tensor<32x16x512xbf16>
    %5 = "tensor.empty"() : () -> tensor<32x16x512x512xbf16>
    %6 = "linalg.generic"(%4, %5) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg19: bf16, %arg20: bf16):
      "linalg.yield"(%arg19) : (bf16) -> ()
    }) : (tensor<32x16x512xbf16>, tensor<32x16x512x512xbf16>) -> tensor<32x16x512x512xbf16>
    %7 = "tensor.empty"() : () -> tensor<32x16x512x512xbf16>
    %8 = "linalg.generic"(%arg0, %6, %7) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg16: bf16, %arg17: bf16, %arg18: bf16):
      %28 = "arith.subf"(%arg16, %arg17) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%28) : (bf16) -> ()
    }) : (tensor<32x16x512x512xbf16>, tensor<32x16x512x512xbf16>, tensor<32x16x512x512xbf16>) -> tensor<32x16x512x512xbf16>
    %9 = "tensor.empty"() : () -> tensor<32x16x512x512xbf16>
    %10 = "linalg.generic"(%8, %9) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg14: bf16, %arg15: bf16):
      %27 = "math.exp"(%arg14) <{fastmath = #arith.fastmath<none>}> : (bf16) -> bf16
      "linalg.yield"(%27) : (bf16) -> ()
    }) : (tensor<32x16x512x512xbf16>, tensor<32x16x512x512xbf16>) -> tensor<32x16x512x512xbf16>
    %11 = "tensor.empty"() : () -> tensor<32x16x512x512xf32>
    %12 = "linalg.generic"(%10, %11) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg12: bf16, %arg13: f32):
      %26 = "arith.extf"(%arg12) : (bf16) -> f32
      "linalg.yield"(%26) : (f32) -> ()
    }) : (tensor<32x16x512x512xbf16>, tensor<32x16x512x512xf32>) -> tensor<32x16x512x512xf32>
    %13 = "tensor.empty"() : () -> tensor<32x16x512xf32>
    %14 = "linalg.fill"(%0, %13) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg10: f32, %arg11: f32):
      "linalg.yield"(%arg10) : (f32) -> ()
    }) : (f32, tensor<32x16x512xf32>) -> tensor<32x16x512xf32>
    %15 = "linalg.generic"(%12, %14) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      %25 = "arith.addf"(%arg9, %arg8) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%25) : (f32) -> ()
    }) : (tensor<32x16x512x512xf32>, tensor<32x16x512xf32>) -> tensor<32x16x512xf32>
    %16 = "tensor.empty"() : () -> tensor<32x16x512xbf16>
    %17 = "linalg.generic"(%15, %16) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg6: f32, %arg7: bf16):
      %24 = "arith.truncf"(%arg6) : (f32) -> bf16
      "linalg.yield"(%24) : (bf16) -> ()
    }) : (tensor<32x16x512xf32>, tensor<32x16x512xbf16>) -> tensor<32x16x512xbf16>
    %18 = "tensor.expand_shape"(%17) <{reassociation = [[0], [1], [2, 3]], static_output_shape = array<i64: 32, 16, 512, 1>}> : (tensor<32x16x512xbf16>) -> tensor<32x16x512x1xbf16>
    %19 = "tensor.empty"() : () -> tensor<32x16x512x512xbf16>
    %20 = "linalg.generic"(%18, %19) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg4: bf16, %arg5: bf16):
      "linalg.yield"(%arg4) : (bf16) -> ()
    }) : (tensor<32x16x512x1xbf16>, tensor<32x16x512x512xbf16>) -> tensor<32x16x512x512xbf16>
    %21 = "tensor.empty"() : () -> tensor<32x16x512x512xbf16>
    %22 = "linalg.generic"(%10, %20, %21) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg1: bf16, %arg2: bf16, %arg3: bf16):
      %23 = "arith.divf"(%arg1, %arg2) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%23) : (bf16) -> ()
    }) : (tensor<32x16x512x512xbf16>, tensor<32x16x512x512xbf16>, tensor<32x16x512x512xbf16>) -> tensor<32x16x512x512xbf16>
    "util.return"(%22) : (tensor<32x16x512x512xbf16>) -> ()
  }) : () -> ()
}) : () -> ()