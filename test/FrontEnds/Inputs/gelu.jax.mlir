// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<8x64xbf16>) -> tensor<8x64xbf16>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x64xbf16>):
    %0 = "arith.constant"() <{value = 1.12837911 : f32}> : () -> f32
    %1 = "arith.constant"() <{value = -0.37612626 : f32}> : () -> f32
    %2 = "arith.constant"() <{value = 0.112835854 : f32}> : () -> f32
    %3 = "arith.constant"() <{value = -0.0268538129 : f32}> : () -> f32
    %4 = "arith.constant"() <{value = 0.00518832775 : f32}> : () -> f32
    %5 = "arith.constant"() <{value = -8.0101937E-4 : f32}> : () -> f32
    %6 = "arith.constant"() <{value = 7.85386146E-5 : f32}> : () -> f32
    %7 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %8 = "arith.constant"() <{value = -88.7228394 : f32}> : () -> f32
    %9 = "arith.constant"() <{value = 0.564189494 : f32}> : () -> f32
    %10 = "arith.constant"() <{value = -0.282076746 : f32}> : () -> f32
    %11 = "arith.constant"() <{value = 0.42184633 : f32}> : () -> f32
    %12 = "arith.constant"() <{value = -1.01526523 : f32}> : () -> f32
    %13 = "arith.constant"() <{value = 2.92101908 : f32}> : () -> f32
    %14 = "arith.constant"() <{value = -7.49551868 : f32}> : () -> f32
    %15 = "arith.constant"() <{value = 1.297720e+01 : f32}> : () -> f32
    %16 = "arith.constant"() <{value = -10.477664 : f32}> : () -> f32
    %17 = "arith.constant"() <{value = 0.563825965 : f32}> : () -> f32
    %18 = "arith.constant"() <{value = -0.274112701 : f32}> : () -> f32
    %19 = "arith.constant"() <{value = 3.404880e-01 : f32}> : () -> f32
    %20 = "arith.constant"() <{value = -0.494451523 : f32}> : () -> f32
    %21 = "arith.constant"() <{value = 0.621000468 : f32}> : () -> f32
    %22 = "arith.constant"() <{value = -0.582473278 : f32}> : () -> f32
    %23 = "arith.constant"() <{value = 0.368742466 : f32}> : () -> f32
    %24 = "arith.constant"() <{value = -0.138703942 : f32}> : () -> f32
    %25 = "arith.constant"() <{value = 2.326820e-02 : f32}> : () -> f32
    %26 = "arith.constant"() <{value = 2.000000e+00 : f32}> : () -> f32
    %27 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %28 = "arith.constant"() <{value = 7.070310e-01 : bf16}> : () -> bf16
    %29 = "arith.constant"() <{value = 5.000000e-01 : bf16}> : () -> bf16
    %30 = "tensor.empty"() : () -> tensor<8x64xbf16>
    %31 = "linalg.generic"(%arg0, %30) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg162: bf16, %arg163: bf16):
      %230 = "arith.mulf"(%arg162, %29) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%230) : (bf16) -> ()
    }) : (tensor<8x64xbf16>, tensor<8x64xbf16>) -> tensor<8x64xbf16>
    %32 = "tensor.empty"() : () -> tensor<8x64xbf16>
    %33 = "linalg.generic"(%arg0, %32) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg160: bf16, %arg161: bf16):
      %229 = "arith.negf"(%arg160) <{fastmath = #arith.fastmath<none>}> : (bf16) -> bf16
      "linalg.yield"(%229) : (bf16) -> ()
    }) : (tensor<8x64xbf16>, tensor<8x64xbf16>) -> tensor<8x64xbf16>
    %34 = "tensor.empty"() : () -> tensor<8x64xbf16>
    %35 = "linalg.generic"(%33, %34) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg158: bf16, %arg159: bf16):
      %228 = "arith.mulf"(%arg158, %28) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%228) : (bf16) -> ()
    }) : (tensor<8x64xbf16>, tensor<8x64xbf16>) -> tensor<8x64xbf16>
    %36 = "tensor.empty"() : () -> tensor<8x64xf32>
    %37 = "linalg.generic"(%35, %36) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg156: bf16, %arg157: f32):
      %227 = "arith.extf"(%arg156) : (bf16) -> f32
      "linalg.yield"(%227) : (f32) -> ()
    }) : (tensor<8x64xbf16>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %38 = "tensor.empty"() : () -> tensor<8x64xf32>
    %39 = "linalg.generic"(%37, %38) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg154: f32, %arg155: f32):
      %226 = "arith.mulf"(%arg154, %arg154) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%226) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %40 = "tensor.empty"() : () -> tensor<8x64xf32>
    %41 = "linalg.generic"(%39, %40) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg152: f32, %arg153: f32):
      %225 = "arith.negf"(%arg152) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%225) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %42 = "tensor.empty"() : () -> tensor<8x64xf32>
    %43 = "linalg.generic"(%37, %42) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg150: f32, %arg151: f32):
      %224 = "math.absf"(%arg150) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%224) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %44 = "tensor.empty"() : () -> tensor<8x64xf32>
    %45 = "linalg.generic"(%39, %44) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg148: f32, %arg149: f32):
      %223 = "arith.divf"(%27, %arg148) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%223) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %46 = "tensor.empty"() : () -> tensor<8x64xf32>
    %47 = "linalg.generic"(%41, %46) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg146: f32, %arg147: f32):
      %222 = "math.exp"(%arg146) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%222) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %48 = "tensor.empty"() : () -> tensor<8x64xf32>
    %49 = "linalg.generic"(%43, %48) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg144: f32, %arg145: f32):
      %221 = "arith.divf"(%27, %arg144) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%221) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %50 = "tensor.empty"() : () -> tensor<8x64xf32>
    %51 = "linalg.generic"(%47, %49, %50) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg141: f32, %arg142: f32, %arg143: f32):
      %220 = "arith.mulf"(%arg141, %arg142) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%220) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %52 = "tensor.empty"() : () -> tensor<8x64xi1>
    %53 = "linalg.generic"(%43, %52) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg139: f32, %arg140: i1):
      %219 = "arith.cmpf"(%arg139, %26) <{fastmath = #arith.fastmath<none>, predicate = 4 : i64}> : (f32, f32) -> i1
      "linalg.yield"(%219) : (i1) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xi1>) -> tensor<8x64xi1>
    %54 = "tensor.empty"() : () -> tensor<8x64xf32>
    %55 = "linalg.generic"(%45, %54) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg137: f32, %arg138: f32):
      %218 = "arith.mulf"(%arg137, %25) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%218) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %56 = "tensor.empty"() : () -> tensor<8x64xf32>
    %57 = "linalg.generic"(%55, %56) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg135: f32, %arg136: f32):
      %217 = "arith.addf"(%arg135, %24) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%217) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %58 = "tensor.empty"() : () -> tensor<8x64xf32>
    %59 = "linalg.generic"(%57, %45, %58) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg132: f32, %arg133: f32, %arg134: f32):
      %216 = "arith.mulf"(%arg132, %arg133) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%216) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %60 = "tensor.empty"() : () -> tensor<8x64xf32>
    %61 = "linalg.generic"(%59, %60) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg130: f32, %arg131: f32):
      %215 = "arith.addf"(%arg130, %23) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%215) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %62 = "tensor.empty"() : () -> tensor<8x64xf32>
    %63 = "linalg.generic"(%61, %45, %62) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg127: f32, %arg128: f32, %arg129: f32):
      %214 = "arith.mulf"(%arg127, %arg128) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%214) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %64 = "tensor.empty"() : () -> tensor<8x64xf32>
    %65 = "linalg.generic"(%63, %64) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg125: f32, %arg126: f32):
      %213 = "arith.addf"(%arg125, %22) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%213) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %66 = "tensor.empty"() : () -> tensor<8x64xf32>
    %67 = "linalg.generic"(%65, %45, %66) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg122: f32, %arg123: f32, %arg124: f32):
      %212 = "arith.mulf"(%arg122, %arg123) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%212) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %68 = "tensor.empty"() : () -> tensor<8x64xf32>
    %69 = "linalg.generic"(%67, %68) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg120: f32, %arg121: f32):
      %211 = "arith.addf"(%arg120, %21) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%211) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %70 = "tensor.empty"() : () -> tensor<8x64xf32>
    %71 = "linalg.generic"(%69, %45, %70) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg117: f32, %arg118: f32, %arg119: f32):
      %210 = "arith.mulf"(%arg117, %arg118) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%210) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %72 = "tensor.empty"() : () -> tensor<8x64xf32>
    %73 = "linalg.generic"(%71, %72) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg115: f32, %arg116: f32):
      %209 = "arith.addf"(%arg115, %20) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%209) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %74 = "tensor.empty"() : () -> tensor<8x64xf32>
    %75 = "linalg.generic"(%73, %45, %74) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg112: f32, %arg113: f32, %arg114: f32):
      %208 = "arith.mulf"(%arg112, %arg113) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%208) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %76 = "tensor.empty"() : () -> tensor<8x64xf32>
    %77 = "linalg.generic"(%75, %76) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg110: f32, %arg111: f32):
      %207 = "arith.addf"(%arg110, %19) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%207) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %78 = "tensor.empty"() : () -> tensor<8x64xf32>
    %79 = "linalg.generic"(%77, %45, %78) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg107: f32, %arg108: f32, %arg109: f32):
      %206 = "arith.mulf"(%arg107, %arg108) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%206) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %80 = "tensor.empty"() : () -> tensor<8x64xf32>
    %81 = "linalg.generic"(%79, %80) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg105: f32, %arg106: f32):
      %205 = "arith.addf"(%arg105, %18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%205) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %82 = "tensor.empty"() : () -> tensor<8x64xf32>
    %83 = "linalg.generic"(%81, %45, %82) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg102: f32, %arg103: f32, %arg104: f32):
      %204 = "arith.mulf"(%arg102, %arg103) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%204) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %84 = "tensor.empty"() : () -> tensor<8x64xf32>
    %85 = "linalg.generic"(%83, %84) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg100: f32, %arg101: f32):
      %203 = "arith.addf"(%arg100, %17) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%203) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %86 = "tensor.empty"() : () -> tensor<8x64xf32>
    %87 = "linalg.generic"(%45, %86) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg98: f32, %arg99: f32):
      %202 = "arith.mulf"(%arg98, %16) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%202) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %88 = "tensor.empty"() : () -> tensor<8x64xf32>
    %89 = "linalg.generic"(%87, %88) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg96: f32, %arg97: f32):
      %201 = "arith.addf"(%arg96, %15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%201) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %90 = "tensor.empty"() : () -> tensor<8x64xf32>
    %91 = "linalg.generic"(%89, %45, %90) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg93: f32, %arg94: f32, %arg95: f32):
      %200 = "arith.mulf"(%arg93, %arg94) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%200) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %92 = "tensor.empty"() : () -> tensor<8x64xf32>
    %93 = "linalg.generic"(%91, %92) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg91: f32, %arg92: f32):
      %199 = "arith.addf"(%arg91, %14) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%199) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %94 = "tensor.empty"() : () -> tensor<8x64xf32>
    %95 = "linalg.generic"(%93, %45, %94) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg88: f32, %arg89: f32, %arg90: f32):
      %198 = "arith.mulf"(%arg88, %arg89) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%198) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %96 = "tensor.empty"() : () -> tensor<8x64xf32>
    %97 = "linalg.generic"(%95, %96) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg86: f32, %arg87: f32):
      %197 = "arith.addf"(%arg86, %13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%197) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %98 = "tensor.empty"() : () -> tensor<8x64xf32>
    %99 = "linalg.generic"(%97, %45, %98) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg83: f32, %arg84: f32, %arg85: f32):
      %196 = "arith.mulf"(%arg83, %arg84) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%196) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %100 = "tensor.empty"() : () -> tensor<8x64xf32>
    %101 = "linalg.generic"(%99, %100) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg81: f32, %arg82: f32):
      %195 = "arith.addf"(%arg81, %12) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%195) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %102 = "tensor.empty"() : () -> tensor<8x64xf32>
    %103 = "linalg.generic"(%101, %45, %102) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg78: f32, %arg79: f32, %arg80: f32):
      %194 = "arith.mulf"(%arg78, %arg79) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%194) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %104 = "tensor.empty"() : () -> tensor<8x64xf32>
    %105 = "linalg.generic"(%103, %104) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg76: f32, %arg77: f32):
      %193 = "arith.addf"(%arg76, %11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%193) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %106 = "tensor.empty"() : () -> tensor<8x64xf32>
    %107 = "linalg.generic"(%105, %45, %106) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg73: f32, %arg74: f32, %arg75: f32):
      %192 = "arith.mulf"(%arg73, %arg74) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%192) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %108 = "tensor.empty"() : () -> tensor<8x64xf32>
    %109 = "linalg.generic"(%107, %108) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg71: f32, %arg72: f32):
      %191 = "arith.addf"(%arg71, %10) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%191) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %110 = "tensor.empty"() : () -> tensor<8x64xf32>
    %111 = "linalg.generic"(%109, %45, %110) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg68: f32, %arg69: f32, %arg70: f32):
      %190 = "arith.mulf"(%arg68, %arg69) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%190) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %112 = "tensor.empty"() : () -> tensor<8x64xf32>
    %113 = "linalg.generic"(%111, %112) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg66: f32, %arg67: f32):
      %189 = "arith.addf"(%arg66, %9) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%189) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %114 = "tensor.empty"() : () -> tensor<8x64xf32>
    %115 = "linalg.generic"(%53, %85, %113, %114) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg62: i1, %arg63: f32, %arg64: f32, %arg65: f32):
      %188 = "arith.select"(%arg62, %arg63, %arg64) : (i1, f32, f32) -> f32
      "linalg.yield"(%188) : (f32) -> ()
    }) : (tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %116 = "tensor.empty"() : () -> tensor<8x64xf32>
    %117 = "linalg.generic"(%51, %115, %116) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg59: f32, %arg60: f32, %arg61: f32):
      %187 = "arith.mulf"(%arg59, %arg60) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%187) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %118 = "tensor.empty"() : () -> tensor<8x64xi1>
    %119 = "linalg.generic"(%41, %118) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg57: f32, %arg58: i1):
      %186 = "arith.cmpf"(%arg57, %8) <{fastmath = #arith.fastmath<none>, predicate = 4 : i64}> : (f32, f32) -> i1
      "linalg.yield"(%186) : (i1) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xi1>) -> tensor<8x64xi1>
    %120 = "tensor.empty"() : () -> tensor<8x64xf32>
    %121 = "linalg.generic"(%119, %117, %120) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg54: i1, %arg55: f32, %arg56: f32):
      %185 = "arith.select"(%arg54, %7, %arg55) : (i1, f32, f32) -> f32
      "linalg.yield"(%185) : (f32) -> ()
    }) : (tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %122 = "tensor.empty"() : () -> tensor<8x64xi1>
    %123 = "linalg.generic"(%37, %122) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg52: f32, %arg53: i1):
      %184 = "arith.cmpf"(%arg52, %7) <{fastmath = #arith.fastmath<none>, predicate = 4 : i64}> : (f32, f32) -> i1
      "linalg.yield"(%184) : (i1) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xi1>) -> tensor<8x64xi1>
    %124 = "tensor.empty"() : () -> tensor<8x64xf32>
    %125 = "linalg.generic"(%121, %124) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg50: f32, %arg51: f32):
      %183 = "arith.subf"(%26, %arg50) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%183) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %126 = "tensor.empty"() : () -> tensor<8x64xf32>
    %127 = "linalg.generic"(%123, %125, %121, %126) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg46: i1, %arg47: f32, %arg48: f32, %arg49: f32):
      %182 = "arith.select"(%arg46, %arg47, %arg48) : (i1, f32, f32) -> f32
      "linalg.yield"(%182) : (f32) -> ()
    }) : (tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %128 = "tensor.empty"() : () -> tensor<8x64xf32>
    %129 = "linalg.generic"(%39, %128) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg44: f32, %arg45: f32):
      %181 = "arith.mulf"(%arg44, %6) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%181) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %130 = "tensor.empty"() : () -> tensor<8x64xf32>
    %131 = "linalg.generic"(%129, %130) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg42: f32, %arg43: f32):
      %180 = "arith.addf"(%arg42, %5) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%180) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %132 = "tensor.empty"() : () -> tensor<8x64xf32>
    %133 = "linalg.generic"(%131, %39, %132) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg39: f32, %arg40: f32, %arg41: f32):
      %179 = "arith.mulf"(%arg39, %arg40) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%179) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %134 = "tensor.empty"() : () -> tensor<8x64xf32>
    %135 = "linalg.generic"(%133, %134) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg37: f32, %arg38: f32):
      %178 = "arith.addf"(%arg37, %4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%178) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %136 = "tensor.empty"() : () -> tensor<8x64xf32>
    %137 = "linalg.generic"(%135, %39, %136) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg34: f32, %arg35: f32, %arg36: f32):
      %177 = "arith.mulf"(%arg34, %arg35) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%177) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %138 = "tensor.empty"() : () -> tensor<8x64xf32>
    %139 = "linalg.generic"(%137, %138) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg32: f32, %arg33: f32):
      %176 = "arith.addf"(%arg32, %3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%176) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %140 = "tensor.empty"() : () -> tensor<8x64xf32>
    %141 = "linalg.generic"(%139, %39, %140) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg29: f32, %arg30: f32, %arg31: f32):
      %175 = "arith.mulf"(%arg29, %arg30) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%175) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %142 = "tensor.empty"() : () -> tensor<8x64xf32>
    %143 = "linalg.generic"(%141, %142) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg27: f32, %arg28: f32):
      %174 = "arith.addf"(%arg27, %2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%174) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %144 = "tensor.empty"() : () -> tensor<8x64xf32>
    %145 = "linalg.generic"(%143, %39, %144) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg24: f32, %arg25: f32, %arg26: f32):
      %173 = "arith.mulf"(%arg24, %arg25) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%173) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %146 = "tensor.empty"() : () -> tensor<8x64xf32>
    %147 = "linalg.generic"(%145, %146) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg22: f32, %arg23: f32):
      %172 = "arith.addf"(%arg22, %1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%172) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %148 = "tensor.empty"() : () -> tensor<8x64xf32>
    %149 = "linalg.generic"(%147, %39, %148) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg19: f32, %arg20: f32, %arg21: f32):
      %171 = "arith.mulf"(%arg19, %arg20) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%171) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %150 = "tensor.empty"() : () -> tensor<8x64xf32>
    %151 = "linalg.generic"(%149, %150) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg17: f32, %arg18: f32):
      %170 = "arith.addf"(%arg17, %0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%170) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %152 = "tensor.empty"() : () -> tensor<8x64xf32>
    %153 = "linalg.generic"(%37, %151, %152) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg14: f32, %arg15: f32, %arg16: f32):
      %169 = "arith.mulf"(%arg14, %arg15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%169) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %154 = "tensor.empty"() : () -> tensor<8x64xf32>
    %155 = "linalg.generic"(%153, %154) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg12: f32, %arg13: f32):
      %168 = "arith.subf"(%27, %arg12) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%168) : (f32) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %156 = "tensor.empty"() : () -> tensor<8x64xi1>
    %157 = "linalg.generic"(%43, %156) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg10: f32, %arg11: i1):
      %167 = "arith.cmpf"(%arg10, %27) <{fastmath = #arith.fastmath<none>, predicate = 4 : i64}> : (f32, f32) -> i1
      "linalg.yield"(%167) : (i1) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xi1>) -> tensor<8x64xi1>
    %158 = "tensor.empty"() : () -> tensor<8x64xf32>
    %159 = "linalg.generic"(%157, %155, %127, %158) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg6: i1, %arg7: f32, %arg8: f32, %arg9: f32):
      %166 = "arith.select"(%arg6, %arg7, %arg8) : (i1, f32, f32) -> f32
      "linalg.yield"(%166) : (f32) -> ()
    }) : (tensor<8x64xi1>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %160 = "tensor.empty"() : () -> tensor<8x64xbf16>
    %161 = "linalg.generic"(%159, %160) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg4: f32, %arg5: bf16):
      %165 = "arith.truncf"(%arg4) : (f32) -> bf16
      "linalg.yield"(%165) : (bf16) -> ()
    }) : (tensor<8x64xf32>, tensor<8x64xbf16>) -> tensor<8x64xbf16>
    %162 = "tensor.empty"() : () -> tensor<8x64xbf16>
    %163 = "linalg.generic"(%31, %161, %162) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg1: bf16, %arg2: bf16, %arg3: bf16):
      %164 = "arith.mulf"(%arg1, %arg2) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%164) : (bf16) -> ()
    }) : (tensor<8x64xbf16>, tensor<8x64xbf16>, tensor<8x64xbf16>) -> tensor<8x64xbf16>
    "util.return"(%163) : (tensor<8x64xbf16>) -> ()
  }) : () -> ()
}) : () -> ()