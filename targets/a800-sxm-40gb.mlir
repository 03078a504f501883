// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok a800-sxm-40gb
//
// NVIDIA A800 SXM4 40 GB
// A100 SXM4 with NVLink of 400 instead of 600 GB/s. L2: two partitions of 20 MiB. The coefficients
// are those of A100 SXM 40GB, collectives at the rate of the links (N5); this board was not
// measured.

#gpu = #gpucost.gpu<
  name = "a800-sxm-40gb", die = "GA100", architecture = ampere,
  compute_capability = 8.0, process = "tsmc_n7",
  sms = 108, special_per_clock = 16, boost_clock = 1410 MHz, max_clock = 1410 MHz,
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
  library_workspace = 8.125 MiB, power_limit = 400 W,
  sm = <registers = 65536, shared_memory = 164 KiB, cta_shared_memory = 163 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = nvlink, generation = 3, bandwidth = 400 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA A800-SXM4-40GB: the name is in lists of PCI devices; its facts are assumed to be those of the A100 SXM4 40 GB with the NVLink of the A800",
    "NVIDIA A100 Tensor Core GPU Architecture whitepaper (2020): process, SMs, rates, L2",
    "GPUs of a node: assumed, as in HGX A100",
    "Reported memory: assumed, as on A100 SXM",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 8.0",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "coefficients: transferred from A100 SXM 40GB, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["NVIDIA A800-SXM4-40GB"],
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "a100-sxm-40gb",
  gpucost.transferred_from = "A100 SXM 40GB"
} {}
