// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok a10
//
// NVIDIA A10
// Tensor rate with fp32 accumulation: 512 FMA/clock/SM.

#gpu = #gpucost.gpu<
  name = "a10", die = "GA102", architecture = ampere,
  compute_capability = 8.6, process = "samsung_8n",
  sms = 72, special_per_clock = 16, boost_clock = 1695 MHz, max_clock = 1695 MHz, base_clock = 885 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 31.2 TFLOPS>,
    <format = tf32, flops_per_clock = 512, peak = 62.5 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 125 TFLOPS>,
    <format = bf16, flops_per_clock = 1024, peak = 125 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 250 TFLOPS>],
  memory = "gddr6", inline_ecc = true, dram_bandwidth = 600 GBps, dram_capacity = 24 GiB, reported_memory = 22.6 GiB,
  l2_capacity = 6 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 150 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 16, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 64 GBps>, gpus_per_node = 8,
  source = [
    "nvidia-smi -q -d SUPPORTED_CLOCKS on such boards: clock range and step",
    "NVIDIA A10 datasheet: peaks, bandwidth, power",
    "NVIDIA A10 product brief: clocks",
    "NVIDIA Ampere GA102 GPU Architecture whitepaper: SMs, rates, L2",
    "CUDA C++ Programming Guide, throughput of arithmetic instructions: special functions",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "CUDA C++ Programming Guide, technical specifications per compute capability: limits of an SM",
    "NVIDIA Ampere GA102 whitepaper: 128 bytes per clock of L1 and shared memory, 64 in Turing",
    "Out-of-memory messages of CUDA programs on such boards: reported memory; inline ECC: a sixteenth of the memory is missing"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["NVIDIA A10"],
  gpucost.assumed_for = "sm_86",
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "a10"
} {}
