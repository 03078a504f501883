// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok rtx-a4500
//
// NVIDIA RTX A4500
// Tensor cores keep their full rate with fp32 accumulation. ECC can be switched on; it is off as
// shipped. The coefficients are those of A40, DRAM without inline ECC (M17); this board was not
// measured.

#gpu = #gpucost.gpu<
  name = "rtx-a4500", die = "GA102", architecture = ampere,
  compute_capability = 8.6, process = "samsung_8n",
  sms = 56, special_per_clock = 16, boost_clock = 1650 MHz, max_clock = 1650 MHz, base_clock = 1050 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 23.7 TFLOPS>,
    <format = tf32, flops_per_clock = 512, peak = 47.4 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 94.8 TFLOPS>,
    <format = bf16, flops_per_clock = 1024, peak = 94.8 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 189.6 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 640 GBps, dram_capacity = 20 GiB, reported_memory = 19.81 GiB,
  l2_capacity = 5 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 200 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 16, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 64 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA RTX A4500 datasheet: fp32 and tensor peaks (half of the sparse ones), memory, bandwidth, capacity, power, PCIe",
    "NVIDIA Ampere GA102 GPU Architecture whitepaper: process, rates of an SM",
    "die, SMs, base clock: device tables; boost clock: the one that the stated peaks follow from",
    "L2: assumed, as on RTX 3080 with a bus of 320 bits",
    "clock range and step: assumed, as on A40",
    "links: without an NVLink bridge",
    "l2_partitioned: partitions are not documented",
    "ECC off as shipped: assumed, as on RTX A6000",
    "Reported memory: assumed, the share of rtx-a6000, ECC off",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 8.6",
    "NVIDIA Ampere GA102 GPU Architecture whitepaper, GA10x SM Architecture: 128 bytes per clock of L1 and shared memory, 64 in Turing",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "coefficients: transferred from A40, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["a4500", "NVIDIA RTX A4500"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "a40",
  gpucost.transferred_from = "A40"
} {}
