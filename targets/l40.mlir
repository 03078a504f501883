// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok l40
//
// NVIDIA L40
// AD102 with half of L40S's tensor rate. The coefficients are those of L40S; this board
// was not measured.

#gpu = #gpucost.gpu<
  name = "l40", die = "AD102", architecture = ada,
  compute_capability = 8.9, process = "tsmc_4n",
  sms = 142, special_per_clock = 16, boost_clock = 2490 MHz, max_clock = 2490 MHz, base_clock = 735 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 90.5 TFLOPS>,
    <format = tf32, flops_per_clock = 256, peak = 90.5 TFLOPS>,
    <format = fp16, flops_per_clock = 512, peak = 181.05 TFLOPS>,
    <format = bf16, flops_per_clock = 512, peak = 181.05 TFLOPS>,
    <format = fp8, flops_per_clock = 1024, peak = 362 TFLOPS>,
    <format = int8, flops_per_clock = 1024, peak = 362 TFLOPS>],
  memory = "gddr6", inline_ecc = true, dram_bandwidth = 864 GBps, dram_capacity = 48 GiB, reported_memory = 44.4 GiB,
  l2_capacity = 96 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 300 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 24, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 64 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA L40 datasheet: peaks (dense column), memory, bandwidth, capacity, power, PCIe",
    "NVIDIA L40 product brief and public tables of L40 (technical.city): clocks, 18176 cores",
    "clock range and step: assumed, as on L40S",
    "NVIDIA Ada GPU Architecture whitepaper, Ada AD102 GPU and Ada Fourth-Generation Tensor Core: die, SMs, fp32 rate, L2",
    "NVIDIA Ada GPU Architecture whitepaper, 4N Manufacturing Process and Power Efficiency: process",
    "l2_partitioned: partitions are not documented",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 8.9",
    "NVIDIA Ada GPU Architecture whitepaper, Ada AD102 GPU, and of GA102, GA10x SM Architecture: L1 as in Ampere, 128 bytes per clock",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "coefficients: transferred from L40S, without measurements of this board",
    "Out-of-memory messages of CUDA programs on such boards: reported memory; inline ECC: a sixteenth of the memory is missing"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["NVIDIA L40"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "l40s",
  gpucost.transferred_from = "L40S"
} {}
