// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Default groups for all sets that do not state them: refinements for single kernels,
// schedules, boards and processes. A group names the die on which it was measured if
// the die matters.

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
  native_filter_cta = 1600,
  generic_tap = 1.04, generic_input_tap = 1.16, generic_filter_tap = 1.6>

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

#row_cta_norm = #gpucost.row_cta_norm<
  provenance = "269 us for 196,608 rows on H20 (pull request 13189 of SGLang), 274.7 and 788.5 us for 221,184 and 648,720 rows on H200 (20632)",
  transferred_from = "H200 SXM",
  start_clocks = 2.45>

#triton_flash_1 = #gpucost.triton_flash_1<
  provenance = "heads of 64: Triton's regression test on A100, 0.37 and 0.25 of the tensor peak at 1350 MHz, over the prediction of FlashAttention 2; wider heads: 1.3 to 1.5 and 2, section 4.1 of arXiv 2307.08691, A100",
  transferred_from = "A100",
  forward_64 = 1.33, backward_64 = 1.71, forward = 1.5, backward = 2>

#softmax_reread = #gpucost.softmax_reread<
  provenance = "assumed: threads that an SM of most GPUs holds; T4 holds 1024",
  threads = 2048>

#stream_limits = #gpucost.stream_limits<
  provenance = "rows: cost study, layer norms of NeuSight; loads: unrolled elements of PyTorch's elementwise kernels, the default of Triton; threads: PyTorch's kernel of the gradients of a layer norm",
  norm_rows_in_flight = 16, loads_in_flight = 4, reduction_threads = 1024>

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

// 0.08 / 5.4 * 3.1
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
        <gpus = 8, one_shot_below = 8 KiB, two_shot_below = 512 KiB>]>,
    <gpu = "h100-sxm-80gb", generation = 4, link_bandwidth = 900 GBps, software = "vllm-0.14",
      one_shot = <base = 4.463 us, step = 0.04755 us, bandwidth = 271.8 GBps>,
      two_shot = <base = 6.335 us, step = 1.064 us, bandwidth = 339.3 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 8 MiB>,
        <gpus = 4, one_shot_below = 512 KiB, two_shot_below = 8 MiB>,
        <gpus = 6, one_shot_below = 256 KiB, two_shot_below = 8 MiB>,
        <gpus = 8, one_shot_below = 256 KiB, two_shot_below = 8 MiB>]>,
    <gpu = "h100-sxm-80gb", generation = 4, link_bandwidth = 900 GBps, software = "sglang-0.5.10",
      one_shot = <base = 4.463 us, step = 0.04755 us, bandwidth = 271.8 GBps>,
      two_shot = <base = 6.335 us, step = 1.064 us, bandwidth = 339.3 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 8388609 B>,
        <gpus = 4, one_shot_below = 512 KiB, two_shot_below = 8388609 B>,
        <gpus = 6, one_shot_below = 256 KiB, two_shot_below = 8388609 B>,
        <gpus = 8, one_shot_below = 256 KiB, two_shot_below = 8388609 B>]>,
    <gpu = "h100-sxm-80gb", generation = 4, link_bandwidth = 900 GBps, software = "vllm",
      one_shot = <base = 4.328 us, step = 0.05447 us, bandwidth = 251.1 GBps>,
      two_shot = <base = 6.249 us, step = 0.3108 us, bandwidth = 269.7 GBps>,
      multicast = <base = 7.356 us, step = 0.3418 us, bandwidth = 200.6 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 64 MiB>,
        <gpus = 4, one_shot_below = 512 KiB, two_shot_below = 32 MiB>,
        <gpus = 6, one_shot_below = 256 KiB, two_shot_below = 512 KiB, multicast_below = 64 MiB>,
        <gpus = 8, one_shot_below = 256 KiB, multicast_below = 64 MiB>]>,
    <gpu = "h100-sxm-80gb", generation = 4, link_bandwidth = 900 GBps, software = "sglang",
      one_shot = <base = 2.507 us, step = 0.1372 us, bandwidth = 301.8 GBps>,
      two_shot = <base = 4.993 us, step = 0.4686 us, bandwidth = 312 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 32 MiB>,
        <gpus = 4, one_shot_below = 1 MiB, two_shot_below = 32 MiB>,
        <gpus = 8, one_shot_below = 512 KiB, two_shot_below = 16 MiB>]>,
    <gpu = "h100-sxm-80gb", generation = 4, link_bandwidth = 900 GBps, software = "tensorrt-llm",
      one_shot = <base = 2.796 us, step = 0.09855 us, bandwidth = 300.7 GBps>,
      two_shot = <base = 6.592 us, step = 1.509 us, bandwidth = 474.3 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 16 MiB>,
        <gpus = 4, one_shot_below = 1 MiB, two_shot_below = 4 MiB>,
        <gpus = 8, one_shot_below = 512 KiB, two_shot_below = 1 MiB>]>,
    <gpu = "h100-sxm-80gb", generation = 4, link_bandwidth = 900 GBps, software = "tensorrt-llm-1.2",
      one_shot = <base = 3.276 us, step = 0.05305 us, bandwidth = 303.2 GBps>,
      two_shot = <base = 8.657 us, step = 0.6662 us, bandwidth = 250.9 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 16 MiB>,
        <gpus = 4, one_shot_below = 64 KiB, two_shot_below = 8 MiB>,
        <gpus = 8, one_shot_below = 512 KiB, two_shot_below = 4 MiB>]>,
    <gpu = "b200-sxm", generation = 5, link_bandwidth = 1800 GBps, software = "vllm-0.14",
      one_shot = <base = 6.935 us, step = 0.02567 us, bandwidth = 190.3 GBps>,
      two_shot = <base = 10.18 us, step = 2.008 us, bandwidth = 298.7 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 8 MiB>,
        <gpus = 4, one_shot_below = 512 KiB, two_shot_below = 8 MiB>,
        <gpus = 6, one_shot_below = 256 KiB, two_shot_below = 8 MiB>,
        <gpus = 8, one_shot_below = 256 KiB, two_shot_below = 8 MiB>]>,
    <gpu = "b200-sxm", generation = 5, link_bandwidth = 1800 GBps, software = "sglang-0.5.10",
      one_shot = <base = 6.935 us, step = 0.02567 us, bandwidth = 190.3 GBps>,
      two_shot = <base = 10.18 us, step = 2.008 us, bandwidth = 298.7 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 8388609 B>,
        <gpus = 4, one_shot_below = 512 KiB, two_shot_below = 8388609 B>,
        <gpus = 6, one_shot_below = 256 KiB, two_shot_below = 8388609 B>,
        <gpus = 8, one_shot_below = 256 KiB, two_shot_below = 8388609 B>]>,
    <gpu = "b200-sxm", generation = 5, link_bandwidth = 1800 GBps, software = "vllm",
      one_shot = <base = 6.935 us, step = 0.1031 us, bandwidth = 432.4 GBps>,
      two_shot = <base = 13.55 us, step = 1.988 us, bandwidth = 1350 GBps>,
      multicast = <base = 15.51 us, step = 0.001 us, bandwidth = 331.2 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 2 MiB, multicast_below = 8 MiB>,
        <gpus = 4, one_shot_below = 512 KiB, two_shot_below = 2 MiB, multicast_below = 32 MiB>,
        <gpus = 6, one_shot_below = 256 KiB, two_shot_below = 1 MiB, multicast_below = 128 MiB>,
        <gpus = 8, one_shot_below = 256 KiB, two_shot_below = 1 MiB, multicast_below = 128 MiB>]>,
    <gpu = "b200-sxm", generation = 5, link_bandwidth = 1800 GBps, software = "sglang",
      one_shot = <base = 4.145 us, step = 0.1303 us, bandwidth = 522.3 GBps>,
      two_shot = <base = 12.28 us, step = 0.06963 us, bandwidth = 648.5 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 32 MiB>,
        <gpus = 4, one_shot_below = 4 MiB, two_shot_below = 32 MiB>,
        <gpus = 8, one_shot_below = 1 MiB, two_shot_below = 32 MiB>]>,
    <gpu = "b200-sxm", generation = 5, link_bandwidth = 1800 GBps, software = "tensorrt-llm",
      one_shot = <base = 4.831 us, step = 0.08631 us, bandwidth = 656.1 GBps>,
      two_shot = <base = 8.392 us, step = 2.362 us, bandwidth = 467.5 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 16 MiB>,
        <gpus = 4, one_shot_below = 4 MiB, two_shot_below = 8 MiB>,
        <gpus = 8, one_shot_below = 2 MiB, two_shot_below = 128 MiB>]>,
    <gpu = "b200-sxm", generation = 5, link_bandwidth = 1800 GBps, software = "tensorrt-llm-1.2",
      one_shot = <base = 4.888 us, step = 0.07276 us, bandwidth = 634.8 GBps>,
      two_shot = <base = 4.062 us, step = 1.789 us, bandwidth = 388.4 GBps>,
      limits = [
        <gpus = 2, one_shot_below = 16 MiB>,
        <gpus = 4, one_shot_below = 4 MiB, two_shot_below = 8 MiB>,
        <gpus = 8, one_shot_below = 2 MiB, two_shot_below = 128 MiB>]>]>

#linear_attention = #gpucost.linear_attention_fit<
  provenance = "aiconfigurator 0.12.0, table linear_attention: gated delta rule, Kimi delta attention and convolutions in CUDA graphs, heads of 128; 3 to 6 % on unseen shapes of the same GPU, 2026-11; vLLM convolutions of prompts of Kimi delta attention, which wait for the host, left out; half-widths: 80 % quantiles of its residuals, and the ratios between stacks (median 1.6 to 2.3) where the stack is unknown",
  errors = [
    <kind = linear_attention, small = 0.088, medium = 0.06, large = 0.062>,
    <kind = linear_attention_any_stack, small = 1.6, medium = 1.6, large = 1.6>],
  stacks = [
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, stacked_memory = true, software = "sglang", rule = gated_delta,
      // chunk_gated_delta_rule
      chunks = <fixed_time = 18.71 us, inverse_time = 19.17 us, chain_cycles = 1331, chunk_cycles = 2734,
      chain_columns = 64, efficiency = 0.1941, dram_efficiency = 0.9, token_passes = 4.407,
      state_passes = 2.63, end_passes = 0.5, overlap_norm = 1, l2_fraction = 1.075, hit_exponent = 1.926>,
      // fused_recurrent_gated_delta_rule_packed_decode
      step = <fixed_time = 3.943 us, dram_efficiency = 1, l2_fraction = 0.6392, hit_exponent = 20,
      cta_cycles = 472.3, token_cycles = 32.45, wave_fraction = 0.01, l2_bytes_per_clock = 21.18,
      overlap_norm = 2.4>,
      // causal_conv1d_fn
      convolution = <fixed_time = 2.179 us, step_time = 0.7712 us, next_time = 0.4293 us,
      element_cycles = 0.3936, token_cycles = 0.01, dram_efficiency = 0.8, l2_fraction = 0.5604,
      hit_exponent = 10.9, overlap_norm = 6>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 1.62 us, cta_cycles = 362.4, element_cycles = 0.08455,
      dram_efficiency = 0.9869, l2_fraction = 1.071, hit_exponent = 12.31, overlap_norm = 2>>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, stacked_memory = true, software = "tensorrt-llm", rule = gated_delta,
      // chunk_gated_delta_rule
      chunks = <fixed_time = 17.39 us, inverse_time = 4.16 us, chain_cycles = 10, chunk_cycles = 2666,
      chain_columns = 64, efficiency = 0.6738, dram_efficiency = 0.9, token_passes = 3.955,
      state_passes = 2.248, end_passes = 0.5, overlap_norm = 1.019, l2_fraction = 0.7958,
      hit_exponent = 1.864>,
      // fused_recurrent_gated_delta_rule
      step = <fixed_time = 3.459 us, dram_efficiency = 0.5898, l2_fraction = 0.2259, hit_exponent = 20,
      cta_cycles = 922.7, token_cycles = 879.9, wave_fraction = 1, l2_bytes_per_clock = 10.51,
      overlap_norm = 7.999, state_bytes = 2>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 3.825 us, cta_cycles = 48.48, element_cycles = 0.01704,
      dram_efficiency = 1, l2_fraction = 4, hit_exponent = 4.211, overlap_norm = 2>>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, stacked_memory = true, software = "vllm", rule = gated_delta,
      // chunk_gated_delta_rule_flashinfer
      chunks = <fixed_time = 8.85 us, inverse_time = 0.08188 us, chain_cycles = 10, chunk_cycles = 5964,
      chain_columns = 0, whole_waves = true, efficiency = 0.5091, dram_efficiency = 0.9, token_passes = 0.5,
      state_passes = 1.403, end_passes = 2.826, overlap_norm = 8, l2_fraction = 0.2425, hit_exponent = 2.735>,
      // fused_recurrent_gated_delta_rule_packed_decode
      step = <fixed_time = 4.062 us, dram_efficiency = 1, l2_fraction = 0.6405, hit_exponent = 20,
      cta_cycles = 602.6, token_cycles = 30.91, wave_fraction = 0.01, l2_bytes_per_clock = 21.45,
      overlap_norm = 2.278>,
      // causal_conv1d_fn
      convolution = <fixed_time = 2.256 us, step_time = 0.7108 us, next_time = 0.4302 us,
      element_cycles = 0.4318, token_cycles = 0.01, dram_efficiency = 0.8, l2_fraction = 0.7127,
      hit_exponent = 20, overlap_norm = 6>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 1.873 us, cta_cycles = 278.1, element_cycles = 0.007603,
      dram_efficiency = 0.9139, l2_fraction = 1.294, hit_exponent = 12.77, overlap_norm = 2>>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, stacked_memory = true, software = "sglang", rule = channel_delta,
      // chunk_kda
      chunks = <fixed_time = 19.86 us, inverse_time = 25.74 us, chain_cycles = 6649, chunk_cycles = 4709,
      chain_columns = 64, efficiency = 0.1258, dram_efficiency = 0.9, token_passes = 11.23,
      state_passes = 0.4265, end_passes = 1.481, overlap_norm = 1.474, l2_fraction = 0.2719,
      hit_exponent = 2.177>,
      // fused_recurrent_kda_packed_decode
      step = <fixed_time = 5.296 us, dram_efficiency = 0.7983, l2_fraction = 0.483, hit_exponent = 19.86,
      cta_cycles = 10, token_cycles = 13.47, wave_fraction = 0.784, l2_bytes_per_clock = 23.88,
      overlap_norm = 6.31>,
      // fused_sigmoid_gating_delta_rule_update
      verify = <fixed_time = 4.648 us, dram_efficiency = 1, l2_fraction = 0.4689, hit_exponent = 16.42,
      cta_cycles = 10, token_cycles = 3607, wave_fraction = 0.01, l2_bytes_per_clock = 18.16,
      overlap_norm = 2.494>,
      // causal_conv1d_fn_qkv3
      convolution = <fixed_time = 7.469 us, step_time = 3.286 us, next_time = 0.3057 us,
      element_cycles = 0.3968, token_cycles = 5.3, dram_efficiency = 0.8, l2_fraction = 0.7897,
      hit_exponent = 3.748, overlap_norm = 6>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 4.216 us, cta_cycles = 4.748, element_cycles = 0.003029,
      dram_efficiency = 0.6675, l2_fraction = 0.2717, hit_exponent = 1.008, overlap_norm = 2>,
      // causal_conv1d_update
      convolution_verify = <fixed_time = 3.917 us, cta_cycles = 1, element_cycles = 0.8643,
      dram_efficiency = 1, l2_fraction = 0.1438, hit_exponent = 1.407, overlap_norm = 2>>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, stacked_memory = true, software = "vllm", rule = channel_delta,
      // flashkda_fwd
      chunks = <fixed_time = 19.37 us, inverse_time = 3.325 us, chain_cycles = 10, chunk_cycles = 8690,
      chain_columns = 0, efficiency = 0.4526, dram_efficiency = 0.9, token_passes = 2.093,
      state_passes = 0.01472, end_passes = 3.442, overlap_norm = 1.514, l2_fraction = 0.2628,
      hit_exponent = 5.948>,
      // fused_recurrent_kda_packed_decode
      step = <fixed_time = 3.122 us, dram_efficiency = 0.8873, l2_fraction = 0.7276, hit_exponent = 16.34,
      cta_cycles = 10.17, token_cycles = 1.18, wave_fraction = 0.01001, l2_bytes_per_clock = 19.16,
      overlap_norm = 7.995>,
      // fused_recurrent_kda
      verify = <fixed_time = 3.926 us, dram_efficiency = 1, l2_fraction = 0.667, hit_exponent = 2.664,
      cta_cycles = 10, token_cycles = 1074, wave_fraction = 0.01, l2_bytes_per_clock = 19.47,
      overlap_norm = 2.119>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 3.239 us, cta_cycles = 311, element_cycles = 0.001,
      dram_efficiency = 0.8523, l2_fraction = 0.2096, hit_exponent = 1, overlap_norm = 2>,
      // causal_conv1d_update
      convolution_verify = <fixed_time = 3.558 us, cta_cycles = 288.1, element_cycles = 0.2813,
      dram_efficiency = 1, l2_fraction = 1.306, hit_exponent = 4.697, overlap_norm = 2>>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, stacked_memory = true, software = "tensorrt-llm", rule = sum,
      // causal_conv1d_fn
      channel_convolution = <fixed_time = 3.878 us, cta_cycles = 222.6, first_cycles = 31.4,
      next_cycles = 298.4, odd_slowdown = 1.295, dram_efficiency = 0.8, l2_fraction = 0.05, hit_exponent = 4,
      overlap_norm = 4>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 4.153 us, cta_cycles = 252.5, element_cycles = 0.002173,
      dram_efficiency = 0.7503, l2_fraction = 1.028, hit_exponent = 4.723, overlap_norm = 2>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, stacked_memory = true, software = "sglang", rule = gated_delta,
      // chunk_gated_delta_rule
      chunks = <fixed_time = 18.66 us, inverse_time = 18.18 us, chain_cycles = 1967, chunk_cycles = 3506,
      chain_columns = 64, efficiency = 0.0852, dram_efficiency = 0.9, token_passes = 4.075,
      state_passes = 0.001, end_passes = 0.5, overlap_norm = 1, l2_fraction = 0.4164, hit_exponent = 2.635>,
      // fused_recurrent_gated_delta_rule_packed_decode
      step = <fixed_time = 4.224 us, dram_efficiency = 0.8183, l2_fraction = 0.1237, hit_exponent = 2.302,
      cta_cycles = 10.93, token_cycles = 1.999, wave_fraction = 0.01264, l2_bytes_per_clock = 38.85,
      overlap_norm = 8>,
      // causal_conv1d_fn
      convolution = <fixed_time = 2.206 us, step_time = 0.7967 us, next_time = 0.4445 us,
      element_cycles = 0.3913, token_cycles = 0.01, dram_efficiency = 0.8, l2_fraction = 0.05,
      hit_exponent = 20, overlap_norm = 6>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 1.983 us, cta_cycles = 378.4, element_cycles = 0.02721,
      dram_efficiency = 0.8953, l2_fraction = 1.079, hit_exponent = 11.79, overlap_norm = 2>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, stacked_memory = true, software = "tensorrt-llm", rule = gated_delta,
      // chunk_gated_delta_rule
      chunks = <fixed_time = 20.14 us, inverse_time = 6.002 us, chain_cycles = 10, chunk_cycles = 2791,
      chain_columns = 64, efficiency = 0.7357, dram_efficiency = 0.9, token_passes = 5.141,
      state_passes = 7.235, end_passes = 0.5, overlap_norm = 1, l2_fraction = 0.5027, hit_exponent = 1.225>,
      // fused_recurrent_gated_delta_rule
      step = <fixed_time = 4.06 us, dram_efficiency = 0.5245, l2_fraction = 0.2063, hit_exponent = 17.79,
      cta_cycles = 182.5, token_cycles = 122.6, wave_fraction = 0.01003, l2_bytes_per_clock = 17.86,
      overlap_norm = 7.993, state_bytes = 2>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 3.696 us, cta_cycles = 64.38, element_cycles = 0.02469,
      dram_efficiency = 0.2016, l2_fraction = 3.904, hit_exponent = 19.75, overlap_norm = 2>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, stacked_memory = true, software = "vllm", rule = gated_delta,
      // chunk_gated_delta_rule_flashinfer
      chunks = <fixed_time = 5.565 us, inverse_time = 0.3147 us, chain_cycles = 2.468e+04,
      chunk_cycles = 4708, chain_columns = 0, whole_waves = true, efficiency = 0.9998, dram_efficiency = 0.9,
      token_passes = 0.5, state_passes = 0.2536, end_passes = 6.795, overlap_norm = 1.943, l2_fraction = 0.05,
      hit_exponent = 20>,
      // fused_recurrent_gated_delta_rule_packed_decode
      step = <fixed_time = 4.251 us, dram_efficiency = 0.8206, l2_fraction = 0.1258, hit_exponent = 2.217,
      cta_cycles = 158.6, token_cycles = 45.16, wave_fraction = 0.9919, l2_bytes_per_clock = 39.99,
      overlap_norm = 8>,
      // causal_conv1d_fn
      convolution = <fixed_time = 2.367 us, step_time = 0.817 us, next_time = 0.4168 us,
      element_cycles = 0.4202, token_cycles = 0.01, dram_efficiency = 0.8, l2_fraction = 0.05,
      hit_exponent = 17.58, overlap_norm = 6>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 1.924 us, cta_cycles = 248.5, element_cycles = 0.147,
      dram_efficiency = 0.7993, l2_fraction = 1.512, hit_exponent = 8.519, overlap_norm = 2>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, stacked_memory = true, software = "sglang", rule = channel_delta,
      // chunk_kda
      chunks = <fixed_time = 24.58 us, inverse_time = 27.08 us, chain_cycles = 2444, chunk_cycles = 4791,
      chain_columns = 64, efficiency = 0.09233, dram_efficiency = 0.9, token_passes = 11.9,
      state_passes = 0.001528, end_passes = 0.5, overlap_norm = 1.01, l2_fraction = 0.1639,
      hit_exponent = 2.339>,
      // fused_recurrent_kda_packed_decode
      step = <fixed_time = 5.077 us, dram_efficiency = 0.6569, l2_fraction = 0.413, hit_exponent = 19.58,
      cta_cycles = 1509, token_cycles = 1386, wave_fraction = 0.2471, l2_bytes_per_clock = 24.96,
      overlap_norm = 8>,
      // fused_kda_decode_mtp_dspark
      verify = <fixed_time = 2.399 us, dram_efficiency = 1, l2_fraction = 4, hit_exponent = 1,
      cta_cycles = 1.146e+04, token_cycles = 2839, wave_fraction = 0.7921, l2_bytes_per_clock = 128,
      overlap_norm = 8>,
      // causal_conv1d_fn_qkv3
      convolution = <fixed_time = 7.94 us, step_time = 3.867 us, next_time = 0.2211 us,
      element_cycles = 0.384, token_cycles = 6.708, dram_efficiency = 0.8, l2_fraction = 0.05901,
      hit_exponent = 19.82, overlap_norm = 6>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 3.98 us, cta_cycles = 303.3, element_cycles = 0.008396,
      dram_efficiency = 1, l2_fraction = 4, hit_exponent = 1, overlap_norm = 2>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, stacked_memory = true, software = "vllm", rule = channel_delta,
      // flashkda_fwd
      chunks = <fixed_time = 16.68 us, inverse_time = 2.8 us, chain_cycles = 10, chunk_cycles = 8104,
      chain_columns = 0, efficiency = 1, dram_efficiency = 0.9, token_passes = 3.489, state_passes = 1.572,
      end_passes = 5.101, overlap_norm = 1.867, l2_fraction = 0.1522, hit_exponent = 2.831>,
      // fused_recurrent_kda_packed_decode
      step = <fixed_time = 3.37 us, dram_efficiency = 0.7562, l2_fraction = 0.363, hit_exponent = 15.98,
      cta_cycles = 10.55, token_cycles = 2.291, wave_fraction = 0.02119, l2_bytes_per_clock = 23.77,
      overlap_norm = 8>,
      // fused_recurrent_kda
      verify = <fixed_time = 4.875 us, dram_efficiency = 1, l2_fraction = 0.05, hit_exponent = 8.711,
      cta_cycles = 10, token_cycles = 979.6, wave_fraction = 0.2012, l2_bytes_per_clock = 128,
      overlap_norm = 1.217>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 3.893 us, cta_cycles = 354.9, element_cycles = 0.004107,
      dram_efficiency = 0.6819, l2_fraction = 0.0905, hit_exponent = 17.9, overlap_norm = 2>,
      // causal_conv1d_update
      convolution_verify = <fixed_time = 4.101 us, cta_cycles = 268.7, element_cycles = 0.3636,
      dram_efficiency = 1, l2_fraction = 1.459, hit_exponent = 13.52, overlap_norm = 2>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, stacked_memory = true, software = "tensorrt-llm", rule = sum,
      // causal_conv1d_fn
      channel_convolution = <fixed_time = 4.782 us, cta_cycles = 211.5, first_cycles = 193.1,
      next_cycles = 297.1, odd_slowdown = 1.36, dram_efficiency = 0.8, l2_fraction = 0.05, hit_exponent = 4,
      overlap_norm = 4>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 3.706 us, cta_cycles = 303.4, element_cycles = 0.001092,
      dram_efficiency = 0.2003, l2_fraction = 2.771, hit_exponent = 7.031, overlap_norm = 2>>,
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
    <gpu = "l40s", stacked_memory = false, software = "tensorrt-llm", rule = gated_delta,
      // chunk_gated_delta_rule
      chunks = <fixed_time = 12.04 us, inverse_time = 7.09 us, chain_cycles = 2929, chunk_cycles = 4928,
      chain_columns = 64, efficiency = 0.3949, dram_efficiency = 0.9, token_passes = 7.253,
      state_passes = 2.544, end_passes = 0.5, overlap_norm = 8, l2_fraction = 2.58, hit_exponent = 1.097>,
      // fused_recurrent_gated_delta_rule
      step = <fixed_time = 2.724 us, dram_efficiency = 0.5153, l2_fraction = 0.3423, hit_exponent = 19.82,
      cta_cycles = 7505, token_cycles = 11.04, wave_fraction = 0.01282, l2_bytes_per_clock = 8.332,
      overlap_norm = 4.058, state_bytes = 2>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 5.758 us, cta_cycles = 34.97, element_cycles = 0.001181,
      dram_efficiency = 1, l2_fraction = 4, hit_exponent = 5.495, overlap_norm = 2>>,
    <gpu = "l40s", stacked_memory = false, software = "vllm", rule = gated_delta,
      // chunk_gated_delta_rule_triton
      chunks = <fixed_time = 13.42 us, inverse_time = 12.29 us, chain_cycles = 4633, chunk_cycles = 3865,
      chain_columns = 64, efficiency = 0.268, dram_efficiency = 0.9, token_passes = 3.55,
      state_passes = 7.994, end_passes = 4.035, overlap_norm = 2.304, l2_fraction = 4, hit_exponent = 1.601>,
      // fused_recurrent_gated_delta_rule_packed_decode
      step = <fixed_time = 3.217 us, dram_efficiency = 0.7959, l2_fraction = 0.9444, hit_exponent = 9.513,
      cta_cycles = 899.7, token_cycles = 175.5, wave_fraction = 0.01, l2_bytes_per_clock = 13.62,
      overlap_norm = 1.478>,
      // causal_conv1d_fn
      convolution = <fixed_time = 1.799 us, step_time = 0.6428 us, next_time = 0.52 us,
      element_cycles = 0.4622, token_cycles = 0.01, dram_efficiency = 0.6789, l2_fraction = 1.103,
      hit_exponent = 8.863, overlap_norm = 6>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 1.505 us, cta_cycles = 362, element_cycles = 0.008376,
      dram_efficiency = 0.2, l2_fraction = 3.069, hit_exponent = 3.166, overlap_norm = 2>>,
    <gpu = "l40s", stacked_memory = false, software = "sglang", rule = channel_delta,
      // chunk_kda
      chunks = <fixed_time = 16.39 us, inverse_time = 25.97 us, chain_cycles = 3922, chunk_cycles = 6364,
      chain_columns = 64, efficiency = 0.2651, dram_efficiency = 0.9, token_passes = 12, state_passes = 2.967,
      end_passes = 2.076, overlap_norm = 8, l2_fraction = 1.233, hit_exponent = 1.686>,
      // fused_recurrent_kda_packed_decode
      step = <fixed_time = 3.728 us, dram_efficiency = 0.8563, l2_fraction = 0.9524, hit_exponent = 6.595,
      cta_cycles = 964.6, token_cycles = 319.8, wave_fraction = 0.261, l2_bytes_per_clock = 13.71,
      overlap_norm = 1>,
      // fused_sigmoid_gating_delta_rule_update
      verify = <fixed_time = 2.543 us, dram_efficiency = 0.835, l2_fraction = 0.8484, hit_exponent = 19.97,
      cta_cycles = 10, token_cycles = 3537, wave_fraction = 0.3163, l2_bytes_per_clock = 11.07,
      overlap_norm = 1.249>,
      // causal_conv1d_fn_qkv3
      convolution = <fixed_time = 6.009 us, step_time = 2.876 us, next_time = 0.4466 us,
      element_cycles = 0.3984, token_cycles = 0.01, dram_efficiency = 0.6672, l2_fraction = 2.535,
      hit_exponent = 2.945, overlap_norm = 6>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 4.51 us, cta_cycles = 258.6, element_cycles = 0.00145,
      dram_efficiency = 0.677, l2_fraction = 1.736, hit_exponent = 6.549, overlap_norm = 2>,
      // causal_conv1d_update
      convolution_verify = <fixed_time = 4.392 us, cta_cycles = 1.004, element_cycles = 0.744,
      dram_efficiency = 0.9974, l2_fraction = 2.696, hit_exponent = 1, overlap_norm = 2>>,
    <gpu = "l40s", stacked_memory = false, software = "vllm", rule = channel_delta,
      // chunk_kda_with_fused_gate
      chunks = <fixed_time = 20.62 us, inverse_time = 17.94 us, chain_cycles = 2495, chunk_cycles = 4604,
      chain_columns = 64, efficiency = 0.2602, dram_efficiency = 0.9, token_passes = 10.97,
      state_passes = 5.179, end_passes = 1.512, overlap_norm = 1.845, l2_fraction = 1.577,
      hit_exponent = 1.678>,
      // fused_recurrent_kda_packed_decode
      step = <fixed_time = 2.651 us, dram_efficiency = 0.7738, l2_fraction = 0.9669, hit_exponent = 6.057,
      cta_cycles = 2932, token_cycles = 936.9, wave_fraction = 1, l2_bytes_per_clock = 11.99,
      overlap_norm = 3.609>,
      // fused_recurrent_kda
      verify = <fixed_time = 2.882 us, dram_efficiency = 0.9123, l2_fraction = 0.9328, hit_exponent = 7.456,
      cta_cycles = 10, token_cycles = 930.1, wave_fraction = 0.01, l2_bytes_per_clock = 10.55,
      overlap_norm = 1>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 3.873 us, cta_cycles = 327.8, element_cycles = 0.003715,
      dram_efficiency = 0.5455, l2_fraction = 2.33, hit_exponent = 2.075, overlap_norm = 2>,
      // causal_conv1d_update
      convolution_verify = <fixed_time = 3.703 us, cta_cycles = 161.5, element_cycles = 0.5817,
      dram_efficiency = 0.7659, l2_fraction = 1.624, hit_exponent = 6.343, overlap_norm = 2>>,
    <gpu = "l40s", stacked_memory = false, software = "tensorrt-llm", rule = sum,
      // causal_conv1d_fn
      channel_convolution = <fixed_time = 3.828 us, cta_cycles = 195.9, first_cycles = 189,
      next_cycles = 492.1, odd_slowdown = 1.607, dram_efficiency = 0.7103, l2_fraction = 1.848,
      hit_exponent = 4, overlap_norm = 4>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 5.302 us, cta_cycles = 285.5, element_cycles = 0.001,
      dram_efficiency = 0.4397, l2_fraction = 2.361, hit_exponent = 2.575, overlap_norm = 2>>,
    <gpu = "a100-sxm-80gb", stacked_memory = true, software = "sglang", rule = gated_delta,
      // fused_recurrent_gated_delta_rule
      step = <fixed_time = 5.653 us, dram_efficiency = 1, l2_fraction = 0.3739, hit_exponent = 3.338,
      cta_cycles = 1150, token_cycles = 271.5, wave_fraction = 0.01007, l2_bytes_per_clock = 25.1,
      overlap_norm = 8>,
      // causal_conv1d_update
      convolution_step = <fixed_time = 6.636 us, cta_cycles = 29.95, element_cycles = 0.005865,
      dram_efficiency = 1, l2_fraction = 4, hit_exponent = 1, overlap_norm = 2>>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, stacked_memory = true, software = "pytorch", rule = gated_delta,
      // causal-conv1d: 94 us for 2 x 8192 x 4096 (its issue 19) give the efficiency, the rest as in SGLang
      convolution = <fixed_time = 2.179 us, step_time = 0.7712 us, next_time = 0.4293 us,
      element_cycles = 0.2, token_cycles = 0, dram_efficiency = 0.886, l2_fraction = 0.5604,
      hit_exponent = 10.9, overlap_norm = 6>>]>

#inline_ecc = #gpucost.inline_ecc_fit<
  provenance = "without: 917 to 924 of 1008 GB/s copied on RTX 4090 (p2pBandwidthLatencyTest in issue 6 of tinygrad/open-gpu-kernel-modules, clpeak issue 106); share: that of T4, P4 and L4, 0.76 (streaming, NeuSight), over it",
  bandwidth_share = 0.83, dram_efficiency = 0.915>

#training_levels = #gpucost.training_levels_fit<
  provenance = "362 public steps of dense models; without MLPerf 8.6 % in fit, 9.7 % with their source left out",
  stacks = [
    <software = "megatron", slowdown = 0.974, tensor_wait = 0.00, time_width = 0.17, expert_width = 0.49>,
    <software = "megatron-0.9", slowdown = 0.988, tensor_wait = 0.00, time_width = 0.17, expert_width = 0.49>,
    <software = "megatron-lm-3.0", slowdown = 0.864, tensor_wait = 1.00, time_width = 0.17, expert_width = 0.49>,
    <software = "megatron-deepspeed", slowdown = 1.192, tensor_wait = 1.00, time_width = 0.17, expert_width = 0.49>,
    <software = "internevo", slowdown = 1.192, tensor_wait = 1.00, time_width = 0.17, expert_width = 0.49>,
    <software = "nanotron", slowdown = 1.192, tensor_wait = 1.00, time_width = 0.17, expert_width = 0.49>,
    <software = "fsdp2", slowdown = 1.192, tensor_wait = 1.00, time_width = 0.17, expert_width = 0.49>,
    <software = "torchtitan", slowdown = 1.192, tensor_wait = 1.00, time_width = 0.17, expert_width = 0.49>,
    <software = "maxtext", slowdown = 1.192, tensor_wait = 1.00, time_width = 0.17, expert_width = 0.49>]>

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

module attributes {gpucost.coefficients = #gpucost.coefficients<
  provenance = "refinements of single kernels, and what does not depend on the die",
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
  triton_flash_1 = #triton_flash_1,
  decode_paths = #decode_paths,
  simt_split = #simt_split,
  simt_few_rows = #simt_few_rows,
  texture_path = #texture_path,
  simt_issue = #simt_issue,
  tensor_instructions = #tensor_instructions,
  tensor_waits = #tensor_waits,
  training_levels = #training_levels,
  boards = #boards,
  all_reduce = #all_reduce,
  network = #network,
  linear_attention = #linear_attention,
  memory_overhead = #memory_overhead,
  inline_ecc = #inline_ecc>} {}
