// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok rtx2080ti
//
// NVIDIA GeForce RTX 2080 Ti
// Clocks and power are those of the reference board. The tensor rate with fp32 accumulation is half
// the rate with fp16 accumulation. The coefficients are those of Quadro RTX 6000; this board was
// not measured.

#gpu = #gpucost.gpu<
  name = "rtx2080ti", die = "TU102", architecture = turing,
  compute_capability = 7.5, process = "tsmc_12ffn",
  sms = 68, special_per_clock = 16, boost_clock = 1545 MHz, max_clock = 1545 MHz, base_clock = 1350 MHz,
  min_clock = 300 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 128, peak = 13.4 TFLOPS>,
    <format = fp16, flops_per_clock = 512, peak = 53.8 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 215.2 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 616 GBps, dram_capacity = 11 GiB, reported_memory = 10.76 GiB,
  l2_capacity = 5.5 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 250 W,
  sm = <registers = 65536, shared_memory = 64 KiB, cta_shared_memory = 64 KiB,
    threads = 1024, ctas = 16, partitions = 4,
    cache_bytes_per_clock = 64, shared_bytes_per_clock = 64>,
  interconnect = <kind = pcie, generation = 3, bandwidth = 32 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA Turing GPU Architecture whitepaper, table of GeForce RTX 2080 Ti: die, process, SMs, clocks, peaks with fp32 sums, L2, memory, bandwidth, power",
    "clock range: the boost clock of the specification as maximum; boards allow more",
    "smallest clock and step: assumed, as on Quadro RTX 6000",
    "links: without an NVLink bridge",
    "l2_partitioned: partitions are not documented",
    "Out-of-memory messages of CUDA programs on such boards: reported memory; no inline ECC: all of the memory is there",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 7.5",
    "NVIDIA Ampere GA102 whitepaper: 128 bytes per clock of L1 and shared memory, 64 in Turing",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "coefficients: transferred from Quadro RTX 6000, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["2080ti", "rtx-2080ti", "geforce-rtx-2080-ti", "NVIDIA GeForce RTX 2080 Ti"],
  gpucost.default_format = "fp16",
  gpucost.coefficients_from = "quadro-rtx6000",
  gpucost.transferred_from = "Quadro RTX 6000"
} {}
