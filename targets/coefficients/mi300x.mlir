// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coefficients of mi300x. Matmuls in 16 and 8 bits and collectives are fitted to measurements of
// the board; fp32, elementwise and softmax kernels are those of MI210. Groups that this file does
// not state are those of A100 SXM, as they transfer to the board's facts: its SM has the same
// tensor rate, and its attention kernels are of the second generation.

#tensor_gemm = #gpucost.tensor_gemm<
  provenance = "bf16 rows of XLA's matmul table (wheel jax-cuda12-pjrt 0.12.0.1, gfx942), launch overhead of 1.5 us assumed and subtracted, 2026-11; tiles of CDNA: assumed; misaligned and convolution efficiency, limiter delay: as A100 SXM; energy: prior 1.18 x power limit / peak; fitted on 750 rows, 11.4 % in fit",
  efficiency = 0.54316, latency_cycles = 1141.6, dram_efficiency = 0.94417,
  l2_bytes_per_clock = 13.489, l2_fraction = 0.35669, fixed_time = 0.75639 us,
  split_k_time = 0.11477 us, store_exposure = 0.98249, fill_depth = 251.58,
  energy_per_flop = 0.67692 pJ, power_limiter_delay = 35.03 ms,
  misaligned_efficiency = 0.25682, convolution_efficiency = 0.72001,
  least_split_depth = 128, full_rate_intensity = 44, reread_l2_share = 0.5,
  split_k = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32],
  tiles = [
    <m = 16, n = 16, ctas_per_sm = 4>, <m = 16, n = 32, ctas_per_sm = 4>,
    <m = 16, n = 64, ctas_per_sm = 4>, <m = 32, n = 16, ctas_per_sm = 4>,
    <m = 32, n = 32, ctas_per_sm = 4>, <m = 32, n = 64, ctas_per_sm = 4>,
    <m = 32, n = 128, ctas_per_sm = 3>, <m = 32, n = 256, ctas_per_sm = 2>,
    <m = 64, n = 16, ctas_per_sm = 4>, <m = 64, n = 32, ctas_per_sm = 4>,
    <m = 64, n = 64, ctas_per_sm = 4>, <m = 64, n = 128, ctas_per_sm = 2>,
    <m = 64, n = 256, ctas_per_sm = 1>, <m = 128, n = 32, ctas_per_sm = 3>,
    <m = 128, n = 64, ctas_per_sm = 2>, <m = 128, n = 128, ctas_per_sm = 2>,
    <m = 128, n = 192, ctas_per_sm = 1>, <m = 128, n = 256, ctas_per_sm = 1>,
    <m = 192, n = 128, ctas_per_sm = 1>, <m = 192, n = 256, ctas_per_sm = 1>,
    <m = 256, n = 32, ctas_per_sm = 2>, <m = 256, n = 64, ctas_per_sm = 1>,
    <m = 256, n = 128, ctas_per_sm = 1>, <m = 256, n = 192, ctas_per_sm = 1>,
    <m = 256, n = 256, ctas_per_sm = 1>]>

#fp16_gemm = #gpucost.tensor_gemm<
  provenance = "as tensor_gemm, efficiency: fp16 rows of the table; fitted on 750 rows, 11.5 % in fit",
  efficiency = 0.48017, latency_cycles = 1141.6, dram_efficiency = 0.94417,
  l2_bytes_per_clock = 13.489, l2_fraction = 0.35669, fixed_time = 0.75639 us,
  split_k_time = 0.11477 us, store_exposure = 0.98249, fill_depth = 251.58,
  energy_per_flop = 0.67692 pJ, power_limiter_delay = 35.03 ms,
  misaligned_efficiency = 0.25682, convolution_efficiency = 0.72001,
  least_split_depth = 128, full_rate_intensity = 44, reread_l2_share = 0.5,
  split_k = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32],
  tiles = [
    <m = 16, n = 16, ctas_per_sm = 4>, <m = 16, n = 32, ctas_per_sm = 4>,
    <m = 16, n = 64, ctas_per_sm = 4>, <m = 32, n = 16, ctas_per_sm = 4>,
    <m = 32, n = 32, ctas_per_sm = 4>, <m = 32, n = 64, ctas_per_sm = 4>,
    <m = 32, n = 128, ctas_per_sm = 3>, <m = 32, n = 256, ctas_per_sm = 2>,
    <m = 64, n = 16, ctas_per_sm = 4>, <m = 64, n = 32, ctas_per_sm = 4>,
    <m = 64, n = 64, ctas_per_sm = 4>, <m = 64, n = 128, ctas_per_sm = 2>,
    <m = 64, n = 256, ctas_per_sm = 1>, <m = 128, n = 32, ctas_per_sm = 3>,
    <m = 128, n = 64, ctas_per_sm = 2>, <m = 128, n = 128, ctas_per_sm = 2>,
    <m = 128, n = 192, ctas_per_sm = 1>, <m = 128, n = 256, ctas_per_sm = 1>,
    <m = 192, n = 128, ctas_per_sm = 1>, <m = 192, n = 256, ctas_per_sm = 1>,
    <m = 256, n = 32, ctas_per_sm = 2>, <m = 256, n = 64, ctas_per_sm = 1>,
    <m = 256, n = 128, ctas_per_sm = 1>, <m = 256, n = 192, ctas_per_sm = 1>,
    <m = 256, n = 256, ctas_per_sm = 1>]>

#fp8_gemm = #gpucost.tensor_gemm<
  provenance = "as tensor_gemm, fp8 rows of the table without e4m3 x e5m2 -> e4m3; energy: as bf16, half by the rate; fitted on 3375 rows, 25.9 % in fit",
  efficiency = 0.99469, latency_cycles = 1311.4, dram_efficiency = 0.96724,
  l2_bytes_per_clock = 18.001, l2_fraction = 0.55162, fixed_time = 1.5851 us,
  split_k_time = 0.1098 us, store_exposure = 0.99423, fill_depth = 253.23,
  energy_per_flop = 0.67692 pJ, power_limiter_delay = 35.03 ms,
  misaligned_efficiency = 0.25682, convolution_efficiency = 0.72001,
  least_split_depth = 128, full_rate_intensity = 44, reread_l2_share = 0.5,
  split_k = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32],
  tiles = [
    <m = 16, n = 16, ctas_per_sm = 4>, <m = 16, n = 32, ctas_per_sm = 4>,
    <m = 16, n = 64, ctas_per_sm = 4>, <m = 32, n = 16, ctas_per_sm = 4>,
    <m = 32, n = 32, ctas_per_sm = 4>, <m = 32, n = 64, ctas_per_sm = 4>,
    <m = 32, n = 128, ctas_per_sm = 3>, <m = 32, n = 256, ctas_per_sm = 2>,
    <m = 64, n = 16, ctas_per_sm = 4>, <m = 64, n = 32, ctas_per_sm = 4>,
    <m = 64, n = 64, ctas_per_sm = 4>, <m = 64, n = 128, ctas_per_sm = 2>,
    <m = 64, n = 256, ctas_per_sm = 1>, <m = 128, n = 32, ctas_per_sm = 3>,
    <m = 128, n = 64, ctas_per_sm = 2>, <m = 128, n = 128, ctas_per_sm = 2>,
    <m = 128, n = 192, ctas_per_sm = 1>, <m = 128, n = 256, ctas_per_sm = 1>,
    <m = 192, n = 128, ctas_per_sm = 1>, <m = 192, n = 256, ctas_per_sm = 1>,
    <m = 256, n = 32, ctas_per_sm = 2>, <m = 256, n = 64, ctas_per_sm = 1>,
    <m = 256, n = 128, ctas_per_sm = 1>, <m = 256, n = 192, ctas_per_sm = 1>,
    <m = 256, n = 256, ctas_per_sm = 1>]>

#tensor_power = #gpucost.tensor_power<
  provenance = "constants held fixed, as on other GPUs; not measured",
  transferred_from = "A100 SXM, unseen on AMD",
  static_fraction = 0.2, per_l2_byte = 12 pJ, per_dram_byte = 60 pJ,
  clock_exponent = 1.3, energy_floor = 0.4>

#power = #gpucost.power_fit<
  provenance = "H100 SXM: energy of a tensor FLOP, because the process is the same; energies of fp32 FLOP, instructions and L2 x the ratio of power limit / peak, of a CU's cycle x the ratio of power limit / (CUs x clock); idle 135 W, 4-bit energy: assumed; not measured",
  transferred_from = "H100 SXM, unseen on AMD",
  per_tensor_flop = 0.67144 pJ, tf32_energy = 2, eight_bit_energy = 0.5, four_bit_energy = 0.3,
  per_fp32_flop = 3.9901 pJ, per_instruction = 22.059 pJ,
  per_dram_byte = 67.855 pJ, per_l2_byte = 20.955 pJ, per_sm_cycle = 94.959 pJ,
  voltage_exponent = 2, reference_clock = 1940 MHz, idle_base = 90 W,
  idle_voltage = 25 W, idle_clock = 9.5 W, generic_knee = 0.72,
  generic_max = 1.29, dram_voltage_exponent = 0, l2_fraction = 0.63894>

#per_element = #gpucost.instruction_table<
  copy = 3, cast = 4, add = 6, mul = 5, div = 9, pow = 6, relu = 5, gelu = 11.612,
  tanh = 22, sigmoid = 15, silu = 16, exp = 10, log = 10, sqrt = 8, rsqrt = 8,
  erf = 25, trig = 20, neg = 4, compare = 5, where = 6, batch_norm = 7,
  gather = 4, scatter = 6, pool = 30, dropout = 14, reduce = 6, softmax = 16,
  norm = 20, resize = 12, depthwise_conv = 6, optimizer = 16>
#instructions = #gpucost.instructions<
  provenance = "H100 SXM, with whose counts the energies of `power` were fitted; not measured",
  transferred_from = "H100 SXM, unseen on AMD",
  per_element = #per_element, strided = 14.01, softmax_wide = 24,
  layout_conversion = 8.2624, attention_score = 3, depthwise_tap = 6,
  softmax_scale = 1.0264, norm_scale = 1.1289>

#collectives = #gpucost.collectives<
  provenance = "XLA's table of collectives (wheel jax-cuda12-pjrt 0.12.0.1, gfx942), RCCL on 2, 4 and 8 GPUs of a node, messages of 1 MiB and more, and rccl-tests on 8 GPUs, 2026-11; power_fraction: placeholder of the power study, not measured; busy_sms: channels of RCCL, assumed",
  power_fraction = 0.3, busy_sms = 32,
  fits = [
    <kind = all_reduce, base = 12.85 us, step = 0.001 us, root = 0.007681 us, bandwidth = 393.3 GBps, ramp = 1.74>,
    <kind = all_reduce, world_size = 2, base = 15.72 us, step = 0 us, root = 0 us, bandwidth = 48.46 GBps, ramp = 0>,
    <kind = all_reduce, world_size = 4, base = 25.15 us, step = 0 us, root = 0 us, bandwidth = 142.1 GBps, ramp = 0>,
    <kind = all_reduce, world_size = 8, base = 12.96 us, step = 0 us, root = 0.007239 us, bandwidth = 335.1 GBps, ramp = 0>,
    <kind = all_gather, base = 17.02 us, step = 1.917 us, root = 0 us, bandwidth = 297 GBps, ramp = 1.675>,
    <kind = all_gather, world_size = 2, base = 13.06 us, step = 0 us, root = 0.002985 us, bandwidth = 48.71 GBps, ramp = 0>,
    <kind = all_gather, world_size = 4, base = 21.78 us, step = 0 us, root = 0.0003224 us, bandwidth = 139.8 GBps, ramp = 0>,
    <kind = all_gather, world_size = 8, base = 33.05 us, step = 0 us, root = 0.0004109 us, bandwidth = 327 GBps, ramp = 0>,
    <kind = reduce_scatter, base = 17.6 us, step = 1.001 us, root = 0.0005996 us, bandwidth = 279 GBps, ramp = 1.67>,
    <kind = reduce_scatter, world_size = 2, base = 14.22 us, step = 0 us, root = 0.0002414 us, bandwidth = 45.15 GBps, ramp = 0>,
    <kind = reduce_scatter, world_size = 4, base = 21.92 us, step = 0 us, root = 0 us, bandwidth = 132.5 GBps, ramp = 0>,
    <kind = reduce_scatter, world_size = 8, base = 23.37 us, step = 0 us, root = 0.003715 us, bandwidth = 335 GBps, ramp = 0>,
    <kind = all_to_all, base = 21.19 us, step = 0.001 us, root = 0 us, bandwidth = 301.2 GBps, ramp = 1.696>,
    <kind = all_to_all, world_size = 2, base = 9.774 us, step = 0 us, root = 0.01122 us, bandwidth = 49.07 GBps, ramp = 0>,
    <kind = all_to_all, world_size = 4, base = 17.3 us, step = 0 us, root = 0.003513 us, bandwidth = 143.3 GBps, ramp = 0>,
    <kind = all_to_all, world_size = 8, base = 21.85 us, step = 0 us, root = 0 us, bandwidth = 289.4 GBps, ramp = 0>]>

#simt_linear = #gpucost.simt_gemm<
  provenance = "NeuSight fp32 kernels of MI210; tiles, split of K and energy: as A100 SXM, assumed; refitted by fit_kernels.py, 2026-11",
  transferred_from = "MI210",
  emax = 0.84984, k0 = 4.6398, dram_efficiency = 0.42934, l2_bytes_per_clock = 20.514,
  l2_fraction = 0.9, l2_speedup = 1.5693, saturation_warps = 2.1213,
  latency = 2.0453 us, energy_per_flop = 7.0179 pJ, power_fraction = 0.85,
  dispatch = 8.608 us, dispatch_overlap = 29.71 us,
  split_k = [1, 2, 3, 4, 6, 8, 12, 16], least_layer_depth = 4096,
  tiles = [
    <m = 128, n = 128, ctas_per_sm = 2, warps = 8>,
    <m = 64, n = 128, ctas_per_sm = 4, warps = 4>,
    <m = 64, n = 64, ctas_per_sm = 8, warps = 2>,
    <m = 128, n = 32, ctas_per_sm = 3, warps = 8>,
    <m = 32, n = 128, ctas_per_sm = 3, warps = 8>,
    <m = 32, n = 64, ctas_per_sm = 4, warps = 8>,
    <m = 32, n = 32, ctas_per_sm = 8, warps = 4>]>

#simt_batched = #gpucost.simt_gemm<
  provenance = "NeuSight fp32 kernels of MI210; tiles of linear layers, energy: as A100 SXM, assumed; refitted by fit_kernels.py, 2026-11",
  transferred_from = "MI210",
  emax = 1.0011, k0 = 1.0921, dram_efficiency = 0.45138,
  l2_bytes_per_clock = 10.701, l2_fraction = 0.80222, l2_speedup = 1.5668,
  saturation_warps = 15.416, latency = 3.631 us, energy_per_flop = 6.7571 pJ,
  power_fraction = 0.85, dispatch = 22.45 us, dispatch_overlap = 7.077 us,
  split_k = [1],
  tiles = [
    <m = 128, n = 128, ctas_per_sm = 2, warps = 8>,
    <m = 64, n = 128, ctas_per_sm = 4, warps = 4>,
    <m = 64, n = 64, ctas_per_sm = 8, warps = 2>,
    <m = 128, n = 32, ctas_per_sm = 3, warps = 8>,
    <m = 32, n = 128, ctas_per_sm = 3, warps = 8>,
    <m = 32, n = 64, ctas_per_sm = 4, warps = 8>,
    <m = 32, n = 32, ctas_per_sm = 8, warps = 4>]>

#issue_slots = #gpucost.instruction_table<
  copy = 40, cast = 40, add = 40, mul = 40, div = 45, pow = 480, relu = 40,
  gelu = 60, tanh = 60, sigmoid = 60, silu = 60, exp = 60, log = 60, sqrt = 60,
  rsqrt = 60, erf = 60, trig = 60, neg = 40, compare = 40, where = 40,
  batch_norm = 40, gather = 90, scatter = 90, pool = 90, dropout = 40,
  reduce = 40, softmax = 80, norm = 60, resize = 90, depthwise_conv = 13,
  optimizer = 60>
#streaming = #gpucost.streaming<
  provenance = "A100 SXM, whose numbers predict elementwise kernels of MI100 and MI210 in NeuSight's tables; pow and softmax rows: fitted to these tables, 2026-11",
  transferred_from = "MI210",
  dram_efficiency = 0.83956, l2_fraction = 0.45, l2_bytes_per_clock = 17.398,
  issue_scale = 0.66407, issue_width = 128, broadcast_slots = 85.665,
  operator_flops = 128, operator_special_ops = 16, latency = 1.7598 us,
  softmax_row0 = 100, softmax_row1 = 550, norm_row0 = 370, norm_row1 = 280,
  channel_accesses = 2.6, issue_slots = #issue_slots>

#softmax_reread = #gpucost.softmax_reread<
  provenance = "NeuSight fp32 softmax of MI210 and MI100, rows of 1,024 columns and more, 2026-11; threads: 2,048 work items of a CU",
  transferred_from = "MI210",
  threads = 2048, row_cycles = 3900, column_cycles = 1.85>

#error_bars = #gpucost.error_bars<
  provenance = "tensor_matmul and collective: 80 % quantiles of residuals of XLA's tables; everything else: assumed, about three times those of A100 SXM",
  correlation = 0.45, outside = 3, host = 0.3, host_unknown = 0.8, time_inference = 0.3, time_training = 0.3, power = 0.3, power_follows_time = 0.775,
  small_below = 10 us, medium_below = 100 us, limiter_tolerance = 0.01,
  kernels = [
    <kind = tensor_matmul, small = 0.241, medium = 0.149, large = 0.0674>,
    <kind = fp32_matmul, small = 0.4, medium = 0.7, large = 0.4>,
    <kind = tensor_convolution, small = 0.5, medium = 0.7, large = 0.5>,
    <kind = fp32_convolution, small = 0.9, medium = 0.9, large = 0.9>,
    <kind = attention, small = 0.4, medium = 0.4, large = 0.4>,
    <kind = decode, small = 0.4, medium = 0.5, large = 0.5>,
    <kind = row_wise, small = 1.2, medium = 1, large = 0.9>,
    <kind = streaming, small = 0.8, medium = 0.6, large = 0.3>,
    <kind = collective, small = 0.3, medium = 0.1, large = 0.03>]>

module attributes {
  gpucost.calibrated_for = "mi300x",
  gpucost.coefficients_from = "a100-sxm-80gb",
  gpucost.transferred_from = "A100 SXM, unseen on AMD",
  gpucost.coefficients = #gpucost.coefficients<
    provenance = "XLA's tables (matmuls, collectives); MI210 (fp32, streaming); A100 SXM and H100 SXM (everything else)",
    tensor_gemm = #tensor_gemm,
    low_precision = [
      <format = "fp16", gemm = #fp16_gemm, errors = [<kind = tensor_matmul, small = 0.232, medium = 0.156, large = 0.0581>]>,
      <format = "fp8", gemm = #fp8_gemm, errors = [<kind = tensor_matmul, small = 0.492, medium = 0.385, large = 0.444>]>],
    tensor_power = #tensor_power,
    simt_linear = #simt_linear,
    simt_batched = #simt_batched,
    streaming = #streaming,
    softmax_reread = #softmax_reread,
    instructions = #instructions,
    power = #power,
    collectives = #collectives,
    error_bars = #error_bars>} {}
