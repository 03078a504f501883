// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s -split-input-file -verify-diagnostics

// Every group names the source of its numbers.
// expected-error@+1 {{expected 'provenance' to name a source}}
#bad = #gpucost.tensor_gemm<
  provenance = "", efficiency = 1, latency_cycles = 0, dram_efficiency = 1,
  l2_bytes_per_clock = 64, l2_fraction = 1, fixed_time = 0 us, split_k_time = 0 us,
  store_exposure = 0, fill_depth = 0, energy_per_flop = 1 pJ,
  power_limiter_delay = 0 us, misaligned_efficiency = 1, convolution_efficiency = 1,
  least_split_depth = 128, full_rate_intensity = 32, reread_l2_share = 0.5,
  tiles = [<m = 128, n = 128>], split_k = [1]>

// -----

// expected-error@+1 {{expected 'efficiency' above 0 and at most 1.1, but got 1.2}}
#bad = #gpucost.tensor_gemm<
  provenance = "here", efficiency = 1.2, latency_cycles = 0,
  dram_efficiency = 1, l2_bytes_per_clock = 64, l2_fraction = 1, fixed_time = 0 us,
  split_k_time = 0 us, store_exposure = 0, fill_depth = 0,
  energy_per_flop = 1 pJ, power_limiter_delay = 0 us, misaligned_efficiency = 1, convolution_efficiency = 1,
  least_split_depth = 128, full_rate_intensity = 32, reread_l2_share = 0.5,
  tiles = [<m = 128, n = 128>], split_k = [1]>

// -----

// expected-error@+1 {{expected 'energy_per_flop' above 0, but got 0}}
#bad = #gpucost.tensor_gemm<
  provenance = "here", efficiency = 1, latency_cycles = 0, dram_efficiency = 1,
  l2_bytes_per_clock = 64, l2_fraction = 1, fixed_time = 0 us, split_k_time = 0 us,
  store_exposure = 0, fill_depth = 0, energy_per_flop = 0 pJ,
  power_limiter_delay = 0 us, misaligned_efficiency = 1, convolution_efficiency = 1,
  least_split_depth = 128, full_rate_intensity = 32, reread_l2_share = 0.5,
  tiles = [<m = 128, n = 128>], split_k = [1]>

// -----

// expected-error@+1 {{expected 'tiles' to contain a tile}}
#bad = #gpucost.tensor_gemm<
  provenance = "here", efficiency = 1, latency_cycles = 0, dram_efficiency = 1,
  l2_bytes_per_clock = 64, l2_fraction = 1, fixed_time = 0 us, split_k_time = 0 us,
  store_exposure = 0, fill_depth = 0, energy_per_flop = 1 pJ,
  power_limiter_delay = 0 us, misaligned_efficiency = 1, convolution_efficiency = 1,
  least_split_depth = 128, full_rate_intensity = 32, reread_l2_share = 0.5,
  tiles = [],
  split_k = [1]>

// -----

// expected-error@+1 {{expected 'split_k' to contain integers of at least 1, but got 0}}
#bad = #gpucost.tensor_gemm<
  provenance = "here", efficiency = 1, latency_cycles = 0, dram_efficiency = 1,
  l2_bytes_per_clock = 64, l2_fraction = 1, fixed_time = 0 us, split_k_time = 0 us,
  store_exposure = 0, fill_depth = 0, energy_per_flop = 1 pJ,
  power_limiter_delay = 0 us, misaligned_efficiency = 1, convolution_efficiency = 1,
  least_split_depth = 128, full_rate_intensity = 32, reread_l2_share = 0.5,
  tiles = [<m = 128, n = 128>], split_k = [1, 0]>

// -----

// expected-error@+1 {{expected 'static_fraction' of at least 0 and at most 1, but got 2}}
#bad = #gpucost.tensor_power<
  provenance = "here", static_fraction = 2, per_l2_byte = 12 pJ,
  per_dram_byte = 60 pJ, clock_exponent = 1.3, energy_floor = 0.4>

// -----

// expected-error@+1 {{expected 'l2_speedup' of at least 1, but got 0.5}}
#bad = #gpucost.simt_gemm<
  provenance = "here", emax = 1, k0 = 0, dram_efficiency = 1,
  l2_bytes_per_clock = 64, l2_fraction = 1, l2_speedup = 0.5, saturation_warps = 2,
  latency = 0 us, energy_per_flop = 10 pJ, power_fraction = 1, dispatch = 0 us,
  dispatch_overlap = 0 us, tiles = [<m = 128, n = 128, warps = 8>],
  split_k = [1]>

// -----

// SIMT tiles have warps.
// expected-error@+1 {{expected 'warps' for each tile of 'batched_tiles'}}
#bad = #gpucost.simt_conv<
  provenance = "here", k0 = 0, saturation_warps = 1, dram_efficiency = 1,
  l2_bytes_per_clock = 64, l2_fraction = 1, l2_speedup = 1,
  implicit_efficiency = 1, fused_efficiency = 1, non_fused_efficiency = 1,
  fused_prologue = 0, filter_passes = 0, latency = 0 us,
  transform_latency = 0 us, dispatch = 0 us, dispatch_overlap = 0 us,
  implicit_tiles = [<m = 128, n = 128, warps = 8>],
  batched_tiles = [<m = 128, n = 128>]>
