// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<100x64xbf16>, tensor<2x8xi32>) -> tensor<2x8x64xbf16>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<100x64xbf16>, %arg1: tensor<2x8xi32>):
    %0 = "arith.constant"() <{value = 0x7FC0 : bf16}> : () -> bf16
    %1 = "arith.constant"() <{value = true}> : () -> i1
    %2 = "arith.constant"() <{value = 99 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = 100 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %5 = "tensor.empty"() : () -> tensor<2x8xi1>
    %6 = "linalg.generic"(%arg1, %5) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg26: i32, %arg27: i1):
      %38 = "arith.cmpi"(%arg26, %4) <{predicate = 2 : i64}> : (i32, i32) -> i1
      "linalg.yield"(%38) : (i1) -> ()
    }) : (tensor<2x8xi32>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %7 = "tensor.empty"() : () -> tensor<2x8xi32>
    %8 = "linalg.generic"(%arg1, %7) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg24: i32, %arg25: i32):
      %37 = "arith.addi"(%arg24, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "linalg.yield"(%37) : (i32) -> ()
    }) : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %9 = "tensor.empty"() : () -> tensor<2x8xi32>
    %10 = "linalg.generic"(%6, %8, %arg1, %9) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg20: i1, %arg21: i32, %arg22: i32, %arg23: i32):
      %36 = "arith.select"(%arg20, %arg21, %arg22) : (i1, i32, i32) -> i32
      "linalg.yield"(%36) : (i32) -> ()
    }) : (tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %11 = "tensor.expand_shape"(%10) <{reassociation = [[0], [1, 2]], static_output_shape = array<i64: 2, 8, 1>}> : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %12 = "tensor.empty"() : () -> tensor<2x8x1xi1>
    %13 = "linalg.generic"(%11, %12) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg18: i32, %arg19: i1):
      %35 = "arith.cmpi"(%arg18, %4) <{predicate = 5 : i64}> : (i32, i32) -> i1
      "linalg.yield"(%35) : (i1) -> ()
    }) : (tensor<2x8x1xi32>, tensor<2x8x1xi1>) -> tensor<2x8x1xi1>
    %14 = "tensor.empty"() : () -> tensor<2x8x1xi1>
    %15 = "linalg.generic"(%11, %14) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg16: i32, %arg17: i1):
      %34 = "arith.cmpi"(%arg16, %2) <{predicate = 3 : i64}> : (i32, i32) -> i1
      "linalg.yield"(%34) : (i1) -> ()
    }) : (tensor<2x8x1xi32>, tensor<2x8x1xi1>) -> tensor<2x8x1xi1>
    %16 = "tensor.empty"() : () -> tensor<2x8x1xi1>
    %17 = "linalg.generic"(%13, %15, %16) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg13: i1, %arg14: i1, %arg15: i1):
      %33 = "arith.andi"(%arg13, %arg14) : (i1, i1) -> i1
      "linalg.yield"(%33) : (i1) -> ()
    }) : (tensor<2x8x1xi1>, tensor<2x8x1xi1>, tensor<2x8x1xi1>) -> tensor<2x8x1xi1>
    %18 = "tensor.empty"() : () -> tensor<2x8xi1>
    %19 = "linalg.fill"(%1, %18) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg11: i1, %arg12: i1):
      "linalg.yield"(%arg11) : (i1) -> ()
    }) : (i1, tensor<2x8xi1>) -> tensor<2x8xi1>
    %20 = "linalg.generic"(%17, %19) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg9: i1, %arg10: i1):
      %32 = "arith.andi"(%arg10, %arg9) : (i1, i1) -> i1
      "linalg.yield"(%32) : (i1) -> ()
    }) : (tensor<2x8x1xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %21 = "tensor.empty"() : () -> tensor<2x8x1x64xbf16>
    %22 = "linalg.generic"(%11, %21) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg7: i32, %arg8: bf16):
      %29 = "arith.index_cast"(%arg7) : (i32) -> index
      %30 = "linalg.index"() <{dim = 3 : i64}> : () -> index
      %31 = "tensor.extract"(%arg0, %29, %30) : (tensor<100x64xbf16>, index, index) -> bf16
      "linalg.yield"(%31) : (bf16) -> ()
    }) : (tensor<2x8x1xi32>, tensor<2x8x1x64xbf16>) -> tensor<2x8x1x64xbf16>
    %23 = "tensor.collapse_shape"(%22) <{reassociation = [[0], [1], [2, 3]]}> : (tensor<2x8x1x64xbf16>) -> tensor<2x8x64xbf16>
    %24 = "tensor.empty"() : () -> tensor<2x8x64xi1>
    %25 = "linalg.generic"(%20, %24) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg5: i1, %arg6: i1):
      "linalg.yield"(%arg5) : (i1) -> ()
    }) : (tensor<2x8xi1>, tensor<2x8x64xi1>) -> tensor<2x8x64xi1>
    %26 = "tensor.empty"() : () -> tensor<2x8x64xbf16>
    %27 = "linalg.generic"(%25, %23, %26) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg2: i1, %arg3: bf16, %arg4: bf16):
      %28 = "arith.select"(%arg2, %arg3, %0) : (i1, bf16, bf16) -> bf16
      "linalg.yield"(%28) : (bf16) -> ()
    }) : (tensor<2x8x64xi1>, tensor<2x8x64xbf16>, tensor<2x8x64xbf16>) -> tensor<2x8x64xbf16>
    "util.return"(%27) : (tensor<2x8x64xbf16>) -> ()
  }) : () -> ()
}) : () -> ()