// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok rtx-6000-ada
//
// NVIDIA RTX 6000 Ada Generation
// Tensor cores keep their full rate with fp32 accumulation. ECC can be switched on; it is off as
// shipped. The coefficients are those of L40S, DRAM without inline ECC (M17); this board was not
// measured.

#gpu = #gpucost.gpu<
  name = "rtx-6000-ada", die = "AD102", architecture = ada,
  compute_capability = 8.9, process = "tsmc_4n",
  sms = 142, special_per_clock = 16, boost_clock = 2505 MHz, max_clock = 2505 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 91.1 TFLOPS>,
    <format = tf32, flops_per_clock = 512, peak = 182.2 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 364.4 TFLOPS>,
    <format = bf16, flops_per_clock = 1024, peak = 364.4 TFLOPS>,
    <format = fp8, flops_per_clock = 2048, peak = 728.8 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 728.8 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 960 GBps, dram_capacity = 48 GiB, reported_memory = 47.54 GiB,
  l2_capacity = 96 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 300 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 24, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 64 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA RTX 6000 Ada Generation datasheet: fp32 and tensor peaks (half of the sparse ones), memory, bandwidth, capacity, power, PCIe",
    "NVIDIA Ada GPU Architecture whitepaper: die, SMs, L2",
    "boost clock: the one that the stated peaks follow from",
    "clock range: the boost clock as maximum; smallest clock and step assumed, as on L40S",
    "NVIDIA Ada GPU Architecture whitepaper: process, rates of an SM",
    "l2_partitioned: partitions are not documented",
    "ECC off as shipped: assumed, as on RTX A6000",
    "Reported memory: assumed, the share of rtx-a6000, ECC off",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 8.9",
    "NVIDIA Ada GPU Architecture whitepaper, Ada AD102 GPU, and of GA102, GA10x SM Architecture: L1 as in Ampere, 128 bytes per clock",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "coefficients: transferred from L40S, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["6000-ada", "NVIDIA RTX 6000 Ada Generation"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "l40s",
  gpucost.transferred_from = "L40S"
} {}
