// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<2x16x32xbf16>) -> tensor<2x16x32xbf16>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<32x32xbf16>, %arg1: tensor<32x32xbf16>, %arg2: tensor<32x32xbf16>, %arg3: tensor<32x32xbf16>, %arg4: tensor<2x16x32xbf16>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %1 = "arith.constant"() <{value = 0xFF80 : bf16}> : () -> bf16
    %2 = "arith.constant"() <{value = 4.000000e+00 : bf16}> : () -> bf16
    %3 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %4 = "arith.constant"() <{value = 4 : i32}> : () -> i32
    %5 = "tensor.empty"() : () -> tensor<16xi32>
    %6 = "linalg.generic"(%5) <{indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg105: i32):
      %126 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %127 = "arith.index_cast"(%126) : (index) -> i32
      "linalg.yield"(%127) : (i32) -> ()
    }) : (tensor<16xi32>) -> tensor<16xi32>
    %7 = "tensor.empty"() : () -> tensor<16x16xi32>
    %8 = "linalg.generic"(%6, %7) <{indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg103: i32, %arg104: i32):
      "linalg.yield"(%arg103) : (i32) -> ()
    }) : (tensor<16xi32>, tensor<16x16xi32>) -> tensor<16x16xi32>
    %9 = "tensor.empty"() : () -> tensor<16x16xi32>
    %10 = "linalg.generic"(%6, %9) <{indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg101: i32, %arg102: i32):
      "linalg.yield"(%arg101) : (i32) -> ()
    }) : (tensor<16xi32>, tensor<16x16xi32>) -> tensor<16x16xi32>
    %11 = "tensor.empty"() : () -> tensor<16x16xi1>
    %12 = "linalg.generic"(%8, %10, %11) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg98: i32, %arg99: i32, %arg100: i1):
      %125 = "arith.cmpi"(%arg98, %arg99) <{predicate = 3 : i64}> : (i32, i32) -> i1
      "linalg.yield"(%125) : (i1) -> ()
    }) : (tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xi1>) -> tensor<16x16xi1>
    %13 = "tensor.expand_shape"(%6) <{reassociation = [[0, 1]], static_output_shape = array<i64: 16, 1>}> : (tensor<16xi32>) -> tensor<16x1xi32>
    %14 = "tensor.empty"() : () -> tensor<16x1xi32>
    %15 = "linalg.generic"(%13, %14) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg96: i32, %arg97: i32):
      %124 = "arith.subi"(%arg96, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "linalg.yield"(%124) : (i32) -> ()
    }) : (tensor<16x1xi32>, tensor<16x1xi32>) -> tensor<16x1xi32>
    %16 = "tensor.empty"() : () -> tensor<16x16xi32>
    %17 = "linalg.generic"(%15, %16) <{indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg94: i32, %arg95: i32):
      "linalg.yield"(%arg94) : (i32) -> ()
    }) : (tensor<16x1xi32>, tensor<16x16xi32>) -> tensor<16x16xi32>
    %18 = "tensor.empty"() : () -> tensor<16x16xi1>
    %19 = "linalg.generic"(%8, %17, %18) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg91: i32, %arg92: i32, %arg93: i1):
      %123 = "arith.cmpi"(%arg91, %arg92) <{predicate = 4 : i64}> : (i32, i32) -> i1
      "linalg.yield"(%123) : (i1) -> ()
    }) : (tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xi1>) -> tensor<16x16xi1>
    %20 = "tensor.empty"() : () -> tensor<16x16xi1>
    %21 = "linalg.generic"(%12, %19, %20) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg88: i1, %arg89: i1, %arg90: i1):
      %122 = "arith.andi"(%arg88, %arg89) : (i1, i1) -> i1
      "linalg.yield"(%122) : (i1) -> ()
    }) : (tensor<16x16xi1>, tensor<16x16xi1>, tensor<16x16xi1>) -> tensor<16x16xi1>
    %22 = "tensor.empty"() : () -> tensor<32x32xbf16>
    %23 = "linalg.generic"(%arg2, %22) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg86: bf16, %arg87: bf16):
      "linalg.yield"(%arg86) : (bf16) -> ()
    }) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %24 = "tensor.collapse_shape"(%arg4) <{reassociation = [[0, 1], [2]]}> : (tensor<2x16x32xbf16>) -> tensor<32x32xbf16>
    %25 = "tensor.empty"() : () -> tensor<32x32xbf16>
    %26 = "linalg.fill"(%3, %25) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg84: bf16, %arg85: bf16):
      "linalg.yield"(%arg84) : (bf16) -> ()
    }) : (bf16, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %27 = "linalg.matmul"(%24, %23, %26) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg81: bf16, %arg82: bf16, %arg83: bf16):
      %120 = "arith.mulf"(%arg81, %arg82) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      %121 = "arith.addf"(%arg83, %120) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%121) : (bf16) -> ()
    }) : (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %28 = "tensor.expand_shape"(%27) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 16, 2, 16>}> : (tensor<32x32xbf16>) -> tensor<2x16x2x16xbf16>
    %29 = "tensor.empty"() : () -> tensor<2x2x16x16xbf16>
    %30 = "linalg.generic"(%28, %29) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg79: bf16, %arg80: bf16):
      "linalg.yield"(%arg79) : (bf16) -> ()
    }) : (tensor<2x16x2x16xbf16>, tensor<2x2x16x16xbf16>) -> tensor<2x2x16x16xbf16>
    %31 = "tensor.empty"() : () -> tensor<32x32xbf16>
    %32 = "linalg.generic"(%arg0, %31) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg77: bf16, %arg78: bf16):
      "linalg.yield"(%arg77) : (bf16) -> ()
    }) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %33 = "tensor.empty"() : () -> tensor<32x32xbf16>
    %34 = "linalg.fill"(%3, %33) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg75: bf16, %arg76: bf16):
      "linalg.yield"(%arg75) : (bf16) -> ()
    }) : (bf16, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %35 = "linalg.matmul"(%24, %32, %34) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg72: bf16, %arg73: bf16, %arg74: bf16):
      %118 = "arith.mulf"(%arg72, %arg73) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      %119 = "arith.addf"(%arg74, %118) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%119) : (bf16) -> ()
    }) : (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %36 = "tensor.expand_shape"(%35) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 16, 2, 16>}> : (tensor<32x32xbf16>) -> tensor<2x16x2x16xbf16>
    %37 = "tensor.empty"() : () -> tensor<2x2x16x16xbf16>
    %38 = "linalg.generic"(%36, %37) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg70: bf16, %arg71: bf16):
      "linalg.yield"(%arg70) : (bf16) -> ()
    }) : (tensor<2x16x2x16xbf16>, tensor<2x2x16x16xbf16>) -> tensor<2x2x16x16xbf16>
    %39 = "tensor.empty"() : () -> tensor<32x32xbf16>
    %40 = "linalg.generic"(%arg3, %39) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg68: bf16, %arg69: bf16):
      "linalg.yield"(%arg68) : (bf16) -> ()
    }) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %41 = "tensor.empty"() : () -> tensor<32x32xbf16>
    %42 = "linalg.fill"(%3, %41) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg66: bf16, %arg67: bf16):
      "linalg.yield"(%arg66) : (bf16) -> ()
    }) : (bf16, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %43 = "linalg.matmul"(%24, %40, %42) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg63: bf16, %arg64: bf16, %arg65: bf16):
      %116 = "arith.mulf"(%arg63, %arg64) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      %117 = "arith.addf"(%arg65, %116) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%117) : (bf16) -> ()
    }) : (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %44 = "tensor.expand_shape"(%43) <{reassociation = [[0, 1], [2, 3]], static_output_shape = array<i64: 2, 16, 2, 16>}> : (tensor<32x32xbf16>) -> tensor<2x16x2x16xbf16>
    %45 = "tensor.empty"() : () -> tensor<2x2x16x16xbf16>
    %46 = "linalg.generic"(%44, %45) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg61: bf16, %arg62: bf16):
      "linalg.yield"(%arg61) : (bf16) -> ()
    }) : (tensor<2x16x2x16xbf16>, tensor<2x2x16x16xbf16>) -> tensor<2x2x16x16xbf16>
    %47 = "tensor.empty"() : () -> tensor<2x2x16x16xbf16>
    %48 = "linalg.generic"(%38, %47) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg59: bf16, %arg60: bf16):
      "linalg.yield"(%arg59) : (bf16) -> ()
    }) : (tensor<2x2x16x16xbf16>, tensor<2x2x16x16xbf16>) -> tensor<2x2x16x16xbf16>
    %49 = "tensor.collapse_shape"(%30) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x2x16x16xbf16>) -> tensor<4x16x16xbf16>
    %50 = "tensor.collapse_shape"(%48) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x2x16x16xbf16>) -> tensor<4x16x16xbf16>
    %51 = "tensor.empty"() : () -> tensor<4x16x16xbf16>
    %52 = "linalg.fill"(%3, %51) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg57: bf16, %arg58: bf16):
      "linalg.yield"(%arg57) : (bf16) -> ()
    }) : (bf16, tensor<4x16x16xbf16>) -> tensor<4x16x16xbf16>
    %53 = "linalg.batch_matmul"(%49, %50, %52) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg54: bf16, %arg55: bf16, %arg56: bf16):
      %114 = "arith.mulf"(%arg54, %arg55) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      %115 = "arith.addf"(%arg56, %114) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%115) : (bf16) -> ()
    }) : (tensor<4x16x16xbf16>, tensor<4x16x16xbf16>, tensor<4x16x16xbf16>) -> tensor<4x16x16xbf16>
    %54 = "tensor.expand_shape"(%53) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 2, 16, 16>}> : (tensor<4x16x16xbf16>) -> tensor<2x2x16x16xbf16>
    %55 = "tensor.empty"() : () -> tensor<2x2x16x16xbf16>
    %56 = "linalg.generic"(%54, %55) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg52: bf16, %arg53: bf16):
      %113 = "arith.divf"(%arg52, %2) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%113) : (bf16) -> ()
    }) : (tensor<2x2x16x16xbf16>, tensor<2x2x16x16xbf16>) -> tensor<2x2x16x16xbf16>
    %57 = "tensor.empty"() : () -> tensor<bf16>
    %58 = "linalg.generic"(%57) <{indexing_maps = [affine_map<() -> ()>], iterator_types = [], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg51: bf16):
      "linalg.yield"(%1) : (bf16) -> ()
    }) : (tensor<bf16>) -> tensor<bf16>
    %59 = "tensor.empty"() : () -> tensor<2x2x16x16xi1>
    %60 = "linalg.generic"(%21, %59) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg49: i1, %arg50: i1):
      "linalg.yield"(%arg49) : (i1) -> ()
    }) : (tensor<16x16xi1>, tensor<2x2x16x16xi1>) -> tensor<2x2x16x16xi1>
    %61 = "tensor.empty"() : () -> tensor<2x2x16x16xbf16>
    %62 = "linalg.generic"(%58, %61) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg47: bf16, %arg48: bf16):
      "linalg.yield"(%arg47) : (bf16) -> ()
    }) : (tensor<bf16>, tensor<2x2x16x16xbf16>) -> tensor<2x2x16x16xbf16>
    %63 = "tensor.empty"() : () -> tensor<2x2x16x16xbf16>
    %64 = "linalg.generic"(%60, %56, %62, %63) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg43: i1, %arg44: bf16, %arg45: bf16, %arg46: bf16):
      %112 = "arith.select"(%arg43, %arg44, %arg45) : (i1, bf16, bf16) -> bf16
      "linalg.yield"(%112) : (bf16) -> ()
    }) : (tensor<2x2x16x16xi1>, tensor<2x2x16x16xbf16>, tensor<2x2x16x16xbf16>, tensor<2x2x16x16xbf16>) -> tensor<2x2x16x16xbf16>
    %65 = "tensor.empty"() : () -> tensor<2x2x16xbf16>
    %66 = "linalg.fill"(%1, %65) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg41: bf16, %arg42: bf16):
      "linalg.yield"(%arg41) : (bf16) -> ()
    }) : (bf16, tensor<2x2x16xbf16>) -> tensor<2x2x16xbf16>
    %67 = "linalg.generic"(%64, %66) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg39: bf16, %arg40: bf16):
      %111 = "arith.maximumf"(%arg40, %arg39) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%111) : (bf16) -> ()
    }) : (tensor<2x2x16x16xbf16>, tensor<2x2x16xbf16>) -> tensor<2x2x16xbf16>
    %68 = "tensor.empty"() : () -> tensor<2x2x16x16xbf16>
    %69 = "linalg.generic"(%67, %68) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg37: bf16, %arg38: bf16):
      "linalg.yield"(%arg37) : (bf16) -> ()
    }) : (tensor<2x2x16xbf16>, tensor<2x2x16x16xbf16>) -> tensor<2x2x16x16xbf16>
    %70 = "tensor.empty"() : () -> tensor<2x2x16x16xbf16>
    %71 = "linalg.generic"(%64, %69, %70) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg34: bf16, %arg35: bf16, %arg36: bf16):
      %110 = "arith.subf"(%arg34, %arg35) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%110) : (bf16) -> ()
    }) : (tensor<2x2x16x16xbf16>, tensor<2x2x16x16xbf16>, tensor<2x2x16x16xbf16>) -> tensor<2x2x16x16xbf16>
    %72 = "tensor.empty"() : () -> tensor<2x2x16x16xbf16>
    %73 = "linalg.generic"(%71, %72) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg32: bf16, %arg33: bf16):
      %109 = "math.exp"(%arg32) <{fastmath = #arith.fastmath<none>}> : (bf16) -> bf16
      "linalg.yield"(%109) : (bf16) -> ()
    }) : (tensor<2x2x16x16xbf16>, tensor<2x2x16x16xbf16>) -> tensor<2x2x16x16xbf16>
    %74 = "tensor.empty"() : () -> tensor<2x2x16x16xf32>
    %75 = "linalg.generic"(%73, %74) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg30: bf16, %arg31: f32):
      %108 = "arith.extf"(%arg30) : (bf16) -> f32
      "linalg.yield"(%108) : (f32) -> ()
    }) : (tensor<2x2x16x16xbf16>, tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32>
    %76 = "tensor.empty"() : () -> tensor<2x2x16xf32>
    %77 = "linalg.fill"(%0, %76) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg28: f32, %arg29: f32):
      "linalg.yield"(%arg28) : (f32) -> ()
    }) : (f32, tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
    %78 = "linalg.generic"(%75, %77) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg26: f32, %arg27: f32):
      %107 = "arith.addf"(%arg27, %arg26) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%107) : (f32) -> ()
    }) : (tensor<2x2x16x16xf32>, tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
    %79 = "tensor.empty"() : () -> tensor<2x2x16xbf16>
    %80 = "linalg.generic"(%78, %79) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg24: f32, %arg25: bf16):
      %106 = "arith.truncf"(%arg24) : (f32) -> bf16
      "linalg.yield"(%106) : (bf16) -> ()
    }) : (tensor<2x2x16xf32>, tensor<2x2x16xbf16>) -> tensor<2x2x16xbf16>
    %81 = "tensor.expand_shape"(%80) <{reassociation = [[0], [1], [2, 3]], static_output_shape = array<i64: 2, 2, 16, 1>}> : (tensor<2x2x16xbf16>) -> tensor<2x2x16x1xbf16>
    %82 = "tensor.empty"() : () -> tensor<2x2x16x16xbf16>
    %83 = "linalg.generic"(%81, %82) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg22: bf16, %arg23: bf16):
      "linalg.yield"(%arg22) : (bf16) -> ()
    }) : (tensor<2x2x16x1xbf16>, tensor<2x2x16x16xbf16>) -> tensor<2x2x16x16xbf16>
    %84 = "tensor.empty"() : () -> tensor<2x2x16x16xbf16>
    %85 = "linalg.generic"(%73, %83, %84) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg19: bf16, %arg20: bf16, %arg21: bf16):
      %105 = "arith.divf"(%arg19, %arg20) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%105) : (bf16) -> ()
    }) : (tensor<2x2x16x16xbf16>, tensor<2x2x16x16xbf16>, tensor<2x2x16x16xbf16>) -> tensor<2x2x16x16xbf16>
    %86 = "tensor.collapse_shape"(%85) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x2x16x16xbf16>) -> tensor<4x16x16xbf16>
    %87 = "tensor.collapse_shape"(%46) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x2x16x16xbf16>) -> tensor<4x16x16xbf16>
    %88 = "tensor.empty"() : () -> tensor<4x16x16xbf16>
    %89 = "linalg.fill"(%3, %88) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg17: bf16, %arg18: bf16):
      "linalg.yield"(%arg17) : (bf16) -> ()
    }) : (bf16, tensor<4x16x16xbf16>) -> tensor<4x16x16xbf16>
    %90 = "linalg.batch_matmul"(%86, %87, %89) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg14: bf16, %arg15: bf16, %arg16: bf16):
      %103 = "arith.mulf"(%arg14, %arg15) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      %104 = "arith.addf"(%arg16, %103) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%104) : (bf16) -> ()
    }) : (tensor<4x16x16xbf16>, tensor<4x16x16xbf16>, tensor<4x16x16xbf16>) -> tensor<4x16x16xbf16>
    %91 = "tensor.expand_shape"(%90) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 2, 16, 16>}> : (tensor<4x16x16xbf16>) -> tensor<2x2x16x16xbf16>
    %92 = "tensor.empty"() : () -> tensor<2x16x2x16xbf16>
    %93 = "linalg.generic"(%91, %92) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg12: bf16, %arg13: bf16):
      "linalg.yield"(%arg12) : (bf16) -> ()
    }) : (tensor<2x2x16x16xbf16>, tensor<2x16x2x16xbf16>) -> tensor<2x16x2x16xbf16>
    %94 = "tensor.empty"() : () -> tensor<32x32xbf16>
    %95 = "linalg.generic"(%arg1, %94) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg10: bf16, %arg11: bf16):
      "linalg.yield"(%arg10) : (bf16) -> ()
    }) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %96 = "tensor.collapse_shape"(%93) <{reassociation = [[0, 1], [2, 3]]}> : (tensor<2x16x2x16xbf16>) -> tensor<32x32xbf16>
    %97 = "tensor.empty"() : () -> tensor<32x32xbf16>
    %98 = "linalg.fill"(%3, %97) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg8: bf16, %arg9: bf16):
      "linalg.yield"(%arg8) : (bf16) -> ()
    }) : (bf16, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %99 = "linalg.matmul"(%96, %95, %98) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg5: bf16, %arg6: bf16, %arg7: bf16):
      %101 = "arith.mulf"(%arg5, %arg6) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      %102 = "arith.addf"(%arg7, %101) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%102) : (bf16) -> ()
    }) : (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %100 = "tensor.expand_shape"(%99) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 16, 32>}> : (tensor<32x32xbf16>) -> tensor<2x16x32xbf16>
    "util.return"(%100) : (tensor<2x16x32xbf16>) -> ()
  }) : () -> ()
}) : () -> ()