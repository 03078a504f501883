// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<8xbf16>, tensor<8xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8xbf16>, %arg1: tensor<8xbf16>, %arg2: tensor<2x8x4x4xbf16>):
    %0 = "arith.constant"() <{value = 9.99999974E-6 : f32}> : () -> f32
    %1 = "arith.constant"() <{value = 0x7FC00000 : f32}> : () -> f32
    %2 = "arith.constant"() <{value = 3.200000e+01 : f32}> : () -> f32
    %3 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %4 = "tensor.empty"() : () -> tensor<2x8x4x4xf32>
    %5 = "linalg.generic"(%arg2, %4) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg53: bf16, %arg54: f32):
      %72 = "arith.extf"(%arg53) : (bf16) -> f32
      "linalg.yield"(%72) : (f32) -> ()
    }) : (tensor<2x8x4x4xbf16>, tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
    %6 = "tensor.collapse_shape"(%5) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x8x4x4xf32>) -> tensor<256xf32>
    %7 = "tensor.expand_shape"(%6) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 2, 4, 32>}> : (tensor<256xf32>) -> tensor<2x4x32xf32>
    %8 = "tensor.empty"() : () -> tensor<2x4xf32>
    %9 = "linalg.fill"(%3, %8) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg51: f32, %arg52: f32):
      "linalg.yield"(%arg51) : (f32) -> ()
    }) : (f32, tensor<2x4xf32>) -> tensor<2x4xf32>
    %10 = "linalg.generic"(%7, %9) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg49: f32, %arg50: f32):
      %71 = "arith.addf"(%arg50, %arg49) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%71) : (f32) -> ()
    }) : (tensor<2x4x32xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %11 = "tensor.expand_shape"(%10) <{reassociation = [[0], [1, 2]], static_output_shape = array<i64: 2, 4, 1>}> : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %12 = "tensor.empty"() : () -> tensor<2x4x1xf32>
    %13 = "linalg.generic"(%11, %12) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg47: f32, %arg48: f32):
      %70 = "arith.divf"(%arg47, %2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%70) : (f32) -> ()
    }) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %14 = "tensor.empty"() : () -> tensor<2x4x32xf32>
    %15 = "linalg.generic"(%13, %14) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg45: f32, %arg46: f32):
      "linalg.yield"(%arg45) : (f32) -> ()
    }) : (tensor<2x4x1xf32>, tensor<2x4x32xf32>) -> tensor<2x4x32xf32>
    %16 = "tensor.empty"() : () -> tensor<2x4x32xf32>
    %17 = "linalg.generic"(%7, %15, %16) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg42: f32, %arg43: f32, %arg44: f32):
      %69 = "arith.subf"(%arg42, %arg43) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%69) : (f32) -> ()
    }) : (tensor<2x4x32xf32>, tensor<2x4x32xf32>, tensor<2x4x32xf32>) -> tensor<2x4x32xf32>
    %18 = "tensor.empty"() : () -> tensor<2x4x32xf32>
    %19 = "linalg.generic"(%17, %18) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg40: f32, %arg41: f32):
      %68 = "arith.mulf"(%arg40, %arg40) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%68) : (f32) -> ()
    }) : (tensor<2x4x32xf32>, tensor<2x4x32xf32>) -> tensor<2x4x32xf32>
    %20 = "tensor.empty"() : () -> tensor<f32>
    %21 = "linalg.generic"(%20) <{indexing_maps = [affine_map<() -> ()>], iterator_types = [], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg39: f32):
      "linalg.yield"(%3) : (f32) -> ()
    }) : (tensor<f32>) -> tensor<f32>
    %22 = "tensor.empty"() : () -> tensor<f32>
    %23 = "linalg.generic"(%21, %22) <{indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = [], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg37: f32, %arg38: f32):
      %67 = "arith.subf"(%2, %arg37) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%67) : (f32) -> ()
    }) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "tensor.empty"() : () -> tensor<2x4xf32>
    %25 = "linalg.fill"(%3, %24) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg35: f32, %arg36: f32):
      "linalg.yield"(%arg35) : (f32) -> ()
    }) : (f32, tensor<2x4xf32>) -> tensor<2x4xf32>
    %26 = "linalg.generic"(%19, %25) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg33: f32, %arg34: f32):
      %66 = "arith.addf"(%arg34, %arg33) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%66) : (f32) -> ()
    }) : (tensor<2x4x32xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %27 = "tensor.expand_shape"(%26) <{reassociation = [[0], [1, 2]], static_output_shape = array<i64: 2, 4, 1>}> : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %28 = "tensor.empty"() : () -> tensor<2x4x1xf32>
    %29 = "linalg.generic"(%23, %28) <{indexing_maps = [affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg31: f32, %arg32: f32):
      "linalg.yield"(%arg31) : (f32) -> ()
    }) : (tensor<f32>, tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %30 = "tensor.empty"() : () -> tensor<2x4x1xf32>
    %31 = "linalg.generic"(%27, %29, %30) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg28: f32, %arg29: f32, %arg30: f32):
      %65 = "arith.divf"(%arg28, %arg29) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%65) : (f32) -> ()
    }) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %32 = "tensor.empty"() : () -> tensor<i1>
    %33 = "linalg.generic"(%23, %32) <{indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = [], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg26: f32, %arg27: i1):
      %64 = "arith.cmpf"(%arg26, %3) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
      "linalg.yield"(%64) : (i1) -> ()
    }) : (tensor<f32>, tensor<i1>) -> tensor<i1>
    %34 = "tensor.empty"() : () -> tensor<2x4x1xf32>
    %35 = "tensor.extract"(%33) : (tensor<i1>) -> i1
    %36 = "linalg.generic"(%31, %34) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg24: f32, %arg25: f32):
      %63 = "arith.select"(%35, %arg24, %1) : (i1, f32, f32) -> f32
      "linalg.yield"(%63) : (f32) -> ()
    }) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %37 = "tensor.empty"() : () -> tensor<2x4x1xf32>
    %38 = "linalg.generic"(%36, %37) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg22: f32, %arg23: f32):
      %62 = "arith.addf"(%arg22, %0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%62) : (f32) -> ()
    }) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %39 = "tensor.empty"() : () -> tensor<2x4x1xf32>
    %40 = "linalg.generic"(%38, %39) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg20: f32, %arg21: f32):
      %61 = "math.rsqrt"(%arg20) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%61) : (f32) -> ()
    }) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %41 = "tensor.empty"() : () -> tensor<2x4x32xf32>
    %42 = "linalg.generic"(%40, %41) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg18: f32, %arg19: f32):
      "linalg.yield"(%arg18) : (f32) -> ()
    }) : (tensor<2x4x1xf32>, tensor<2x4x32xf32>) -> tensor<2x4x32xf32>
    %43 = "tensor.empty"() : () -> tensor<2x4x32xf32>
    %44 = "linalg.generic"(%17, %42, %43) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg15: f32, %arg16: f32, %arg17: f32):
      %60 = "arith.mulf"(%arg15, %arg16) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%60) : (f32) -> ()
    }) : (tensor<2x4x32xf32>, tensor<2x4x32xf32>, tensor<2x4x32xf32>) -> tensor<2x4x32xf32>
    %45 = "tensor.empty"() : () -> tensor<2x4x32xbf16>
    %46 = "linalg.generic"(%44, %45) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg13: f32, %arg14: bf16):
      %59 = "arith.truncf"(%arg13) : (f32) -> bf16
      "linalg.yield"(%59) : (bf16) -> ()
    }) : (tensor<2x4x32xf32>, tensor<2x4x32xbf16>) -> tensor<2x4x32xbf16>
    %47 = "tensor.collapse_shape"(%46) <{reassociation = [[0, 1, 2]]}> : (tensor<2x4x32xbf16>) -> tensor<256xbf16>
    %48 = "tensor.expand_shape"(%47) <{reassociation = [[0, 1, 2, 3]], static_output_shape = array<i64: 2, 8, 4, 4>}> : (tensor<256xbf16>) -> tensor<2x8x4x4xbf16>
    %49 = "tensor.empty"() : () -> tensor<2x8x4x4xbf16>
    %50 = "linalg.generic"(%arg1, %49) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg11: bf16, %arg12: bf16):
      "linalg.yield"(%arg11) : (bf16) -> ()
    }) : (tensor<8xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %51 = "tensor.empty"() : () -> tensor<2x8x4x4xbf16>
    %52 = "linalg.generic"(%48, %50, %51) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg8: bf16, %arg9: bf16, %arg10: bf16):
      %58 = "arith.mulf"(%arg8, %arg9) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%58) : (bf16) -> ()
    }) : (tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %53 = "tensor.empty"() : () -> tensor<2x8x4x4xbf16>
    %54 = "linalg.generic"(%arg0, %53) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg6: bf16, %arg7: bf16):
      "linalg.yield"(%arg6) : (bf16) -> ()
    }) : (tensor<8xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %55 = "tensor.empty"() : () -> tensor<2x8x4x4xbf16>
    %56 = "linalg.generic"(%52, %54, %55) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg3: bf16, %arg4: bf16, %arg5: bf16):
      %57 = "arith.addf"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%57) : (bf16) -> ()
    }) : (tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    "util.return"(%56) : (tensor<2x8x4x4xbf16>) -> ()
  }) : () -> ()
}) : () -> ()