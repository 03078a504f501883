// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<8x64xbf16>, tensor<8x16xi32>) -> tensor<8x16xbf16>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x64xbf16>, %arg1: tensor<8x16xi32>):
    %0 = "arith.constant"() <{value = 0x7FC0 : bf16}> : () -> bf16
    %1 = "arith.constant"() <{value = 63 : index}> : () -> index
    %2 = "arith.constant"() <{value = 0 : index}> : () -> index
    %3 = "arith.constant"() <{value = true}> : () -> i1
    %4 = "arith.constant"() <{value = 63 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %7 = "tensor.empty"() : () -> tensor<8x16xi1>
    %8 = "linalg.generic"(%arg1, %7) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg23: i32, %arg24: i1):
      %41 = "arith.cmpi"(%arg23, %6) <{predicate = 2 : i64}> : (i32, i32) -> i1
      "linalg.yield"(%41) : (i1) -> ()
    }) : (tensor<8x16xi32>, tensor<8x16xi1>) -> tensor<8x16xi1>
    %9 = "tensor.empty"() : () -> tensor<8x16xi32>
    %10 = "linalg.generic"(%arg1, %9) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg21: i32, %arg22: i32):
      %40 = "arith.addi"(%arg21, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "linalg.yield"(%40) : (i32) -> ()
    }) : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi32>
    %11 = "tensor.empty"() : () -> tensor<8x16xi32>
    %12 = "linalg.generic"(%8, %10, %arg1, %11) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg17: i1, %arg18: i32, %arg19: i32, %arg20: i32):
      %39 = "arith.select"(%arg17, %arg18, %arg19) : (i1, i32, i32) -> i32
      "linalg.yield"(%39) : (i32) -> ()
    }) : (tensor<8x16xi1>, tensor<8x16xi32>, tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi32>
    %13 = "tensor.expand_shape"(%12) <{reassociation = [[0], [1, 2]], static_output_shape = array<i64: 8, 16, 1>}> : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
    %14 = "tensor.empty"() : () -> tensor<8x16x1xi1>
    %15 = "linalg.generic"(%13, %14) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg15: i32, %arg16: i1):
      %38 = "arith.cmpi"(%arg15, %6) <{predicate = 5 : i64}> : (i32, i32) -> i1
      "linalg.yield"(%38) : (i1) -> ()
    }) : (tensor<8x16x1xi32>, tensor<8x16x1xi1>) -> tensor<8x16x1xi1>
    %16 = "tensor.empty"() : () -> tensor<8x16x1xi1>
    %17 = "linalg.generic"(%13, %16) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg13: i32, %arg14: i1):
      %37 = "arith.cmpi"(%arg13, %4) <{predicate = 3 : i64}> : (i32, i32) -> i1
      "linalg.yield"(%37) : (i1) -> ()
    }) : (tensor<8x16x1xi32>, tensor<8x16x1xi1>) -> tensor<8x16x1xi1>
    %18 = "tensor.empty"() : () -> tensor<8x16x1xi1>
    %19 = "linalg.generic"(%15, %17, %18) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg10: i1, %arg11: i1, %arg12: i1):
      %36 = "arith.andi"(%arg10, %arg11) : (i1, i1) -> i1
      "linalg.yield"(%36) : (i1) -> ()
    }) : (tensor<8x16x1xi1>, tensor<8x16x1xi1>, tensor<8x16x1xi1>) -> tensor<8x16x1xi1>
    %20 = "tensor.empty"() : () -> tensor<8x16xi1>
    %21 = "linalg.fill"(%3, %20) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg8: i1, %arg9: i1):
      "linalg.yield"(%arg8) : (i1) -> ()
    }) : (i1, tensor<8x16xi1>) -> tensor<8x16xi1>
    %22 = "linalg.generic"(%19, %21) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg6: i1, %arg7: i1):
      %35 = "arith.andi"(%arg7, %arg6) : (i1, i1) -> i1
      "linalg.yield"(%35) : (i1) -> ()
    }) : (tensor<8x16x1xi1>, tensor<8x16xi1>) -> tensor<8x16xi1>
    %23 = "tensor.empty"() : () -> tensor<8x16xbf16>
    %24 = "linalg.generic"(%23) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg5: bf16):
      %28 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %29 = "linalg.index"() <{dim = 1 : i64}> : () -> index
      %30 = "tensor.extract"(%13, %28, %29, %2) : (tensor<8x16x1xi32>, index, index, index) -> i32
      %31 = "arith.index_cast"(%30) : (i32) -> index
      %32 = "arith.maxsi"(%31, %2) : (index, index) -> index
      %33 = "arith.minsi"(%32, %1) : (index, index) -> index
      %34 = "tensor.extract"(%arg0, %28, %33) : (tensor<8x64xbf16>, index, index) -> bf16
      "linalg.yield"(%34) : (bf16) -> ()
    }) : (tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %25 = "tensor.empty"() : () -> tensor<8x16xbf16>
    %26 = "linalg.generic"(%22, %24, %25) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg2: i1, %arg3: bf16, %arg4: bf16):
      %27 = "arith.select"(%arg2, %arg3, %0) : (i1, bf16, bf16) -> bf16
      "linalg.yield"(%27) : (bf16) -> ()
    }) : (tensor<8x16xi1>, tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    "util.return"(%26) : (tensor<8x16xbf16>) -> ()
  }) : () -> ()
}) : () -> ()