// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok p100-pcie-16gb
//
// NVIDIA P100 PCIe 16 GB
// No tensor cores: fp16 runs on CUDA cores at twice the fp32 rate.

#gpu = #gpucost.gpu<
  name = "p100-pcie-16gb", die = "GP100", architecture = pascal,
  compute_capability = 6.0, process = "tsmc_16ff",
  sms = 56, special_per_clock = 16, boost_clock = 1303 MHz, max_clock = 1328 MHz,
  min_clock = 544 MHz, clock_step = 12.5 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 128, peak = 9.3 TFLOPS>],
  memory = "hbm2", dram_bandwidth = 732 GBps, dram_capacity = 16 GiB, reported_memory = 15.9 GiB,
  l2_capacity = 4 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 250 W,
  sm = <registers = 65536, shared_memory = 64 KiB, cta_shared_memory = 48 KiB,
    threads = 2048, ctas = 32, partitions = 2,
    cache_bytes_per_clock = 32, shared_bytes_per_clock = 128, texture_loads = true>,
  interconnect = <kind = pcie, generation = 3, bandwidth = 32 GBps>, gpus_per_node = 8,
  source = [
    "nvidia-smi -q -d SUPPORTED_CLOCKS on such boards: clock range and step",
    "NVIDIA Tesla P100 PCIe datasheet: peak, bandwidth, power",
    "NVIDIA Tesla P100 GPU Architecture whitepaper: SMs, rates, L2",
    "CUDA device query: maximum clock",
    "CUDA C++ Programming Guide, throughput of arithmetic instructions: special functions",
    "GPUs of a node: assumed, as in common 4U servers for PCIe boards",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "CUDA C++ Programming Guide, technical specifications per compute capability: limits of an SM",
    "NVIDIA Pascal whitepapers: 4 (GP100) or 8 (GP104) texture units of 8 bytes per clock; 32 banks of shared memory",
    "Out-of-memory messages of CUDA programs on such boards: reported memory"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["p100", "Tesla P100-PCIE-16GB"],
  gpucost.assumed_for = "sm_60",
  gpucost.default_format = "fp32",
  gpucost.coefficients_from = "p100-pcie-16gb"
} {}
