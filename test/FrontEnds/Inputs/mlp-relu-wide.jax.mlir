// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<4096xbf16>, tensor<1024xbf16>, tensor<4096x1024xbf16>, tensor<1024x4096xbf16>, tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4096xbf16>, %arg1: tensor<1024xbf16>, %arg2: tensor<4096x1024xbf16>, %arg3: tensor<1024x4096xbf16>, %arg4: tensor<2048x1024xbf16>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %1 = "tensor.empty"() : () -> tensor<1024x4096xbf16>
    %2 = "linalg.generic"(%arg2, %1) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg29: bf16, %arg30: bf16):
      "linalg.yield"(%arg29) : (bf16) -> ()
    }) : (tensor<4096x1024xbf16>, tensor<1024x4096xbf16>) -> tensor<1024x4096xbf16>
    %3 = "tensor.empty"() : () -> tensor<2048x4096xbf16>
    %4 = "linalg.fill"(%0, %3) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg27: bf16, %arg28: bf16):
      "linalg.yield"(%arg27) : (bf16) -> ()
    }) : (bf16, tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %5 = "linalg.matmul"(%arg4, %2, %4) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg24: bf16, %arg25: bf16, %arg26: bf16):
      %26 = "arith.mulf"(%arg24, %arg25) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      %27 = "arith.addf"(%arg26, %26) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%27) : (bf16) -> ()
    }) : (tensor<2048x1024xbf16>, tensor<1024x4096xbf16>, tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %6 = "tensor.empty"() : () -> tensor<2048x4096xbf16>
    %7 = "linalg.generic"(%arg0, %6) <{indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg22: bf16, %arg23: bf16):
      "linalg.yield"(%arg22) : (bf16) -> ()
    }) : (tensor<4096xbf16>, tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %8 = "tensor.empty"() : () -> tensor<2048x4096xbf16>
    %9 = "linalg.generic"(%5, %7, %8) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg19: bf16, %arg20: bf16, %arg21: bf16):
      %25 = "arith.addf"(%arg19, %arg20) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%25) : (bf16) -> ()
    }) : (tensor<2048x4096xbf16>, tensor<2048x4096xbf16>, tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %10 = "tensor.empty"() : () -> tensor<2048x4096xbf16>
    %11 = "linalg.generic"(%9, %10) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg17: bf16, %arg18: bf16):
      %24 = "arith.maximumf"(%arg17, %0) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%24) : (bf16) -> ()
    }) : (tensor<2048x4096xbf16>, tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %12 = "tensor.empty"() : () -> tensor<4096x1024xbf16>
    %13 = "linalg.generic"(%arg3, %12) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg15: bf16, %arg16: bf16):
      "linalg.yield"(%arg15) : (bf16) -> ()
    }) : (tensor<1024x4096xbf16>, tensor<4096x1024xbf16>) -> tensor<4096x1024xbf16>
    %14 = "tensor.empty"() : () -> tensor<2048x1024xbf16>
    %15 = "linalg.fill"(%0, %14) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg13: bf16, %arg14: bf16):
      "linalg.yield"(%arg13) : (bf16) -> ()
    }) : (bf16, tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
    %16 = "linalg.matmul"(%11, %13, %15) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg10: bf16, %arg11: bf16, %arg12: bf16):
      %22 = "arith.mulf"(%arg10, %arg11) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      %23 = "arith.addf"(%arg12, %22) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%23) : (bf16) -> ()
    }) : (tensor<2048x4096xbf16>, tensor<4096x1024xbf16>, tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
    %17 = "tensor.empty"() : () -> tensor<2048x1024xbf16>
    %18 = "linalg.generic"(%arg1, %17) <{indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg8: bf16, %arg9: bf16):
      "linalg.yield"(%arg8) : (bf16) -> ()
    }) : (tensor<1024xbf16>, tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
    %19 = "tensor.empty"() : () -> tensor<2048x1024xbf16>
    %20 = "linalg.generic"(%16, %18, %19) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg5: bf16, %arg6: bf16, %arg7: bf16):
      %21 = "arith.addf"(%arg5, %arg6) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%21) : (bf16) -> ()
    }) : (tensor<2048x1024xbf16>, tensor<2048x1024xbf16>, tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
    "util.return"(%20) : (tensor<2048x1024xbf16>) -> ()
  }) : () -> ()
}) : () -> ()