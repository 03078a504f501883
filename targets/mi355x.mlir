// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok mi355x
//
// AMD Instinct MI355X (OAM, liquid cooled, 1400 W)
// L2 is the Infinity Cache, the last cache before DRAM.

#gpu = #gpucost.gpu<
  name = "mi355x", die = "MI350 XCDs", architecture = cdna4, process = "tsmc_n3p",
  sms = 256, special_per_clock = 16, boost_clock = 2400 MHz, max_clock = 2400 MHz,
  min_clock = 130 MHz, clock_step = 10 MHz,
  // Dense rates of matrix cores, which also compute fp32.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 157.3 TFLOPS>,
    <format = fp16, flops_per_clock = 4096, peak = 2.5166 PFLOPS>,
    <format = bf16, flops_per_clock = 4096, peak = 2.5166 PFLOPS>,
    <format = fp8, flops_per_clock = 8192, peak = 5.0332 PFLOPS>,
    <format = int8, flops_per_clock = 8192, peak = 5.0332 PFLOPS>,
    <format = mxfp4, flops_per_clock = 16384, peak = 10.066 PFLOPS>,
    <format = mxfp6, flops_per_clock = 16384, peak = 10.066 PFLOPS>],
  memory = "hbm3e", dram_bandwidth = 8000 GBps, dram_capacity = 288 GiB,
  l2_capacity = 256 MiB, l2_partitioned = false,
  library_workspace = 76 MiB, power_limit = 1400 W,
  sm = <registers = 131072, shared_memory = 160 KiB, cta_shared_memory = 160 KiB, threads = 2048, ctas = 16,
    partitions = 4, cache_bytes_per_clock = 64, shared_bytes_per_clock = 128>,
  interconnect = <kind = xgmi, generation = 4, bandwidth = 1075.2 GBps>, gpus_per_node = 8,
  source = [
    "AMD Instinct MI355X datasheet: CUs, clock, peaks, memory, bandwidth, Infinity Cache, power, 7 links of 153.6 GB/s",
    "AMD CDNA 4 white paper: FLOP per clock and CU, process",
    "special_per_clock: assumed, a quarter of the 64 lanes of a CU",
    "clock step and lowest clock: assumed",
    "library workspace: assumed, as PyTorch reserves it for hipBLASLt",
    "GPUs of a node: AMD Instinct MI355X platform datasheet",
    "sm: ISA guide of the generation and its white paper (4 SIMDs with 512 registers of 32 bits for each of 64 lanes, LDS, waves); workgroups and bytes per clock: assumed"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["AMD Instinct MI355X"],
  gpucost.assumed_for = "gfx950",
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "mi355x"
} {}
