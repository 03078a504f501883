// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok rtx4070ti
//
// NVIDIA GeForce RTX 4070 Ti
// The tensor rate with fp32 accumulation is half the rate with fp16 accumulation. The coefficients
// are those of L4, DRAM without inline ECC (M17); this board was not measured.

#gpu = #gpucost.gpu<
  name = "rtx4070ti", die = "AD104", architecture = ada,
  compute_capability = 8.9, process = "tsmc_4n",
  sms = 60, special_per_clock = 16, boost_clock = 2610 MHz, max_clock = 2610 MHz, base_clock = 2310 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 40.09 TFLOPS>,
    <format = tf32, flops_per_clock = 256, peak = 40.09 TFLOPS>,
    <format = fp16, flops_per_clock = 512, peak = 80.18 TFLOPS>,
    <format = bf16, flops_per_clock = 512, peak = 80.18 TFLOPS>,
    <format = fp8, flops_per_clock = 1024, peak = 160.36 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 320.72 TFLOPS>],
  memory = "gddr6x", dram_bandwidth = 504 GBps, dram_capacity = 12 GiB, reported_memory = 11.82 GiB,
  l2_capacity = 48 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 285 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 24, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 64 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA GeForce RTX 4070 Ti specifications: clocks, fp32 peak, memory, bandwidth, capacity, power, PCIe",
    "device tables, not checked with a document of NVIDIA: die, SMs, L2",
    "tensor peaks: multiples of the fp32 peak, as in the table of GeForce RTX 4090",
    "clock range: the boost clock of the specification as maximum; boards allow more",
    "clock step: assumed, as on L40S",
    "NVIDIA Ada GPU Architecture whitepaper: process, rates of an SM",
    "l2_partitioned: partitions are not documented",
    "Reported memory: assumed, the share of rtx4090; no inline ECC: all of the memory is there",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 8.9",
    "NVIDIA Ada GPU Architecture whitepaper, Ada AD102 GPU, and of GA102, GA10x SM Architecture: L1 as in Ampere, 128 bytes per clock",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "coefficients: transferred from L4, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["4070ti", "rtx-4070ti", "geforce-rtx-4070-ti", "NVIDIA GeForce RTX 4070 Ti"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "l4",
  gpucost.transferred_from = "L4"
} {}
