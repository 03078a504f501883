// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPU of a module: the attributes of other compilers are read, and assumptions
// are reported.
// RUN: split-file %s %t
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%plugin
// DEFINE: %{annotate} = --pass-pipeline='builtin.module(func.func(gpucost-annotate))'

// RUN: %{opt} %{annotate} %t/entry.mlir 2>&1 | FileCheck %s --check-prefix=A100 --implicit-check-not=warning
// RUN: %{opt} %{annotate} %t/name.mlir 2>&1 | FileCheck %s --check-prefix=A100 --implicit-check-not=warning
// RUN: %{opt} %{annotate} %t/nvvm.mlir 2>&1 | FileCheck %s --check-prefix=NVVM
// RUN: sed 's/#nvvm.target<chip = "sm_90a">/#rocdl.target<chip = "gfx942">/' %t/nvvm.mlir > %t/rocdl.mlir
// RUN: %{opt} %{annotate} %t/rocdl.mlir 2>&1 | FileCheck %s --check-prefix=GFX942
// RUN: gpu-cost-opt %t/rocdl.mlir --precision-mode=as-is 2>&1 | FileCheck %s --check-prefix=GFX942
// RUN: sed 's/gfx942/gfx90a/' %t/rocdl.mlir | gpu-cost-opt - --precision-mode=as-is 2>&1 | FileCheck %s --check-prefix=GFX90A
// RUN: sed 's/gfx942/gfx950/' %t/rocdl.mlir | gpu-cost-opt - --precision-mode=as-is 2>&1 | FileCheck %s --check-prefix=GFX950
// The attribute does not print its default, for which there is no board.
// RUN: sed 's/<chip = "gfx942">//' %t/rocdl.mlir > %t/rocdl-default.mlir
// RUN: not %{opt} %{annotate} %t/rocdl-default.mlir 2>&1 | FileCheck %s --check-prefix=GFX900
// RUN: %{opt} %{annotate} --allow-unregistered-dialect %t/iree.mlir 2>&1 | FileCheck %s --check-prefix=IREE
// An option comes first.
// RUN: %{opt} --pass-pipeline='builtin.module(func.func(gpucost-annotate{target=a100-bf16}))' %t/nvvm.mlir 2>&1 | FileCheck %s --check-prefix=A100 --implicit-check-not=warning
// RUN: not %{opt} %{annotate} %t/old.mlir 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not %{opt} %{annotate} %t/wrong.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: sed 's/coefficients = "a100-sxm-80gb"/coefficients = "a100"/' %t/name.mlir > %t/set.mlir
// RUN: not %{opt} %{annotate} %t/set.mlir 2>&1 | FileCheck %s --check-prefix=SETNAME
// RUN: not gpu-cost-opt %t/set.mlir --precision-mode=as-is 2>&1 | FileCheck %s --check-prefix=SETNAME
// The pipeline writes the target that it found, coefficients by name.
// RUN: %{opt} --pass-pipeline='builtin.module(gpucost-analyze)' %t/nvvm.mlir 2>&1 | FileCheck %s --check-prefix=ANALYZE
// RUN: gpu-cost-opt %t/entry.mlir --gpucost-set-target | FileCheck %s --check-prefix=SET
// The tool does not load the dialects of code generators.
// RUN: gpu-cost-opt %t/nvvm.mlir --precision-mode=as-is 2>&1 | FileCheck %s --check-prefix=TOOL
// RUN: gpu-cost-opt %t/entry.mlir | FileCheck %s --check-prefix=ENTRY
// RUN: not gpu-cost-opt %t/old.mlir 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not gpu-cost-opt %t/wrong.mlir 2>&1 | FileCheck %s --check-prefix=WRONG

// A100: linalg.add {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = modelled, time = 3{{[0-9.]+}}
// NVVM: warning: the chip 'sm_90a' is assumed to be h100-sxm-80gb
// NVVM: linalg.add {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = modelled, time = 1{{[0-9.]+}}
// GFX942: warning: the chip 'gfx942' is assumed to be mi300x
// GFX90A: warning: the chip 'gfx90a' is assumed to be mi250x
// GFX950: warning: the chip 'gfx950' is assumed to be mi355x
// GFX900: error: no target for the chip 'gfx900'
// IREE: warning: the chip 'sm_80' is assumed to be a100-sxm-80gb
// IREE: linalg.add {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = modelled, time = 3{{[0-9.]+}}
// OLD: error: no target for the chip 'sm_35'
// WRONG: error: unknown target 'a1oo'
// SETNAME: error: unknown coefficient set 'a100'
// ANALYZE: warning: the chip 'sm_90a' is assumed to be h100-sxm-80gb
// ANALYZE: gpucost.coefficients = "{{[a-z0-9-]+}}"
// ENTRY: entry.mlir on a100-sxm-80gb, bf16
// TOOL: warning: the chip 'sm_90a' is assumed to be h100-sxm-80gb
// TOOL: nvvm.mlir on h100-sxm-80gb, bf16
// SET: gpucost.coefficients = "a100-sxm-80gb", gpucost.target = #gpucost.target<gpu = <name = "a100-sxm-80gb"

//--- entry.mlir
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "CPU" = #dlti.target_device_spec<"L1_cache_size_in_bytes" = 65536 : i32>,
    "GPU" = #dlti.target_device_spec<"gpucost.target" = "a100-bf16">>} {
  func.func @main(%a: tensor<2048x4096xbf16>, %b: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
    %s = linalg.add ins(%a, %b : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>)
        outs(%a : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    return %s : tensor<2048x4096xbf16>
  }
}
//--- name.mlir
#gpu = #gpucost.gpu<name = "a100-sxm-80gb", die = "GA100", architecture = ampere, compute_capability = 8.0,
  process = "tsmc_n7", sms = 108, special_per_clock = 16, boost_clock = 1410 MHz, max_clock = 1410 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  formats = [<format = fp32, flops_per_clock = 128, peak = 19.5 TFLOPS>, <format = bf16, flops_per_clock = 2048, peak = 312 TFLOPS>],
  memory = "hbm2e", dram_bandwidth = 2039 GBps, dram_capacity = 80 GiB, l2_capacity = 40 MiB,
  l2_partitioned = true, library_workspace = 8 MiB, power_limit = 400 W, source = ["test"]>
module attributes {gpucost.target = #gpucost.target<gpu = #gpu, format = bf16>, gpucost.coefficients = "a100-sxm-80gb"} {
  func.func @main(%a: tensor<2048x4096xbf16>, %b: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
    %s = linalg.add ins(%a, %b : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>)
        outs(%a : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    return %s : tensor<2048x4096xbf16>
  }
}
//--- nvvm.mlir
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {}
  func.func @main(%a: tensor<2048x4096xbf16>, %b: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
    %s = linalg.add ins(%a, %b : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>)
        outs(%a : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    return %s : tensor<2048x4096xbf16>
  }
}
//--- iree.mlir
module attributes {hal.target = #iree_gpu.target<arch = "sm_80", features = "", wgp = <compute = fp32>>} {
  func.func @main(%a: tensor<2048x4096xbf16>, %b: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
    %s = linalg.add ins(%a, %b : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>)
        outs(%a : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    return %s : tensor<2048x4096xbf16>
  }
}
//--- old.mlir
module {
  gpu.module @kernels [#nvvm.target<chip = "sm_35">] {}
  func.func @main() { return }
}
//--- wrong.mlir
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"gpucost.target" = "a1oo">>} {
  func.func @main() { return }
}
