// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coefficients of mi210: fp32 matmuls, elementwise and softmax kernels of the board; the rest
// is that of mi300x as it transfers.

#simt_linear = #gpucost.simt_gemm<
  provenance = "NeuSight fp32 kernels of MI210; tiles, split of K and energy: as A100 SXM, assumed; refitted by fit_kernels.py, 2026-11",
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
  dram_efficiency = 0.83956, l2_fraction = 0.45, l2_bytes_per_clock = 17.398,
  issue_scale = 0.66407, issue_width = 128, broadcast_slots = 85.665,
  operator_flops = 128, operator_special_ops = 16, latency = 1.7598 us,
  softmax_row0 = 100, softmax_row1 = 550, norm_row0 = 370, norm_row1 = 280,
  channel_accesses = 2.6, issue_slots = #issue_slots>

#softmax_reread = #gpucost.softmax_reread<
  provenance = "NeuSight fp32 softmax of MI210 and MI100, rows of 1,024 columns and more, 2026-11; threads: 2,048 work items of a CU",
  threads = 2048, row_cycles = 3900, column_cycles = 1.85>

#error_bars = #gpucost.error_bars<
  provenance = "80 % quantiles of residuals of NeuSight's tables of MI210: fp32_matmul, row_wise, streaming; collectives, iterations: assumed, about three times those of A100 SXM; the rest: as MI300X",
  correlation = 0.45, outside = 3, host = 0.3, host_unknown = 0.8, time_inference = 0.3, time_training = 0.3, power = 0.3, power_follows_time = 0.775,
  small_below = 10 us, medium_below = 100 us, limiter_tolerance = 0.01,
  kernels = [
    <kind = tensor_matmul, small = 0.241, medium = 0.149, large = 0.0674>,
    <kind = fp32_matmul, small = 0.5, medium = 0.46, large = 0.42>,
    <kind = tensor_convolution, small = 0.5, medium = 0.7, large = 0.5>,
    <kind = fp32_convolution, small = 0.9, medium = 0.9, large = 0.9>,
    <kind = attention, small = 0.4, medium = 0.4, large = 0.4>,
    <kind = decode, small = 0.4, medium = 0.5, large = 0.5>,
    <kind = row_wise, small = 0.4, medium = 0.17, large = 0.21>,
    <kind = streaming, small = 0.3, medium = 0.08, large = 0.1>,
    <kind = collective, small = 0.5, medium = 0.5, large = 0.4>]>

module attributes {
  gpucost.calibrated_for = "mi210",
  gpucost.coefficients_from = "mi300x",
  gpucost.transferred_from = "MI300X",
  gpucost.coefficients = #gpucost.coefficients<
    provenance = "NeuSight's fp32 tables of MI210; MI300X (everything else)",
    simt_linear = #simt_linear,
    simt_batched = #simt_batched,
    streaming = #streaming,
    softmax_reread = #softmax_reread,
    error_bars = #error_bars>} {}
