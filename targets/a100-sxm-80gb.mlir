// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok a100-sxm-80gb
//
// NVIDIA A100 SXM4 80 GB
// L2: two partitions of 20 MiB.

#gpu = #gpucost.gpu<
  name = "a100-sxm-80gb", die = "GA100", architecture = ampere,
  compute_capability = 8.0, process = "tsmc_n7",
  sms = 108, special_per_clock = 16, boost_clock = 1410 MHz, max_clock = 1410 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 128, peak = 19.5 TFLOPS>,
    <format = tf32, flops_per_clock = 1024, peak = 156 TFLOPS>,
    <format = fp16, flops_per_clock = 2048, peak = 312 TFLOPS>,
    <format = bf16, flops_per_clock = 2048, peak = 312 TFLOPS>,
    <format = int8, flops_per_clock = 4096, peak = 624 TFLOPS>],
  memory = "hbm2e", dram_bandwidth = 2039 GBps, dram_capacity = 80 GiB, reported_memory = 79.25 GiB,
  l2_capacity = 40 MiB, l2_partitioned = true,
  library_workspace = 8.125 MiB, power_limit = 400 W,
  sm = <registers = 65536, shared_memory = 164 KiB, cta_shared_memory = 163 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = nvlink, generation = 3, bandwidth = 600 GBps>, gpus_per_node = 8,
  source = [
    "EnergAIzer measurements with locked clocks (2026): clock range and step",
    "NVIDIA A100 Tensor Core GPU Architecture whitepaper (2020): SMs, rates, L2",
    "NVIDIA A100 80GB datasheet: peaks, bandwidth, power",
    "CUDA C++ Programming Guide, throughput of arithmetic instructions: special functions",
    "NVIDIA DGX A100 datasheet: GPUs of a node",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "CUDA C++ Programming Guide, technical specifications per compute capability: limits of an SM",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "Out-of-memory messages of CUDA programs on such boards: reported memory"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["a100", "a100-sxm", "NVIDIA A100-SXM4-80GB"],
  gpucost.assumed_for = "sm_80",
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "a100-sxm-80gb"
} {}
