// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok agx-orin-64gb
//
// NVIDIA Jetson AGX Orin 64 GB
// The GPU of the module in its mode without a power limit (MAXN); 60 W, the largest limit of the
// module, covers GPU and CPU, which also share the memory. An SM has the tensor rate of an A100 SM.
// The coefficients are those of A10, DRAM without inline ECC (M17), idle power by the power limit
// (P4); this board was not measured. Host time is that of a server's CPU.

#gpu = #gpucost.gpu<
  name = "agx-orin-64gb", die = "GA10B", architecture = ampere,
  compute_capability = 8.7, process = "samsung_8n",
  sms = 16, special_per_clock = 16, boost_clock = 1300 MHz, max_clock = 1300 MHz,
  min_clock = 306 MHz, clock_step = 102 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 5.3 TFLOPS>,
    <format = tf32, flops_per_clock = 1024, peak = 21.3 TFLOPS>,
    <format = fp16, flops_per_clock = 2048, peak = 42.5 TFLOPS>,
    <format = bf16, flops_per_clock = 2048, peak = 42.5 TFLOPS>,
    <format = int8, flops_per_clock = 4096, peak = 85 TFLOPS>],
  memory = "lpddr5", dram_bandwidth = 204.8 GBps, dram_capacity = 64 GiB, reported_memory = 61.4 GiB,
  l2_capacity = 4 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 60 W,
  sm = <registers = 65536, shared_memory = 164 KiB, cta_shared_memory = 163 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 16, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>, gpus_per_node = 1,
  source = [
    "NVIDIA Jetson AGX Orin Series technical brief: SMs, clock, fp32 and int8 peaks (half of the sparse one), L2, memory, bandwidth, power modes",
    "tf32, fp16 and bf16 rates: half and a fourth of the int8 rate, as on A100",
    "sysfs of such boards: smallest clock and step",
    "die, process: press reports",
    "l2_partitioned: partitions are not documented",
    "GPUs of a node: a module has one",
    "Reported memory: assumed, device queries in public logs; the system keeps the rest",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 8.7",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "coefficients: transferred from A10, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["agx-orin", "jetson-agx-orin", "orin", "Orin (nvgpu)", "NVIDIA Jetson AGX Orin"],
  gpucost.assumed_for = "sm_87",
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "a10",
  gpucost.transferred_from = "A10"
} {}
