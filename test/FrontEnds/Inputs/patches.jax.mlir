// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<768xbf16>, tensor<768x3x16x16xbf16>, tensor<32x3x224x224xbf16>) -> tensor<32x196x768xbf16>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<768xbf16>, %arg1: tensor<768x3x16x16xbf16>, %arg2: tensor<32x3x224x224xbf16>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %1 = "tensor.empty"() : () -> tensor<32x224x224x3xbf16>
    %2 = "linalg.generic"(%arg2, %1) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg19: bf16, %arg20: bf16):
      "linalg.yield"(%arg19) : (bf16) -> ()
    }) : (tensor<32x3x224x224xbf16>, tensor<32x224x224x3xbf16>) -> tensor<32x224x224x3xbf16>
    %3 = "tensor.empty"() : () -> tensor<16x16x3x768xbf16>
    %4 = "linalg.generic"(%arg1, %3) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d2, d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg17: bf16, %arg18: bf16):
      "linalg.yield"(%arg17) : (bf16) -> ()
    }) : (tensor<768x3x16x16xbf16>, tensor<16x16x3x768xbf16>) -> tensor<16x16x3x768xbf16>
    %5 = "tensor.empty"() : () -> tensor<32x14x14x768xbf16>
    %6 = "linalg.fill"(%0, %5) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg15: bf16, %arg16: bf16):
      "linalg.yield"(%arg15) : (bf16) -> ()
    }) : (bf16, tensor<32x14x14x768xbf16>) -> tensor<32x14x14x768xbf16>
    %7 = "linalg.conv_2d_nhwc_hwcf"(%2, %4, %6) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<16> : tensor<2xi64>}> ({
    ^bb0(%arg12: bf16, %arg13: bf16, %arg14: bf16):
      %18 = "arith.mulf"(%arg12, %arg13) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      %19 = "arith.addf"(%arg14, %18) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%19) : (bf16) -> ()
    }) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 16 + d4, d2 * 16 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]} : (tensor<32x224x224x3xbf16>, tensor<16x16x3x768xbf16>, tensor<32x14x14x768xbf16>) -> tensor<32x14x14x768xbf16>
    %8 = "tensor.empty"() : () -> tensor<32x768x14x14xbf16>
    %9 = "linalg.generic"(%7, %8) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg10: bf16, %arg11: bf16):
      "linalg.yield"(%arg10) : (bf16) -> ()
    }) : (tensor<32x14x14x768xbf16>, tensor<32x768x14x14xbf16>) -> tensor<32x768x14x14xbf16>
    %10 = "tensor.empty"() : () -> tensor<32x768x14x14xbf16>
    %11 = "linalg.generic"(%arg0, %10) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg8: bf16, %arg9: bf16):
      "linalg.yield"(%arg8) : (bf16) -> ()
    }) : (tensor<768xbf16>, tensor<32x768x14x14xbf16>) -> tensor<32x768x14x14xbf16>
    %12 = "tensor.empty"() : () -> tensor<32x768x14x14xbf16>
    %13 = "linalg.generic"(%9, %11, %12) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg5: bf16, %arg6: bf16, %arg7: bf16):
      %17 = "arith.addf"(%arg5, %arg6) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%17) : (bf16) -> ()
    }) : (tensor<32x768x14x14xbf16>, tensor<32x768x14x14xbf16>, tensor<32x768x14x14xbf16>) -> tensor<32x768x14x14xbf16>
    %14 = "tensor.collapse_shape"(%13) <{reassociation = [[0], [1], [2, 3]]}> : (tensor<32x768x14x14xbf16>) -> tensor<32x768x196xbf16>
    %15 = "tensor.empty"() : () -> tensor<32x196x768xbf16>
    %16 = "linalg.generic"(%14, %15) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg3: bf16, %arg4: bf16):
      "linalg.yield"(%arg3) : (bf16) -> ()
    }) : (tensor<32x768x196xbf16>, tensor<32x196x768xbf16>) -> tensor<32x196x768xbf16>
    "util.return"(%16) : (tensor<32x196x768xbf16>) -> ()
  }) : () -> ()
}) : () -> ()