// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok rtx-pro-6000
//
// NVIDIA RTX PRO 6000 Blackwell Workstation Edition
// The Server Edition has the same SMs and memory bus at lower clocks.

#gpu = #gpucost.gpu<
  name = "rtx-pro-6000", die = "GB202", architecture = blackwell,
  compute_capability = 12.0, process = "tsmc_4n",
  sms = 188, special_per_clock = 16, boost_clock = 2617 MHz, max_clock = 2617 MHz,
  min_clock = 180 MHz, clock_step = 7.5 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 125 TFLOPS>,
    <format = tf32, flops_per_clock = 512, peak = 251.9 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 503.8 TFLOPS>,
    <format = bf16, flops_per_clock = 1024, peak = 503.8 TFLOPS>,
    <format = fp8, flops_per_clock = 2048, peak = 1007.6 TFLOPS>,
    <format = mxfp4, flops_per_clock = 4096, peak = 2.0152 PFLOPS>,
    <format = nvfp4, flops_per_clock = 4096, peak = 2.0152 PFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 1007.6 TFLOPS>],
  memory = "gddr7", dram_bandwidth = 1792 GBps, dram_capacity = 96 GiB, reported_memory = 94.97 GiB,
  l2_capacity = 128 MiB, l2_partitioned = false,
  library_workspace = 32 MiB, power_limit = 600 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 24, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128, cluster_ctas = 8>,
  interconnect = <kind = pcie, generation = 5, bandwidth = 128 GBps>, gpus_per_node = 8,
  source = [
    "clock range and step: assumed, not read from a board",
    "NVIDIA RTX PRO 6000 Blackwell Workstation Edition datasheet: fp32 peak, bandwidth, power",
    "NVIDIA RTX Blackwell PRO GPU Architecture whitepaper: SMs, clock, rates, L2",
    "CUDA C++ Programming Guide, throughput of arithmetic instructions: special functions",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "CUDA C++ Programming Guide, technical specifications per compute capability: limits of an SM",
    "NVIDIA Ampere GA102 whitepaper: 128 bytes per clock of L1 and shared memory, 64 in Turing",
    "Out-of-memory messages of CUDA programs on such boards: reported memory"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["rtx-pro-6000-blackwell", "NVIDIA RTX PRO 6000 Blackwell Workstation Edition"],
  gpucost.assumed_for = "sm_120",
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "rtx-pro-6000"
} {}
