// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok h20
//
// NVIDIA H20 SXM 96 GB
// GH100 with fewer SMs and a fourth of the tensor rate per SM. NVIDIA does not state a clock: 1853
// MHz is the clock at which 78 SMs reach the stated tensor peaks, and published matmuls are not
// faster; other boards with this die reach 1980 MHz. The stated fp32 peak, 44 TFLOPS, would require
// 2203 MHz, so this file states SMs x clock. The coefficients are those of H200; this board was not
// measured.

#gpu = #gpucost.gpu<
  name = "h20", die = "GH100", architecture = hopper,
  compute_capability = 9.0, process = "tsmc_4n",
  sms = 78, special_per_clock = 16, boost_clock = 1853 MHz, max_clock = 1853 MHz,
  min_clock = 345 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 37.0 TFLOPS>,
    <format = tf32, flops_per_clock = 512, peak = 74 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 148 TFLOPS>,
    <format = bf16, flops_per_clock = 1024, peak = 148 TFLOPS>,
    <format = fp8, flops_per_clock = 2048, peak = 296 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 296 TFLOPS>],
  warp_matrix_share = 1,
  memory = "hbm3", dram_bandwidth = 4000 GBps, dram_capacity = 96 GiB, reported_memory = 95.08 GiB,
  l2_capacity = 60 MiB, l2_partitioned = true,
  library_workspace = 32 MiB, power_limit = 400 W,
  sm = <registers = 65536, shared_memory = 228 KiB, cta_shared_memory = 227 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128,
    matrix_path = wgmma, cluster_ctas = 8>,
  interconnect = <kind = nvlink, generation = 4, bandwidth = 900 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA H20 datasheet: tensor peaks, memory, bandwidth, capacity, power, NVLink",
    "Geekbench 6 and press reports of H20: die, 78 SMs, L2",
    "boost and maximum clock: the one that the tensor peaks follow from; cuBLAS reaches 142 TFLOPS in bf16 (public tables)",
    "smallest clock and step: assumed, as on H100 SXM",
    "warp_matrix_share: assumed, mma reaches a rate that is cut to a fourth",
    "NVIDIA H100 Tensor Core GPU Architecture whitepaper, H100 SM Architecture: fp32 rate, wgmma; its table of GH100: process",
    "L2 in two partitions: assumed, as on H100",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 9.0 and clusters",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "NVIDIA HGX H20 datasheet: GPUs of a node",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "coefficients: transferred from H200 SXM, without measurements of this board",
    "Reported memory: assumed, the share of the H100 NVL, 93.1 of 94 GiB"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["NVIDIA H20"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "h200-sxm",
  gpucost.transferred_from = "H200 SXM"
} {}
