// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<8x64xbf16>) -> tensor<8x64xbf16>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x64xbf16>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %1 = "arith.constant"() <{value = 0xFF80 : bf16}> : () -> bf16
    %2 = "tensor.empty"() : () -> tensor<8xbf16>
    %3 = "linalg.fill"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg25: bf16, %arg26: bf16):
      "linalg.yield"(%arg25) : (bf16) -> ()
    }) : (bf16, tensor<8xbf16>) -> tensor<8xbf16>
    %4 = "linalg.generic"(%arg0, %3) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg23: bf16, %arg24: bf16):
      %32 = "arith.maximumf"(%arg24, %arg23) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%32) : (bf16) -> ()
    }) : (tensor<8x64xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %5 = "tensor.empty"() : () -> tensor<8x64xbf16>
    %6 = "linalg.generic"(%4, %5) <{indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg21: bf16, %arg22: bf16):
      "linalg.yield"(%arg21) : (bf16) -> ()
    }) : (tensor<8xbf16>, tensor<8x64xbf16>) -> tensor<8x64xbf16>
    %7 = "tensor.empty"() : () -> tensor<8x64xbf16>
    %8 = "linalg.generic"(%arg0, %6, %7) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg18: bf16, %arg19: bf16, %arg20: bf16):
      %31 = "arith.subf"(%arg18, %arg19) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%31) : (bf16) -> ()
    }) : (tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8x64xbf16>) -> tensor<8x64xbf16>
    %9 = "tensor.empty"() : () -> tensor<8x64xbf16>
    %10 = "linalg.generic"(%8, %9) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg16: bf16, %arg17: bf16):
      %30 = "math.exp"(%arg16) <{fastmath = #arith.fastmath<none>}> : (bf16) -> bf16
      "linalg.yield"(%30) : (bf16) -> ()
    }) : (tensor<8x64xbf16>, tensor<8x64xbf16>) -> tensor<8x64xbf16>
    %11 = "tensor.empty"() : () -> tensor<8x64xf32>
    %12 = "linalg.generic"(%10, %11) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg14: bf16, %arg15: f32):
      %29 = "arith.extf"(%arg14) : (bf16) -> f32
      "linalg.yield"(%29) : (f32) -> ()
    }) : (tensor<8x64xbf16>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %13 = "tensor.empty"() : () -> tensor<8xf32>
    %14 = "linalg.fill"(%0, %13) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg12: f32, %arg13: f32):
      "linalg.yield"(%arg12) : (f32) -> ()
    }) : (f32, tensor<8xf32>) -> tensor<8xf32>
    %15 = "linalg.generic"(%12, %14) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg10: f32, %arg11: f32):
      %28 = "arith.addf"(%arg11, %arg10) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%28) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8xf32>) -> tensor<8xf32>
    %16 = "tensor.empty"() : () -> tensor<8xbf16>
    %17 = "linalg.generic"(%15, %16) <{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg8: f32, %arg9: bf16):
      %27 = "arith.truncf"(%arg8) : (f32) -> bf16
      "linalg.yield"(%27) : (bf16) -> ()
    }) : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xbf16>
    %18 = "tensor.empty"() : () -> tensor<8xbf16>
    %19 = "linalg.generic"(%17, %18) <{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg6: bf16, %arg7: bf16):
      %26 = "math.log"(%arg6) <{fastmath = #arith.fastmath<none>}> : (bf16) -> bf16
      "linalg.yield"(%26) : (bf16) -> ()
    }) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %20 = "tensor.expand_shape"(%19) <{reassociation = [[0, 1]], static_output_shape = array<i64: 8, 1>}> : (tensor<8xbf16>) -> tensor<8x1xbf16>
    %21 = "tensor.empty"() : () -> tensor<8x64xbf16>
    %22 = "linalg.generic"(%20, %21) <{indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg4: bf16, %arg5: bf16):
      "linalg.yield"(%arg4) : (bf16) -> ()
    }) : (tensor<8x1xbf16>, tensor<8x64xbf16>) -> tensor<8x64xbf16>
    %23 = "tensor.empty"() : () -> tensor<8x64xbf16>
    %24 = "linalg.generic"(%8, %22, %23) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg1: bf16, %arg2: bf16, %arg3: bf16):
      %25 = "arith.subf"(%arg1, %arg2) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%25) : (bf16) -> ()
    }) : (tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8x64xbf16>) -> tensor<8x64xbf16>
    "util.return"(%24) : (tensor<8x64xbf16>) -> ()
  }) : () -> ()
}) : () -> ()