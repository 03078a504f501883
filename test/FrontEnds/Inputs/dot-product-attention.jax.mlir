// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<2x16x32xf32>) -> tensor<2x16x32xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<32x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<2x16x32xf32>):
    %0 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %1 = "arith.constant"() <{value = -2.38197633E+38 : f32}> : () -> f32
    %2 = "arith.constant"() <{value = 2.500000e-01 : f32}> : () -> f32
    %3 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %4 = "tensor.empty"() : () -> tensor<32x32xf32>
    %5 = "linalg.generic"(%arg2, %4) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg85: f32, %arg86: f32):
      "linalg.yield"(%arg85) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %6 = "tensor.collapse_shape"(%arg4) <{reassociation = [[0, 1], [2]]}> : (tensor<2x16x32xf32>) -> tensor<32x32xf32>
    %7 = "tensor.empty"() : () -> tensor<32x32xf32>
    %8 = "linalg.fill"(%3, %7) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg83: f32, %arg84: f32):
      "linalg.yield"(%arg83) : (f32) -> ()
    }) : (f32, tensor<32x32xf32>) -> tensor<32x32xf32>
    %9 = "linalg.matmul"(%6, %5, %8) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg80: f32, %arg81: f32, %arg82: f32):
      %106 = "arith.mulf"(%arg80, %arg81) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %107 = "arith.addf"(%arg82, %106) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%107) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %10 = "tensor.empty"() : () -> tensor<32x32xf32>
    %11 = "linalg.generic"(%arg0, %10) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg78: f32, %arg79: f32):
      "linalg.yield"(%arg78) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %12 = "tensor.empty"() : () -> tensor<32x32xf32>
    %13 = "linalg.fill"(%3, %12) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg76: f32, %arg77: f32):
      "linalg.yield"(%arg76) : (f32) -> ()
    }) : (f32, tensor<32x32xf32>) -> tensor<32x32xf32>
    %14 = "linalg.matmul"(%6, %11, %13) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg73: f32, %arg74: f32, %arg75: f32):
      %104 = "arith.mulf"(%arg73, %arg74) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %105 = "arith.addf"(%arg75, %104) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%105) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %15 = "tensor.expand_shape"(%14) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 16, 2, 16>}> : (tensor<32x32xf32>) -> tensor<2x16x2x16xf32>
    %16 = "tensor.empty"() : () -> tensor<32x32xf32>
    %17 = "linalg.generic"(%arg3, %16) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg71: f32, %arg72: f32):
      "linalg.yield"(%arg71) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %18 = "tensor.empty"() : () -> tensor<32x32xf32>
    %19 = "linalg.fill"(%3, %18) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg69: f32, %arg70: f32):
      "linalg.yield"(%arg69) : (f32) -> ()
    }) : (f32, tensor<32x32xf32>) -> tensor<32x32xf32>
    %20 = "linalg.matmul"(%6, %17, %19) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg66: f32, %arg67: f32, %arg68: f32):
      %102 = "arith.mulf"(%arg66, %arg67) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %103 = "arith.addf"(%arg68, %102) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%103) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %21 = "tensor.expand_shape"(%20) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 16, 2, 16>}> : (tensor<32x32xf32>) -> tensor<2x16x2x16xf32>
    %22 = "tensor.expand_shape"(%9) <{reassociation = [[0, 1], [2, 3, 4]], static_output_shape = array<i64: 2, 16, 2, 1, 16>}> : (tensor<32x32xf32>) -> tensor<2x16x2x1x16xf32>
    %23 = "tensor.empty"() : () -> tensor<2x2x16x1x16xf32>
    %24 = "linalg.generic"(%22, %23) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg64: f32, %arg65: f32):
      "linalg.yield"(%arg64) : (f32) -> ()
    }) : (tensor<2x16x2x1x16xf32>, tensor<2x2x16x1x16xf32>) -> tensor<2x2x16x1x16xf32>
    %25 = "tensor.empty"() : () -> tensor<2x2x16x16xf32>
    %26 = "linalg.generic"(%15, %25) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg62: f32, %arg63: f32):
      "linalg.yield"(%arg62) : (f32) -> ()
    }) : (tensor<2x16x2x16xf32>, tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32>
    %27 = "tensor.collapse_shape"(%24) <{reassociation = [[0, 1], [2], [3, 4]]}> : (tensor<2x2x16x1x16xf32>) -> tensor<4x16x16xf32>
    %28 = "tensor.collapse_shape"(%26) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x2x16x16xf32>) -> tensor<4x16x16xf32>
    %29 = "tensor.empty"() : () -> tensor<4x16x16xf32>
    %30 = "linalg.fill"(%3, %29) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg60: f32, %arg61: f32):
      "linalg.yield"(%arg60) : (f32) -> ()
    }) : (f32, tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %31 = "linalg.batch_matmul"(%27, %28, %30) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg57: f32, %arg58: f32, %arg59: f32):
      %100 = "arith.mulf"(%arg57, %arg58) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %101 = "arith.addf"(%arg59, %100) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%101) : (f32) -> ()
    }) : (tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %32 = "tensor.expand_shape"(%31) <{reassociation = [[0, 1], [2], [3, 4]], static_output_shape = array<i64: 2, 2, 16, 1, 16>}> : (tensor<4x16x16xf32>) -> tensor<2x2x16x1x16xf32>
    %33 = "tensor.empty"() : () -> tensor<2x2x16x1x16xf32>
    %34 = "linalg.generic"(%32, %33) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg55: f32, %arg56: f32):
      %99 = "arith.mulf"(%arg55, %2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%99) : (f32) -> ()
    }) : (tensor<2x2x16x1x16xf32>, tensor<2x2x16x1x16xf32>) -> tensor<2x2x16x1x16xf32>
    %35 = "tensor.empty"() : () -> tensor<16x16xi32>
    %36 = "linalg.generic"(%35) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg54: i32):
      %97 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %98 = "arith.index_cast"(%97) : (index) -> i32
      "linalg.yield"(%98) : (i32) -> ()
    }) : (tensor<16x16xi32>) -> tensor<16x16xi32>
    %37 = "tensor.empty"() : () -> tensor<16x16xi32>
    %38 = "linalg.generic"(%37) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg53: i32):
      %95 = "linalg.index"() <{dim = 1 : i64}> : () -> index
      %96 = "arith.index_cast"(%95) : (index) -> i32
      "linalg.yield"(%96) : (i32) -> ()
    }) : (tensor<16x16xi32>) -> tensor<16x16xi32>
    %39 = "tensor.empty"() : () -> tensor<16x16xi1>
    %40 = "linalg.generic"(%36, %38, %39) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg50: i32, %arg51: i32, %arg52: i1):
      %94 = "arith.cmpi"(%arg50, %arg51) <{predicate = 5 : i64}> : (i32, i32) -> i1
      "linalg.yield"(%94) : (i1) -> ()
    }) : (tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xi1>) -> tensor<16x16xi1>
    %41 = "tensor.empty"() : () -> tensor<2x2x16x16xi1>
    %42 = "linalg.generic"(%40, %41) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg48: i1, %arg49: i1):
      "linalg.yield"(%arg48) : (i1) -> ()
    }) : (tensor<16x16xi1>, tensor<2x2x16x16xi1>) -> tensor<2x2x16x16xi1>
    %43 = "tensor.empty"() : () -> tensor<1x2x2x16x16xi1>
    %44 = "linalg.generic"(%42, %43) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg46: i1, %arg47: i1):
      "linalg.yield"(%arg46) : (i1) -> ()
    }) : (tensor<2x2x16x16xi1>, tensor<1x2x2x16x16xi1>) -> tensor<1x2x2x16x16xi1>
    %45 = "tensor.collapse_shape"(%34) <{reassociation = [[0, 1, 2, 3, 4]]}> : (tensor<2x2x16x1x16xf32>) -> tensor<1024xf32>
    %46 = "tensor.expand_shape"(%45) <{reassociation = [[0, 1, 2, 3, 4]], static_output_shape = array<i64: 1, 2, 2, 16, 16>}> : (tensor<1024xf32>) -> tensor<1x2x2x16x16xf32>
    %47 = "tensor.empty"() : () -> tensor<1x2x2x16x16xf32>
    %48 = "linalg.generic"(%44, %46, %47) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg43: i1, %arg44: f32, %arg45: f32):
      %93 = "arith.select"(%arg43, %arg44, %1) : (i1, f32, f32) -> f32
      "linalg.yield"(%93) : (f32) -> ()
    }) : (tensor<1x2x2x16x16xi1>, tensor<1x2x2x16x16xf32>, tensor<1x2x2x16x16xf32>) -> tensor<1x2x2x16x16xf32>
    %49 = "tensor.empty"() : () -> tensor<1x2x2x16xf32>
    %50 = "linalg.fill"(%0, %49) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg41: f32, %arg42: f32):
      "linalg.yield"(%arg41) : (f32) -> ()
    }) : (f32, tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %51 = "linalg.generic"(%48, %50) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg39: f32, %arg40: f32):
      %92 = "arith.maximumf"(%arg40, %arg39) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%92) : (f32) -> ()
    }) : (tensor<1x2x2x16x16xf32>, tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %52 = "tensor.empty"() : () -> tensor<1x2x2x16x16xf32>
    %53 = "linalg.generic"(%51, %52) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg37: f32, %arg38: f32):
      "linalg.yield"(%arg37) : (f32) -> ()
    }) : (tensor<1x2x2x16xf32>, tensor<1x2x2x16x16xf32>) -> tensor<1x2x2x16x16xf32>
    %54 = "tensor.empty"() : () -> tensor<1x2x2x16x16xf32>
    %55 = "linalg.generic"(%48, %53, %54) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg34: f32, %arg35: f32, %arg36: f32):
      %91 = "arith.subf"(%arg34, %arg35) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%91) : (f32) -> ()
    }) : (tensor<1x2x2x16x16xf32>, tensor<1x2x2x16x16xf32>, tensor<1x2x2x16x16xf32>) -> tensor<1x2x2x16x16xf32>
    %56 = "tensor.empty"() : () -> tensor<1x2x2x16x16xf32>
    %57 = "linalg.generic"(%55, %56) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg32: f32, %arg33: f32):
      %90 = "math.exp"(%arg32) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%90) : (f32) -> ()
    }) : (tensor<1x2x2x16x16xf32>, tensor<1x2x2x16x16xf32>) -> tensor<1x2x2x16x16xf32>
    %58 = "tensor.empty"() : () -> tensor<1x2x2x16xf32>
    %59 = "linalg.fill"(%3, %58) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg30: f32, %arg31: f32):
      "linalg.yield"(%arg30) : (f32) -> ()
    }) : (f32, tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %60 = "linalg.generic"(%57, %59) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg28: f32, %arg29: f32):
      %89 = "arith.addf"(%arg29, %arg28) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%89) : (f32) -> ()
    }) : (tensor<1x2x2x16x16xf32>, tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
    %61 = "tensor.empty"() : () -> tensor<1x2x2x16x16xf32>
    %62 = "linalg.generic"(%60, %61) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg26: f32, %arg27: f32):
      "linalg.yield"(%arg26) : (f32) -> ()
    }) : (tensor<1x2x2x16xf32>, tensor<1x2x2x16x16xf32>) -> tensor<1x2x2x16x16xf32>
    %63 = "tensor.empty"() : () -> tensor<1x2x2x16x16xf32>
    %64 = "linalg.generic"(%57, %62, %63) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg23: f32, %arg24: f32, %arg25: f32):
      %88 = "arith.divf"(%arg23, %arg24) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%88) : (f32) -> ()
    }) : (tensor<1x2x2x16x16xf32>, tensor<1x2x2x16x16xf32>, tensor<1x2x2x16x16xf32>) -> tensor<1x2x2x16x16xf32>
    %65 = "tensor.empty"() : () -> tensor<2x2x16x16xf32>
    %66 = "linalg.generic"(%21, %65) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg21: f32, %arg22: f32):
      "linalg.yield"(%arg21) : (f32) -> ()
    }) : (tensor<2x16x2x16xf32>, tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32>
    %67 = "tensor.empty"() : () -> tensor<2x2x16x1x16xf32>
    %68 = "linalg.generic"(%64, %67) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg19: f32, %arg20: f32):
      "linalg.yield"(%arg19) : (f32) -> ()
    }) : (tensor<1x2x2x16x16xf32>, tensor<2x2x16x1x16xf32>) -> tensor<2x2x16x1x16xf32>
    %69 = "tensor.collapse_shape"(%66) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x2x16x16xf32>) -> tensor<4x16x16xf32>
    %70 = "tensor.collapse_shape"(%68) <{reassociation = [[0, 1], [2], [3, 4]]}> : (tensor<2x2x16x1x16xf32>) -> tensor<4x16x16xf32>
    %71 = "tensor.empty"() : () -> tensor<4x16x16xf32>
    %72 = "linalg.fill"(%3, %71) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg17: f32, %arg18: f32):
      "linalg.yield"(%arg17) : (f32) -> ()
    }) : (f32, tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %73 = "linalg.batch_matmul"(%69, %70, %72) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg14: f32, %arg15: f32, %arg16: f32):
      %86 = "arith.mulf"(%arg14, %arg15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %87 = "arith.addf"(%arg16, %86) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%87) : (f32) -> ()
    }) : (tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %74 = "tensor.expand_shape"(%73) <{reassociation = [[0, 1], [2], [3, 4]], static_output_shape = array<i64: 2, 2, 16, 1, 16>}> : (tensor<4x16x16xf32>) -> tensor<2x2x16x1x16xf32>
    %75 = "tensor.empty"() : () -> tensor<1x2x16x2x16xf32>
    %76 = "linalg.generic"(%74, %75) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg12: f32, %arg13: f32):
      "linalg.yield"(%arg12) : (f32) -> ()
    }) : (tensor<2x2x16x1x16xf32>, tensor<1x2x16x2x16xf32>) -> tensor<1x2x16x2x16xf32>
    %77 = "tensor.empty"() : () -> tensor<32x32xf32>
    %78 = "linalg.generic"(%arg1, %77) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg10: f32, %arg11: f32):
      "linalg.yield"(%arg10) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %79 = "tensor.collapse_shape"(%76) <{reassociation = [[0, 1, 2], [3, 4]]}> : (tensor<1x2x16x2x16xf32>) -> tensor<32x32xf32>
    %80 = "tensor.empty"() : () -> tensor<32x32xf32>
    %81 = "linalg.fill"(%3, %80) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      "linalg.yield"(%arg8) : (f32) -> ()
    }) : (f32, tensor<32x32xf32>) -> tensor<32x32xf32>
    %82 = "linalg.matmul"(%79, %78, %81) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg5: f32, %arg6: f32, %arg7: f32):
      %84 = "arith.mulf"(%arg5, %arg6) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %85 = "arith.addf"(%arg7, %84) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%85) : (f32) -> ()
    }) : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %83 = "tensor.expand_shape"(%82) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 16, 32>}> : (tensor<32x32xf32>) -> tensor<2x16x32xf32>
    "util.return"(%83) : (tensor<2x16x32xf32>) -> ()
  }) : () -> ()
}) : () -> ()