// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok v100-pcie-32gb
//
// NVIDIA V100 PCIe 32 GB

#gpu = #gpucost.gpu<
  name = "v100-pcie-32gb", die = "GV100", architecture = volta,
  compute_capability = 7.0, process = "tsmc_12ffn",
  sms = 80, special_per_clock = 16, boost_clock = 1380 MHz, max_clock = 1380 MHz,
  min_clock = 135 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 128, peak = 14 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 112 TFLOPS>],
  memory = "hbm2", dram_bandwidth = 900 GBps, dram_capacity = 32 GiB, reported_memory = 31.74 GiB,
  l2_capacity = 6 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 250 W,
  sm = <registers = 65536, shared_memory = 96 KiB, cta_shared_memory = 96 KiB,
    threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 3, bandwidth = 32 GBps>, gpus_per_node = 8,
  source = [
    "nvidia-smi -q -d SUPPORTED_CLOCKS on such boards: clock range; the step is assumed, as on later boards",
    "NVIDIA V100 datasheet: peaks, bandwidth, capacity, power",
    "NVIDIA Tesla V100 GPU Architecture whitepaper: SMs, rates, L2",
    "CUDA device query: clock",
    "CUDA C++ Programming Guide, throughput of arithmetic instructions: special functions",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "CUDA C++ Programming Guide, technical specifications per compute capability: limits of an SM",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "Reported memory: assumed, the share of v100-sxm-32gb"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["v100-pcie", "Tesla V100-PCIE-32GB"],
  gpucost.default_format = "fp16",
  gpucost.coefficients_from = "v100-pcie"
} {}
