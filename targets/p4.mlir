// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok p4
//
// NVIDIA P4
// 20 SMs with 128 lanes; device tables with 40 SMs of 64 lanes are wrong. No tensor
// cores.

#gpu = #gpucost.gpu<
  name = "p4", die = "GP104", architecture = pascal,
  compute_capability = 6.1, process = "tsmc_16ff",
  sms = 20, special_per_clock = 32, boost_clock = 1063 MHz, max_clock = 1113 MHz,
  base_clock = 810 MHz,
  min_clock = 455 MHz, clock_step = 12.5 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 5.5 TFLOPS>],
  memory = "gddr5", inline_ecc = true, dram_bandwidth = 192 GBps, dram_capacity = 8 GiB, reported_memory = 7.43 GiB,
  l2_capacity = 2 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 75 W,
  sm = <registers = 65536, shared_memory = 96 KiB, cta_shared_memory = 48 KiB,
    threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 64, shared_bytes_per_clock = 128, texture_loads = true>,
  interconnect = <kind = pcie, generation = 3, bandwidth = 32 GBps>, gpus_per_node = 8,
  source = [
    "clock range and step: assumed, not read from a board",
    "NVIDIA Tesla P4 datasheet: peak, bandwidth, power",
    "NVIDIA Tesla P4 product brief: clocks",
    "CUDA device query: SMs, maximum clock, L2",
    "CUDA C++ Programming Guide, throughput of arithmetic instructions: special functions",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "CUDA C++ Programming Guide, technical specifications per compute capability: limits of an SM",
    "NVIDIA Pascal whitepapers: 4 (GP100) or 8 (GP104) texture units of 8 bytes per clock; 32 banks of shared memory",
    "Out-of-memory messages of CUDA programs on such boards: reported memory; inline ECC: a sixteenth of the memory is missing"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["Tesla P4"],
  gpucost.assumed_for = "sm_61",
  gpucost.default_format = "fp32",
  gpucost.coefficients_from = "p4"
} {}
