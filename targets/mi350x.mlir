// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok mi350x
//
// AMD Instinct MI350X (OAM, air cooled, 1000 W)
// MI355X with a lower clock and power limit. The coefficients are those of MI355X; this board
// was not measured.

#gpu = #gpucost.gpu<
  name = "mi350x", die = "MI350 XCDs", architecture = cdna4, process = "tsmc_n3p",
  sms = 256, special_per_clock = 16, boost_clock = 2200 MHz, max_clock = 2200 MHz,
  min_clock = 130 MHz, clock_step = 10 MHz,
  // Dense rates of matrix cores, which also compute fp32.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 144.2 TFLOPS>,
    <format = fp16, flops_per_clock = 4096, peak = 2.3069 PFLOPS>,
    <format = bf16, flops_per_clock = 4096, peak = 2.3069 PFLOPS>,
    <format = fp8, flops_per_clock = 8192, peak = 4.6137 PFLOPS>,
    <format = int8, flops_per_clock = 8192, peak = 4.6137 PFLOPS>,
    <format = mxfp4, flops_per_clock = 16384, peak = 9.2 PFLOPS>,
    <format = mxfp6, flops_per_clock = 16384, peak = 9.2 PFLOPS>],
  memory = "hbm3e", dram_bandwidth = 8000 GBps, dram_capacity = 288 GiB,
  l2_capacity = 256 MiB, l2_partitioned = false,
  library_workspace = 76 MiB, power_limit = 1000 W,
  sm = <registers = 131072, shared_memory = 160 KiB, cta_shared_memory = 160 KiB, threads = 2048, ctas = 16,
    partitions = 4, cache_bytes_per_clock = 64, shared_bytes_per_clock = 128>,
  interconnect = <kind = xgmi, generation = 4, bandwidth = 1075.2 GBps>, gpus_per_node = 8,
  source = [
    "AMD Instinct MI350X datasheet: CUs, clock, peaks, memory, bandwidth, Infinity Cache, power, 7 links of 153.6 GB/s",
    "AMD CDNA 4 white paper: FLOP per clock and CU, process",
    "special_per_clock: assumed, a quarter of the 64 lanes of a CU",
    "clock step and lowest clock: assumed",
    "library workspace: assumed, as PyTorch reserves it for hipBLASLt",
    "GPUs of a node: AMD Instinct MI350X platform datasheet",
    "sm: ISA guide of the generation and its white paper (4 SIMDs with 512 registers of 32 bits for each of 64 lanes, LDS, waves); workgroups and bytes per clock: assumed"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["AMD Instinct MI350X"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "mi355x",
  gpucost.transferred_from = "MI355X"
} {}
