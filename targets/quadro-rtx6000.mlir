// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok quadro-rtx6000
//
// NVIDIA Quadro RTX 6000 (Turing)
// 260 W is the graphics power that the limiter regulates; 295 W is the power of the
// whole card.

#gpu = #gpucost.gpu<
  name = "quadro-rtx6000", die = "TU102", architecture = turing,
  compute_capability = 7.5, process = "tsmc_12ffn",
  sms = 72, special_per_clock = 16, boost_clock = 1770 MHz, max_clock = 1770 MHz, base_clock = 1440 MHz,
  min_clock = 300 MHz, clock_step = 15 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 128, peak = 16.3 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 130.5 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 261 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 672 GBps, dram_capacity = 24 GiB, reported_memory = 23.65 GiB,
  l2_capacity = 6 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 260 W,
  sm = <registers = 65536, shared_memory = 64 KiB, cta_shared_memory = 64 KiB,
    threads = 1024, ctas = 16, partitions = 4,
    cache_bytes_per_clock = 64, shared_bytes_per_clock = 64>,
  interconnect = <kind = pcie, generation = 3, bandwidth = 32 GBps>, gpus_per_node = 8,
  source = [
    "nvidia-smi -q -d SUPPORTED_CLOCKS on such boards: clock range and step",
    "NVIDIA Quadro RTX 6000 datasheet: peaks, bandwidth, power",
    "NVIDIA Turing GPU Architecture whitepaper: SMs, clocks, rates, L2",
    "CUDA C++ Programming Guide, throughput of arithmetic instructions: special functions",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "CUDA C++ Programming Guide, technical specifications per compute capability: limits of an SM",
    "NVIDIA Ampere GA102 whitepaper: 128 bytes per clock of L1 and shared memory, 64 in Turing",
    "Reported memory: assumed, the share of the TITAN RTX, 23.65 of 24 GiB, ECC off"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["quadro-rtx-6000", "Quadro RTX 6000"],
  gpucost.default_format = "fp16",
  gpucost.coefficients_from = "quadro-rtx6000"
} {}
