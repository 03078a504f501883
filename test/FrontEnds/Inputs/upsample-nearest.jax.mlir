// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<2x8x4x4xbf16>) -> tensor<2x8x8x8xbf16>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x8x4x4xbf16>):
    %0 = "tensor.empty"() : () -> tensor<2x8x4x2x4xbf16>
    %1 = "linalg.generic"(%arg0, %0) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg3: bf16, %arg4: bf16):
      "linalg.yield"(%arg3) : (bf16) -> ()
    }) : (tensor<2x8x4x4xbf16>, tensor<2x8x4x2x4xbf16>) -> tensor<2x8x4x2x4xbf16>
    %2 = "tensor.collapse_shape"(%1) <{reassociation = [[0], [1], [2, 3], [4]]}> : (tensor<2x8x4x2x4xbf16>) -> tensor<2x8x8x4xbf16>
    %3 = "tensor.empty"() : () -> tensor<2x8x8x4x2xbf16>
    %4 = "linalg.generic"(%2, %3) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: bf16, %arg2: bf16):
      "linalg.yield"(%arg1) : (bf16) -> ()
    }) : (tensor<2x8x8x4xbf16>, tensor<2x8x8x4x2xbf16>) -> tensor<2x8x8x4x2xbf16>
    %5 = "tensor.collapse_shape"(%4) <{reassociation = [[0], [1], [2], [3, 4]]}> : (tensor<2x8x8x4x2xbf16>) -> tensor<2x8x8x8xbf16>
    "util.return"(%5) : (tensor<2x8x8x8xbf16>) -> ()
  }) : () -> ()
}) : () -> ()