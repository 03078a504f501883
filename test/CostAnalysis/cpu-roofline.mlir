// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// (J12) A DLTI device that states rates has a cost model: a lower bound.
// RUN: %mlir-opt --load-dialect-plugin=%plugin --transform-interpreter %s -o %t.mlir 2>&1 | FileCheck %s
// RUN: sed 's/"memory_bytes_per_second" = 1.0e11 : f64/"memory_bytes_per_second" = "fast"/' %s > %t.wrong.mlir
// RUN: not %mlir-opt --load-dialect-plugin=%plugin --transform-interpreter %t.wrong.mlir 2>&1 | FileCheck %s --check-prefix=WRONG

// 2 x 1024^3 FLOP at 1 TFLOP/s.
// CHECK: remark: product 2147484 : i64
// 3 x 128 MiB, less 32 MiB that may be in the cache, at 100 GB/s.
// CHECK: remark: sum 3690988 : i64
// CHECK: remark: status "bound"
// CHECK: remark: reason "roofline of the device"
// CHECK: remark: function 5838471 : i64
// WRONG: error: no cost: unknown (no target;

module attributes {transform.with_named_sequence, dlti.target_system_spec = #dlti.target_system_spec<"CPU" =
    #dlti.target_device_spec<"vector_flops_per_second" = 1.0e12 : f64, "memory_bytes_per_second" = 1.0e11 : f64,
                             "cache_size_in_bytes" = 33554432 : i64>>} {
  func.func @main(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>, %x: tensor<8192x4096xf32>,
                  %y: tensor<8192x4096xf32>) -> (tensor<1024x1024xf32>, tensor<8192x4096xf32>) {
    %c = linalg.matmul ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>)
        outs(%a : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %e = tensor.empty() : tensor<8192x4096xf32>
    %s = linalg.add ins(%x, %y : tensor<8192x4096xf32>, tensor<8192x4096xf32>)
        outs(%e : tensor<8192x4096xf32>) -> tensor<8192x4096xf32>
    return %c, %s : tensor<1024x1024xf32>, tensor<8192x4096xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %product = transform.gpucost.estimate %matmul {bounds = "accept"} : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %product, "product" : !transform.param<i64>
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %sum, %runtime, %status, %low, %high, %reason = transform.gpucost.estimate %add {bounds = "accept"}
        : (!transform.any_op) -> (!transform.param<i64>, !transform.any_param, !transform.any_param,
                                  !transform.param<i64>, !transform.param<i64>, !transform.any_param)
    transform.debug.emit_param_as_remark %sum, "sum" : !transform.param<i64>
    transform.debug.emit_param_as_remark %status, "status" : !transform.any_param
    transform.debug.emit_param_as_remark %reason, "reason" : !transform.any_param
    %function = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %all = transform.gpucost.estimate %function {bounds = "accept"} : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %all, "function" : !transform.param<i64>
    transform.yield
  }
}
