// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok mi325x
//
// AMD Instinct MI325X (OAM, 1000 W)
// MI300X with more memory. The coefficients are those of MI300X; this board was not measured.

#gpu = #gpucost.gpu<
  name = "mi325x", die = "MI300 XCDs", architecture = cdna3, process = "tsmc_n5",
  sms = 304, special_per_clock = 16, boost_clock = 2100 MHz, max_clock = 2100 MHz,
  min_clock = 130 MHz, clock_step = 10 MHz,
  // Dense rates of matrix cores, which also compute fp32.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 163.4 TFLOPS>,
    <format = fp16, flops_per_clock = 2048, peak = 1307.4 TFLOPS>,
    <format = bf16, flops_per_clock = 2048, peak = 1307.4 TFLOPS>,
    <format = fp8, flops_per_clock = 4096, peak = 2614.9 TFLOPS>,
    <format = int8, flops_per_clock = 4096, peak = 2614.9 TFLOPS>],
  memory = "hbm3e", dram_bandwidth = 6000 GBps, dram_capacity = 256 GiB,
  l2_capacity = 256 MiB, l2_partitioned = false,
  library_workspace = 76 MiB, power_limit = 1000 W,
  sm = <registers = 131072, shared_memory = 64 KiB, cta_shared_memory = 64 KiB, threads = 2048, ctas = 16,
    partitions = 4, cache_bytes_per_clock = 64, shared_bytes_per_clock = 128>,
  interconnect = <kind = xgmi, generation = 4, bandwidth = 896 GBps>, gpus_per_node = 8,
  source = [
    "AMD Instinct MI325X datasheet: CUs, clock, peaks, memory, bandwidth, Infinity Cache, power, 7 links of 128 GB/s",
    "AMD CDNA 3 white paper: FLOP per clock and CU, process",
    "special_per_clock: assumed, a quarter of the 64 lanes of a CU",
    "clock step and lowest clock: assumed",
    "library workspace: assumed, as PyTorch reserves it for hipBLASLt",
    "GPUs of a node: AMD Instinct MI325X platform datasheet",
    "sm: ISA guide of the generation and its white paper (4 SIMDs with 512 registers of 32 bits for each of 64 lanes, LDS, waves); workgroups and bytes per clock: assumed",
    "TF32: omitted, because PyTorch does not use xf32 by default"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["AMD Instinct MI325X"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "mi300x",
  gpucost.transferred_from = "MI300X"
} {}
