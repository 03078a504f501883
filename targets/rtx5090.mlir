// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok rtx5090
//
// NVIDIA GeForce RTX 5090
// The tensor rate with fp32 accumulation is half the rate with fp16 accumulation. The coefficients
// are those of RTX PRO 6000; this board was not measured.

#gpu = #gpucost.gpu<
  name = "rtx5090", die = "GB202", architecture = blackwell,
  compute_capability = 12.0, process = "tsmc_4n",
  sms = 170, special_per_clock = 16, boost_clock = 2407 MHz, max_clock = 2407 MHz, base_clock = 2017 MHz,
  min_clock = 180 MHz, clock_step = 7.5 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 104.8 TFLOPS>,
    <format = tf32, flops_per_clock = 256, peak = 104.8 TFLOPS>,
    <format = fp16, flops_per_clock = 512, peak = 209.6 TFLOPS>,
    <format = bf16, flops_per_clock = 512, peak = 209.6 TFLOPS>,
    <format = fp8, flops_per_clock = 1024, peak = 419.2 TFLOPS>,
    <format = mxfp4, flops_per_clock = 4096, peak = 1.6768 PFLOPS>,
    <format = nvfp4, flops_per_clock = 4096, peak = 1.6768 PFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 838.4 TFLOPS>],
  memory = "gddr7", dram_bandwidth = 1792 GBps, dram_capacity = 32 GiB, reported_memory = 31.36 GiB,
  l2_capacity = 96 MiB, l2_partitioned = false,
  library_workspace = 32 MiB, power_limit = 575 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 24, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128, cluster_ctas = 8>,
  interconnect = <kind = pcie, generation = 5, bandwidth = 128 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA RTX Blackwell GPU Architecture whitepaper, table of GeForce RTX 5090: die, process, SMs, clocks, peaks with fp32 sums, L2, memory, bandwidth, power",
    "clock range: the boost clock of the specification as maximum; boards allow more",
    "smallest clock and step: assumed, as on RTX PRO 6000",
    "l2_partitioned: partitions are not documented",
    "Out-of-memory messages of CUDA programs on such boards: reported memory",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 12.0",
    "NVIDIA Ampere GA102 whitepaper: 128 bytes per clock of L1 and shared memory, 64 in Turing",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "coefficients: transferred from RTX PRO 6000, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["5090", "rtx-5090", "geforce-rtx-5090", "NVIDIA GeForce RTX 5090"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "rtx-pro-6000",
  gpucost.transferred_from = "RTX PRO 6000"
} {}
