// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok b200-sxm
//
// NVIDIA B200 SXM (HGX, 1000 W), two dies seen as one GPU
// The datasheet does not state a clock: its tensor peaks correspond to 1850 MHz.

#gpu = #gpucost.gpu<
  name = "b200-sxm", die = "GB100 x 2", architecture = blackwell,
  compute_capability = 10.0, process = "tsmc_4np",
  sms = 148, special_per_clock = 16, boost_clock = 1850 MHz, max_clock = 1965 MHz,
  min_clock = 120 MHz, clock_step = 7.5 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 75 TFLOPS, clock = 1965 MHz>,
    <format = tf32, flops_per_clock = 4096, peak = 1.125 PFLOPS>,
    <format = fp16, flops_per_clock = 8192, peak = 2.25 PFLOPS>,
    <format = bf16, flops_per_clock = 8192, peak = 2.25 PFLOPS>,
    <format = fp8, flops_per_clock = 16384, peak = 4.5 PFLOPS>,
    <format = mxfp4, flops_per_clock = 32768, peak = 9 PFLOPS>,
    <format = nvfp4, flops_per_clock = 32768, peak = 9 PFLOPS>,
    <format = int8, flops_per_clock = 16384, peak = 4.5 PFLOPS>],
  memory = "hbm3e", dram_bandwidth = 7700 GBps, dram_capacity = 180 GiB, reported_memory = 178.35 GiB,
  l2_capacity = 126 MiB, l2_partitioned = true,
  library_workspace = 32 MiB, power_limit = 1000 W,
  sm = <registers = 65536, shared_memory = 228 KiB, cta_shared_memory = 227 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128,
    matrix_path = tcgen05, cluster_ctas = 8>,
  interconnect = <kind = nvlink, generation = 5, bandwidth = 1800 GBps>, gpus_per_node = 8,
  source = [
    "clock range and step: assumed, not read from a board",
    "NVIDIA HGX B200 datasheet: peaks (half of the sparse ones), bandwidth, capacity, power",
    "CUDA device query: SMs, maximum clock, L2",
    "CUDA C++ Programming Guide, throughput of arithmetic instructions: special functions",
    "NVIDIA DGX B200 datasheet: GPUs of a node",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "CUDA C++ Programming Guide, technical specifications per compute capability: limits of an SM",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "Out-of-memory messages of CUDA programs on such boards: reported memory"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["b200", "NVIDIA B200"],
  gpucost.assumed_for = "sm_100",
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "b200-sxm"
} {}
