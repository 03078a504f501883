// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JAX 0.10.2 and IREE 3.13.0, input phase in generic form: a cumulative sum of 2048 x 4096 numbers is an op of IREE.
// 2 * 2 * 8388608 bytes, and 8 of the axis.
// RUN: gpu-cost-opt %s --target=a100-bf16 --strict --report=json | FileCheck %s
// CHECK: "compulsory_bytes": 33554440
// CHECK: "launches": 1
// CHECK: "label": "CumSum"

// Another combination is counted by its bytes.
// RUN: sed 's/arith.addf/arith.maximumf/' %s > %t.mlir
// RUN: gpu-cost-opt %t.mlir --target=a100-bf16 --report=json | FileCheck %s --check-prefix=OTHER
// OTHER: "time_is_lower_bound": true
// OTHER: "fallback": {
// OTHER: iree_linalg_ext.scan

"builtin.module"() <{sym_name = "jit_call"}> ({
  "util.func"() <{function_type = (tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2048x4096xbf16>):
    %0 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %1 = "tensor.empty"() : () -> tensor<2048x4096xbf16>
    %2 = "tensor.empty"() : () -> tensor<2048xbf16>
    %3 = "linalg.generic"(%0, %2) <{indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg3: bf16, %arg4: bf16):
      "linalg.yield"(%arg3) : (bf16) -> ()
    }) : (tensor<bf16>, tensor<2048xbf16>) -> tensor<2048xbf16>
    %4:2 = "iree_linalg_ext.scan"(%arg0, %1, %3) <{dimension = 1 : i64, inclusive = true}> ({
    ^bb0(%arg1: bf16, %arg2: bf16):
      %5 = "arith.addf"(%arg1, %arg2) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
      "iree_linalg_ext.yield"(%5) : (bf16) -> ()
    }) : (tensor<2048x4096xbf16>, tensor<2048x4096xbf16>, tensor<2048xbf16>) -> (tensor<2048x4096xbf16>, tensor<2048xbf16>)
    "util.return"(%4#0) : (tensor<2048x4096xbf16>) -> ()
  }) : () -> ()
}) : () -> ()