// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<8x16x1024x64xf32>, tensor<8x16x64x64xf32>) -> tensor<8x16x1024x64xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x16x1024x64xf32>, %arg1: tensor<8x16x64x64xf32>):
    %0 = "arith.constant"() <{value = 9.99999997E-7 : f32}> : () -> f32
    %1 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %2 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %3 = "tensor.empty"() : () -> tensor<8x16x1024x64xi1>
    %4 = "linalg.generic"(%arg0, %3) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg34: f32, %arg35: i1):
      %45 = "arith.cmpf"(%arg34, %2) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
      "linalg.yield"(%45) : (i1) -> ()
    }) : (tensor<8x16x1024x64xf32>, tensor<8x16x1024x64xi1>) -> tensor<8x16x1024x64xi1>
    %5 = "tensor.empty"() : () -> tensor<8x16x1024x64xf32>
    %6 = "linalg.generic"(%4, %arg0, %5) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg31: i1, %arg32: f32, %arg33: f32):
      %44 = "arith.select"(%arg31, %2, %arg32) : (i1, f32, f32) -> f32
      "linalg.yield"(%44) : (f32) -> ()
    }) : (tensor<8x16x1024x64xi1>, tensor<8x16x1024x64xf32>, tensor<8x16x1024x64xf32>) -> tensor<8x16x1024x64xf32>
    %7 = "tensor.empty"() : () -> tensor<8x16x1024x64xf32>
    %8 = "linalg.generic"(%6, %7) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg29: f32, %arg30: f32):
      %43 = "math.expm1"(%arg29) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%43) : (f32) -> ()
    }) : (tensor<8x16x1024x64xf32>, tensor<8x16x1024x64xf32>) -> tensor<8x16x1024x64xf32>
    %9 = "tensor.empty"() : () -> tensor<8x16x1024x64xf32>
    %10 = "linalg.generic"(%4, %arg0, %8, %9) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg25: i1, %arg26: f32, %arg27: f32, %arg28: f32):
      %42 = "arith.select"(%arg25, %arg26, %arg27) : (i1, f32, f32) -> f32
      "linalg.yield"(%42) : (f32) -> ()
    }) : (tensor<8x16x1024x64xi1>, tensor<8x16x1024x64xf32>, tensor<8x16x1024x64xf32>, tensor<8x16x1024x64xf32>) -> tensor<8x16x1024x64xf32>
    %11 = "tensor.empty"() : () -> tensor<8x16x1024x64xf32>
    %12 = "linalg.generic"(%10, %11) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg23: f32, %arg24: f32):
      %41 = "arith.addf"(%arg23, %1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%41) : (f32) -> ()
    }) : (tensor<8x16x1024x64xf32>, tensor<8x16x1024x64xf32>) -> tensor<8x16x1024x64xf32>
    %13 = "tensor.collapse_shape"(%12) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<8x16x1024x64xf32>) -> tensor<128x1024x64xf32>
    %14 = "tensor.collapse_shape"(%arg1) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<8x16x64x64xf32>) -> tensor<128x64x64xf32>
    %15 = "tensor.empty"() : () -> tensor<128x1024x64xf32>
    %16 = "linalg.fill"(%2, %15) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg21: f32, %arg22: f32):
      "linalg.yield"(%arg21) : (f32) -> ()
    }) : (f32, tensor<128x1024x64xf32>) -> tensor<128x1024x64xf32>
    %17 = "linalg.batch_matmul"(%13, %14, %16) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg18: f32, %arg19: f32, %arg20: f32):
      %39 = "arith.mulf"(%arg18, %arg19) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %40 = "arith.addf"(%arg20, %39) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%40) : (f32) -> ()
    }) : (tensor<128x1024x64xf32>, tensor<128x64x64xf32>, tensor<128x1024x64xf32>) -> tensor<128x1024x64xf32>
    %18 = "tensor.expand_shape"(%17) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 8, 16, 1024, 64>}> : (tensor<128x1024x64xf32>) -> tensor<8x16x1024x64xf32>
    %19 = "tensor.empty"() : () -> tensor<8x16x64xf32>
    %20 = "linalg.fill"(%2, %19) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg16: f32, %arg17: f32):
      "linalg.yield"(%arg16) : (f32) -> ()
    }) : (f32, tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
    %21 = "linalg.generic"(%arg1, %20) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg14: f32, %arg15: f32):
      %38 = "arith.addf"(%arg15, %arg14) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%38) : (f32) -> ()
    }) : (tensor<8x16x64x64xf32>, tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
    %22 = "tensor.collapse_shape"(%21) <{reassociation = [[0, 1, 2]]}> : (tensor<8x16x64xf32>) -> tensor<8192xf32>
    %23 = "tensor.expand_shape"(%22) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 128, 64, 1>}> : (tensor<8192xf32>) -> tensor<128x64x1xf32>
    %24 = "tensor.empty"() : () -> tensor<128x1024x1xf32>
    %25 = "linalg.fill"(%2, %24) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg12: f32, %arg13: f32):
      "linalg.yield"(%arg12) : (f32) -> ()
    }) : (f32, tensor<128x1024x1xf32>) -> tensor<128x1024x1xf32>
    %26 = "linalg.batch_matmul"(%13, %23, %25) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg9: f32, %arg10: f32, %arg11: f32):
      %36 = "arith.mulf"(%arg9, %arg10) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %37 = "arith.addf"(%arg11, %36) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%37) : (f32) -> ()
    }) : (tensor<128x1024x64xf32>, tensor<128x64x1xf32>, tensor<128x1024x1xf32>) -> tensor<128x1024x1xf32>
    %27 = "tensor.expand_shape"(%26) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 8, 16, 1024, 1>}> : (tensor<128x1024x1xf32>) -> tensor<8x16x1024x1xf32>
    %28 = "tensor.empty"() : () -> tensor<8x16x1024x1xf32>
    %29 = "linalg.generic"(%27, %28) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg7: f32, %arg8: f32):
      %35 = "arith.addf"(%arg7, %0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%35) : (f32) -> ()
    }) : (tensor<8x16x1024x1xf32>, tensor<8x16x1024x1xf32>) -> tensor<8x16x1024x1xf32>
    %30 = "tensor.empty"() : () -> tensor<8x16x1024x64xf32>
    %31 = "linalg.generic"(%29, %30) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      "linalg.yield"(%arg5) : (f32) -> ()
    }) : (tensor<8x16x1024x1xf32>, tensor<8x16x1024x64xf32>) -> tensor<8x16x1024x64xf32>
    %32 = "tensor.empty"() : () -> tensor<8x16x1024x64xf32>
    %33 = "linalg.generic"(%18, %31, %32) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg2: f32, %arg3: f32, %arg4: f32):
      %34 = "arith.divf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%34) : (f32) -> ()
    }) : (tensor<8x16x1024x64xf32>, tensor<8x16x1024x64xf32>, tensor<8x16x1024x64xf32>) -> tensor<8x16x1024x64xf32>
    "util.return"(%33) : (tensor<8x16x1024x64xf32>) -> ()
  }) : () -> ()
}) : () -> ()