// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok gtx1080ti
//
// NVIDIA GeForce GTX 1080 Ti
// 28 SMs with 128 lanes, no tensor cores; fp16 runs at 1/64 of the rate of fp32 and has no entry
// here. The coefficients are those of P4, DRAM without inline ECC (M17), idle power by the power
// limit (P4); this board was not measured.

#gpu = #gpucost.gpu<
  name = "gtx1080ti", die = "GP102", architecture = pascal,
  compute_capability = 6.1, process = "tsmc_16ff",
  sms = 28, special_per_clock = 32, boost_clock = 1582 MHz, max_clock = 1582 MHz, base_clock = 1480 MHz,
  min_clock = 139 MHz, clock_step = 12.5 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 11.34 TFLOPS>],
  memory = "gddr5x", dram_bandwidth = 484 GBps, dram_capacity = 11 GiB, reported_memory = 10.91 GiB,
  l2_capacity = 2.75 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 250 W,
  sm = <registers = 65536, shared_memory = 96 KiB, cta_shared_memory = 48 KiB,
    threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 64, shared_bytes_per_clock = 128, texture_loads = true>,
  interconnect = <kind = pcie, generation = 3, bandwidth = 32 GBps>, gpus_per_node = 8,
  source = [
    "NVIDIA GeForce GTX 1080 Ti specifications: clocks, SMs, memory, bandwidth, capacity, power, PCIe",
    "clock range: the boost clock of the specification as maximum; boards allow more",
    "die, L2: device tables",
    "peak: SMs x clock x 256",
    "smallest clock and step: assumed, not read from a board",
    "l2_partitioned: partitions are not documented",
    "Out-of-memory messages of CUDA programs on such boards: reported memory; no inline ECC: all of the memory is there",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 6.1",
    "NVIDIA Pascal whitepapers: 4 (GP100) or 8 (GP104) texture units of 8 bytes per clock; 32 banks of shared memory",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "coefficients: transferred from P4, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["1080ti", "geforce-gtx-1080-ti", "NVIDIA GeForce GTX 1080 Ti"],
  gpucost.default_format = "fp32",
  gpucost.coefficients_from = "p4",
  gpucost.transferred_from = "P4"
} {}
