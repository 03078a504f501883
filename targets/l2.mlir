// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok l2
//
// NVIDIA L2
// A board for China, of which only a table of figures is public: 46 SMs are assumed because it
// states the L2 of the RTX 4070; the clock is the one that its peaks then follow from. The
// coefficients are those of L4; this board was not measured.

#gpu = #gpucost.gpu<
  name = "l2", die = "AD104", architecture = ada,
  compute_capability = 8.9, process = "tsmc_4n",
  sms = 46, special_per_clock = 16, boost_clock = 2040 MHz, max_clock = 2040 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 24.1 TFLOPS>,
    <format = tf32, flops_per_clock = 512, peak = 48.3 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 96.5 TFLOPS>,
    <format = bf16, flops_per_clock = 1024, peak = 96.5 TFLOPS>,
    <format = fp8, flops_per_clock = 2048, peak = 193 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 193 TFLOPS>],
  memory = "gddr6", inline_ecc = true, dram_bandwidth = 300 GBps, dram_capacity = 24 GiB, reported_memory = 22.03 GiB,
  l2_capacity = 36 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 72 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 24, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 64 GBps>, gpus_per_node = 8,
  source = [
    "press reports of the table of H20, L20 and L2: peaks, memory, bandwidth, capacity, L2, PCIe",
    "die, 46 SMs, 2040 MHz, power limit: assumed, as on L4 and RTX 4070",
    "clock range and step: assumed, as on L4",
    "NVIDIA Ada GPU Architecture whitepaper: process, rates of an SM",
    "l2_partitioned: partitions are not documented",
    "Reported memory and inline ECC: assumed, as on L4",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 8.9",
    "NVIDIA Ada GPU Architecture whitepaper, Ada AD102 GPU, and of GA102, GA10x SM Architecture: L1 as in Ampere, 128 bytes per clock",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "coefficients: transferred from L4, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["NVIDIA L2"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "l4",
  gpucost.transferred_from = "L4"
} {}
