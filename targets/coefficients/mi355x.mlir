// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coefficients of mi355x: those of mi300x, as they transfer to the board's facts, but GEMM
// with the same tensor efficiency, because the local memory of a CU feeds its matrix cores
// at twice the rate. The board was not measured.

#tensor_gemm = #gpucost.tensor_gemm<
  provenance = "MI300X, with twice the bytes per clock from L2: the CDNA 4 white paper states twice the read rate of local memory; not measured",
  transferred_from = "MI300X",
  efficiency = 0.54316, latency_cycles = 1141.6, dram_efficiency = 0.94417,
  l2_bytes_per_clock = 26.978, l2_fraction = 0.35669, fixed_time = 0.75639 us,
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
  provenance = "MI300X, with twice the bytes per clock from L2; not measured",
  transferred_from = "MI300X",
  efficiency = 0.48017, latency_cycles = 1141.6, dram_efficiency = 0.94417,
  l2_bytes_per_clock = 26.978, l2_fraction = 0.35669, fixed_time = 0.75639 us,
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
  provenance = "MI300X, with twice the bytes per clock from L2; not measured",
  transferred_from = "MI300X",
  efficiency = 0.99469, latency_cycles = 1311.4, dram_efficiency = 0.96724,
  l2_bytes_per_clock = 36.002, l2_fraction = 0.55162, fixed_time = 1.5851 us,
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

module attributes {
  gpucost.calibrated_for = "mi355x",
  gpucost.coefficients_from = "mi300x",
  gpucost.transferred_from = "MI300X",
  gpucost.coefficients = #gpucost.coefficients<
    provenance = "MI300X; nothing is measured on the board",
    tensor_gemm = #tensor_gemm,
    low_precision = [
      <format = "fp16", software = "pytorch", gemm = #fp16_gemm>,
      <format = "fp8", software = "pytorch", gemm = #fp8_gemm>],
    tensor_power = #tensor_power>} {}
