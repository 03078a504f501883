// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok v100-sxm-16gb
//
// NVIDIA V100 SXM2 16 GB

#gpu = #gpucost.gpu<
  name = "v100-sxm-16gb", die = "GV100", architecture = volta,
  compute_capability = 7.0, process = "tsmc_12ffn",
  sms = 80, special_per_clock = 16, boost_clock = 1530 MHz, max_clock = 1530 MHz,
  min_clock = 135 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 128, peak = 15.7 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 125 TFLOPS>],
  memory = "hbm2", dram_bandwidth = 900 GBps, dram_capacity = 16 GiB, reported_memory = 15.78 GiB,
  l2_capacity = 6 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 300 W,
  sm = <registers = 65536, shared_memory = 96 KiB, cta_shared_memory = 96 KiB,
    threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = nvlink, generation = 2, bandwidth = 300 GBps>, gpus_per_node = 8,
  source = [
    "nvidia-smi -q -d SUPPORTED_CLOCKS on such boards: clock range; the step is assumed, as on later boards",
    "NVIDIA V100 datasheet: peaks, bandwidth, capacity, power",
    "NVIDIA Tesla V100 GPU Architecture whitepaper: SMs, rates, L2",
    "CUDA device query: clock",
    "CUDA C++ Programming Guide, throughput of arithmetic instructions: special functions",
    "NVIDIA DGX-1 (V100) datasheet: GPUs of a node",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "CUDA C++ Programming Guide, technical specifications per compute capability: limits of an SM",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "Out-of-memory messages of CUDA programs on such boards: reported memory"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["v100-16gb", "Tesla V100-SXM2-16GB"],
  gpucost.default_format = "fp16",
  gpucost.coefficients_from = "v100-sxm"
} {}
