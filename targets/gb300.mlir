// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok gb300
//
// NVIDIA GB300, one GPU of it, two dies seen as one GPU
// Of the 288 GB of its stacks, 279 are usable. Two Blackwell Ultra dies. The tensor rates are those
// of B200, except int8, which is cut to a small part: the stated peaks are rounded to one digit, so
// this file has 512 per clock and SM, the nearest power of two. Exponentials run at twice the rate.
// A node is the rack of an NVL72, as in --network=gb200-nvl72; collectives of more than 8 GPUs take
// the fits of that rack. State --set=gpus_per_node=4 for servers with four GPUs. Time and power of
// the Grace CPUs are not part of this target. The datasheet does not state clocks; those of GB200
// fit its peaks. The coefficients are those of B200, idle power by the power limit (P4); this board
// was not measured.

#gpu = #gpucost.gpu<
  name = "gb300", die = "GB110 x 2", architecture = blackwell,
  compute_capability = 10.3, process = "tsmc_4np",
  sms = 152, special_per_clock = 16, exponentials_per_clock = 32, boost_clock = 2008 MHz, max_clock = 2062 MHz,
  min_clock = 120 MHz, clock_step = 7.5 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 80 TFLOPS, clock = 2062 MHz>,
    <format = tf32, flops_per_clock = 4096, peak = 1.25 PFLOPS>,
    <format = fp16, flops_per_clock = 8192, peak = 2.5 PFLOPS>,
    <format = bf16, flops_per_clock = 8192, peak = 2.5 PFLOPS>,
    <format = fp8, flops_per_clock = 16384, peak = 5 PFLOPS>,
    <format = mxfp4, flops_per_clock = 49152, peak = 15 PFLOPS>,
    <format = nvfp4, flops_per_clock = 49152, peak = 15 PFLOPS>,
    <format = int8, flops_per_clock = 512, peak = 156 TFLOPS>],
  memory = "hbm3e", dram_bandwidth = 8000 GBps, dram_capacity = 279 GiB, reported_memory = 276.4 GiB,
  l2_capacity = 126 MiB, l2_partitioned = true,
  library_workspace = 32 MiB, power_limit = 1400 W,
  sm = <registers = 65536, shared_memory = 228 KiB, cta_shared_memory = 227 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128,
    matrix_path = tcgen05, cluster_ctas = 8>,
  interconnect = <kind = nvlink, generation = 5, bandwidth = 1800 GBps>, gpus_per_node = 72,
  source = [
    "NVIDIA GB300 NVL72 datasheet, a 72nd: peaks (half of the sparse ones), memory, bandwidth, NVLink",
    "public logs of nvidia-smi: capacity; device queries in public logs: 152 SMs",
    "server vendors: power limit",
    "NVIDIA, Inside NVIDIA Blackwell Ultra (2025): exponentials, die",
    "clocks and step, L2: assumed, as on GB200 and B200",
    "GPUs of a node: an NVL72, as GB200",
    "Reported memory: assumed, the share of b200-sxm",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 10.3",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "coefficients: transferred from B200 SXM, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["gb300-nvl72", "NVIDIA GB300"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "b200-sxm",
  gpucost.collectives_from = "gb200-nvl72",
  gpucost.transferred_from = "B200 SXM"
} {}
