// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok b300-sxm
//
// NVIDIA B300 SXM (HGX, 1100 W), two dies seen as one GPU
// Of the 288 GB of its stacks, 270 are usable. Two Blackwell Ultra dies. The tensor rates are those
// of B200, except int8, which is cut to a small part: the stated peaks are rounded to one digit, so
// this file has 512 per clock and SM, the nearest power of two. Exponentials run at twice the rate.
// The datasheet does not state a clock; those of B200 fit its peaks. The coefficients are those of
// B200, idle power by the power limit (P4); this board was not measured.

#gpu = #gpucost.gpu<
  name = "b300-sxm", die = "GB110 x 2", architecture = blackwell,
  compute_capability = 10.3, process = "tsmc_4np",
  sms = 148, special_per_clock = 16, exponentials_per_clock = 32, boost_clock = 1850 MHz, max_clock = 1965 MHz,
  min_clock = 120 MHz, clock_step = 7.5 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 75 TFLOPS, clock = 1965 MHz>,
    <format = tf32, flops_per_clock = 4096, peak = 1.125 PFLOPS>,
    <format = fp16, flops_per_clock = 8192, peak = 2.25 PFLOPS>,
    <format = bf16, flops_per_clock = 8192, peak = 2.25 PFLOPS>,
    <format = fp8, flops_per_clock = 16384, peak = 4.5 PFLOPS>,
    <format = mxfp4, flops_per_clock = 49152, peak = 13.5 PFLOPS>,
    <format = nvfp4, flops_per_clock = 49152, peak = 13.5 PFLOPS>,
    <format = int8, flops_per_clock = 512, peak = 140 TFLOPS>],
  memory = "hbm3e", dram_bandwidth = 8000 GBps, dram_capacity = 270 GiB, reported_memory = 267.5 GiB,
  l2_capacity = 126 MiB, l2_partitioned = true,
  library_workspace = 32 MiB, power_limit = 1100 W,
  sm = <registers = 65536, shared_memory = 228 KiB, cta_shared_memory = 227 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128,
    matrix_path = tcgen05, cluster_ctas = 8>,
  interconnect = <kind = nvlink, generation = 5, bandwidth = 1800 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA HGX B300 datasheet, an eighth: peaks (half of the sparse ones), bandwidth, capacity, NVLink, GPUs of a node",
    "NVIDIA DGX B300 datasheet and server vendors: power limit",
    "device queries in public logs: 148 SMs",
    "NVIDIA, Inside NVIDIA Blackwell Ultra (2025): exponentials, die",
    "clocks and step, L2: assumed, as on B200",
    "Reported memory: assumed, the share of b200-sxm",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 10.3",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "coefficients: transferred from B200 SXM, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["b300", "NVIDIA B300", "NVIDIA B300 SXM6 AC"],
  gpucost.assumed_for = "sm_103",
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "b200-sxm",
  gpucost.transferred_from = "B200 SXM"
} {}
