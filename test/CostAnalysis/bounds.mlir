// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lower bound is never returned as if it were an estimate.
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%plugin --transform-interpreter
// RUN: %{opt} %s -o %t 2>&1 | FileCheck %s
// RUN: sed 's/bounds = "accept"/bounds = "fail"/' %s > %t.fail && not %{opt} %t.fail 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: sed 's/bounds = "accept"/bounds = "hide"/' %s > %t.hide && not %{opt} %t.hide 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not %{opt} %S/Inputs/too-many-results.mlir 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: %mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(gpucost-annotate)' | FileCheck %s --check-prefix=OPEN

// The one-result form remarks, and only for the bound.
// CHECK-NOT: remark
// CHECK: remark: lower bound, not an estimate: at least [[#]].{{[0-9]+}} us (as-written; 'vector.transfer_read': no cost rule)
// CHECK: remark: times [[#EXACT:]] : i64, [[#BOUND:]] : i64
// CHECK-NOT: lower bound
// CHECK: remark: times again [[#EXACT]] : i64, [[#BOUND]] : i64
// CHECK: remark: runtimes "as-written", "as-written"
// CHECK: remark: states "exact", "bound"
// CHECK: remark: lows [[#]] : i64, [[#]] : i64
// CHECK: remark: highs [[#]] : i64, 9223372036854775807 : i64
// CHECK: remark: reasons "", "'vector.transfer_read': no cost rule"

// FAIL: error: only a lower bound: at least
// FAIL: note: of this op
// WORD: error: {{.*}}attribute 'bounds' failed to satisfy constraint: string attribute that is 'remark', 'fail' or 'accept'
// MANY: error: 'transform.gpucost.estimate' op has at most 6 results: nanoseconds, runtime, status, low, high, reason

// OPEN: linalg.exp {{.*}}coverage = modelled, time = {{[0-9.]+}} us, low = {{[0-9.]+}} us, high = {{[0-9.]+}} us,
// OPEN: vector.transfer_read {{.*}}coverage = fallback, time = {{[0-9.]+}} us, low = {{[0-9.]+}} us, high = open,
module attributes {gpucost.scenario = #gpucost.scenario<target = "h100-bf16">, transform.with_named_sequence} {
  func.func @main(%a: tensor<2048x4096xf32>, %v: memref<2048x4096xf32>) -> tensor<2048x4096xf32> {
    %c0 = arith.constant 0 : index
    %f = arith.constant 0.0 : f32
    %s = linalg.exp {asked} ins(%a : tensor<2048x4096xf32>) outs(%a : tensor<2048x4096xf32>) -> tensor<2048x4096xf32>
    %x = vector.transfer_read %v[%c0, %c0], %f {asked} : memref<2048x4096xf32>, vector<64x4096xf32>
    return %s : tensor<2048x4096xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %ops = transform.structured.match attributes {asked} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.gpucost.estimate %ops : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %0, "times" : !transform.param<i64>
    %1, %runtime, %status, %low, %high, %why = transform.gpucost.estimate %ops {bounds = "accept"}
        : (!transform.any_op) -> (!transform.param<i64>, !transform.any_param, !transform.any_param,
                                  !transform.param<i64>, !transform.param<i64>, !transform.any_param)
    transform.debug.emit_param_as_remark %1, "times again" : !transform.param<i64>
    transform.debug.emit_param_as_remark %runtime, "runtimes" : !transform.any_param
    transform.debug.emit_param_as_remark %status, "states" : !transform.any_param
    transform.debug.emit_param_as_remark %low, "lows" : !transform.param<i64>
    transform.debug.emit_param_as_remark %high, "highs" : !transform.param<i64>
    transform.debug.emit_param_as_remark %why, "reasons" : !transform.any_param
    transform.yield
  }
}
