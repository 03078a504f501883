// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok t4
//
// NVIDIA T4

#gpu = #gpucost.gpu<
  name = "t4", die = "TU104", architecture = turing,
  compute_capability = 7.5, process = "tsmc_12ffn",
  sms = 40, special_per_clock = 16, boost_clock = 1590 MHz, max_clock = 1590 MHz, base_clock = 585 MHz,
  min_clock = 300 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 128, peak = 8.1 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 65 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 130 TFLOPS>],
  memory = "gddr6", inline_ecc = true, dram_bandwidth = 320 GBps, dram_capacity = 16 GiB, reported_memory = 14.56 GiB,
  l2_capacity = 4 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 70 W,
  sm = <registers = 65536, shared_memory = 64 KiB, cta_shared_memory = 64 KiB,
    threads = 1024, ctas = 16, partitions = 4,
    cache_bytes_per_clock = 64, shared_bytes_per_clock = 64>,
  interconnect = <kind = pcie, generation = 3, bandwidth = 32 GBps>, gpus_per_node = 8,
  source = [
    "nvidia-smi -q -d SUPPORTED_CLOCKS on such boards: clock range and step",
    "NVIDIA T4 datasheet: peaks, bandwidth, power",
    "NVIDIA T4 product brief: clocks",
    "NVIDIA Turing GPU Architecture whitepaper: SMs, rates, L2",
    "CUDA C++ Programming Guide, throughput of arithmetic instructions: special functions",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "CUDA C++ Programming Guide, technical specifications per compute capability: limits of an SM",
    "NVIDIA Ampere GA102 whitepaper: 128 bytes per clock of L1 and shared memory, 64 in Turing",
    "Out-of-memory messages of CUDA programs on such boards: reported memory; inline ECC: a sixteenth of the memory is missing"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["Tesla T4"],
  gpucost.assumed_for = "sm_75",
  gpucost.default_format = "fp16",
  gpucost.coefficients_from = "t4"
} {}
