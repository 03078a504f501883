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

#power = #gpucost.power_fit<
  provenance = "MI300X, energies of FLOP, instructions, L2 and cycles x 0.75: TSMC states 25 to 30 % less power of N3 than of N5 at the same speed; idle x power limit; not measured",
  transferred_from = "MI300X",
  per_tensor_flop = 0.50358 pJ, tf32_energy = 2, eight_bit_energy = 0.5, four_bit_energy = 0.3,
  per_fp32_flop = 2.9926 pJ, per_instruction = 16.544 pJ,
  per_dram_byte = 67.855 pJ, per_l2_byte = 15.716 pJ, per_sm_cycle = 71.219 pJ,
  voltage_exponent = 2, reference_clock = 1940 MHz, idle_base = 168 W,
  idle_voltage = 46.67 W, idle_clock = 17.73 W, generic_knee = 0.72,
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

module attributes {
  gpucost.calibrated_for = "mi355x",
  gpucost.coefficients_from = "mi300x",
  gpucost.transferred_from = "MI300X",
  gpucost.coefficients = #gpucost.coefficients<
    provenance = "MI300X; nothing is measured on the board",
    tensor_gemm = #tensor_gemm,
    low_precision = [
      <format = "fp16", gemm = #fp16_gemm>,
      <format = "fp8", gemm = #fp8_gemm>],
    tensor_power = #tensor_power,
    instructions = #instructions,
    power = #power>} {}
