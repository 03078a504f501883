// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok rtx4090
//
// NVIDIA GeForce RTX 4090
// The tensor rate with fp32 accumulation is half the rate with fp16 accumulation. The
// coefficients are those of L40S, DRAM without inline ECC (M17); this board was not measured.

#gpu = #gpucost.gpu<
  name = "rtx4090", die = "AD102", architecture = ada,
  compute_capability = 8.9, process = "tsmc_4n",
  sms = 128, special_per_clock = 16, boost_clock = 2520 MHz, max_clock = 2520 MHz, base_clock = 2235 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 82.6 TFLOPS>,
    <format = tf32, flops_per_clock = 256, peak = 82.6 TFLOPS>,
    <format = fp16, flops_per_clock = 512, peak = 165.2 TFLOPS>,
    <format = bf16, flops_per_clock = 512, peak = 165.2 TFLOPS>,
    <format = fp8, flops_per_clock = 1024, peak = 330.3 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 660.6 TFLOPS>],
  memory = "gddr6x", dram_bandwidth = 1008 GBps, dram_capacity = 24 GiB, reported_memory = 23.64 GiB,
  l2_capacity = 72 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 450 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 24, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 64 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA Ada GPU Architecture whitepaper, table of GeForce RTX 4090: die, SMs, clocks, peaks with fp32 sums, L2, memory, bandwidth, power",
    "clock range: the boost clock of the specification as maximum; boards allow more",
    "clock step: assumed, as on L40S",
    "NVIDIA Ada GPU Architecture whitepaper, 4N Manufacturing Process and Power Efficiency: process",
    "NVIDIA GeForce RTX 4090 specifications: capacity, PCIe",
    "l2_partitioned: partitions are not documented",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 8.9",
    "NVIDIA Ada GPU Architecture whitepaper, Ada AD102 GPU, and of GA102, GA10x SM Architecture: L1 as in Ampere, 128 bytes per clock",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "coefficients: transferred from L40S, without measurements of this board",
    "Out-of-memory messages of CUDA programs on such boards: reported memory; no inline ECC: all of the memory is there"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["rtx-4090", "geforce-rtx-4090", "NVIDIA GeForce RTX 4090"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "l40s",
  gpucost.transferred_from = "L40S"
} {}
