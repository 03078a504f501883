// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok rtx3080ti
//
// NVIDIA GeForce RTX 3080 Ti
// The tensor rate with fp32 accumulation is half the rate with fp16 accumulation. The coefficients
// are those of A40, DRAM without inline ECC (M17); this board was not measured.

#gpu = #gpucost.gpu<
  name = "rtx3080ti", die = "GA102", architecture = ampere,
  compute_capability = 8.6, process = "samsung_8n",
  sms = 80, special_per_clock = 16, boost_clock = 1665 MHz, max_clock = 1665 MHz, base_clock = 1365 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 34.1 TFLOPS>,
    <format = tf32, flops_per_clock = 256, peak = 34.1 TFLOPS>,
    <format = fp16, flops_per_clock = 512, peak = 68.2 TFLOPS>,
    <format = bf16, flops_per_clock = 512, peak = 68.2 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 272.8 TFLOPS>],
  memory = "gddr6x", dram_bandwidth = 912 GBps, dram_capacity = 12 GiB, reported_memory = 11.79 GiB,
  l2_capacity = 6 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 350 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 16, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 64 GBps>, gpus_per_node = 8,
  source = [
    "device tables, not checked with a document of NVIDIA: SMs, L2; NVIDIA Ampere GA102 GPU Architecture whitepaper: process, rates of an SM",
    "NVIDIA GeForce RTX 30 specifications: clocks, memory, bandwidth, capacity, power, PCIe",
    "tensor peaks: multiples of the fp32 peak, as in the table of GeForce RTX 3090",
    "links: without an NVLink bridge",
    "clock range: the boost clock of the specification as maximum; boards allow more",
    "clock step: assumed, as on A40",
    "l2_partitioned: partitions are not documented",
    "Reported memory: assumed, the share of rtx3090; no inline ECC: all of the memory is there",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 8.6",
    "NVIDIA Ampere GA102 GPU Architecture whitepaper, GA10x SM Architecture: 128 bytes per clock of L1 and shared memory, 64 in Turing",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "coefficients: transferred from A40, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["3080ti", "rtx-3080ti", "geforce-rtx-3080-ti", "NVIDIA GeForce RTX 3080 Ti"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "a40",
  gpucost.transferred_from = "A40"
} {}
