// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok h100-sxm-80gb
//
// NVIDIA H100 SXM5 80 GB
// Under tensor load the board boosts to 1830 MHz (its tensor peaks); the maximum is
// 1980 MHz (its fp32 peak).

#gpu = #gpucost.gpu<
  name = "h100-sxm-80gb", die = "GH100", architecture = hopper,
  compute_capability = 9.0, process = "tsmc_4n",
  sms = 132, special_per_clock = 16, boost_clock = 1830 MHz, max_clock = 1980 MHz,
  min_clock = 345 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 66.9 TFLOPS, clock = 1980 MHz>,
    <format = tf32, flops_per_clock = 2048, peak = 494.7 TFLOPS>,
    <format = fp16, flops_per_clock = 4096, peak = 989.4 TFLOPS>,
    <format = bf16, flops_per_clock = 4096, peak = 989.4 TFLOPS>,
    <format = fp8, flops_per_clock = 8192, peak = 1978.9 TFLOPS>,
    <format = int8, flops_per_clock = 8192, peak = 1978.9 TFLOPS>],
  warp_matrix_share = 0.629,
  memory = "hbm3", dram_bandwidth = 3352 GBps, dram_capacity = 80 GiB, reported_memory = 79.1 GiB,
  l2_capacity = 50 MiB, l2_partitioned = true,
  library_workspace = 32 MiB, power_limit = 700 W,
  sm = <registers = 65536, shared_memory = 228 KiB, cta_shared_memory = 227 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128,
    matrix_path = wgmma, cluster_ctas = 8>,
  interconnect = <kind = nvlink, generation = 4, bandwidth = 900 GBps>, gpus_per_node = 8,
  source = [
    "EnergAIzer measurements with locked clocks (2026): clock range and step",
    "NVIDIA H100 Tensor Core GPU Architecture whitepaper: SMs, rates, tensor clock, L2",
    "NVIDIA H100 datasheet: peaks (half of the sparse ones), power",
    "CUDA device query: maximum clock, memory clock 2619 MHz x 5120 bit",
    "W. Luo et al., Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking, arXiv 2402.13499: mma against wgmma",
    "CUDA C++ Programming Guide, throughput of arithmetic instructions: special functions",
    "NVIDIA DGX H100 datasheet: GPUs of a node",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "CUDA C++ Programming Guide, technical specifications per compute capability: limits of an SM",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "Out-of-memory messages of CUDA programs on such boards: reported memory"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["h100", "h100-sxm", "NVIDIA H100 80GB HBM3"],
  gpucost.assumed_for = "sm_90",
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "h100-sxm-80gb"
} {}
