// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok gb200
//
// NVIDIA GB200, one GPU of it, two dies seen as one GPU
// B200 with 152 SMs at a higher power limit. A node is the rack of an NVL72, as in
// --network=gb200-nvl72; collectives of more than 8 GPUs take the fits of that rack. State
// --set=gpus_per_node=4 for servers with four GPUs. Time and power of the Grace CPUs are not part
// of this target. The datasheet does not state clocks: 2008 MHz is the clock of its tensor peaks,
// 2062 MHz that of its fp32 peak. The coefficients are those of B200; this board was not measured.

#gpu = #gpucost.gpu<
  name = "gb200", die = "GB100 x 2", architecture = blackwell,
  compute_capability = 10.0, process = "tsmc_4np",
  sms = 152, special_per_clock = 16, boost_clock = 2008 MHz, max_clock = 2062 MHz,
  min_clock = 120 MHz, clock_step = 7.5 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 80 TFLOPS, clock = 2062 MHz>,
    <format = tf32, flops_per_clock = 4096, peak = 1.25 PFLOPS>,
    <format = fp16, flops_per_clock = 8192, peak = 2.5 PFLOPS>,
    <format = bf16, flops_per_clock = 8192, peak = 2.5 PFLOPS>,
    <format = fp8, flops_per_clock = 16384, peak = 5 PFLOPS>,
    <format = mxfp4, flops_per_clock = 32768, peak = 10 PFLOPS>,
    <format = nvfp4, flops_per_clock = 32768, peak = 10 PFLOPS>,
    <format = int8, flops_per_clock = 16384, peak = 5 PFLOPS>],
  memory = "hbm3e", dram_bandwidth = 8000 GBps, dram_capacity = 186 GiB, reported_memory = 184.3 GiB,
  l2_capacity = 126 MiB, l2_partitioned = true,
  library_workspace = 32 MiB, power_limit = 1200 W,
  sm = <registers = 65536, shared_memory = 228 KiB, cta_shared_memory = 227 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128,
    matrix_path = tcgen05, cluster_ctas = 8>,
  interconnect = <kind = nvlink, generation = 5, bandwidth = 1800 GBps>, gpus_per_node = 72,
  source = [
    "NVIDIA GB200 NVL72 datasheet, a 72nd: peaks (half of the sparse ones), memory, bandwidth, capacity, NVLink",
    "device queries in public logs: 152 SMs; NVIDIA DGX GB200 user guide: GPUs of a rack",
    "power limit: 1200 W as configured by server vendors",
    "clock range and step: the peaks, and assumed as on B200",
    "L2: assumed, as on B200",
    "Reported memory: assumed, the share of b200-sxm",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 10.0",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "coefficients: transferred from B200 SXM, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["gb200-nvl72", "NVIDIA GB200"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "b200-sxm",
  gpucost.collectives_from = "gb200-nvl72",
  gpucost.transferred_from = "B200 SXM"
} {}
