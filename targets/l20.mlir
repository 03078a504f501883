// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok l20
//
// NVIDIA L20
// AD102 with half of the tensor rate of L40S.
// Nobody measured it: the coefficients are those of L40S.


#gpu = #gpucost.gpu<
  name = "l20", die = "AD102", architecture = ada,
  compute_capability = 8.9, process = "tsmc_4n",
  sms = 92, special_per_clock = 16, boost_clock = 2520 MHz, max_clock = 2520 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 59.8 TFLOPS>,
    <format = tf32, flops_per_clock = 256, peak = 59.8 TFLOPS>,
    <format = fp16, flops_per_clock = 512, peak = 119.5 TFLOPS>,
    <format = bf16, flops_per_clock = 512, peak = 119.5 TFLOPS>,
    <format = fp8, flops_per_clock = 1024, peak = 239 TFLOPS>,
    <format = int8, flops_per_clock = 1024, peak = 239 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 864 GBps, dram_capacity = 48 GiB,
  l2_capacity = 96 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 275 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 24, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 64 GBps>, gpus_per_node = 8,
  source = [
    "clock range and step: assumed, as on L40S",
    "NVIDIA L20 datasheet: peaks, bandwidth, capacity, power",
    "public tables of L20 (topcpu.net, technical.city): 92 SMs, 11776 cores, boost clock, L2; the stated peaks are 0.7 % above them",
    "NVIDIA Ada GPU Architecture whitepaper: fp32 rate",
    "CUDA C++ Programming Guide, throughput of arithmetic instructions: special functions",
    "GPUs of a node: assumed, what common 4U servers for PCIe boards hold",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "CUDA C++ Programming Guide, technical specifications per compute capability: limits of an SM",
    "NVIDIA Ampere GA102 whitepaper: 128 bytes per clock of L1 and shared memory, 64 in Turing"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["NVIDIA L20"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "l40s",
  gpucost.transferred_from = "L40S"
} {}
