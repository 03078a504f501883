// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok a800-pcie-80gb
//
// NVIDIA A800 PCIe 80 GB
// A100 PCIe; its NVLink bridge, which this file leaves out, has 400 instead of 600 GB/s. L2: two
// partitions of 20 MiB. The coefficients are those of A100 PCIe 80GB; this board was not measured.

#gpu = #gpucost.gpu<
  name = "a800-pcie-80gb", die = "GA100", architecture = ampere,
  compute_capability = 8.0, process = "tsmc_n7",
  sms = 108, special_per_clock = 16, boost_clock = 1410 MHz, max_clock = 1410 MHz, base_clock = 1065 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 128, peak = 19.5 TFLOPS>,
    <format = tf32, flops_per_clock = 1024, peak = 156 TFLOPS>,
    <format = fp16, flops_per_clock = 2048, peak = 312 TFLOPS>,
    <format = bf16, flops_per_clock = 2048, peak = 312 TFLOPS>,
    <format = int8, flops_per_clock = 4096, peak = 624 TFLOPS>],
  memory = "hbm2e", dram_bandwidth = 1935 GBps, dram_capacity = 80 GiB, reported_memory = 79.25 GiB,
  l2_capacity = 40 MiB, l2_partitioned = true,
  library_workspace = 8.125 MiB, power_limit = 300 W,
  sm = <registers = 65536, shared_memory = 164 KiB, cta_shared_memory = 163 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 64 GBps>, gpus_per_node = 8,
  source = [
    "product guides of server vendors for A800 80GB PCIe, not checked with a datasheet of NVIDIA: peaks, memory, bandwidth, capacity, power, PCIe",
    "clocks and step: assumed, as on A100 PCIe",
    "links: without an NVLink bridge",
    "NVIDIA A100 Tensor Core GPU Architecture whitepaper (2020): process, SMs, rates, L2",
    "Reported memory: assumed, the share of a100-sxm-80gb",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 8.0",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "coefficients: transferred from A100 PCIe 80GB, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["a800-pcie", "NVIDIA A800 80GB PCIe"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "a100-pcie-80gb",
  gpucost.transferred_from = "A100 PCIe 80GB"
} {}
