// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<32x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<32x64xf32>, tensor<2x16x64xf32>) -> tensor<2x16x64xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<32x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64x64xf32>, %arg3: tensor<32x64xf32>, %arg4: tensor<2x16x64xf32>):
    %0 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %1 = "arith.constant"() <{value = -2.38197633E+38 : f32}> : () -> f32
    %2 = "arith.constant"() <{value = 2.500000e-01 : f32}> : () -> f32
    %3 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %4 = "tensor.empty"() : () -> tensor<64x64xf32>
    %5 = "linalg.generic"(%arg2, %4) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg89: f32, %arg90: f32):
      "linalg.yield"(%arg89) : (f32) -> ()
    }) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %6 = "tensor.collapse_shape"(%arg4) <{reassociation = [[0, 1], [2]]}> : (tensor<2x16x64xf32>) -> tensor<32x64xf32>
    %7 = "tensor.empty"() : () -> tensor<32x64xf32>
    %8 = "linalg.fill"(%3, %7) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg87: f32, %arg88: f32):
      "linalg.yield"(%arg87) : (f32) -> ()
    }) : (f32, tensor<32x64xf32>) -> tensor<32x64xf32>
    %9 = "linalg.matmul"(%6, %5, %8) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg84: f32, %arg85: f32, %arg86: f32):
      %108 = "arith.mulf"(%arg84, %arg85) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %109 = "arith.addf"(%arg86, %108) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%109) : (f32) -> ()
    }) : (tensor<32x64xf32>, tensor<64x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    %10 = "tensor.empty"() : () -> tensor<64x32xf32>
    %11 = "linalg.generic"(%arg0, %10) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg82: f32, %arg83: f32):
      "linalg.yield"(%arg82) : (f32) -> ()
    }) : (tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
    %12 = "tensor.empty"() : () -> tensor<32x32xf32>
    %13 = "linalg.fill"(%3, %12) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg80: f32, %arg81: f32):
      "linalg.yield"(%arg80) : (f32) -> ()
    }) : (f32, tensor<32x32xf32>) -> tensor<32x32xf32>
    %14 = "linalg.matmul"(%6, %11, %13) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg77: f32, %arg78: f32, %arg79: f32):
      %106 = "arith.mulf"(%arg77, %arg78) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %107 = "arith.addf"(%arg79, %106) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%107) : (f32) -> ()
    }) : (tensor<32x64xf32>, tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %15 = "tensor.empty"() : () -> tensor<64x32xf32>
    %16 = "linalg.generic"(%arg3, %15) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg75: f32, %arg76: f32):
      "linalg.yield"(%arg75) : (f32) -> ()
    }) : (tensor<32x64xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
    %17 = "tensor.empty"() : () -> tensor<32x32xf32>
    %18 = "linalg.fill"(%3, %17) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg73: f32, %arg74: f32):
      "linalg.yield"(%arg73) : (f32) -> ()
    }) : (f32, tensor<32x32xf32>) -> tensor<32x32xf32>
    %19 = "linalg.matmul"(%6, %16, %18) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg70: f32, %arg71: f32, %arg72: f32):
      %104 = "arith.mulf"(%arg70, %arg71) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %105 = "arith.addf"(%arg72, %104) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%105) : (f32) -> ()
    }) : (tensor<32x64xf32>, tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %20 = "tensor.expand_shape"(%14) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 16, 2, 16>}> : (tensor<32x32xf32>) -> tensor<2x16x2x16xf32>
    %21 = "tensor.expand_shape"(%19) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 16, 2, 16>}> : (tensor<32x32xf32>) -> tensor<2x16x2x16xf32>
    %22 = "tensor.expand_shape"(%9) <{reassociation = [[0, 1], [2, 3, 4]], static_output_shape = array<i64: 2, 16, 2, 2, 16>}> : (tensor<32x64xf32>) -> tensor<2x16x2x2x16xf32>
    %23 = "tensor.empty"() : () -> tensor<2x2x16x2x16xf32>
    %24 = "linalg.generic"(%22, %23) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg68: f32, %arg69: f32):
      "linalg.yield"(%arg68) : (f32) -> ()
    }) : (tensor<2x16x2x2x16xf32>, tensor<2x2x16x2x16xf32>) -> tensor<2x2x16x2x16xf32>
    %25 = "tensor.empty"() : () -> tensor<2x2x16x16xf32>
    %26 = "linalg.generic"(%20, %25) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg66: f32, %arg67: f32):
      "linalg.yield"(%arg66) : (f32) -> ()
    }) : (tensor<2x16x2x16xf32>, tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32>
    %27 = "tensor.collapse_shape"(%24) <{reassociation = [[0, 1], [2, 3], [4]]}> : (tensor<2x2x16x2x16xf32>) -> tensor<4x32x16xf32>
    %28 = "tensor.collapse_shape"(%26) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x2x16x16xf32>) -> tensor<4x16x16xf32>
    %29 = "tensor.empty"() : () -> tensor<4x32x16xf32>
    %30 = "linalg.fill"(%3, %29) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg64: f32, %arg65: f32):
      "linalg.yield"(%arg64) : (f32) -> ()
    }) : (f32, tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
    %31 = "linalg.batch_matmul"(%27, %28, %30) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg61: f32, %arg62: f32, %arg63: f32):
      %102 = "arith.mulf"(%arg61, %arg62) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %103 = "arith.addf"(%arg63, %102) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%103) : (f32) -> ()
    }) : (tensor<4x32x16xf32>, tensor<4x16x16xf32>, tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
    %32 = "tensor.expand_shape"(%31) <{reassociation = [[0, 1], [2, 3], [4]], static_output_shape = array<i64: 2, 2, 16, 2, 16>}> : (tensor<4x32x16xf32>) -> tensor<2x2x16x2x16xf32>
    %33 = "tensor.empty"() : () -> tensor<2x2x16x2x16xf32>
    %34 = "linalg.generic"(%32, %33) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg59: f32, %arg60: f32):
      %101 = "arith.mulf"(%arg59, %2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%101) : (f32) -> ()
    }) : (tensor<2x2x16x2x16xf32>, tensor<2x2x16x2x16xf32>) -> tensor<2x2x16x2x16xf32>
    %35 = "tensor.empty"() : () -> tensor<16x16xi32>
    %36 = "linalg.generic"(%35) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg58: i32):
      %99 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %100 = "arith.index_cast"(%99) : (index) -> i32
      "linalg.yield"(%100) : (i32) -> ()
    }) : (tensor<16x16xi32>) -> tensor<16x16xi32>
    %37 = "tensor.empty"() : () -> tensor<16x16xi32>
    %38 = "linalg.generic"(%37) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg57: i32):
      %97 = "linalg.index"() <{dim = 1 : i64}> : () -> index
      %98 = "arith.index_cast"(%97) : (index) -> i32
      "linalg.yield"(%98) : (i32) -> ()
    }) : (tensor<16x16xi32>) -> tensor<16x16xi32>
    %39 = "tensor.empty"() : () -> tensor<16x16xi1>
    %40 = "linalg.generic"(%36, %38, %39) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg54: i32, %arg55: i32, %arg56: i1):
      %96 = "arith.cmpi"(%arg54, %arg55) <{predicate = 5 : i64}> : (i32, i32) -> i1
      "linalg.yield"(%96) : (i1) -> ()
    }) : (tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xi1>) -> tensor<16x16xi1>
    %41 = "tensor.empty"() : () -> tensor<2x2x16x16xi1>
    %42 = "linalg.generic"(%40, %41) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg52: i1, %arg53: i1):
      "linalg.yield"(%arg52) : (i1) -> ()
    }) : (tensor<16x16xi1>, tensor<2x2x16x16xi1>) -> tensor<2x2x16x16xi1>
    %43 = "tensor.empty"() : () -> tensor<2x2x2x16x16xi1>
    %44 = "linalg.generic"(%42, %43) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg50: i1, %arg51: i1):
      "linalg.yield"(%arg50) : (i1) -> ()
    }) : (tensor<2x2x16x16xi1>, tensor<2x2x2x16x16xi1>) -> tensor<2x2x2x16x16xi1>
    %45 = "tensor.empty"() : () -> tensor<2x2x2x16x16xf32>
    %46 = "linalg.generic"(%34, %45) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg48: f32, %arg49: f32):
      "linalg.yield"(%arg48) : (f32) -> ()
    }) : (tensor<2x2x16x2x16xf32>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %47 = "tensor.empty"() : () -> tensor<2x2x2x16x16xf32>
    %48 = "linalg.generic"(%44, %46, %47) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg45: i1, %arg46: f32, %arg47: f32):
      %95 = "arith.select"(%arg45, %arg46, %1) : (i1, f32, f32) -> f32
      "linalg.yield"(%95) : (f32) -> ()
    }) : (tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %49 = "tensor.empty"() : () -> tensor<2x2x2x16xf32>
    %50 = "linalg.fill"(%0, %49) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg43: f32, %arg44: f32):
      "linalg.yield"(%arg43) : (f32) -> ()
    }) : (f32, tensor<2x2x2x16xf32>) -> tensor<2x2x2x16xf32>
    %51 = "linalg.generic"(%48, %50) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg41: f32, %arg42: f32):
      %94 = "arith.maximumf"(%arg42, %arg41) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%94) : (f32) -> ()
    }) : (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16xf32>) -> tensor<2x2x2x16xf32>
    %52 = "tensor.empty"() : () -> tensor<2x2x2x16x16xf32>
    %53 = "linalg.generic"(%51, %52) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg39: f32, %arg40: f32):
      "linalg.yield"(%arg39) : (f32) -> ()
    }) : (tensor<2x2x2x16xf32>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %54 = "tensor.empty"() : () -> tensor<2x2x2x16x16xf32>
    %55 = "linalg.generic"(%48, %53, %54) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg36: f32, %arg37: f32, %arg38: f32):
      %93 = "arith.subf"(%arg36, %arg37) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%93) : (f32) -> ()
    }) : (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %56 = "tensor.empty"() : () -> tensor<2x2x2x16x16xf32>
    %57 = "linalg.generic"(%55, %56) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg34: f32, %arg35: f32):
      %92 = "math.exp"(%arg34) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%92) : (f32) -> ()
    }) : (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %58 = "tensor.empty"() : () -> tensor<2x2x2x16xf32>
    %59 = "linalg.fill"(%3, %58) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg32: f32, %arg33: f32):
      "linalg.yield"(%arg32) : (f32) -> ()
    }) : (f32, tensor<2x2x2x16xf32>) -> tensor<2x2x2x16xf32>
    %60 = "linalg.generic"(%57, %59) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg30: f32, %arg31: f32):
      %91 = "arith.addf"(%arg31, %arg30) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%91) : (f32) -> ()
    }) : (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16xf32>) -> tensor<2x2x2x16xf32>
    %61 = "tensor.empty"() : () -> tensor<2x2x2x16x16xf32>
    %62 = "linalg.generic"(%60, %61) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg28: f32, %arg29: f32):
      "linalg.yield"(%arg28) : (f32) -> ()
    }) : (tensor<2x2x2x16xf32>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %63 = "tensor.empty"() : () -> tensor<2x2x2x16x16xf32>
    %64 = "linalg.generic"(%57, %62, %63) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg25: f32, %arg26: f32, %arg27: f32):
      %90 = "arith.divf"(%arg25, %arg26) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%90) : (f32) -> ()
    }) : (tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xf32>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x2x16x16xf32>
    %65 = "tensor.empty"() : () -> tensor<2x2x16x16xf32>
    %66 = "linalg.generic"(%21, %65) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg23: f32, %arg24: f32):
      "linalg.yield"(%arg23) : (f32) -> ()
    }) : (tensor<2x16x2x16xf32>, tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32>
    %67 = "tensor.empty"() : () -> tensor<2x2x16x2x16xf32>
    %68 = "linalg.generic"(%64, %67) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg21: f32, %arg22: f32):
      "linalg.yield"(%arg21) : (f32) -> ()
    }) : (tensor<2x2x2x16x16xf32>, tensor<2x2x16x2x16xf32>) -> tensor<2x2x16x2x16xf32>
    %69 = "tensor.collapse_shape"(%66) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x2x16x16xf32>) -> tensor<4x16x16xf32>
    %70 = "tensor.collapse_shape"(%68) <{reassociation = [[0, 1], [2], [3, 4]]}> : (tensor<2x2x16x2x16xf32>) -> tensor<4x16x32xf32>
    %71 = "tensor.empty"() : () -> tensor<4x16x32xf32>
    %72 = "linalg.fill"(%3, %71) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg19: f32, %arg20: f32):
      "linalg.yield"(%arg19) : (f32) -> ()
    }) : (f32, tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
    %73 = "linalg.batch_matmul"(%69, %70, %72) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg16: f32, %arg17: f32, %arg18: f32):
      %88 = "arith.mulf"(%arg16, %arg17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %89 = "arith.addf"(%arg18, %88) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%89) : (f32) -> ()
    }) : (tensor<4x16x16xf32>, tensor<4x16x32xf32>, tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
    %74 = "tensor.expand_shape"(%73) <{reassociation = [[0, 1], [2], [3, 4]], static_output_shape = array<i64: 2, 2, 16, 2, 16>}> : (tensor<4x16x32xf32>) -> tensor<2x2x16x2x16xf32>
    %75 = "tensor.empty"() : () -> tensor<2x2x16x2x16xf32>
    %76 = "linalg.generic"(%74, %75) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg14: f32, %arg15: f32):
      "linalg.yield"(%arg14) : (f32) -> ()
    }) : (tensor<2x2x16x2x16xf32>, tensor<2x2x16x2x16xf32>) -> tensor<2x2x16x2x16xf32>
    %77 = "tensor.empty"() : () -> tensor<2x16x2x2x16xf32>
    %78 = "linalg.generic"(%76, %77) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg12: f32, %arg13: f32):
      "linalg.yield"(%arg12) : (f32) -> ()
    }) : (tensor<2x2x16x2x16xf32>, tensor<2x16x2x2x16xf32>) -> tensor<2x16x2x2x16xf32>
    %79 = "tensor.empty"() : () -> tensor<64x64xf32>
    %80 = "linalg.generic"(%arg1, %79) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg10: f32, %arg11: f32):
      "linalg.yield"(%arg10) : (f32) -> ()
    }) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %81 = "tensor.collapse_shape"(%78) <{reassociation = [[0, 1], [2, 3, 4]]}> : (tensor<2x16x2x2x16xf32>) -> tensor<32x64xf32>
    %82 = "tensor.empty"() : () -> tensor<32x64xf32>
    %83 = "linalg.fill"(%3, %82) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      "linalg.yield"(%arg8) : (f32) -> ()
    }) : (f32, tensor<32x64xf32>) -> tensor<32x64xf32>
    %84 = "linalg.matmul"(%81, %80, %83) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg5: f32, %arg6: f32, %arg7: f32):
      %86 = "arith.mulf"(%arg5, %arg6) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %87 = "arith.addf"(%arg7, %86) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%87) : (f32) -> ()
    }) : (tensor<32x64xf32>, tensor<64x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    %85 = "tensor.expand_shape"(%84) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 16, 64>}> : (tensor<32x64xf32>) -> tensor<2x16x64xf32>
    "util.return"(%85) : (tensor<2x16x64xf32>) -> ()
  }) : () -> ()
}) : () -> ()