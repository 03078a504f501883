// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected 'pipe_norm' of at least 1, but got 0.5}}
#bad = #gpucost.attention_fit<
  provenance = "here", efficiency = 1, softmax_cycles = 0, pipe_norm = 0.5,
  prologue_cycles = 0, wave_fraction = 1, causal_tail = 0, dram_efficiency = 1,
  l2_bytes_per_clock = 64, l2_fraction = 1, cache_bytes_per_clock = 64,
  split_time = 0 us, fixed_time = 0 us, energy_per_flop = 1 pJ,
  energy_per_score = 0 pJ, pack_grouped_queries = false, split_kv = false,
  writes_kv_cache = false,
  split_below = 0.8, least_split_blocks = 4, largest_split = 128,
  first_generation_slowdown = 2,
  tiles = [<head_dim = 64, rows = 128, columns = 128>]>

// -----

// A wrong unit: no kernel takes 1000 seconds to launch.
// expected-error@+1 {{expected 'host_launch' of at least 0 and at most 1000, but got 1000000}}
#bad = #gpucost.runtime_fit<
  provenance = "here", kernel_gap_cycles = 4500, host_launch = 1.0e12 us,
  library_weight = 1, host_norm = 12>

// -----

// expected-error@+1 {{expected 'dram_efficiency' above 0 and at most 1.1, but got 1.2}}
#bad = #gpucost.decode<
  provenance = "here", kernel = packed, dram_efficiency = 1.2,
  l2_bytes_per_clock = 64, l2_fraction = 1, hit_exponent = 8,
  prologue_cycles = 0, row_cycles = 0, block_cycles = 0, row_exponent = 1,
  ctas_per_sm = 1, wave_fraction = 0, latency_cycles = 0,
  block_latency_cycles = 0, latency_exponent = 0.5, overlap_norm = 2,
  exposed_share = 0.4, least_split_blocks = 2.75, largest_split = 128,
  fixed_time = 0 us, split_time = 0 us>

// -----

// expected-error@+1 {{expected 'voltage' in ascending order of clocks}}
#bad = #gpucost.power_fit<
  provenance = "here", per_tensor_flop = 1 pJ, tf32_energy = 2, eight_bit_energy = 0.5,
  per_fp32_flop = 7 pJ,
  per_instruction = 20 pJ, per_dram_byte = 60 pJ, per_sm_cycle = 250 pJ,
  voltage_exponent = 2, reference_clock = 900 MHz, idle_base = 30 W,
  idle_voltage = 11 W, idle_clock = 5 W, generic_knee = 0.7, generic_max = 1.3,
  dram_voltage_exponent = 0, l2_fraction = 0.6,
  voltage = [<clock = 2 GHz, voltage = 1 V>,
             <clock = 1 GHz, voltage = 1 V>]>

// -----

// expected-error@+1 {{expected 'host_norm' of at least 1, but got 0.5}}
#bad = #gpucost.runtime_fit<
  provenance = "here", kernel_gap_cycles = 1000, host_launch = 9 us,
  library_weight = 1.1, host_norm = 0.5>

// -----

// Left out, unknown, of another dimension.
// expected-error@+1 {{missing field 'host_norm' of runtime_fit}}
#bad = #gpucost.runtime_fit<provenance = "here", kernel_gap_cycles = 1000,
  host_launch = 9 us, library_weight = 1.1>

// -----

// expected-error@+2 {{unknown field 'gap' of runtime_fit}}
#bad = #gpucost.runtime_fit<provenance = "here", kernel_gap_cycles = 1000,
  host_launch = 9 us, library_weight = 1.1, host_norm = 6, gap = 1 us>

// -----

// expected-error@+1 {{unknown unit 'W', expected one of ns, us, ms, s}}
#bad = #gpucost.runtime_fit<provenance = "here", host_launch = 1 W>

// -----

// expected-error@+1 {{duplicate field 'copy'}}
#bad = #gpucost.instruction_table<copy = 1, copy = 2>

// -----

// expected-error@+1 {{missing field 'cast' of instruction_table}}
#bad = #gpucost.instruction_table<copy = 1>

// -----

// expected-error@+1 {{unknown field 'copie' of instruction_table}}
#bad = #gpucost.instruction_table<copie = 1>

// -----

// expected-error@+1 {{expected 'm' above 0, but got 0}}
#bad = #gpucost.tile<m = 0, n = 1>

// -----

// expected-error@+1 {{expected 'voltage' of at least 0.3 and at most 2, but got 3}}
#bad = #gpucost.voltage_point<clock = 1 GHz, voltage = 3 V>

// -----

// expected-error@+1 {{expected one entry of 'decode'}}
#bad = #gpucost.error_bars<provenance = "here", correlation = 1, outside = 2, host = 0.1, host_unknown = 1, time_inference = 0, time_training = 0, power = 0,
  small_below = 10 us, medium_below = 100 us, limiter_tolerance = 0.01,
  kernels = [<kind = decode, small = 1, medium = 1, large = 1>, <kind = decode, small = 1, medium = 1, large = 1>]>

// -----

// expected-error@+1 {{expected 'outside' of at least 1, but got 0.5}}
#bad = #gpucost.error_bars<provenance = "here", correlation = 1, outside = 0.5, host = 0.1, host_unknown = 1, time_inference = 0, time_training = 0, power = 0,
  small_below = 10 us, medium_below = 100 us, limiter_tolerance = 0.01,
  kernels = [<kind = decode, small = 1, medium = 1, large = 1>]>

// -----

// expected-error@+1 {{expected 'small' of at least 0, but got -1}}
#bad = #gpucost.kernel_error<kind = streaming, small = -1, medium = 1, large = 1>
