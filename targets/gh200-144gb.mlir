// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok gh200-144gb
//
// NVIDIA GH200 with 144 GB HBM3e, one GPU of it
// GH100 on a module with a Grace CPU, which NVLink-C2C joins with 900 GB/s; time and power of the
// CPU are not part of this target. The module regulates the power of both, 450 to 1000 W, and gives
// the GPU what the CPU leaves. A node has one GPU, as in MGX systems; for GH200 NVL2 state
// --set=gpus_per_node=2. The coefficients are those of H200 SXM; this board was not measured.

#gpu = #gpucost.gpu<
  name = "gh200-144gb", die = "GH100", architecture = hopper,
  compute_capability = 9.0, process = "tsmc_4n",
  sms = 132, special_per_clock = 16, boost_clock = 1830 MHz, max_clock = 1980 MHz,
  min_clock = 345 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 66.9 TFLOPS, clock = 1980 MHz>,
    <format = tf32, flops_per_clock = 2048, peak = 494.7 TFLOPS>,
    <format = fp16, flops_per_clock = 4096, peak = 989.4 TFLOPS>,
    <format = bf16, flops_per_clock = 4096, peak = 989.4 TFLOPS>,
    <format = fp8, flops_per_clock = 8192, peak = 1.9789 PFLOPS>,
    <format = int8, flops_per_clock = 8192, peak = 1.9789 PFLOPS>],
  warp_matrix_share = 0.629,
  memory = "hbm3e", dram_bandwidth = 4900 GBps, dram_capacity = 144 GiB, reported_memory = 142.6 GiB,
  l2_capacity = 50 MiB, l2_partitioned = true,
  library_workspace = 32 MiB, power_limit = 900 W,
  sm = <registers = 65536, shared_memory = 228 KiB, cta_shared_memory = 227 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128,
    matrix_path = wgmma, cluster_ctas = 8>,
  interconnect = <kind = nvlink, generation = 4, bandwidth = 900 GBps>, gpus_per_node = 1,
  source = [
    "NVIDIA GH200 Grace Hopper Superchip datasheet: peaks (half of the sparse ones), bandwidth, capacity, power of the module, NVLink-C2C",
    "clock range and step: assumed, as on H100 SXM",
    "NVIDIA H100 Tensor Core GPU Architecture whitepaper: process, SMs, rates, tensor clock, L2",
    "W. Luo et al., Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking, arXiv 2402.13499: mma against wgmma",
    "NVIDIA GH200 Grace Hopper Superchip Architecture whitepaper: NVLink between superchips",
    "nvidia-smi on such modules: power limit of the GPU",
    "GPUs of a node: assumed, as in MGX systems",
    "Reported memory: assumed, the share of the H100 NVL, 93.1 of 94 GiB",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 9.0",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "coefficients: transferred from H200 SXM, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["NVIDIA GH200 144G HBM3e"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "h200-sxm",
  gpucost.transferred_from = "H200 SXM"
} {}
