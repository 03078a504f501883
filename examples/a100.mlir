// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The target a100-sxm-80gb with its coefficients of 2026-11, which no refit changes, so that
// worked examples in documents and tests keep their numbers. For predictions use
// --target=a100: it has the current coefficients.

#gpu = #gpucost.gpu<
  name = "a100-sxm-80gb", die = "GA100", architecture = ampere,
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
  memory = "hbm2e", dram_bandwidth = 2039 GBps, dram_capacity = 80 GiB,
  l2_capacity = 40 MiB, l2_partitioned = true,
  library_workspace = 8.125 MiB, power_limit = 400 W,
  sm = <registers = 65536, shared_memory = 164 KiB, cta_shared_memory = 163 KiB,
    reserved_shared_memory = 1 KiB, threads = 2048, ctas = 32, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = nvlink, generation = 3, bandwidth = 600 GBps>, gpus_per_node = 8,
  source = [
    "EnergAIzer measurements with locked clocks (2026): clock range and step",
    "NVIDIA A100 Tensor Core GPU Architecture whitepaper (2020): SMs, rates, L2",
    "NVIDIA A100 80GB datasheet: peaks, bandwidth, power",
    "CUDA C++ Programming Guide, throughput of arithmetic instructions: special functions",
    "NVIDIA DGX A100 datasheet: GPUs of a node",
    "PyTorch CUDA notes, CUBLAS_WORKSPACE_CONFIG: library workspace",
    "CUDA C++ Programming Guide, technical specifications per compute capability: limits of an SM",
    "NVIDIA V100, A100 and H100 whitepapers: 32 load/store units of 4 bytes per SM: L1 and shared memory"]>

#tensor_gemm = #gpucost.tensor_gemm<
  provenance = "MAP fit on aiconfigurator bf16 GEMM tables (sglang); refitted on 2000 rows of aiconfigurator, 6.8 % in fit, 2026-11; misaligned rows per clock as measured on Hopper, 2026-11; time refined on EnergAIzer whole networks, 2026-11, errors in docs/Accuracy.md",
  efficiency = 0.96808, latency_cycles = 375.42, dram_efficiency = 0.72319,
  l2_bytes_per_clock = 29.283, l2_fraction = 0.030532, fixed_time = 3.0759 us,
  split_k_time = 2.586 us, store_exposure = 0.82546, fill_depth = 121.58,
  energy_per_flop = 1.1756 pJ, power_limiter_delay = 35.03 ms,
  misaligned_efficiency = 0.2552, convolution_efficiency = 0.72293,
  least_split_depth = 128, whole_tile_waves = 1, whole_split_depth = 3072,
  full_rate_intensity = 32, reread_l2_share = 0.5,
  split_k = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32],
  tiles = [
    <m = 16, n = 64, ctas_per_sm = 6>, <m = 16, n = 128, ctas_per_sm = 5>,
    <m = 32, n = 32, ctas_per_sm = 8>, <m = 32, n = 64, ctas_per_sm = 5>,
    <m = 32, n = 128, ctas_per_sm = 4>, <m = 64, n = 16, ctas_per_sm = 6>,
    <m = 64, n = 32, ctas_per_sm = 5>, <m = 64, n = 64, ctas_per_sm = 4>,
    <m = 64, n = 128, ctas_per_sm = 3>, <m = 64, n = 256, ctas_per_sm = 2>,
    <m = 128, n = 16, ctas_per_sm = 5>, <m = 128, n = 32, ctas_per_sm = 4>,
    <m = 128, n = 64, ctas_per_sm = 3>, <m = 128, n = 128, ctas_per_sm = 2>,
    <m = 128, n = 256, ctas_per_sm = 1>, <m = 256, n = 64, ctas_per_sm = 2>,
    <m = 256, n = 128, ctas_per_sm = 1>]>

#tensor_power = #gpucost.tensor_power<
  provenance = "MAP fit on aiconfigurator bf16 GEMM tables (sglang); constants held fixed",
  static_fraction = 0.2, per_l2_byte = 12 pJ, per_dram_byte = 60 pJ,
  clock_exponent = 1.3, energy_floor = 0.4>

#simt_linear = #gpucost.simt_gemm<
  provenance = "MAP fit on NeuSight fp32 kernels, TF32 off; refitted on 174 rows of neusight, 4.6 % in fit, 2026-11",
  emax = 1.0977, k0 = 4.7872, dram_efficiency = 0.42427, l2_bytes_per_clock = 6.9667,
  l2_fraction = 0.89108, l2_speedup = 1.4905, saturation_warps = 7.6566,
  latency = 31.793 us, energy_per_flop = 9.2793 pJ, power_fraction = 0.85,
  dispatch = 8.608 us, dispatch_overlap = 29.71 us,
  split_k = [1, 2, 3, 4, 6, 8, 12, 16],
  tiles = [
    <m = 128, n = 128, ctas_per_sm = 2, warps = 8>,
    <m = 64, n = 128, ctas_per_sm = 4, warps = 4>,
    <m = 64, n = 64, ctas_per_sm = 8, warps = 2>,
    <m = 128, n = 32, ctas_per_sm = 3, warps = 8>,
    <m = 32, n = 128, ctas_per_sm = 3, warps = 8>,
    <m = 32, n = 64, ctas_per_sm = 4, warps = 8>,
    <m = 32, n = 32, ctas_per_sm = 8, warps = 4>]>

#simt_batched = #gpucost.simt_gemm<
  provenance = "MAP fit on NeuSight fp32 kernels, TF32 off",
  emax = 0.9778, k0 = 7.694, dram_efficiency = 0.6866,
  l2_bytes_per_clock = 14.58, l2_fraction = 1.2, l2_speedup = 1.732,
  saturation_warps = 1.854, latency = 0.5275 us, energy_per_flop = 7.356 pJ,
  power_fraction = 0.85, dispatch = 22.45 us, dispatch_overlap = 7.077 us,
  split_k = [1],
  tiles = [
    <m = 128, n = 128, ctas_per_sm = 2, warps = 8>]>

#simt_conv = #gpucost.simt_conv<
  provenance = "fit on NeuSight fp32 3x3 convolutions",
  k0 = 1.087, saturation_warps = 26.01, dram_efficiency = 0.6197,
  l2_bytes_per_clock = 35.83, l2_fraction = 0.3795, l2_speedup = 1.863,
  implicit_efficiency = 1.05, fused_efficiency = 0.6007,
  non_fused_efficiency = 1.05, fused_prologue = 10.58, filter_passes = 2.618,
  latency = 2.08 us, transform_latency = 59.27 us, dispatch = 148 us,
  dispatch_overlap = 9.357 us,
  implicit_tiles = [
    <m = 128, n = 128, ctas_per_sm = 2, warps = 8>,
    <m = 128, n = 64, ctas_per_sm = 4, warps = 4>,
    <m = 64, n = 64, ctas_per_sm = 8, warps = 2>,
    <m = 128, n = 32, ctas_per_sm = 5, warps = 4>,
    <m = 32, n = 128, ctas_per_sm = 5, warps = 4>,
    <m = 256, n = 64, ctas_per_sm = 2, warps = 4>],
  batched_tiles = [
    <m = 128, n = 128, ctas_per_sm = 2, warps = 8>,
    <m = 64, n = 128, ctas_per_sm = 4, warps = 4>,
    <m = 128, n = 64, ctas_per_sm = 4, warps = 4>,
    <m = 64, n = 64, ctas_per_sm = 8, warps = 2>,
    <m = 32, n = 128, ctas_per_sm = 3, warps = 8>]>

#attention_full = #gpucost.attention_fit<
  provenance = "fit on aiconfigurator attention tables, KV-cache write dropped; set 'A100 causal, FA2, +KV-cache write' (no full-attention measurement)",
  efficiency = 0.73737, softmax_cycles = 0.075058, pipe_norm = 1.0378,
  prologue_cycles = 113.09, wave_fraction = 0.27759, causal_tail = 0.64003,
  dram_efficiency = 0.45285, l2_bytes_per_clock = 60, l2_fraction = 0.30658,
  cache_bytes_per_clock = 10.27, split_time = 2.1599 us, fixed_time = 10.306 us,
  energy_per_flop = 1.174 pJ, energy_per_score = 110 pJ,
  pack_grouped_queries = false, split_kv = false, writes_kv_cache = false,
  split_below = 0.8, least_split_blocks = 4, largest_split = 128,
  first_generation_slowdown = 2, backward_slowdown = 1.1094, backward_prologue = 5.7579,
  backward_time = 2.0368 us,
  tiles = [
    <head_dim = 64, rows = 128, columns = 128>,
    <head_dim = 96, rows = 128, columns = 64>,
    <head_dim = 128, rows = 128, columns = 64>,
    <head_dim = 192, rows = 128, columns = 64>,
    <head_dim = 256, rows = 64, columns = 64>,
    <head_dim = 512, rows = 64, columns = 64>]>

#attention_causal = #gpucost.attention_fit<
  provenance = "fit on aiconfigurator attention tables, KV-cache write dropped; set 'A100 causal, FA2, +KV-cache write'; refitted on 2000 rows of aiconfigurator, 8.2 % in fit, 2026-11",
  efficiency = 0.73737, softmax_cycles = 0.075058, pipe_norm = 1.0378,
  prologue_cycles = 113.09, wave_fraction = 0.27759, causal_tail = 0.64003,
  dram_efficiency = 0.45285, l2_bytes_per_clock = 60, l2_fraction = 0.30658,
  cache_bytes_per_clock = 10.27, split_time = 2.1599 us, fixed_time = 10.306 us,
  energy_per_flop = 1.174 pJ, energy_per_score = 110 pJ,
  pack_grouped_queries = false, split_kv = false, writes_kv_cache = false,
  split_below = 0.8, least_split_blocks = 4, largest_split = 128,
  first_generation_slowdown = 2, backward_slowdown = 1.1094, backward_prologue = 5.7579,
  backward_time = 2.0368 us,
  tiles = [
    <head_dim = 64, rows = 128, columns = 128>,
    <head_dim = 96, rows = 128, columns = 64>,
    <head_dim = 128, rows = 128, columns = 64>,
    <head_dim = 192, rows = 128, columns = 64>,
    <head_dim = 256, rows = 64, columns = 64>,
    <head_dim = 512, rows = 64, columns = 64>]>

#attention_fp32 = #gpucost.attention_fit<
  provenance = "scaled_dot_product_attention; cycles per clock as measured on Hopper, 2026-11",
  transferred_from = "H100 SXM",
  efficiency = 1, softmax_cycles = 1.3846, pipe_norm = 1, prologue_cycles = 1272,
  wave_fraction = 0.47926, causal_tail = 1.2347, dram_efficiency = 0.8,
  l2_bytes_per_clock = 60, l2_fraction = 0.37, cache_bytes_per_clock = 60,
  split_time = 2 us, fixed_time = 7.0332 us, energy_per_flop = 1.174 pJ,
  energy_per_score = 110 pJ, pack_grouped_queries = false, split_kv = false,
  writes_kv_cache = false, split_below = 0.8, least_split_blocks = 4,
  largest_split = 128, first_generation_slowdown = 2, backward_slowdown = 1.0669,
  backward_prologue = 0.96185, backward_time = 36.612 us,
  tiles = [
    <head_dim = 64, rows = 64, columns = 64>,
    <head_dim = 128, rows = 64, columns = 128>,
    <head_dim = 1024, rows = 32, columns = 128>]>

#decode = #gpucost.decode<
  provenance = "fit on aiconfigurator decode tables by stack, a100-sxm-80gb; one set on the median of all stacks",
  kernel = packed, dram_efficiency = 0.6919, l2_bytes_per_clock = 60,
  l2_fraction = 0.368, hit_exponent = 8, prologue_cycles = 4345,
  row_cycles = 16.97, block_cycles = 1501, row_exponent = 0.5,
  ctas_per_sm = 2.232, wave_fraction = 0.4, latency_cycles = 1000,
  block_latency_cycles = 350, latency_exponent = 0.5, overlap_norm = 4.294,
  exposed_share = 0.4, least_split_blocks = 2.75, largest_split = 128,
  fixed_time = 10.58 us, split_time = 9.332 us>

#causal_vllm = #gpucost.attention_fit<
  provenance = "fit on aiconfigurator prefill tables by stack, a100-sxm-80gb; set 'vllm'",
  efficiency = 0.8231, softmax_cycles = 0.1548, pipe_norm = 1.142,
  prologue_cycles = 3506, wave_fraction = 0.3068, causal_tail = 0.7282,
  dram_efficiency = 0.4931, l2_bytes_per_clock = 60, l2_fraction = 0.3569,
  cache_bytes_per_clock = 6.2, split_time = 6.091 us, fixed_time = 7.791 us,
  energy_per_flop = 1.174 pJ, energy_per_score = 110 pJ,
  pack_grouped_queries = false, split_kv = true, writes_kv_cache = false,
  split_below = 0.8, least_split_blocks = 4, largest_split = 128,
  first_generation_slowdown = 2,
  tiles = [
    <head_dim = 64, rows = 128, columns = 128>,
    <head_dim = 96, rows = 64, columns = 64>,
    <head_dim = 128, rows = 64, columns = 64>,
    <head_dim = 192, rows = 128, columns = 64>,
    <head_dim = 256, rows = 64, columns = 64>,
    <head_dim = 512, rows = 64, columns = 64>]>

#decode_vllm = #gpucost.decode<
  provenance = "fit on aiconfigurator decode tables by stack, a100-sxm-80gb; set 'vllm'",
  kernel = flash_attention2, dram_efficiency = 0.97, l2_bytes_per_clock = 17.46,
  l2_fraction = 0.5192, hit_exponent = 8, prologue_cycles = 3672,
  row_cycles = 66.89, block_cycles = 1782, row_exponent = 0.4331,
  ctas_per_sm = 1.996, wave_fraction = 0.4, latency_cycles = 1000,
  block_latency_cycles = 350, latency_exponent = 0.5, overlap_norm = 4.301,
  exposed_share = 0.4, least_split_blocks = 2.75, largest_split = 128,
  fixed_time = 7.878 us, split_time = 6.396 us, transpose_time = 6.82 us>

#causal_sglang = #gpucost.attention_fit<
  provenance = "fit on aiconfigurator prefill tables by stack, a100-sxm-80gb; set 'sglang'",
  efficiency = 0.9995, softmax_cycles = 0.1923, pipe_norm = 1.365,
  prologue_cycles = 2904, wave_fraction = 0.1869, causal_tail = 0.7563,
  dram_efficiency = 0.6951, l2_bytes_per_clock = 60, l2_fraction = 0.3816,
  cache_bytes_per_clock = 28.49, split_time = 6.166 us, fixed_time = 10.98 us,
  energy_per_flop = 1.174 pJ, energy_per_score = 110 pJ,
  pack_grouped_queries = true, split_kv = true, writes_kv_cache = false,
  split_below = 0.8, least_split_blocks = 4, largest_split = 128,
  first_generation_slowdown = 2,
  tiles = [
    <head_dim = 64, rows = 128, columns = 128>,
    <head_dim = 96, rows = 128, columns = 64>,
    <head_dim = 128, rows = 128, columns = 64>,
    <head_dim = 192, rows = 128, columns = 64>,
    <head_dim = 256, rows = 64, columns = 64>,
    <head_dim = 512, rows = 64, columns = 64>]>

#decode_sglang = #gpucost.decode<
  provenance = "fit on aiconfigurator decode tables by stack, a100-sxm-80gb; set 'sglang'",
  kernel = packed, dram_efficiency = 0.6969, l2_bytes_per_clock = 9.559,
  l2_fraction = 0.3263, hit_exponent = 8, prologue_cycles = 3741,
  row_cycles = 11.31, block_cycles = 2013, row_exponent = 0.7996,
  ctas_per_sm = 2.051, wave_fraction = 0.4, latency_cycles = 1000,
  block_latency_cycles = 350, latency_exponent = 0.5, overlap_norm = 3.908,
  exposed_share = 0.4, least_split_blocks = 2.75, largest_split = 128,
  fixed_time = 10.58 us, split_time = 10.47 us>

#causal_trtllm = #gpucost.attention_fit<
  provenance = "fit on aiconfigurator prefill tables by stack, a100-sxm-80gb; set 'trtllm'; refitted on 2000 rows of aiconfigurator by stack, 5.8 % in fit, 2026-11",
  efficiency = 0.65925, softmax_cycles = 0.12525, pipe_norm = 1.0192,
  prologue_cycles = 5559.8, wave_fraction = 0.39273, causal_tail = 0.68659,
  dram_efficiency = 0.99904, l2_bytes_per_clock = 60, l2_fraction = 1.2784,
  cache_bytes_per_clock = 15.18, split_time = 2.426 us, fixed_time = 9.701 us,
  energy_per_flop = 1.174 pJ, energy_per_score = 110 pJ,
  pack_grouped_queries = true, split_kv = true, writes_kv_cache = false,
  rewrites_queries = true, split_below = 0.8, least_split_blocks = 4,
  largest_split = 128, first_generation_slowdown = 2,
  tiles = [
    <head_dim = 64, rows = 128, columns = 128>,
    <head_dim = 96, rows = 64, columns = 64>,
    <head_dim = 128, rows = 64, columns = 64>,
    <head_dim = 192, rows = 128, columns = 64>,
    <head_dim = 256, rows = 64, columns = 64>,
    <head_dim = 512, rows = 64, columns = 64>]>

#decode_trtllm_old = #gpucost.decode<
  provenance = "fit on aiconfigurator decode tables by stack, a100-sxm-80gb; tables before 1.3.0rc20, which read half of the cache (D7)",
  kernel = xqa, dram_efficiency = 0.97, l2_bytes_per_clock = 24.21,
  l2_fraction = 0.4789, hit_exponent = 8, prologue_cycles = 7805,
  row_cycles = 162.5, block_cycles = 636.5, row_exponent = 0.5,
  ctas_per_sm = 5.657, wave_fraction = 0, latency_cycles = 1000,
  block_latency_cycles = 350, latency_exponent = 0.5, overlap_norm = 2.79,
  exposed_share = 0.4, least_split_blocks = 2.75, largest_split = 128,
  fixed_time = 6.381 us, split_time = 6.367 us, single_prologue_cycles = 2316,
  single_block_cycles = 901.6, single_fixed_time = 10.03 us>

#issue_slots = #gpucost.instruction_table<
  copy = 40, cast = 40, add = 40, mul = 40, div = 45, pow = 60, relu = 40,
  gelu = 60, tanh = 60, sigmoid = 60, silu = 60, exp = 60, log = 60, sqrt = 60,
  rsqrt = 60, erf = 60, trig = 60, neg = 40, compare = 40, where = 40,
  batch_norm = 40, gather = 90, scatter = 90, pool = 90, dropout = 40,
  reduce = 40, softmax = 80, norm = 60, resize = 90, depthwise_conv = 13,
  optimizer = 60>
#streaming = #gpucost.streaming<
  provenance = "one set per memory class, NeuSight fp32 elementwise, softmax, layernorm; L2 per clock as measured on Hopper, 2026-11; time refined on EnergAIzer whole networks, 2026-11, errors in docs/Accuracy.md",
  dram_efficiency = 0.84706, l2_fraction = 0.45, l2_bytes_per_clock = 16.621,
  issue_scale = 0.6667, issue_width = 128, broadcast_slots = 88.08,
  operator_flops = 128, operator_special_ops = 16, latency = 1.5 us,
  softmax_row0 = 30, softmax_row1 = 21, norm_row0 = 370, norm_row1 = 280,
  channel_accesses = 2.6, issue_slots = #issue_slots>

#per_element = #gpucost.instruction_table<
  copy = 3, cast = 4, add = 6, mul = 5, div = 9, pow = 6, relu = 5, gelu = 11.512,
  tanh = 22, sigmoid = 15, silu = 16, exp = 10, log = 10, sqrt = 8, rsqrt = 8,
  erf = 25, trig = 20, neg = 4, compare = 5, where = 6, batch_norm = 7,
  gather = 4, scatter = 6, pool = 30, dropout = 14, reduce = 6, softmax = 16,
  norm = 20, resize = 12, depthwise_conv = 6, optimizer = 16>
#instructions = #gpucost.instructions<
  provenance = "ridge fit on EnergAIzer whole networks (NVML); GELU as measured on Hopper, 2026-11",
  per_element = #per_element, strided = 14.01, softmax_wide = 24,
  layout_conversion = 8.2624, attention_score = 3, depthwise_tap = 6,
  softmax_scale = 1.0264, norm_scale = 1.1289>

#power = #gpucost.power_fit<
  provenance = "ridge fit on EnergAIzer whole networks (NVML) of A100 PCIe; own idle law and V(f); power refined on EnergAIzer whole networks, 2026-11, errors in docs/Accuracy.md",
  per_tensor_flop = 0.72796 pJ, tf32_energy = 2, eight_bit_energy = 0.5,
  per_fp32_flop = 6.9228 pJ, per_instruction = 22.498 pJ,
  per_dram_byte = 57.449 pJ, per_sm_cycle = 255.36 pJ, voltage_exponent = 2.5,
  reference_clock = 900 MHz, idle_base = 45.1 W, idle_voltage = 13.4 W,
  idle_clock = 5.6 W, generic_knee = 0.79, generic_max = 1.235,
  dram_voltage_exponent = 0, l2_fraction = 0.63894>

#runtime = #gpucost.runtime_fit<
  provenance = "EnergAIzer host-bound rows; launch cost of a current server; time refined on EnergAIzer whole networks, 2026-11, errors in docs/Accuracy.md; serving loop of vLLM from 31 steady states of ml-energy on h100-sxm-80gb, 3.7 %, 2026-11",
  kernel_gap_cycles = 5615.8, host_launch = 9 us, library_weight = 1.1,
  backward_launch = 0.75, loop_step = 326.04 us, loop_sequence = 37.144 us, host_norm = 12>

#collectives = #gpucost.collectives<
  provenance = "fit on aiconfigurator NCCL tables of a100-sxm-80gb, 2-8 GPUs, error 5-7 %; power_fraction: placeholder of the power study, not measured; busy_sms: channels of NCCL",
  power_fraction = 0.3, busy_sms = 24,
  fits = [
    <kind = all_reduce, base = 8.068 us, step = 0.9176 us, root = 0.01056 us, bandwidth = 252.7 GBps, ramp = 0.3059>,
    <kind = all_gather, base = 8.279 us, step = 0.8795 us, root = 0.01228 us, bandwidth = 258.8 GBps, ramp = 0.6699>,
    <kind = reduce_scatter, base = 8.188 us, step = 0.8396 us, root = 0.01117 us, bandwidth = 258.1 GBps, ramp = 0.4591>,
    <kind = all_to_all, base = 10.95 us, step = 0.258 us, root = 0.01023 us, bandwidth = 248.4 GBps, ramp = 0.4925>]>

#simt_schedule = #gpucost.simt_schedule<
  provenance = "schedule study, fitted on exhaustive sweeps of one fp32 product; rates of a100-pcie-40gb",
  validated = true, load_issue = 0.5, address_issue = 6.27, loop_issue = 1.59,
  copy_issue = 15.2, barrier_cycles = 23.4, latency_cycles = 54.3,
  miss_cycles = 231, base_registers = 26, fragment_copies = 1.11,
  spill_accesses = 2.43, cache_miss = 0.325, pipe_norm = 1.85,
  dram_efficiency = 0.85, l2_bytes_per_clock = 47, usable_shared_memory = 1>

#tensor_schedule = #gpucost.tensor_schedule<
  provenance = "schedule study, fitted on tuned 8-bit products of block scales; rates of a100-sxm-80gb",
  validated = true, scale_ops = 2, convert_ops = 3.66, step_cycles = 150,
  warp_cycles = 125, fill_cycles = 990, stage_cycles = 114,
  epilogue_cycles = 2.67, mma_share = 0.2, memory_latency = 0.435 us,
  base_registers = 96, spill_accesses = 10.2, most_spilled = 170,
  fixed_time = 1.75 us, dram_efficiency = 0.9, pipe_norm = 1.5,
  overlap_norm = 2.06, reread = 0.287, l2_bytes_per_clock = 25.6>

#error_bars = #gpucost.error_bars<
  provenance = "80 % quantiles of residuals of public kernel tables (aiconfigurator, NeuSight, Vidur, LLMCompass) and of whole networks (EnergAIzer, Zeus: held out by model or board; NeuSight, Lambda, DeepLearningExamples, MPT, milabench)",
  correlation = 0.65, outside = 1.77, host = 0.1, host_unknown = 0.8, time_inference = 0, time_training = 0.0455, power = 0.05,
  small_below = 10 us, medium_below = 100 us, limiter_tolerance = 0.01,
  kernels = [
    <kind = tensor_matmul, small = 0.137, medium = 0.154, large = 0.136>,
    <kind = fp32_matmul, small = 0.13, medium = 0.239, large = 0.12>,
    <kind = tensor_convolution, small = 0.163, medium = 0.225, large = 0.11>,
    <kind = fp32_convolution, small = 0.32, medium = 0.32, large = 0.32>,
    <kind = attention, small = 0.124, medium = 0.134, large = 0.066>,
    <kind = decode, small = 0.112, medium = 0.152, large = 0.144>,
    <kind = row_wise, small = 1.07, medium = 0.264, large = 0.34>,
    <kind = streaming, small = 0.786, medium = 0.259, large = 0.0768>,
    <kind = collective, small = 0.138, medium = 0.603, large = 0.0669>]>

#triton_flash_1 = #gpucost.triton_flash_1<
  provenance = "heads of 64: Triton's regression test on A100, 0.37 and 0.25 of the tensor peak at 1350 MHz, over the prediction of FlashAttention 2; wider heads: 1.3 to 1.5 and 2, section 4.1 of arXiv 2307.08691, A100",
  forward_64 = 1.33, backward_64 = 1.71, forward = 1.5, backward = 2>

#depthwise = #gpucost.depthwise<
  provenance = "143 kernels measured on H100 and H200, whose times differ by 0.9 % (median): memory plays no part",
  transferred_from = "H100 SXM",
  library_output = 0.25, library_byte_tap = 0.0165, library_tap = 0.1,
  library_input_tap = 0.1, library_input_unrolled = 0.87, library_input_least = 0.85,
  library_input_tap_last = 0.085, library_filter_output = 1.1,
  library_filter_tap = 0.047, library_filter_output_last = 0.25,
  library_filter_tap_wide = 0.14, library_filter_tap_narrow = 0.04,
  native_output = 1.45, native_tap_unrolled = 0.114, native_tap = 0.15,
  native_input = 4.4, native_input_tap = 0.14, native_filter_pixel = 0.39,
  native_filter_cta = 1600, generic_tap = 1.04, generic_input_tap = 1.16,
  generic_filter_tap = 1.6>

#cudnn_batch_norm = #gpucost.cudnn_batch_norm<
  provenance = "30 sizes in the batchnorm rows of this project's measurements, H100 and H200, cuDNN 9",
  transferred_from = "H100 SXM",
  chip_bytes = 128000 B, channel_cycles = 3260, byte_cycles = 0.153,
  forward_16 = 1.49, forward_32 = 1.19, backward = 3, forward_next = 0.65,
  backward_next = 0.4>

#batch_norm_over_pixels = #gpucost.batch_norm_over_pixels<
  provenance = "15 sizes in the batchnorm rows of this project's measurements, equal on H100 and H200 within 5 %",
  transferred_from = "H100 SXM",
  statistics = 1.1, gradient_sums = 0.75>

#softmax_on_chip = #gpucost.softmax_on_chip<
  provenance = "softmax rows of this project's measurements, H100 and H200; those of bf16 are equal within 9 %",
  transferred_from = "H100 SXM",
  warp = 0.6, shared = 0.5, reduction = 560, step = 720, alone_steps = 8,
  alone_slowdown = 1.3>

#softmax_reread = #gpucost.softmax_reread<
  provenance = "assumed: threads that an SM of most GPUs holds; T4 holds 1024",
  threads = 2048>

#stream_limits = #gpucost.stream_limits<
  provenance = "rows: cost study, layer norms of NeuSight; loads: unrolled elements of PyTorch's elementwise kernels, the default of Triton; threads: PyTorch's kernel of the gradients of a layer norm",
  norm_rows_in_flight = 16, loads_in_flight = 4, reduction_threads = 1024>

#row_cta_norm = #gpucost.row_cta_norm<
  provenance = "269 us for 196,608 rows on H20 (pull request 13189 of SGLang), 274.7 and 788.5 us for 221,184 and 648,720 rows on H200 (20632)",
  transferred_from = "H200 SXM",
  start_clocks = 2.45>

#column_sum = #gpucost.column_sum<
  provenance = "reduction rows of this project's measurements, H100 and H200",
  transferred_from = "H100 SXM",
  split_time = 5.6287 us, part_cycles = 415.94>

#row_norm = #gpucost.row_norm<
  provenance = "layernorm and rmsnorm rows of this project's measurements, H100 and H200",
  transferred_from = "H100 SXM",
  layer_step = 1175.9, rms_row = 149.8, rms_columns = 65.282, rms_step = 552.58,
  single_row = 1192.2, single_step = 251.37>

#random_numbers = #gpucost.random_numbers<
  provenance = "dropout rows of this project's measurements, H100 and H200",
  transferred_from = "H100 SXM",
  element_cycles = 0.11878>

#tf32_strided = #gpucost.tf32_strided<
  provenance = "matmul rows of this project's measurements, H100 and H200",
  transferred_from = "H100 SXM",
  register_wait = 1.75, warp_wait = 2.5, register_share = 0.85>

#decode_paths = #gpucost.decode_paths<
  provenance = "decode tables of TensorRT-LLM, aiconfigurator",
  single_least_blocks = 0.05>

#simt_split = #gpucost.simt_split<
  provenance = "cost study: fp32 products of NeuSight and LLMCompass",
  least_depth = 128>

#simt_few_rows = #gpucost.simt_few_rows<
  provenance = "m = 8 and 16 in the matmul rows of this project's measurements, H100 and H200",
  transferred_from = "H100 SXM",
  efficiency = 0.075>

#texture_path = #gpucost.texture_path<
  provenance = "schedule study: loads of GTX 1080 Ti and GTX Titan X",
  least = 3, sector = 0.55, bytes_per_clock = 64>

#simt_issue = #gpucost.simt_issue<
  provenance = "schedule study: exhaustive sweeps of one fp32 product",
  least_warps = 0.25>

#tensor_instructions = #gpucost.tensor_instructions<
  provenance = "assumed: an instruction of half the rows has half the rate",
  tcgen05_64 = 0.5, tcgen05_32 = 0.25>

#tensor_waits = #gpucost.tensor_waits<
  provenance = "schedule study: tuned 8-bit products of block scales",
  reread_l2_share = 0.5, one_stage_share = 0.5, norm = 4>

#boards = #gpucost.boards<
  provenance = "deviation: boards of one model differ by 8 % in time at their limit, from whisker to whisker (Sinha et al., SC22, arXiv 2208.11035), 5.4 deviations of a normal distribution; power changes 3.1 times as much as the clock, as f V(f)^2 of A100 does near its highest one. Lowest limit (nvidia-smi -q -d POWER): 100 of 400 W on A100 SXM; others have higher ones, 200 of 700 W on H100 SXM, 40 of 72 W on L4",
  deviation = 0.045925925925925926, lowest_limit_share = 0.25>

#all_reduce = #gpucost.all_reduce_fit<
  provenance = "aiconfigurator 0.12.0, table custom_allreduce_by_stack: CUDA graphs of 2, 4 and 8 GPUs; 4.6 % on sizes up to 1 MiB left out of the fit, 2026-11; limits of vLLM (all_reduce_utils.py, custom_all_reduce.cuh) and of SGLang up to 0.5.10 from their sources, others read off the rows; half-widths: 80 % quantiles on sizes left out of the fit",
  errors = [<kind = all_reduce, small = 0.056, medium = 0.217, large = 0.34>],
  stacks = [
    <gpu = "a100-sxm-80gb", generation = 3, link_bandwidth = 600 GBps, software = "vllm-0.14",
      one_shot = <base = 5.183 us, step = 0.1037 us, bandwidth = 186.3 GBps>,
      two_shot = <base = 11.62 us, step = 0.5821 us, bandwidth = 244.3 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 8 MiB>,
        <gpus = 4, one_shot_below = 512 KiB, two_shot_below = 8 MiB>,
        <gpus = 6, one_shot_below = 256 KiB, two_shot_below = 8 MiB>,
        <gpus = 8, one_shot_below = 256 KiB, two_shot_below = 8 MiB>]>,
    <gpu = "a100-sxm-80gb", generation = 3, link_bandwidth = 600 GBps, software = "sglang-0.5.10",
      one_shot = <base = 5.183 us, step = 0.1037 us, bandwidth = 186.3 GBps>,
      two_shot = <base = 11.62 us, step = 0.5821 us, bandwidth = 244.3 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 8388609 B>,
        <gpus = 4, one_shot_below = 512 KiB, two_shot_below = 8388609 B>,
        <gpus = 6, one_shot_below = 256 KiB, two_shot_below = 8388609 B>,
        <gpus = 8, one_shot_below = 256 KiB, two_shot_below = 8388609 B>]>,
    <gpu = "a100-sxm-80gb", generation = 3, link_bandwidth = 600 GBps, software = "tensorrt-llm-1.2",
      one_shot = <base = 4.168 us, step = 0.06715 us, bandwidth = 135.9 GBps>,
      two_shot = <base = 4.177 us, step = 0.6703 us, bandwidth = 90.39 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 2 MiB>,
        <gpus = 4, one_shot_below = 8 KiB, two_shot_below = 4 MiB>,
        <gpus = 8, one_shot_below = 8 KiB, two_shot_below = 512 KiB>]>]>

#expert_exchange = #gpucost.expert_exchange_fit<
  provenance = "aiconfigurator 0.12.0, table expert_alltoall: DeepEP in SGLang 0.5.6 and 0.5.12 and vLLM 0.24, equal choices, 20 or 24 SMs for communication; one node of H100 SXM and B200 on 56 to 747 rows each, and two to eight nodes of H100 with 8 x 400 Gbit/s, whose numbers the other sets take, 2026-11; half-widths: 80 % quantiles of the residuals",
  errors = [
    <kind = expert_exchange, small = 0.137, medium = 0.147, large = 0.204>],
  stacks = [
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "sglang", mode = "low-latency", most_tokens = 256,
     dispatch = <base = 11.8 us, link_efficiency = 0.5585, row = 0.0008707 us, network_base = 5.085 us,
       hop = 3.933 us, network_efficiency = 0.9583>,
     combine = <base = 11.27 us, link_efficiency = 0.4817, row = 0.0009214 us, network_base = 9.946 us,
       hop = 2.27 us, network_efficiency = 0.9244>>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "sglang", mode = "high-throughput",
     dispatch = <base = 26.65 us, link_efficiency = 0.7286, row = 0.004654 us, network_base = 5.187 us,
       hop = 29.77 us, network_efficiency = 0.8513>,
     combine = <base = 39.42 us, link_efficiency = 0.6215, row = 0.0007219 us, network_base = 34.92 us,
       hop = 20.16 us, network_efficiency = 0.7504>>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "vllm", mode = "low-latency", most_tokens = 256,
     dispatch = <base = 61.94 us, link_efficiency = 0.2577, row = 0.001068 us, network_base = 5.085 us,
       hop = 3.933 us, network_efficiency = 0.9583>,
     combine = <base = 49.05 us, link_efficiency = 0.5056, row = 0.001136 us, network_base = 9.946 us,
       hop = 2.27 us, network_efficiency = 0.9244>>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "vllm", mode = "high-throughput",
     dispatch = <base = 255.5 us, link_efficiency = 0.2736, row = 0.001305 us, network_base = 5.187 us,
       hop = 29.77 us, network_efficiency = 0.8513>,
     combine = <base = 83.66 us, link_efficiency = 0.5424, row = 0.02067 us, network_base = 34.92 us,
       hop = 20.16 us, network_efficiency = 0.7504>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang", mode = "low-latency", most_tokens = 256,
     dispatch = <base = 19.61 us, link_efficiency = 0.5491, row = 0.0008584 us, network_base = 5.085 us,
       hop = 3.933 us, network_efficiency = 0.9583>,
     combine = <base = 18.37 us, link_efficiency = 0.6786, row = 0.0007804 us, network_base = 9.946 us,
       hop = 2.27 us, network_efficiency = 0.9244>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang", mode = "high-throughput",
     dispatch = <base = 36.07 us, link_efficiency = 0.449, row = 0.008318 us, network_base = 5.187 us,
       hop = 29.77 us, network_efficiency = 0.8513>,
     combine = <base = 48.35 us, link_efficiency = 0.3845, row = 0.003985 us, network_base = 34.92 us,
       hop = 20.16 us, network_efficiency = 0.7504>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm", mode = "low-latency", most_tokens = 256,
     dispatch = <base = 52.51 us, link_efficiency = 0.1548, row = 0.001034 us, network_base = 5.085 us,
       hop = 3.933 us, network_efficiency = 0.9583>,
     combine = <base = 60.26 us, link_efficiency = 0.8178, row = 0.0009573 us, network_base = 9.946 us,
       hop = 2.27 us, network_efficiency = 0.9244>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm", mode = "high-throughput",
     dispatch = <base = 263.3 us, link_efficiency = 0.2001, row = 0.03215 us, network_base = 5.187 us,
       hop = 29.77 us, network_efficiency = 0.8513>,
     combine = <base = 90.52 us, link_efficiency = 0.2379, row = 0.04757 us, network_base = 34.92 us,
       hop = 20.16 us, network_efficiency = 0.7504>>]>

#fused_experts = #gpucost.fused_experts_fit<
  provenance = "aiconfigurator 0.12.0, table moe_by_stack: expert layers in CUDA graphs, balanced and power-law (1.2) choices, H100 SXM and B200; each kernel and format on 210 to 8,079 rows, four fifths of the shapes in the fit, 2026-11; rows whose source or readers doubt them left out; half-widths: 80 % quantiles of the residuals",
  errors = [
    <kind = fused_experts, small = 0.229, medium = 0.224, large = 0.233>],
  stacks = [
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "sglang",
     kernel = "sglang_fused_moe_triton", format = "fp8-block", weights = "fp8-block",
     fixed_time = 20.56 us, efficiency = 0.5283, cta_cycles = 1134, latency_cycles = 405.7,
     least_rows = 16, wave_fraction = 0.8392, l2_bytes_per_clock = 21.41, l2_fraction = 0.02144,
     dram_efficiency = 0.9869, overlap_norm = 2.217, pair_cycles = 1.036, choice_cycles = 1377,
     expert_cycles = 5.614, pair_bytes = 0.2311, token_bytes = 18.95, awake_rate = 0.9604,
     load_exponent = 0.4865>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "sglang",
     kernel = "sglang_fused_moe_triton", format = "bf16", weights = "mxfp4", fixed_time = 26.3 us,
     efficiency = 0.3588, cta_cycles = 265.7, latency_cycles = 137, least_rows = 8,
     wave_fraction = 0.3949, l2_bytes_per_clock = 13.73, l2_fraction = 0.04191,
     dram_efficiency = 0.2731, overlap_norm = 1.006, pair_cycles = 0.4814, choice_cycles = 274.9,
     expert_cycles = 0.3145, pair_bytes = 0.2077, token_bytes = 40.93, awake_rate = 0.9235,
     load_exponent = 0.4721>]>

#latent_attention = #gpucost.latent_attention_fit<
  provenance = "aiconfigurator 0.12.0, table mla: latent attention with 1 to 128 heads in CUDA graphs, H100 SXM and B200, 2026-11; half-widths: 80 % quantiles of the residuals",
  errors = [
    <kind = latent_attention, small = 0.112, medium = 0.158, large = 0.0798>],
  stacks = [
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "sglang", bits = 16,
     // flash_attention
     step = <fixed_time = 5.435 us, split_time = 3.793 us, dram_efficiency = 0.998,
     l2_bytes_per_clock = 145.2, l2_fraction = 0.06881, hit_exponent = 30, tile_rows = 64,
     least_rows = 8, prologue_cycles = 1.189e+04, row_cycles = 25.95, block_cycles = 1421,
     block_row_cycles = 7.731, ctas_per_sm = 2.586, overlap_norm = 1.404, combine_cycles = 4.683,
     least_split_blocks = 2.37, latency_cycles = 4044, block_latency_cycles = 122.4,
     exposed_share = 0.01413, wave_fraction = 0.3159>,
     // flash_attention
     prompt = <absorbed_keys = 576, absorbed_values = 512, tile_rows = 64, efficiency = 0.5933,
     softmax_cycles = 0.0587, pipe_norm = 3.37, prologue_cycles = 8408, wave_fraction = 0.1913,
     causal_tail = 0.2237, fixed_time = 5.631 us, dram_efficiency = 1, l2_bytes_per_clock = 36.09,
     l2_fraction = 0.3171, head_cycles = 0.001>,
     products = [
       // sglang_torch_bmm
       <n = 512, k = 128, fixed_time = 2.595 us, efficiency = 0.9863, dram_efficiency = 1,
       cta_cycles = 2325, latency_cycles = 18.72, overlap_norm = 3.028>,
       // sglang_torch_bmm
       <n = 128, k = 512, fixed_time = 0.5 us, efficiency = 0.9247, dram_efficiency = 0.8614,
       cta_cycles = 3681, latency_cycles = 509.4, overlap_norm = 2.737>]>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "vllm", bits = 16,
     products = [
       // vllm_torch_bmm
       <n = 512, k = 128, fixed_time = 2.57 us, efficiency = 0.8268, dram_efficiency = 1,
       cta_cycles = 2558, latency_cycles = 6.187, overlap_norm = 4.442>,
       // vllm_torch_bmm
       <n = 128, k = 512, fixed_time = 0.5 us, efficiency = 0.9642, dram_efficiency = 0.8356,
       cta_cycles = 4560, latency_cycles = 510.6, overlap_norm = 3.681>]>]>

#linear_attention = #gpucost.linear_attention_fit<
  provenance = "aiconfigurator 0.12.0, table linear_attention: gated delta rule, Kimi delta attention and convolutions in CUDA graphs, heads of 128; 3 to 6 % on unseen shapes of the same GPU, 2026-11; vLLM convolutions of prompts of Kimi delta attention, which wait for the host, left out; half-widths: 80 % quantiles of its residuals, and the ratios between stacks (median 1.6 to 2.3) where the stack is unknown",
  errors = [
    <kind = linear_attention, small = 0.088, medium = 0.06, large = 0.062>,
    <kind = linear_attention_any_stack, small = 1.6, medium = 1.6, large = 1.6>],
  stacks = [
    <gpu = "l40s", stacked_memory = false, software = "sglang", rule = gated_delta,
      // chunk_gated_delta_rule
      chunks = <fixed_time = 15.05 us, inverse_time = 14.84 us, chain_cycles = 1813, chunk_cycles = 4301,
      chain_columns = 64, efficiency = 0.3252, dram_efficiency = 0.9, token_passes = 6.091,
      state_passes = 4.277, end_passes = 2.084, overlap_norm = 2.918, l2_fraction = 2.04,
      hit_exponent = 1.872>,
      // fused_recurrent_gated_delta_rule_packed_decode
      step = <fixed_time = 3.21 us, dram_efficiency = 0.7815, l2_fraction = 0.9092, hit_exponent = 8.86,
      cta_cycles = 836.7, token_cycles = 339.3, wave_fraction = 0.01489, l2_bytes_per_clock = 13.37,
      overlap_norm = 1.75>,
      // causal_conv1d_fn
      convolution = <fixed_time = 1.776 us, step_time = 0.646 us, next_time = 0.4497 us,
      element_cycles = 0.4557, token_cycles = 0.01, dram_efficiency = 0.6794, l2_fraction = 1.101,
      hit_exponent = 8.89, overlap_norm = 6>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 1.654 us, cta_cycles = 516.8, element_cycles = 0.02963,
      dram_efficiency = 0.2, l2_fraction = 2.714, hit_exponent = 3.213, overlap_norm = 2>>,
    <gpu = "a100-sxm-80gb", stacked_memory = true, software = "sglang", rule = gated_delta,
      // fused_recurrent_gated_delta_rule
      step = <fixed_time = 5.653 us, dram_efficiency = 1, l2_fraction = 0.3739, hit_exponent = 3.338,
      cta_cycles = 1150, token_cycles = 271.5, wave_fraction = 0.01007, l2_bytes_per_clock = 25.1,
      overlap_norm = 8>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 6.636 us, cta_cycles = 29.95, element_cycles = 0.005865,
      dram_efficiency = 1, l2_fraction = 4, hit_exponent = 1, overlap_norm = 2>>]>

#inline_ecc = #gpucost.inline_ecc_fit<
  provenance = "without: 917 to 924 of 1008 GB/s copied on RTX 4090 (p2pBandwidthLatencyTest in issue 6 of tinygrad/open-gpu-kernel-modules, clpeak issue 106); share: that of T4, P4 and L4, 0.76 (streaming, NeuSight), over it",
  bandwidth_share = 0.83, dram_efficiency = 0.915>

#static_quantization = #gpucost.static_quantization_fit<
  provenance = "aiconfigurator 0.12.0, table quantize_fp8: kernels with one scale in CUDA graphs, vLLM 0.24.0 on H100 SXM, 2026-12",
  errors = [
    <kind = static_quantization, small = 0.1, medium = 0.1, large = 0.1>],
  stacks = [
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, stacked_memory = true, software = "vllm",
     fixed_time = 1.995 us, dram_efficiency = 0.9071, l2_bytes_per_clock = 30,
     row_cycles = 112.1, element_cycles = 0.1129>]>

#sparse_attention = #gpucost.sparse_attention_fit<
  provenance = "aiconfigurator 0.12.0, table sparse_attention_modules: blocks of DeepSeek-V3.2 and GLM-5 in TensorRT-LLM on H100 SXM, 2026-12",
  errors = [
    <kind = sparse_attention, small = 0.2, medium = 0.2, large = 0.2>],
  stacks = [
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "tensorrt-llm", bits = 16,
     scores = <fixed_time = 0.5003 us, efficiency = 0.996, dram_efficiency = 0.7397>,
     choice = <fixed_time = 0.5003 us, row_cycles = 8.773e+04, key_cycles = 0.009704>,
     prompt = <latent_keys = 576, latent_values = 512, tile_rows = 64, fixed_time = 100 us,
     efficiency = 0.1998, l2_bytes_per_clock = 42.92>>]>

#memory_overhead = #gpucost.memory_overhead<
  provenance = "context: assumed, depends on driver and libraries more than on the GPU; communicator: 4 MiB (NCCL_BUFFSIZE) for each of 16 to 32 channels in both directions; unseen: assumed",
  context_low = 400 MiB, context = 600 MiB, context_high = 800 MiB,
  communicator_low = 0 MiB, communicator = 128 MiB, communicator_high = 256 MiB,
  unseen_share = 0.1>

#network = #gpucost.network_fit<
  provenance = "reach: fit on 385 public steps of dense pre-training on 4 to 8192 GPUs, 0.54 to 0.95 with one source left out; 0.48 (MI300X, ring) and 0.91 (H100, tree) of the line rate in all-reduces of two nodes; hop: assumed, from 2.7 to 14 us in NCCL's tuning model (src/graph/tuning.cc); serial, tree_level, tree_start: assumed, of the same study; half-widths: assumed, they contain the two-node all-reduces of 64 MiB and more",
  hop = 5 us, reach = 0.59, serial = 0.1, tree_level = 8, tree_start = 8,
  gather_trees = true,
  errors = [<kind = between_nodes, small = 4, medium = 4, large = 1>]>

#training_levels = #gpucost.training_levels_fit<
  provenance = "362 public steps of dense models; without MLPerf 8.6 % in fit, 9.7 % with their source left out",
  stacks = [
    <software = "megatron", slowdown = 0.974, tensor_wait = 0.00, time_width = 0.17>,
    <software = "megatron-0.9", slowdown = 0.988, tensor_wait = 0.00, time_width = 0.17>,
    <software = "megatron-lm-3.0", slowdown = 0.864, tensor_wait = 1.00, time_width = 0.17>,
    <software = "megatron-deepspeed", slowdown = 1.192, tensor_wait = 1.00, time_width = 0.17>,
    <software = "internevo", slowdown = 1.192, tensor_wait = 1.00, time_width = 0.17>,
    <software = "nanotron", slowdown = 1.192, tensor_wait = 1.00, time_width = 0.17>,
    <software = "fsdp2", slowdown = 1.192, tensor_wait = 1.00, time_width = 0.17>,
    <software = "torchtitan", slowdown = 1.192, tensor_wait = 1.00, time_width = 0.17>,
    <software = "maxtext", slowdown = 1.192, tensor_wait = 1.00, time_width = 0.17>]>

#training_experts = #gpucost.training_experts_fit<
  provenance = "public steps of Megatron with experts",
  launches = 400, time_width = 0.49>

#serving_hosts = #gpucost.serving_hosts_fit<
  provenance = "times to the first token of public services",
  stacks = [
    <software = "vllm", request = 17 ms>,
    <software = "sglang", request = 81 ms, prompt_launch = 30 us>,
    <software = "tensorrt-llm", request = 15 ms, prompt_launch = 30 us>]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.default_format = "bf16",
  gpucost.coefficients = #gpucost.coefficients<
  provenance = "cost study on public measurements: aiconfigurator (tensor-core GEMM, attention), NeuSight (fp32 kernels), EnergAIzer (power)",
  tensor_gemm = #tensor_gemm,
  tensor_power = #tensor_power,
  simt_linear = #simt_linear,
  simt_batched = #simt_batched,
  simt_conv = #simt_conv,
  attention_full = #attention_full,
  attention_causal = #attention_causal,
  attention_fp32 = #attention_fp32,
  decode = #decode,
  attention_stacks = [
    <software = "vllm", causal = #causal_vllm, decode = #decode_vllm>,
    <software = "sglang", causal = #causal_sglang, decode = #decode_sglang>,
    <software = "tensorrt-llm", causal = #causal_trtllm, decode = #decode_trtllm_old>],
  streaming = #streaming,
  instructions = #instructions,
  power = #power,
  runtime = #runtime,
  collectives = #collectives,
  simt_schedule = #simt_schedule,
  tensor_schedule = #tensor_schedule,
  error_bars = #error_bars,
  triton_flash_1 = #triton_flash_1,
  depthwise = #depthwise,
  cudnn_batch_norm = #cudnn_batch_norm,
  batch_norm_over_pixels = #batch_norm_over_pixels,
  softmax_on_chip = #softmax_on_chip,
  softmax_reread = #softmax_reread,
  stream_limits = #stream_limits,
  row_cta_norm = #row_cta_norm,
  column_sum = #column_sum,
  row_norm = #row_norm,
  random_numbers = #random_numbers,
  tf32_strided = #tf32_strided,
  decode_paths = #decode_paths,
  simt_split = #simt_split,
  simt_few_rows = #simt_few_rows,
  texture_path = #texture_path,
  simt_issue = #simt_issue,
  tensor_instructions = #tensor_instructions,
  tensor_waits = #tensor_waits,
  training_levels = #training_levels,
  training_experts = #training_experts,
  serving_hosts = #serving_hosts,
  boards = #boards,
  all_reduce = #all_reduce,
  network = #network,
  linear_attention = #linear_attention,
  fused_experts = #fused_experts,
  expert_exchange = #expert_exchange,
  latent_attention = #latent_attention,
  sparse_attention = #sparse_attention,
  static_quantization = #static_quantization,
  memory_overhead = #memory_overhead,
  inline_ecc = #inline_ecc>} {}
