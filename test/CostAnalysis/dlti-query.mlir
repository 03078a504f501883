// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// #gpucost.gpu is a device of DLTI: scripts query its facts, and costs are for it.
// RUN: %mlir-opt --load-dialect-plugin=%plugin --transform-interpreter %s -o %t.mlir 2>&1 | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%plugin %t.mlir | FileCheck %s --check-prefix=PRINTED
// RUN: sed 's/"sms"/"cores"/' %s > %t.wrong.mlir
// RUN: not %mlir-opt --load-dialect-plugin=%plugin --transform-interpreter %t.wrong.mlir 2>&1 | FileCheck %s --check-prefix=WRONG

// 40 MiB; 2039 GB/s.
// CHECK: remark: sms 108 : i64
// CHECK: remark: name "a100-sxm-80gb"
// CHECK: remark: l2 41943040 : i64
// CHECK: remark: bandwidth 2039000000000 : i64
// CHECK: remark: registers 65536 : i64
// CHECK: remark: units 108 : i64
// CHECK: remark: unit registers 65536 : i64
// CHECK: remark: workgroups 32 : i64
// CHECK: remark: workgroup memory 166912 : i64
// 3 x 16 MiB at 2.04 TB/s take at least 24,700 ns.
// CHECK: remark: ns {{2[5-9]|3[0-9]}}{{[0-9][0-9][0-9]}} : i64
// PRINTED: dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #gpucost.gpu<name = "a100-sxm-80gb"
// WRONG: error: target op of failed DLTI query

#gpu = #gpucost.gpu<name = "a100-sxm-80gb", die = "GA100", architecture = ampere, compute_capability = 8.0,
  process = "tsmc_n7", sms = 108, special_per_clock = 16, boost_clock = 1410 MHz, max_clock = 1410 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  formats = [<format = fp32, flops_per_clock = 128, peak = 19.5 TFLOPS>, <format = bf16, flops_per_clock = 2048, peak = 312 TFLOPS>],
  memory = "hbm2e", dram_bandwidth = 2039 GBps, dram_capacity = 80 GiB, l2_capacity = 40 MiB,
  l2_partitioned = true, library_workspace = 8 MiB, power_limit = 400 W,
  sm = <registers = 65536, shared_memory = 164 KiB, cta_shared_memory = 163 KiB, reserved_shared_memory = 1 KiB,
        threads = 2048, ctas = 32, partitions = 4, cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  source = ["test"]>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #gpu>, transform.with_named_sequence} {
  func.func @main(%a: tensor<2048x4096xbf16>, %b: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
    %s = linalg.add ins(%a, %b : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>)
        outs(%a : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    return %s : tensor<2048x4096xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %sms = transform.dlti.query ["GPU", "sms"] at %add : (!transform.any_op) -> !transform.any_param
    transform.debug.emit_param_as_remark %sms, "sms" : !transform.any_param
    %name = transform.dlti.query ["GPU", "name"] at %add : (!transform.any_op) -> !transform.any_param
    transform.debug.emit_param_as_remark %name, "name" : !transform.any_param
    %l2 = transform.dlti.query ["GPU", "l2_capacity"] at %add : (!transform.any_op) -> !transform.any_param
    transform.debug.emit_param_as_remark %l2, "l2" : !transform.any_param
    %bandwidth = transform.dlti.query ["GPU", "dram_bandwidth"] at %add : (!transform.any_op) -> !transform.any_param
    transform.debug.emit_param_as_remark %bandwidth, "bandwidth" : !transform.any_param
    %registers = transform.dlti.query ["GPU", "sm.registers"] at %add : (!transform.any_op) -> !transform.any_param
    transform.debug.emit_param_as_remark %registers, "registers" : !transform.any_param
    %units = transform.dlti.query ["GPU", "compute_units"] at %add : (!transform.any_op) -> !transform.any_param
    transform.debug.emit_param_as_remark %units, "units" : !transform.any_param
    %unit_registers = transform.dlti.query ["GPU", "compute_unit.registers"] at %add : (!transform.any_op) -> !transform.any_param
    transform.debug.emit_param_as_remark %unit_registers, "unit registers" : !transform.any_param
    %workgroups = transform.dlti.query ["GPU", "compute_unit.workgroups"] at %add : (!transform.any_op) -> !transform.any_param
    transform.debug.emit_param_as_remark %workgroups, "workgroups" : !transform.any_param
    %memory = transform.dlti.query ["GPU", "compute_unit.workgroup_shared_memory"] at %add : (!transform.any_op) -> !transform.any_param
    transform.debug.emit_param_as_remark %memory, "workgroup memory" : !transform.any_param
    %ns = transform.gpucost.estimate %add : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %ns, "ns" : !transform.param<i64>
    transform.yield
  }
}
