// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok mi100
//
// AMD Instinct MI100 (PCIe, 300 W)
// Four boards are joined by a bridge. The coefficients are those of MI210.

#gpu = #gpucost.gpu<
  name = "mi100", die = "Arcturus", architecture = cdna, process = "tsmc_n7",
  sms = 120, special_per_clock = 16, boost_clock = 1502 MHz, max_clock = 1502 MHz,
  min_clock = 300 MHz, clock_step = 10 MHz,
  // Dense rates of matrix cores, which also compute fp32; the vector units have half of that rate.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 46.1 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 184.6 TFLOPS>,
    <format = bf16, flops_per_clock = 512, peak = 92.3 TFLOPS>,
    <format = int8, flops_per_clock = 1024, peak = 184.6 TFLOPS>],
  memory = "hbm2", dram_bandwidth = 1228.8 GBps, dram_capacity = 32 GiB,
  l2_capacity = 8 MiB, l2_partitioned = false,
  library_workspace = 32 MiB, power_limit = 300 W,
  sm = <registers = 131072, shared_memory = 64 KiB, cta_shared_memory = 64 KiB, threads = 2560, ctas = 16,
    partitions = 4, cache_bytes_per_clock = 64, shared_bytes_per_clock = 128>,
  interconnect = <kind = xgmi, generation = 2, bandwidth = 276 GBps>, gpus_per_node = 4,
  source = [
    "AMD Instinct MI100 datasheet: CUs, clock, peaks, memory, bandwidth, power, 3 Infinity Fabric links of 92 GB/s",
    "AMD CDNA white paper: FLOP per clock and CU, L2, process",
    "special_per_clock: assumed, a quarter of the 64 lanes of a CU",
    "clock step and lowest clock: assumed",
    "library workspace: assumed, as PyTorch reserves it for hipBLASLt",
    "GPUs of a node: four boards joined by a bridge",
    "sm: ISA guide of the generation and its white paper (4 SIMDs with 512 registers of 32 bits for each of 64 lanes, LDS, waves); workgroups and bytes per clock: assumed"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["AMD Instinct MI100"],
  gpucost.assumed_for = "gfx908",
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "mi210",
  gpucost.transferred_from = "MI210"
} {}
