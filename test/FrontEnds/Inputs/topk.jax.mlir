// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<4x512xbf16>) -> (tensor<4x5xbf16>, tensor<4x5xi32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x512xbf16>):
    %0 = "arith.constant"() <{value = 2147483647 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 0xFF80 : bf16}> : () -> bf16
    %2 = "tensor.empty"() : () -> tensor<4x5xbf16>
    %3 = "tensor.empty"() : () -> tensor<4x5xi32>
    %4 = "linalg.fill"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg5: bf16, %arg6: bf16):
      "linalg.yield"(%arg5) : (bf16) -> ()
    }) : (bf16, tensor<4x5xbf16>) -> tensor<4x5xbf16>
    %5 = "linalg.fill"(%0, %3) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      "linalg.yield"(%arg3) : (i32) -> ()
    }) : (i32, tensor<4x5xi32>) -> tensor<4x5xi32>
    %6:2 = "iree_linalg_ext.topk"(%arg0, %4, %5) <{dimension = 1 : i64}> ({
    ^bb0(%arg1: bf16, %arg2: bf16):
      %7 = "arith.cmpf"(%arg1, %arg2) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (bf16, bf16) -> i1
      "iree_linalg_ext.yield"(%7) : (i1) -> ()
    }) : (tensor<4x512xbf16>, tensor<4x5xbf16>, tensor<4x5xi32>) -> (tensor<4x5xbf16>, tensor<4x5xi32>)
    "util.return"(%6#0, %6#1) : (tensor<4x5xbf16>, tensor<4x5xi32>) -> ()
  }) : () -> ()
}) : () -> ()