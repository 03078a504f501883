// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok a2
//
// NVIDIA A2
// The power limit can be set from 40 to 60 W. PCIe 4 with 8 lanes. The coefficients are those of
// A10; this board was not measured.

#gpu = #gpucost.gpu<
  name = "a2", die = "GA107", architecture = ampere,
  compute_capability = 8.6, process = "samsung_8n",
  sms = 10, special_per_clock = 16, boost_clock = 1770 MHz, max_clock = 1770 MHz, base_clock = 1440 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 4.5 TFLOPS>,
    <format = tf32, flops_per_clock = 512, peak = 9 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 18 TFLOPS>,
    <format = bf16, flops_per_clock = 1024, peak = 18 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 36 TFLOPS>],
  memory = "gddr6", inline_ecc = true, dram_bandwidth = 200 GBps, dram_capacity = 16 GiB, reported_memory = 14.56 GiB,
  l2_capacity = 2 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 60 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 16, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 32 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA A2 datasheet: peaks, memory, bandwidth, capacity, power, PCIe",
    "NVIDIA A2 product brief: clocks",
    "NVIDIA Ampere GA102 GPU Architecture whitepaper: process, rates of an SM",
    "die, 10 SMs, L2: device tables; the peaks follow from 10 SMs",
    "clock range and step: assumed, as on A10",
    "l2_partitioned: partitions are not documented",
    "Reported memory and inline ECC: assumed, as on T4, 14.56 of 16 GiB",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 8.6",
    "NVIDIA Ampere GA102 GPU Architecture whitepaper, GA10x SM Architecture: 128 bytes per clock of L1 and shared memory, 64 in Turing",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "coefficients: transferred from A10, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["NVIDIA A2"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "a10",
  gpucost.transferred_from = "A10"
} {}
