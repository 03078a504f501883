// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok rtx3080
//
// NVIDIA GeForce RTX 3080
// The tensor rate with fp32 accumulation is half the rate with fp16 accumulation. The coefficients
// are those of A40, DRAM without inline ECC (M17); this board was not measured.

#gpu = #gpucost.gpu<
  name = "rtx3080", die = "GA102", architecture = ampere,
  compute_capability = 8.6, process = "samsung_8n",
  sms = 68, special_per_clock = 16, boost_clock = 1710 MHz, max_clock = 1710 MHz, base_clock = 1440 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 29.8 TFLOPS>,
    <format = tf32, flops_per_clock = 256, peak = 29.8 TFLOPS>,
    <format = fp16, flops_per_clock = 512, peak = 59.6 TFLOPS>,
    <format = bf16, flops_per_clock = 512, peak = 59.6 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 238.4 TFLOPS>],
  memory = "gddr6x", dram_bandwidth = 760 GBps, dram_capacity = 10 GiB, reported_memory = 9.78 GiB,
  l2_capacity = 5 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 320 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 16, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 64 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA Ampere GA102 GPU Architecture whitepaper, Appendix A, GeForce RTX 3080: die, process, SMs, clocks, peaks with fp32 sums, L2",
    "NVIDIA GeForce RTX 30 specifications: clocks, memory, bandwidth, capacity, power, PCIe",
    "tensor peaks: multiples of the fp32 peak, as in the table of GeForce RTX 3090",
    "links: without an NVLink bridge",
    "clock range: the boost clock of the specification as maximum; boards allow more",
    "clock step: assumed, as on A40",
    "l2_partitioned: partitions are not documented",
    "Out-of-memory messages of CUDA programs on such boards: reported memory; no inline ECC: all of the memory is there",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 8.6",
    "NVIDIA Ampere GA102 GPU Architecture whitepaper, GA10x SM Architecture: 128 bytes per clock of L1 and shared memory, 64 in Turing",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "coefficients: transferred from A40, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["3080", "rtx-3080", "geforce-rtx-3080", "NVIDIA GeForce RTX 3080"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "a40",
  gpucost.transferred_from = "A40"
} {}
