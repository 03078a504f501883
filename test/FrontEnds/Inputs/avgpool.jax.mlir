// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<2x8x4x4xbf16>) -> tensor<2x8x2x2xbf16>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x8x4x4xbf16>):
    %0 = "arith.constant"() <{value = 4.000000e+00 : bf16}> : () -> bf16
    %1 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %2 = "tensor.empty"() : () -> tensor<2x8x2x2xbf16>
    %3 = "linalg.generic"(%1, %2) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg6: bf16, %arg7: bf16):
      "linalg.yield"(%arg6) : (bf16) -> ()
    }) : (tensor<bf16>, tensor<2x8x2x2xbf16>) -> tensor<2x8x2x2xbf16>
    %4 = "tensor.empty"() : () -> tensor<2x2xf32>
    %5 = "linalg.generic"(%arg0, %4, %3) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + d4, d3 * 2 + d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg3: bf16, %arg4: f32, %arg5: bf16):
      %9 = "arith.addf"(%arg5, %arg3) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%9) : (bf16) -> ()
    }) : (tensor<2x8x4x4xbf16>, tensor<2x2xf32>, tensor<2x8x2x2xbf16>) -> tensor<2x8x2x2xbf16>
    %6 = "tensor.empty"() : () -> tensor<2x8x2x2xbf16>
    %7 = "linalg.generic"(%5, %6) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: bf16, %arg2: bf16):
      %8 = "arith.divf"(%arg1, %0) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%8) : (bf16) -> ()
    }) : (tensor<2x8x2x2xbf16>, tensor<2x8x2x2xbf16>) -> tensor<2x8x2x2xbf16>
    "util.return"(%7) : (tensor<2x8x2x2xbf16>) -> ()
  }) : () -> ()
}) : () -> ()