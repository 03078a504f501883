// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%s | FileCheck %s
// CHECK: ok toy-target
//
// A GPU with round numbers, so that a reader can check by head: 10 SMs at 1 GHz,
// 10.24 TFLOPS bf16, 1.28 TFLOPS fp32, 100 GB/s, every efficiency 1, no latency,
// one tile. L2 to SM (10 TB/s) never binds. Energies: 1 pJ per bf16 FLOP, 10 pJ
// per fp32 FLOP and per thread instruction, 100 pJ per DRAM byte, 10 W at idle.

#gpu = #gpucost.gpu<
  name = "toy-target", die = "TOY", architecture = ada, process = "tsmc_4n",
  sms = 10, special_per_clock = 16, boost_clock = 1 GHz, max_clock = 1 GHz,
  min_clock = 150 MHz, clock_step = 15 MHz,
  formats = [
    <format = fp32, flops_per_clock = 128, peak = 1.28 TFLOPS>,
    <format = tf32, flops_per_clock = 512, peak = 5.12 TFLOPS>,
    <format = fp16, flops_per_clock = 1024, peak = 10.24 TFLOPS>,
    <format = bf16, flops_per_clock = 1024, peak = 10.24 TFLOPS>,
    <format = fp8, flops_per_clock = 2048, peak = 20.48 TFLOPS>,
    <format = int8, flops_per_clock = 2048, peak = 20.48 TFLOPS>],
  memory = "gddr6", dram_bandwidth = 100 GBps, dram_capacity = 16 GiB,
  l2_capacity = 1 MiB, l2_partitioned = false,
  library_workspace = 8.125 MiB, power_limit = 100 W,
  sm = <registers = 65536, shared_memory = 100 KiB, cta_shared_memory = 99 KiB,
    reserved_shared_memory = 1 KiB, threads = 1536, ctas = 24, partitions = 4,
    cache_bytes_per_clock = 128, shared_bytes_per_clock = 128>,
  interconnect = <kind = nvlink, generation = 4, bandwidth = 200 GBps>,
  source = ["invented"]>

#tensor_gemm = #gpucost.tensor_gemm<provenance = "invented",
  efficiency = 1, latency_cycles = 0, dram_efficiency = 1,
  l2_bytes_per_clock = 1000, l2_fraction = 1, fixed_time = 0 us,
  split_k_time = 0 us, store_exposure = 0, fill_depth = 0,
  energy_per_flop = 1 pJ, power_limiter_delay = 0 us, misaligned_efficiency = 1,
  convolution_efficiency = 1,
  least_split_depth = 128, full_rate_intensity = 32, reread_l2_share = 0.5,
  tiles = [<m = 128, n = 128>], split_k = [1]>

#tensor_power = #gpucost.tensor_power<provenance = "invented",
  static_fraction = 0.1, per_l2_byte = 0 pJ, per_dram_byte = 100 pJ,
  clock_exponent = 2, energy_floor = 0>

// saturation_warps is so small that one warp fills an SM.
#simt_gemm = #gpucost.simt_gemm<provenance = "invented",
  emax = 1, k0 = 0, dram_efficiency = 1, l2_bytes_per_clock = 1000, l2_fraction = 1,
  l2_speedup = 1, saturation_warps = 0.01, latency = 0 us, energy_per_flop = 10 pJ,
  power_fraction = 1, dispatch = 0 us, dispatch_overlap = 0 us,
  tiles = [<m = 128, n = 128, warps = 8>], split_k = [1]>

#simt_conv = #gpucost.simt_conv<provenance = "invented",
  k0 = 0, saturation_warps = 0.01, dram_efficiency = 1, l2_bytes_per_clock = 1000,
  l2_fraction = 1, l2_speedup = 1, implicit_efficiency = 1, fused_efficiency = 1,
  non_fused_efficiency = 1, fused_prologue = 0, filter_passes = 0, latency = 0 us,
  transform_latency = 0 us, dispatch = 0 us, dispatch_overlap = 0 us,
  implicit_tiles = [<m = 128, n = 128, warps = 8>],
  batched_tiles = [<m = 128, n = 128, warps = 8>]>

#attention = #gpucost.attention_fit<provenance = "invented",
  efficiency = 1, softmax_cycles = 0, pipe_norm = 1, prologue_cycles = 0,
  wave_fraction = 1, causal_tail = 0, dram_efficiency = 1, l2_bytes_per_clock = 1000,
  l2_fraction = 1, cache_bytes_per_clock = 1000, split_time = 0 us, fixed_time = 0 us,
  energy_per_flop = 1 pJ, energy_per_score = 0 pJ, pack_grouped_queries = false,
  split_kv = false, writes_kv_cache = false,
  split_below = 0.8, least_split_blocks = 4, largest_split = 128,
  first_generation_slowdown = 2,
  tiles = [<head_dim = 64, rows = 128, columns = 128>,
           <head_dim = 128, rows = 128, columns = 128>]>

#decode = #gpucost.decode<provenance = "invented",
  kernel = packed, dram_efficiency = 1, l2_bytes_per_clock = 1000, l2_fraction = 1,
  hit_exponent = 3, prologue_cycles = 0, row_cycles = 0, block_cycles = 0,
  row_exponent = 1, ctas_per_sm = 1, wave_fraction = 1, latency_cycles = 0,
  block_latency_cycles = 0, latency_exponent = 1, overlap_norm = 4,
  exposed_share = 0, least_split_blocks = 2, largest_split = 64,
  fixed_time = 0 us, split_time = 0 us>

// One issue slot and one thread instruction per element of every class.
#ones = #gpucost.instruction_table<
  copy = 1, cast = 1, add = 1, mul = 1, div = 1, pow = 1, relu = 1, gelu = 1,
  tanh = 1, sigmoid = 1, silu = 1, exp = 1, log = 1, sqrt = 1, rsqrt = 1, erf = 1,
  trig = 1, neg = 1, compare = 1, where = 1, batch_norm = 1, gather = 1,
  scatter = 1, pool = 1, dropout = 1, reduce = 1, softmax = 1, norm = 1,
  resize = 1, depthwise_conv = 1, optimizer = 1>

#streaming = #gpucost.streaming<provenance = "invented",
  dram_efficiency = 1, l2_fraction = 1, l2_bytes_per_clock = 1000, issue_scale = 1,
  issue_width = 100, broadcast_slots = 1, operator_flops = 128,
  operator_special_ops = 16, latency = 0 us, softmax_row0 = 0,
  softmax_row1 = 0, norm_row0 = 0, norm_row1 = 0, issue_slots = #ones>

#instructions = #gpucost.instructions<provenance = "invented",
  per_element = #ones, strided = 0, softmax_wide = 1, layout_conversion = 1,
  attention_score = 0, depthwise_tap = 1, softmax_scale = 1, norm_scale = 1>

#power = #gpucost.power_fit<provenance = "invented",
  per_tensor_flop = 1 pJ, tf32_energy = 2, eight_bit_energy = 0.5,
  per_fp32_flop = 10 pJ, per_instruction = 10 pJ,
  per_dram_byte = 100 pJ, per_sm_cycle = 0 pJ, voltage_exponent = 2,
  reference_clock = 1 GHz, idle_base = 10 W, idle_voltage = 0 W, idle_clock = 0 W,
  generic_knee = 0.5, generic_max = 1, dram_voltage_exponent = 0,
  l2_fraction = 0.001>

#runtime = #gpucost.runtime_fit<provenance = "invented",
  kernel_gap_cycles = 0, host_launch = 0 us, library_weight = 1, host_norm = 6>

// 100 GB/s on the links, where the board draws half of its busy power.
#collectives = #gpucost.collectives<provenance = "invented", power_fraction = 0.5,
  fits = [<kind = all_reduce, base = 0 us, step = 0 us, root = 0 us, bandwidth = 100 GBps, ramp = 0>]>

module attributes {
  gpucost.gpu = #gpu,
  gpucost.default_format = "bf16",
  gpucost.coefficients = #gpucost.coefficients<
    provenance = "invented", tensor_gemm = #tensor_gemm,
    tensor_power = #tensor_power, simt_linear = #simt_gemm,
    simt_batched = #simt_gemm, simt_conv = #simt_conv, attention_full = #attention,
    attention_causal = #attention, decode = #decode, streaming = #streaming,
    instructions = #instructions, collectives = #collectives, power = #power, runtime = #runtime>
} {}
