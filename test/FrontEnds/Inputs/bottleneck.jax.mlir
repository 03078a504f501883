// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<64xbf16>, tensor<64xbf16>, tensor<256xbf16>, tensor<64x256x1x1xbf16>, tensor<64x64x3x3xbf16>, tensor<256x64x1x1xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<256xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<256xbf16>, tensor<64xbf16>, tensor<64xbf16>, tensor<256xbf16>, tensor<32x256x56x56xbf16>) -> tensor<32x256x56x56xbf16>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<64xbf16>, %arg1: tensor<64xbf16>, %arg2: tensor<256xbf16>, %arg3: tensor<64x256x1x1xbf16>, %arg4: tensor<64x64x3x3xbf16>, %arg5: tensor<256x64x1x1xbf16>, %arg6: tensor<64xbf16>, %arg7: tensor<64xbf16>, %arg8: tensor<256xbf16>, %arg9: tensor<64xbf16>, %arg10: tensor<64xbf16>, %arg11: tensor<256xbf16>, %arg12: tensor<64xbf16>, %arg13: tensor<64xbf16>, %arg14: tensor<256xbf16>, %arg15: tensor<32x256x56x56xbf16>):
    %0 = "arith.constant"() <{value = 1.001360e-05 : bf16}> : () -> bf16
    %1 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %2 = "tensor.empty"() : () -> tensor<32x56x56x256xbf16>
    %3 = "linalg.generic"(%arg15, %2) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg132: bf16, %arg133: bf16):
      "linalg.yield"(%arg132) : (bf16) -> ()
    }) : (tensor<32x256x56x56xbf16>, tensor<32x56x56x256xbf16>) -> tensor<32x56x56x256xbf16>
    %4 = "tensor.empty"() : () -> tensor<1x1x256x64xbf16>
    %5 = "linalg.generic"(%arg3, %4) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d2, d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg130: bf16, %arg131: bf16):
      "linalg.yield"(%arg130) : (bf16) -> ()
    }) : (tensor<64x256x1x1xbf16>, tensor<1x1x256x64xbf16>) -> tensor<1x1x256x64xbf16>
    %6 = "tensor.empty"() : () -> tensor<32x56x56x64xbf16>
    %7 = "linalg.fill"(%1, %6) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg128: bf16, %arg129: bf16):
      "linalg.yield"(%arg128) : (bf16) -> ()
    }) : (bf16, tensor<32x56x56x64xbf16>) -> tensor<32x56x56x64xbf16>
    %8 = "linalg.conv_2d_nhwc_hwcf"(%3, %5, %7) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg125: bf16, %arg126: bf16, %arg127: bf16):
      %127 = "arith.mulf"(%arg125, %arg126) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      %128 = "arith.addf"(%arg127, %127) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%128) : (bf16) -> ()
    }) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]} : (tensor<32x56x56x256xbf16>, tensor<1x1x256x64xbf16>, tensor<32x56x56x64xbf16>) -> tensor<32x56x56x64xbf16>
    %9 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %10 = "linalg.generic"(%8, %9) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg123: bf16, %arg124: bf16):
      "linalg.yield"(%arg123) : (bf16) -> ()
    }) : (tensor<32x56x56x64xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %11 = "tensor.expand_shape"(%arg12) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 64, 1, 1>}> : (tensor<64xbf16>) -> tensor<64x1x1xbf16>
    %12 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %13 = "linalg.generic"(%arg9, %12) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg121: bf16, %arg122: bf16):
      "linalg.yield"(%arg121) : (bf16) -> ()
    }) : (tensor<64xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %14 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %15 = "linalg.generic"(%10, %13, %14) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg118: bf16, %arg119: bf16, %arg120: bf16):
      %126 = "arith.subf"(%arg118, %arg119) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%126) : (bf16) -> ()
    }) : (tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %16 = "tensor.empty"() : () -> tensor<64x1x1xbf16>
    %17 = "linalg.generic"(%11, %16) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg116: bf16, %arg117: bf16):
      %125 = "arith.addf"(%arg116, %0) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%125) : (bf16) -> ()
    }) : (tensor<64x1x1xbf16>, tensor<64x1x1xbf16>) -> tensor<64x1x1xbf16>
    %18 = "tensor.empty"() : () -> tensor<64x1x1xbf16>
    %19 = "linalg.generic"(%17, %18) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg114: bf16, %arg115: bf16):
      %124 = "math.rsqrt"(%arg114) <{fastmath = #arith.fastmath<none>}> : (bf16) -> bf16
      "linalg.yield"(%124) : (bf16) -> ()
    }) : (tensor<64x1x1xbf16>, tensor<64x1x1xbf16>) -> tensor<64x1x1xbf16>
    %20 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %21 = "linalg.generic"(%19, %20) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg112: bf16, %arg113: bf16):
      "linalg.yield"(%arg112) : (bf16) -> ()
    }) : (tensor<64x1x1xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %22 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %23 = "linalg.generic"(%15, %21, %22) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg109: bf16, %arg110: bf16, %arg111: bf16):
      %123 = "arith.mulf"(%arg109, %arg110) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%123) : (bf16) -> ()
    }) : (tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %24 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %25 = "linalg.generic"(%arg6, %24) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg107: bf16, %arg108: bf16):
      "linalg.yield"(%arg107) : (bf16) -> ()
    }) : (tensor<64xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %26 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %27 = "linalg.generic"(%23, %25, %26) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg104: bf16, %arg105: bf16, %arg106: bf16):
      %122 = "arith.mulf"(%arg104, %arg105) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%122) : (bf16) -> ()
    }) : (tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %28 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %29 = "linalg.generic"(%arg0, %28) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg102: bf16, %arg103: bf16):
      "linalg.yield"(%arg102) : (bf16) -> ()
    }) : (tensor<64xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %30 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %31 = "linalg.generic"(%27, %29, %30) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg99: bf16, %arg100: bf16, %arg101: bf16):
      %121 = "arith.addf"(%arg99, %arg100) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%121) : (bf16) -> ()
    }) : (tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %32 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %33 = "linalg.generic"(%31, %32) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg97: bf16, %arg98: bf16):
      %120 = "arith.maximumf"(%arg97, %1) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%120) : (bf16) -> ()
    }) : (tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %34 = "tensor.empty"() : () -> tensor<32x56x56x64xbf16>
    %35 = "linalg.generic"(%33, %34) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg95: bf16, %arg96: bf16):
      "linalg.yield"(%arg95) : (bf16) -> ()
    }) : (tensor<32x64x56x56xbf16>, tensor<32x56x56x64xbf16>) -> tensor<32x56x56x64xbf16>
    %36 = "tensor.empty"() : () -> tensor<3x3x64x64xbf16>
    %37 = "linalg.generic"(%arg4, %36) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d2, d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg93: bf16, %arg94: bf16):
      "linalg.yield"(%arg93) : (bf16) -> ()
    }) : (tensor<64x64x3x3xbf16>, tensor<3x3x64x64xbf16>) -> tensor<3x3x64x64xbf16>
    %38 = "tensor.empty"() : () -> tensor<32x56x56x64xbf16>
    %39 = "linalg.fill"(%1, %38) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg91: bf16, %arg92: bf16):
      "linalg.yield"(%arg91) : (bf16) -> ()
    }) : (bf16, tensor<32x56x56x64xbf16>) -> tensor<32x56x56x64xbf16>
    %40 = "tensor.pad"(%35) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_high = array<i64: 0, 1, 1, 0>, static_low = array<i64: 0, 1, 1, 0>}> ({
    ^bb0(%arg87: index, %arg88: index, %arg89: index, %arg90: index):
      "tensor.yield"(%1) : (bf16) -> ()
    }) : (tensor<32x56x56x64xbf16>) -> tensor<32x58x58x64xbf16>
    %41 = "linalg.conv_2d_nhwc_hwcf"(%40, %37, %39) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg84: bf16, %arg85: bf16, %arg86: bf16):
      %118 = "arith.mulf"(%arg84, %arg85) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      %119 = "arith.addf"(%arg86, %118) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%119) : (bf16) -> ()
    }) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]} : (tensor<32x58x58x64xbf16>, tensor<3x3x64x64xbf16>, tensor<32x56x56x64xbf16>) -> tensor<32x56x56x64xbf16>
    %42 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %43 = "linalg.generic"(%41, %42) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg82: bf16, %arg83: bf16):
      "linalg.yield"(%arg82) : (bf16) -> ()
    }) : (tensor<32x56x56x64xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %44 = "tensor.expand_shape"(%arg13) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 64, 1, 1>}> : (tensor<64xbf16>) -> tensor<64x1x1xbf16>
    %45 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %46 = "linalg.generic"(%arg10, %45) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg80: bf16, %arg81: bf16):
      "linalg.yield"(%arg80) : (bf16) -> ()
    }) : (tensor<64xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %47 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %48 = "linalg.generic"(%43, %46, %47) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg77: bf16, %arg78: bf16, %arg79: bf16):
      %117 = "arith.subf"(%arg77, %arg78) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%117) : (bf16) -> ()
    }) : (tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %49 = "tensor.empty"() : () -> tensor<64x1x1xbf16>
    %50 = "linalg.generic"(%44, %49) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg75: bf16, %arg76: bf16):
      %116 = "arith.addf"(%arg75, %0) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%116) : (bf16) -> ()
    }) : (tensor<64x1x1xbf16>, tensor<64x1x1xbf16>) -> tensor<64x1x1xbf16>
    %51 = "tensor.empty"() : () -> tensor<64x1x1xbf16>
    %52 = "linalg.generic"(%50, %51) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg73: bf16, %arg74: bf16):
      %115 = "math.rsqrt"(%arg73) <{fastmath = #arith.fastmath<none>}> : (bf16) -> bf16
      "linalg.yield"(%115) : (bf16) -> ()
    }) : (tensor<64x1x1xbf16>, tensor<64x1x1xbf16>) -> tensor<64x1x1xbf16>
    %53 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %54 = "linalg.generic"(%52, %53) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg71: bf16, %arg72: bf16):
      "linalg.yield"(%arg71) : (bf16) -> ()
    }) : (tensor<64x1x1xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %55 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %56 = "linalg.generic"(%48, %54, %55) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg68: bf16, %arg69: bf16, %arg70: bf16):
      %114 = "arith.mulf"(%arg68, %arg69) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%114) : (bf16) -> ()
    }) : (tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %57 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %58 = "linalg.generic"(%arg7, %57) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg66: bf16, %arg67: bf16):
      "linalg.yield"(%arg66) : (bf16) -> ()
    }) : (tensor<64xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %59 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %60 = "linalg.generic"(%56, %58, %59) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg63: bf16, %arg64: bf16, %arg65: bf16):
      %113 = "arith.mulf"(%arg63, %arg64) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%113) : (bf16) -> ()
    }) : (tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %61 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %62 = "linalg.generic"(%arg1, %61) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg61: bf16, %arg62: bf16):
      "linalg.yield"(%arg61) : (bf16) -> ()
    }) : (tensor<64xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %63 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %64 = "linalg.generic"(%60, %62, %63) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg58: bf16, %arg59: bf16, %arg60: bf16):
      %112 = "arith.addf"(%arg58, %arg59) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%112) : (bf16) -> ()
    }) : (tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %65 = "tensor.empty"() : () -> tensor<32x64x56x56xbf16>
    %66 = "linalg.generic"(%64, %65) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg56: bf16, %arg57: bf16):
      %111 = "arith.maximumf"(%arg56, %1) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%111) : (bf16) -> ()
    }) : (tensor<32x64x56x56xbf16>, tensor<32x64x56x56xbf16>) -> tensor<32x64x56x56xbf16>
    %67 = "tensor.empty"() : () -> tensor<32x56x56x64xbf16>
    %68 = "linalg.generic"(%66, %67) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg54: bf16, %arg55: bf16):
      "linalg.yield"(%arg54) : (bf16) -> ()
    }) : (tensor<32x64x56x56xbf16>, tensor<32x56x56x64xbf16>) -> tensor<32x56x56x64xbf16>
    %69 = "tensor.empty"() : () -> tensor<1x1x64x256xbf16>
    %70 = "linalg.generic"(%arg5, %69) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d2, d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg52: bf16, %arg53: bf16):
      "linalg.yield"(%arg52) : (bf16) -> ()
    }) : (tensor<256x64x1x1xbf16>, tensor<1x1x64x256xbf16>) -> tensor<1x1x64x256xbf16>
    %71 = "tensor.empty"() : () -> tensor<32x56x56x256xbf16>
    %72 = "linalg.fill"(%1, %71) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg50: bf16, %arg51: bf16):
      "linalg.yield"(%arg50) : (bf16) -> ()
    }) : (bf16, tensor<32x56x56x256xbf16>) -> tensor<32x56x56x256xbf16>
    %73 = "linalg.conv_2d_nhwc_hwcf"(%68, %70, %72) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg47: bf16, %arg48: bf16, %arg49: bf16):
      %109 = "arith.mulf"(%arg47, %arg48) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      %110 = "arith.addf"(%arg49, %109) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%110) : (bf16) -> ()
    }) {linalg.memoized_indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]} : (tensor<32x56x56x64xbf16>, tensor<1x1x64x256xbf16>, tensor<32x56x56x256xbf16>) -> tensor<32x56x56x256xbf16>
    %74 = "tensor.empty"() : () -> tensor<32x256x56x56xbf16>
    %75 = "linalg.generic"(%73, %74) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg45: bf16, %arg46: bf16):
      "linalg.yield"(%arg45) : (bf16) -> ()
    }) : (tensor<32x56x56x256xbf16>, tensor<32x256x56x56xbf16>) -> tensor<32x256x56x56xbf16>
    %76 = "tensor.expand_shape"(%arg14) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 256, 1, 1>}> : (tensor<256xbf16>) -> tensor<256x1x1xbf16>
    %77 = "tensor.empty"() : () -> tensor<32x256x56x56xbf16>
    %78 = "linalg.generic"(%arg11, %77) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg43: bf16, %arg44: bf16):
      "linalg.yield"(%arg43) : (bf16) -> ()
    }) : (tensor<256xbf16>, tensor<32x256x56x56xbf16>) -> tensor<32x256x56x56xbf16>
    %79 = "tensor.empty"() : () -> tensor<32x256x56x56xbf16>
    %80 = "linalg.generic"(%75, %78, %79) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg40: bf16, %arg41: bf16, %arg42: bf16):
      %108 = "arith.subf"(%arg40, %arg41) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%108) : (bf16) -> ()
    }) : (tensor<32x256x56x56xbf16>, tensor<32x256x56x56xbf16>, tensor<32x256x56x56xbf16>) -> tensor<32x256x56x56xbf16>
    %81 = "tensor.empty"() : () -> tensor<256x1x1xbf16>
    %82 = "linalg.generic"(%76, %81) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg38: bf16, %arg39: bf16):
      %107 = "arith.addf"(%arg38, %0) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%107) : (bf16) -> ()
    }) : (tensor<256x1x1xbf16>, tensor<256x1x1xbf16>) -> tensor<256x1x1xbf16>
    %83 = "tensor.empty"() : () -> tensor<256x1x1xbf16>
    %84 = "linalg.generic"(%82, %83) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg36: bf16, %arg37: bf16):
      %106 = "math.rsqrt"(%arg36) <{fastmath = #arith.fastmath<none>}> : (bf16) -> bf16
      "linalg.yield"(%106) : (bf16) -> ()
    }) : (tensor<256x1x1xbf16>, tensor<256x1x1xbf16>) -> tensor<256x1x1xbf16>
    %85 = "tensor.empty"() : () -> tensor<32x256x56x56xbf16>
    %86 = "linalg.generic"(%84, %85) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg34: bf16, %arg35: bf16):
      "linalg.yield"(%arg34) : (bf16) -> ()
    }) : (tensor<256x1x1xbf16>, tensor<32x256x56x56xbf16>) -> tensor<32x256x56x56xbf16>
    %87 = "tensor.empty"() : () -> tensor<32x256x56x56xbf16>
    %88 = "linalg.generic"(%80, %86, %87) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg31: bf16, %arg32: bf16, %arg33: bf16):
      %105 = "arith.mulf"(%arg31, %arg32) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%105) : (bf16) -> ()
    }) : (tensor<32x256x56x56xbf16>, tensor<32x256x56x56xbf16>, tensor<32x256x56x56xbf16>) -> tensor<32x256x56x56xbf16>
    %89 = "tensor.empty"() : () -> tensor<32x256x56x56xbf16>
    %90 = "linalg.generic"(%arg8, %89) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg29: bf16, %arg30: bf16):
      "linalg.yield"(%arg29) : (bf16) -> ()
    }) : (tensor<256xbf16>, tensor<32x256x56x56xbf16>) -> tensor<32x256x56x56xbf16>
    %91 = "tensor.empty"() : () -> tensor<32x256x56x56xbf16>
    %92 = "linalg.generic"(%88, %90, %91) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg26: bf16, %arg27: bf16, %arg28: bf16):
      %104 = "arith.mulf"(%arg26, %arg27) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%104) : (bf16) -> ()
    }) : (tensor<32x256x56x56xbf16>, tensor<32x256x56x56xbf16>, tensor<32x256x56x56xbf16>) -> tensor<32x256x56x56xbf16>
    %93 = "tensor.empty"() : () -> tensor<32x256x56x56xbf16>
    %94 = "linalg.generic"(%arg2, %93) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg24: bf16, %arg25: bf16):
      "linalg.yield"(%arg24) : (bf16) -> ()
    }) : (tensor<256xbf16>, tensor<32x256x56x56xbf16>) -> tensor<32x256x56x56xbf16>
    %95 = "tensor.empty"() : () -> tensor<32x256x56x56xbf16>
    %96 = "linalg.generic"(%92, %94, %95) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg21: bf16, %arg22: bf16, %arg23: bf16):
      %103 = "arith.addf"(%arg21, %arg22) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%103) : (bf16) -> ()
    }) : (tensor<32x256x56x56xbf16>, tensor<32x256x56x56xbf16>, tensor<32x256x56x56xbf16>) -> tensor<32x256x56x56xbf16>
    %97 = "tensor.empty"() : () -> tensor<32x256x56x56xbf16>
    %98 = "linalg.generic"(%arg15, %96, %97) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg18: bf16, %arg19: bf16, %arg20: bf16):
      %102 = "arith.addf"(%arg18, %arg19) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%102) : (bf16) -> ()
    }) : (tensor<32x256x56x56xbf16>, tensor<32x256x56x56xbf16>, tensor<32x256x56x56xbf16>) -> tensor<32x256x56x56xbf16>
    %99 = "tensor.empty"() : () -> tensor<32x256x56x56xbf16>
    %100 = "linalg.generic"(%98, %99) <{indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg16: bf16, %arg17: bf16):
      %101 = "arith.maximumf"(%arg16, %1) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "linalg.yield"(%101) : (bf16) -> ()
    }) : (tensor<32x256x56x56xbf16>, tensor<32x256x56x56xbf16>) -> tensor<32x256x56x56xbf16>
    "util.return"(%100) : (tensor<32x256x56x56xbf16>) -> ()
  }) : () -> ()
}) : () -> ()