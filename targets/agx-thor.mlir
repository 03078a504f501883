// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok agx-thor
//
// NVIDIA Jetson AGX Thor (T5000, 128 GB)
// The GPU of the module; 130 W, the largest limit of the module, covers GPU and CPU, which also
// share the memory. An SM has the rates of a B200 SM. The coefficients are those of B200, idle
// power by the power limit (P4); this board was not measured. Host time is that of a server's CPU.

#gpu = #gpucost.gpu<
  name = "agx-thor", die = "GB10B", architecture = blackwell,
  compute_capability = 11.0, process = "tsmc_4np",
  sms = 20, special_per_clock = 16, boost_clock = 1575 MHz, max_clock = 1575 MHz,
  min_clock = 306 MHz, clock_step = 102 MHz,
  // Dense peaks as the datasheet states them.
  formats = [
    <format = fp32, flops_per_clock = 256, peak = 8.06 TFLOPS>,
    <format = tf32, flops_per_clock = 4096, peak = 129 TFLOPS>,
    <format = fp16, flops_per_clock = 8192, peak = 258 TFLOPS>,
    <format = bf16, flops_per_clock = 8192, peak = 258 TFLOPS>,
    <format = fp8, flops_per_clock = 16384, peak = 517 TFLOPS>,
    <format = mxfp4, flops_per_clock = 32768, peak = 1.035 PFLOPS>,
    <format = nvfp4, flops_per_clock = 32768, peak = 1.035 PFLOPS>,
    <format = int8, flops_per_clock = 16384, peak = 517 TFLOPS>],
  memory = "lpddr5x", dram_bandwidth = 273 GBps, dram_capacity = 128 GiB, reported_memory = 122.8 GiB,
  l2_capacity = 32 MiB, l2_partitioned = false,
  library_workspace = 32 MiB, power_limit = 130 W,
  sm = <registers = 65536, shared_memory = 228 KiB, cta_shared_memory = 227 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128,
    matrix_path = tcgen05, cluster_ctas = 8>, gpus_per_node = 1,
  source = [
    "NVIDIA Jetson Thor series datasheet: 20 SMs, clock, fp8 peak (half of the sparse one), memory, bandwidth, power modes",
    "tf32, fp16, bf16 and int8 rates: those of a B200 SM, of which the fp8 peak follows; limits of an SM and tcgen05: assumed, as on B200",
    "die, process, L2: press reports and device tables",
    "smallest clock and step: assumed, as on Jetson AGX Orin",
    "l2_partitioned: partitions are not documented",
    "GPUs of a node: a module has one",
    "Reported memory: assumed, the share of Jetson AGX Orin",
    "CUDA C++ Programming Guide, Arithmetic Instructions, table of throughputs: special functions",
    "CUDA C++ Programming Guide, Compute Capabilities, technical specifications: limits of an SM of compute capability 11.0",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "coefficients: transferred from B200 SXM, without measurements of this board"]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.aliases = ["jetson-agx-thor", "jetson-thor", "thor", "NVIDIA Thor", "NVIDIA Jetson AGX Thor"],
  gpucost.assumed_for = "sm_110",
  gpucost.default_format = "bf16",
  gpucost.coefficients_from = "b200-sxm",
  gpucost.transferred_from = "B200 SXM"
} {}
