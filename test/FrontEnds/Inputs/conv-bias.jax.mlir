// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<256xf32>, tensor<256x256x3x3xf32>, tensor<16x256x56x56xf32>) -> tensor<16x256x56x56xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<256xf32>, %arg1: tensor<256x256x3x3xf32>, %arg2: tensor<16x256x56x56xf32>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %1 = "tensor.empty"() : () -> tensor<16x56x56x256xf32>
    %2 = "linalg.generic"(%arg2, %1) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg21: f32, %arg22: f32):
      "linalg.yield"(%arg21) : (f32) -> ()
    }) : (tensor<16x256x56x56xf32>, tensor<16x56x56x256xf32>) -> tensor<16x56x56x256xf32>
    %3 = "tensor.empty"() : () -> tensor<3x3x256x256xf32>
    %4 = "linalg.generic"(%arg1, %3) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d2, d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg19: f32, %arg20: f32):
      "linalg.yield"(%arg19) : (f32) -> ()
    }) : (tensor<256x256x3x3xf32>, tensor<3x3x256x256xf32>) -> tensor<3x3x256x256xf32>
    %5 = "tensor.empty"() : () -> tensor<16x56x56x256xf32>
    %6 = "linalg.fill"(%0, %5) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg17: f32, %arg18: f32):
      "linalg.yield"(%arg17) : (f32) -> ()
    }) : (f32, tensor<16x56x56x256xf32>) -> tensor<16x56x56x256xf32>
    %7 = "tensor.pad"(%2) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_high = array<i64: 0, 1, 1, 0>, static_low = array<i64: 0, 1, 1, 0>}> ({
    ^bb0(%arg13: index, %arg14: index, %arg15: index, %arg16: index):
      "tensor.yield"(%0) : (f32) -> ()
    }) : (tensor<16x56x56x256xf32>) -> tensor<16x58x58x256xf32>
    %8 = "linalg.conv_2d_nhwc_hwcf"(%7, %4, %6) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg10: f32, %arg11: f32, %arg12: f32):
      %16 = "arith.mulf"(%arg10, %arg11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %17 = "arith.addf"(%arg12, %16) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%17) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]} : (tensor<16x58x58x256xf32>, tensor<3x3x256x256xf32>, tensor<16x56x56x256xf32>) -> tensor<16x56x56x256xf32>
    %9 = "tensor.empty"() : () -> tensor<16x256x56x56xf32>
    %10 = "linalg.generic"(%8, %9) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      "linalg.yield"(%arg8) : (f32) -> ()
    }) : (tensor<16x56x56x256xf32>, tensor<16x256x56x56xf32>) -> tensor<16x256x56x56xf32>
    %11 = "tensor.empty"() : () -> tensor<16x256x56x56xf32>
    %12 = "linalg.generic"(%arg0, %11) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      "linalg.yield"(%arg6) : (f32) -> ()
    }) : (tensor<256xf32>, tensor<16x256x56x56xf32>) -> tensor<16x256x56x56xf32>
    %13 = "tensor.empty"() : () -> tensor<16x256x56x56xf32>
    %14 = "linalg.generic"(%10, %12, %13) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32):
      %15 = "arith.addf"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%15) : (f32) -> ()
    }) : (tensor<16x256x56x56xf32>, tensor<16x256x56x56xf32>, tensor<16x256x56x56xf32>) -> tensor<16x256x56x56xf32>
    "util.return"(%14) : (tensor<16x256x56x56xf32>) -> ()
  }) : () -> ()
}) : () -> ()