// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8xbf16>, %arg1: tensor<8xbf16>, %arg2: tensor<8xbf16>, %arg3: tensor<8xbf16>, %arg4: tensor<2x8x4x4xbf16>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %1 = "arith.constant"() <{value = 1.001360e-05 : bf16}> : () -> bf16
    %2 = "tensor.expand_shape"(%arg3) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 8, 1, 1>}> : (tensor<8xbf16>) -> tensor<8x1x1xbf16>
    %3 = "tensor.empty"() : () -> tensor<2x8x4x4xbf16>
    %4 = "linalg.generic"(%arg2, %3) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg29: bf16, %arg30: bf16):
      "linalg.yield"(%arg29) : (bf16) -> ()
    }) : (tensor<8xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %5 = "tensor.empty"() : () -> tensor<2x8x4x4xbf16>
    %6 = "linalg.generic"(%arg4, %4, %5) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg26: bf16, %arg27: bf16, %arg28: bf16):
      %31 = "arith.subf"(%arg26, %arg27) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%31) : (bf16) -> ()
    }) : (tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %7 = "tensor.empty"() : () -> tensor<8x1x1xbf16>
    %8 = "linalg.generic"(%2, %7) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg24: bf16, %arg25: bf16):
      %30 = "arith.addf"(%arg24, %1) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%30) : (bf16) -> ()
    }) : (tensor<8x1x1xbf16>, tensor<8x1x1xbf16>) -> tensor<8x1x1xbf16>
    %9 = "tensor.empty"() : () -> tensor<8x1x1xbf16>
    %10 = "linalg.generic"(%8, %9) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg22: bf16, %arg23: bf16):
      %29 = "math.rsqrt"(%arg22) <{fastmath = #arith.fastmath<none>}> : (bf16) -> bf16
      "linalg.yield"(%29) : (bf16) -> ()
    }) : (tensor<8x1x1xbf16>, tensor<8x1x1xbf16>) -> tensor<8x1x1xbf16>
    %11 = "tensor.empty"() : () -> tensor<2x8x4x4xbf16>
    %12 = "linalg.generic"(%10, %11) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg20: bf16, %arg21: bf16):
      "linalg.yield"(%arg20) : (bf16) -> ()
    }) : (tensor<8x1x1xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %13 = "tensor.empty"() : () -> tensor<2x8x4x4xbf16>
    %14 = "linalg.generic"(%6, %12, %13) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg17: bf16, %arg18: bf16, %arg19: bf16):
      %28 = "arith.mulf"(%arg17, %arg18) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%28) : (bf16) -> ()
    }) : (tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %15 = "tensor.empty"() : () -> tensor<2x8x4x4xbf16>
    %16 = "linalg.generic"(%arg1, %15) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg15: bf16, %arg16: bf16):
      "linalg.yield"(%arg15) : (bf16) -> ()
    }) : (tensor<8xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %17 = "tensor.empty"() : () -> tensor<2x8x4x4xbf16>
    %18 = "linalg.generic"(%14, %16, %17) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg12: bf16, %arg13: bf16, %arg14: bf16):
      %27 = "arith.mulf"(%arg12, %arg13) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%27) : (bf16) -> ()
    }) : (tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %19 = "tensor.empty"() : () -> tensor<2x8x4x4xbf16>
    %20 = "linalg.generic"(%arg0, %19) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg10: bf16, %arg11: bf16):
      "linalg.yield"(%arg10) : (bf16) -> ()
    }) : (tensor<8xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %21 = "tensor.empty"() : () -> tensor<2x8x4x4xbf16>
    %22 = "linalg.generic"(%18, %20, %21) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg7: bf16, %arg8: bf16, %arg9: bf16):
      %26 = "arith.addf"(%arg7, %arg8) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%26) : (bf16) -> ()
    }) : (tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %23 = "tensor.empty"() : () -> tensor<2x8x4x4xbf16>
    %24 = "linalg.generic"(%22, %23) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg5: bf16, %arg6: bf16):
      %25 = "arith.maximumf"(%arg5, %0) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%25) : (bf16) -> ()
    }) : (tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    "util.return"(%24) : (tensor<2x8x4x4xbf16>) -> ()
  }) : () -> ()
}) : () -> ()