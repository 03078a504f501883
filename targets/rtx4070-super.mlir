// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok rtx4070-super
//
// NVIDIA GeForce RTX 4070 Super
// The tensor rate with fp32 accumulation is half the rate with fp16 accumulation. The coefficients
// are those of L4, DRAM without inline ECC (M17); this board was not measured.

#gpu = #gpucost.gpu<
  name = "rtx4070-super", die = "AD104", architecture = ada,
  compute_capability = 8.9, process = "tsmc_4n",
  sms = 56, special_per_clock = 16, boost_clock = 2475 MHz, max_clock = 2475 MHz, base_clock = 1980 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 35.48 TFLOPS>,
    <format = tf32, flops_per_clock = 256, peak = 35.48 TFLOPS>,
    <format = fp16, flops_per_clock = 512, peak = 70.96 TFLOPS>,
    <format = bf16, flops_per_clock = 512, peak = 70.96 TFLOPS>,
    <format = fp8, flops_per_clock = 1024, peak = 141.92 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 283.84 TFLOPS>],
  memory = "gddr6x", dram_bandwidth = 504 GBps, dram_capacity = 12 GiB, reported_memory = 11.82 GiB,
  l2_capacity = 48 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 220 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 24, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 64 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA GeForce RTX 4070 Super specifications: clocks, fp32 peak, memory, bandwidth, capacity, power, PCIe",
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
  gpucost.aliases = ["4070-super", "rtx-4070-super", "geforce-rtx-4070-super", "NVIDIA GeForce RTX 4070 Super"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "l4",
  gpucost.transferred_from = "L4"
} {}
