// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok rtx-pro-6000-server
//
// NVIDIA RTX PRO 6000 Blackwell Server Edition
// The SMs of the Workstation Edition at lower clocks. The coefficients are those of RTX PRO 6000;
// this board was not measured.

#gpu = #gpucost.gpu<
  name = "rtx-pro-6000-server", die = "GB202", architecture = blackwell,
  compute_capability = 12.0, process = "tsmc_4n",
  sms = 188, special_per_clock = 16, boost_clock = 2490 MHz, max_clock = 2490 MHz,
  min_clock = 180 MHz, clock_step = 7.5 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 120 TFLOPS>,
    <format = tf32, flops_per_clock = 512, peak = 240 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 480 TFLOPS>,
    <format = bf16, flops_per_clock = 1024, peak = 480 TFLOPS>,
    <format = fp8, flops_per_clock = 2048, peak = 960 TFLOPS>,
    <format = mxfp4, flops_per_clock = 4096, peak = 1.92 PFLOPS>,
    <format = nvfp4, flops_per_clock = 4096, peak = 1.92 PFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 960 TFLOPS>],
  memory = "gddr7", dram_bandwidth = 1597 GBps, dram_capacity = 96 GiB, reported_memory = 94.97 GiB,
  l2_capacity = 128 MiB, l2_partitioned = false,
  library_workspace = 32 MiB, power_limit = 600 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 24, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128, cluster_ctas = 8>,
  interconnect = <kind = pcie, generation = 5, bandwidth = 128 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA RTX PRO 6000 Blackwell Server Edition datasheet: fp32 peak, bandwidth, capacity, power, PCIe",
    "boost clock: the one that the stated fp32 peak follows from, as maximum",
    "NVIDIA RTX Blackwell PRO GPU Architecture whitepaper: die, process, SMs, rates, L2",
    "smallest clock and step: assumed, as on the Workstation Edition",
    "l2_partitioned: partitions are not documented",
    "Reported memory: assumed, as on the Workstation Edition",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 12.0",
    "NVIDIA Ampere GA102 whitepaper: 128 bytes per clock of L1 and shared memory, 64 in Turing",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "coefficients: transferred from RTX PRO 6000, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["rtx-pro-6000-se", "NVIDIA RTX PRO 6000 Blackwell Server Edition"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "rtx-pro-6000",
  gpucost.transferred_from = "RTX PRO 6000"
} {}
