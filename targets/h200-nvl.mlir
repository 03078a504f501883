// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok h200-nvl
//
// NVIDIA H200 NVL 141 GB
// H200 on a PCIe board. Under tensor load the board boosts to 1545 MHz (its tensor peaks); the
// maximum is 1785 MHz (its fp32 peak). NVLink bridges join up to 4 boards, so a node has 4 GPUs:
// state --network for the PCIe links between bridges. The coefficients are those of H200 SXM; this
// board was not measured.

#gpu = #gpucost.gpu<
  name = "h200-nvl", die = "GH100", architecture = hopper,
  compute_capability = 9.0, process = "tsmc_4n",
  sms = 132, special_per_clock = 16, boost_clock = 1545 MHz, max_clock = 1785 MHz,
  min_clock = 345 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 60 TFLOPS, clock = 1785 MHz>,
    <format = tf32, flops_per_clock = 2048, peak = 417.5 TFLOPS>,
    <format = fp16, flops_per_clock = 4096, peak = 835.5 TFLOPS>,
    <format = bf16, flops_per_clock = 4096, peak = 835.5 TFLOPS>,
    <format = fp8, flops_per_clock = 8192, peak = 1.671 PFLOPS>,
    <format = int8, flops_per_clock = 8192, peak = 1.671 PFLOPS>],
  warp_matrix_share = 0.629,
  memory = "hbm3e", dram_bandwidth = 4800 GBps, dram_capacity = 141 GiB, reported_memory = 139.8 GiB,
  l2_capacity = 50 MiB, l2_partitioned = true,
  library_workspace = 32 MiB, power_limit = 600 W,
  sm = <registers = 65536, shared_memory = 228 KiB, cta_shared_memory = 227 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128,
    matrix_path = wgmma, cluster_ctas = 8>,
  interconnect = <kind = nvlink, generation = 4, bandwidth = 900 GBps>, gpus_per_node = 4,
  source = [
    "NVIDIA H200 NVL datasheet: peaks (half of the sparse ones), bandwidth, capacity, power, NVLink bridge",
    "tensor clock: the one that the stated tensor peaks follow from; maximum: assumed, as on H100 NVL, whose fp32 peak is the same",
    "SMs: 132, the number that both peaks follow from",
    "smallest clock and step: assumed, as on H100 SXM",
    "NVIDIA H100 Tensor Core GPU Architecture whitepaper: process, SMs, rates, tensor clock, L2",
    "W. Luo et al., Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking, arXiv 2402.13499: mma against wgmma",
    "GPUs of a node: the four boards of a bridge",
    "Reported memory: assumed, as on H200 SXM",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 9.0",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "coefficients: transferred from H200 SXM, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["NVIDIA H200 NVL"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "h200-sxm",
  gpucost.transferred_from = "H200 SXM"
} {}
