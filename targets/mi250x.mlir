// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok mi250x
//
// AMD Instinct MI250X (OAM, 560 W), one of its two dies
// A die (GCD) is one GPU for software: a package is two GPUs of this target, and a node of four
// packages has eight. The coefficients are those of MI210.

#gpu = #gpucost.gpu<
  name = "mi250x", die = "MI200 GCD", architecture = cdna2, process = "tsmc_n6",
  sms = 110, special_per_clock = 16, boost_clock = 1700 MHz, max_clock = 1700 MHz,
  min_clock = 500 MHz, clock_step = 10 MHz,
  // Dense rates of matrix cores, which also compute fp32; the vector units have half of that rate.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 47.9 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 191.5 TFLOPS>,
    <format = bf16, flops_per_clock = 1024, peak = 191.5 TFLOPS>,
    <format = int8, flops_per_clock = 1024, peak = 191.5 TFLOPS>],
  memory = "hbm2e", dram_bandwidth = 1638.4 GBps, dram_capacity = 64 GiB,
  l2_capacity = 8 MiB, l2_partitioned = false,
  library_workspace = 32 MiB, power_limit = 280 W,
  sm = <registers = 131072, shared_memory = 64 KiB, cta_shared_memory = 64 KiB, threads = 2048, ctas = 16,
    partitions = 4, cache_bytes_per_clock = 64, shared_bytes_per_clock = 128>,
  interconnect = <kind = xgmi, generation = 3, bandwidth = 400 GBps>, gpus_per_node = 8,
  source = [
    "AMD Instinct MI250X datasheet: half of the package's CUs, peaks, memory and bandwidth; clock",
    "AMD CDNA 2 white paper: FLOP per clock and CU, 8 MB of L2 per die, process",
    "power limit: half of the package's 560 W, assumed",
    "interconnect: half of the package's 800 GB/s, assumed",
    "special_per_clock: assumed, a quarter of the 64 lanes of a CU",
    "clock step and lowest clock: assumed",
    "library workspace: assumed, as PyTorch reserves it for hipBLASLt",
    "GPUs of a node: nodes of Frontier, four packages",
    "sm: ISA guide of the generation and its white paper (4 SIMDs with 512 registers of 32 bits for each of 64 lanes, LDS, waves); workgroups and bytes per clock: assumed"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["AMD Instinct MI250X", "mi250x-gcd", "mi250x-1gcd"],
  gpucost.assumed_for = "gfx90a",
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "mi210",
  gpucost.transferred_from = "MI210"
} {}
