// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok a30
//
// NVIDIA A30
// GA100 with 56 SMs and three stacks of HBM2; the NVLink bridge of pairs, 200 GB/s, is left out.
// The coefficients are those of A100 PCIe 40GB; this board was not measured.

#gpu = #gpucost.gpu<
  name = "a30", die = "GA100", architecture = ampere,
  compute_capability = 8.0, process = "tsmc_n7",
  sms = 56, special_per_clock = 16, boost_clock = 1440 MHz, max_clock = 1440 MHz, base_clock = 930 MHz,
  min_clock = 210 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 128, peak = 10.3 TFLOPS>,
    <format = tf32, flops_per_clock = 1024, peak = 82 TFLOPS>,
    <format = fp16, flops_per_clock = 2048, peak = 165 TFLOPS>,
    <format = bf16, flops_per_clock = 2048, peak = 165 TFLOPS>,
    <format = int8, flops_per_clock = 4096, peak = 330 TFLOPS>],
  memory = "hbm2", dram_bandwidth = 933 GBps, dram_capacity = 24 GiB, reported_memory = 23.7 GiB,
  l2_capacity = 24 MiB, l2_partitioned = true,
  library_workspace = 8.125 MiB, power_limit = 165 W,
  sm = <registers = 65536, shared_memory = 164 KiB, cta_shared_memory = 163 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = pcie, generation = 4, bandwidth = 64 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA A30 datasheet: peaks, memory, bandwidth, capacity, power, PCIe",
    "NVIDIA A30 product brief: clocks",
    "clock range and step: assumed, as on A100 PCIe",
    "links: without an NVLink bridge",
    "NVIDIA A100 Tensor Core GPU Architecture whitepaper (2020): process, rates",
    "SMs: 56, the number that the peaks follow from; L2: device tables",
    "L2 in two partitions: assumed, as on A100",
    "Reported memory: assumed, the share of a100-sxm-40gb",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 8.0",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "coefficients: transferred from A100 PCIe 40GB, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["NVIDIA A30"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "a100-pcie-40gb",
  gpucost.transferred_from = "A100 PCIe 40GB"
} {}
