// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok a100-pcie-40gb
//
// NVIDIA A100 PCIe 40 GB
// L2: two partitions of 20 MiB.

#gpu = #gpucost.gpu<
  name = "a100-pcie-40gb", die = "GA100", architecture = ampere,
  compute_capability = 8.0, process = "tsmc_n7",
  sms = 108, special_per_clock = 16, boost_clock = 1410 MHz, max_clock = 1410 MHz, base_clock = 765 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 128, peak = 19.5 TFLOPS>,
    <format = tf32, flops_per_clock = 1024, peak = 156 TFLOPS>,
    <format = fp16, flops_per_clock = 2048, peak = 312 TFLOPS>,
    <format = bf16, flops_per_clock = 2048, peak = 312 TFLOPS>,
    <format = int8, flops_per_clock = 4096, peak = 624 TFLOPS>],
  memory = "hbm2", dram_bandwidth = 1555 GBps, dram_capacity = 40 GiB, reported_memory = 39.5 GiB,
  l2_capacity = 40 MiB, l2_partitioned = true,
  library_workspace = 8.125 MiB, power_limit = 250 W,
  sm = <registers = 65536, shared_memory = 164 KiB, cta_shared_memory = 163 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 64 GBps>, gpus_per_node = 8,
  source = [
    "EnergAIzer measurements with locked clocks (2026): clock range and step",
    "NVIDIA A100 Tensor Core GPU Architecture whitepaper (2020): SMs, rates, L2",
    "NVIDIA A100 40GB PCIe product brief: clocks, bandwidth, power",
    "CUDA C++ Programming Guide, throughput of arithmetic instructions: special functions",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "CUDA C++ Programming Guide, technical specifications per compute capability: limits of an SM",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "Reported memory: assumed, the share of a100-sxm-40gb"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["NVIDIA A100-PCIE-40GB"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "a100-pcie-40gb"
} {}
