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
  split_time = 5.63 us, part_cycles = 415.89>

#row_norm = #gpucost.row_norm<
  provenance = "layernorm and rmsnorm rows of this project's measurements, H100 and H200",
  transferred_from = "H100 SXM",
  layer_step = 1176.5, rms_row = 149.83, rms_columns = 65.287, rms_step = 553.2,
  single_row = 1192.2, single_step = 251.37>

#random_numbers = #gpucost.random_numbers<
  provenance = "dropout rows of this project's measurements, H100 and H200",
  transferred_from = "H100 SXM",
  element_cycles = 0.11881>

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
    <kind = linear_attention, small = 0.0878, medium = 0.0604, large = 0.0617>,
    <kind = linear_attention, small = 0.1, medium = 0.0525, large = 0.0673, gpu = "h100-sxm-80gb">,
    <kind = linear_attention, small = 0.0938, medium = 0.0664, large = 0.0442, gpu = "b200-sxm">,
    <kind = linear_attention, small = 0.073, medium = 0.0587, large = 0.0839, gpu = "l40s">,
    <kind = linear_attention, small = 0.0668, medium = 0.17, large = 0.0513, gpu = "a100-sxm-80gb">,
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
  provenance = "388 public steps of dense models, 110 of MaxText on MI355X; dense without MLPerf 6.2 % in fit, 7.0 % with their source left out; frozen_width: 76 steps with adapters",
  stacks = [
    <software = "megatron", slowdown = 1.052, tensor_wait = 0.00, time_width = 0.10>,
    <software = "megatron-0.9", slowdown = 1.102, tensor_wait = 0.00, time_width = 0.10>,
    <software = "megatron-lm-3.0", slowdown = 0.919, tensor_wait = 1.00, time_width = 0.10>,
    <software = "megatron-deepspeed", slowdown = 1.199, tensor_wait = 1.00, time_width = 0.10>,
    <software = "internevo", slowdown = 1.199, tensor_wait = 1.00, time_width = 0.10>,
    <software = "nanotron", slowdown = 1.199, tensor_wait = 1.00, time_width = 0.10>,
    <software = "fsdp2", slowdown = 1.199, tensor_wait = 1.00, time_width = 0.10>,
    <software = "torchtitan", slowdown = 1.199, tensor_wait = 1.00, time_width = 0.10>,
    <software = "maxtext", slowdown = 0.987, tensor_wait = 1.00, time_width = 0.10>,
    <software = "maxtext", architecture = cdna4, slowdown = 1.570, tensor_wait = 1.00, time_width = 0.10>],
  frozen_width = 0.18>

#training_experts = #gpucost.training_experts_fit<
  provenance = "launches: fit on 71 public steps of Megatron, 15.3 % in fit, 26.0 % with their model left out; time_width: 205 public steps",
  launches = 420, time_width = 0.19>

#serving_hosts = #gpucost.serving_hosts_fit<
  provenance = "889 public services: times to the first token up to 32 users; 12 steps of Llama 4 in vLLM on H100 (ml-energy)",
  stacks = [
    <software = "vllm", request = 17 ms, chunk_step = 4.6 ms>,
    <software = "sglang", request = 98 ms, prompt_launch = 30 us>,
    <software = "tensorrt-llm", request = 16 ms, prompt_launch = 30 us>]>

#expert_exchange = #gpucost.expert_exchange_fit<
  provenance = "aiconfigurator 0.12.0, table expert_alltoall: DeepEP in SGLang 0.5.6 and 0.5.12 and vLLM 0.24, equal choices, 20 or 24 SMs for communication; one node of H100 SXM and B200 on 56 to 747 rows each, and two to eight nodes of H100 with 8 x 400 Gbit/s, whose numbers the other sets take, 2026-11; half-widths: 80 % quantiles of the residuals",
  errors = [
    <kind = expert_exchange, small = 0.174, medium = 0.161, large = 0.219>,
    <kind = expert_exchange, small = 0.167, medium = 0.161, large = 0.179, gpu = "h100-sxm-80gb">,
    <kind = expert_exchange, small = 0.188, medium = 0.162, large = 0.253, gpu = "b200-sxm">],
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
  provenance = "aiconfigurator 0.12.0, table moe_by_stack: expert layers in CUDA graphs, balanced and power-law (1.2) choices, H100 SXM and B200; each kernel and format on 210 to 8,079 rows, four fifths of the shapes in the fit, 2026-11; rows whose source or readers doubt them left out; table wideep_moe, SGLang 0.5.10: layers between exchanges (deepep_moe), from 128 rows for each expert in prompts; widen is assumed (instructions counted by hand); half-widths: 80 % quantiles of the residuals",
  errors = [
    <kind = fused_experts, small = 0.21, medium = 0.208, large = 0.211>,
    <kind = fused_experts, small = 0.205, medium = 0.215, large = 0.199, gpu = "h100-sxm-80gb">,
    <kind = fused_experts, small = 0.212, medium = 0.206, large = 0.221, gpu = "b200-sxm">],
  widen = 1.5,
  stacks = [
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "sglang",
     kernel = "sglang_fused_moe_triton", format = "bf16", weights = "bf16", fixed_time = 23.18 us,
     efficiency = 0.2092, cta_cycles = 79.8, latency_cycles = 130.9, least_rows = 8,
     wave_fraction = 0.9687, l2_bytes_per_clock = 90.56, l2_fraction = 0.09528,
     dram_efficiency = 0.738, overlap_norm = 1.778, pair_cycles = 2.591, choice_cycles = 1787,
     expert_cycles = 0.2638, pair_bytes = 0.0899, token_bytes = 5.7, awake_rate = 1.002,
     load_exponent = 0.329>,
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
     load_exponent = 0.4721>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "sglang",
     kernel = "sglang_flashinfer_cutlass_moe", format = "bf16", weights = "bf16",
     fixed_time = 1.471 us, efficiency = 0.1872, cta_cycles = 200.8, latency_cycles = 1795,
     least_rows = 64, wave_fraction = 1, l2_bytes_per_clock = 17.25, l2_fraction = 0.1427,
     dram_efficiency = 0.2476, overlap_norm = 1, pair_cycles = 1228, choice_cycles = 246.5,
     expert_cycles = 3.0e+04, pair_bytes = 2.567, token_bytes = 0.03034, awake_rate = 1.373,
     load_exponent = 0.4234>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "vllm",
     kernel = "vllm_unquantizedfusedmoe_triton_tritonexperts", format = "bf16", weights = "bf16",
     fixed_time = 35.71 us, efficiency = 0.5244, cta_cycles = 123.8, latency_cycles = 46.54,
     least_rows = 8, wave_fraction = 0.2771, l2_bytes_per_clock = 305.3, l2_fraction = 0.1845,
     dram_efficiency = 0.8888, overlap_norm = 2.965, pair_cycles = 0.2958, choice_cycles = 684.3,
     expert_cycles = 0.6191, pair_bytes = 0.0866, token_bytes = 49.87, awake_rate = 1.008,
     load_exponent = 0.4918>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "vllm",
     kernel = "vllm_fp8moe_flashinfer_cutlass_flashinferexperts", format = "fp8-block",
     weights = "fp8-block", fixed_time = 27.52 us, efficiency = 0.385, cta_cycles = 50,
     latency_cycles = 40.52, least_rows = 8, wave_fraction = 0.9529, l2_bytes_per_clock = 210.1,
     l2_fraction = 0.1827, dram_efficiency = 0.8514, overlap_norm = 4.462, pair_cycles = 985.9,
     choice_cycles = 0.01031, expert_cycles = 3.0e+04, pair_bytes = 18.99, token_bytes = 15.53,
     awake_rate = 1.476, load_exponent = 0.365>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "vllm",
     kernel = "vllm_fp8moe_triton_tritonexperts", format = "fp8-block", weights = "fp8-block",
     fixed_time = 36.31 us, efficiency = 0.3381, cta_cycles = 1459, latency_cycles = 31.16,
     least_rows = 8, wave_fraction = 0.5809, l2_bytes_per_clock = 48.13, l2_fraction = 0.2647,
     dram_efficiency = 0.9144, overlap_norm = 1.926, pair_cycles = 593.1, choice_cycles = 41.6,
     expert_cycles = 0.3272, pair_bytes = 2.402, token_bytes = 33.56, awake_rate = 0.9661,
     load_exponent = 0.1548>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "vllm",
     kernel = "vllm_modeloptfp8moe_flashinfer_cutlass_flashinferexperts", after = "vllm-0.14", format = "fp8",
     weights = "fp8", fixed_time = 14.94 us, efficiency = 0.3627, cta_cycles = 1.074e+04,
     latency_cycles = 807.7, least_rows = 8, wave_fraction = 0.9999, l2_bytes_per_clock = 10.08,
     l2_fraction = 0.1222, dram_efficiency = 0.2562, overlap_norm = 1.004, pair_cycles = 20.26,
     choice_cycles = 71.28, expert_cycles = 2.564e+04, pair_bytes = 0.4884, token_bytes = 5.87,
     awake_rate = 1.173, load_exponent = 0.4101>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "vllm",
     kernel = "vllm_gptossmxfp4moe_triton_oaitritonmxfp4expertsmonolithic", format = "bf16",
     weights = "mxfp4", fixed_time = 66.78 us, efficiency = 0.5957, cta_cycles = 91.04,
     latency_cycles = 43.6, least_rows = 8, wave_fraction = 0.08089, l2_bytes_per_clock = 95.85,
     l2_fraction = 1.29, dram_efficiency = 0.9395, overlap_norm = 1.124, pair_cycles = 11.66,
     choice_cycles = 5.805, expert_cycles = 2.732, pair_bytes = 0.642, token_bytes = 7.05,
     awake_rate = 0.8203, load_exponent = 0.547>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "tensorrt-llm",
     kernel = "moe_torch_flow_nongated", format = "bf16", weights = "bf16", ungated = true,
     fixed_time = 37.76 us, efficiency = 0.8805, cta_cycles = 82.47, latency_cycles = 235.4,
     least_rows = 16, wave_fraction = 0.9723, l2_bytes_per_clock = 152.2, l2_fraction = 0.1508,
     dram_efficiency = 0.9469, overlap_norm = 1.381, pair_cycles = 330.8, choice_cycles = 195.1,
     expert_cycles = 5017, pair_bytes = 5.31, token_bytes = 0.005975, awake_rate = 1.058,
     load_exponent = 0.3752>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "tensorrt-llm",
     kernel = "moe_torch_flow_nongated", format = "fp8", weights = "fp8", ungated = true,
     fixed_time = 47.1 us, efficiency = 0.916, cta_cycles = 180.6, latency_cycles = 67.29,
     least_rows = 8, wave_fraction = 0.8416, l2_bytes_per_clock = 65.16, l2_fraction = 0.179,
     dram_efficiency = 0.9703, overlap_norm = 1.322, pair_cycles = 557.8, choice_cycles = 197.2,
     expert_cycles = 0.01679, pair_bytes = 3.692, token_bytes = 4.881, awake_rate = 1.038,
     load_exponent = 0.3119>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "tensorrt-llm",
     kernel = "moe_torch_flow_cutlass", format = "bf16", weights = "bf16", fixed_time = 17.97 us,
     efficiency = 0.7134, cta_cycles = 390.4, latency_cycles = 17.47, least_rows = 8,
     wave_fraction = 0.9991, l2_bytes_per_clock = 44.1, l2_fraction = 0.1028, dram_efficiency = 0.982,
     overlap_norm = 1.309, pair_cycles = 750.4, choice_cycles = 1.891, expert_cycles = 5754,
     pair_bytes = 4.928, token_bytes = 4.105, awake_rate = 1.058, load_exponent = 0.4171>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "tensorrt-llm",
     kernel = "moe_torch_flow_cutlass", format = "fp8", weights = "fp8", fixed_time = 25.96 us,
     efficiency = 0.7254, cta_cycles = 992.7, latency_cycles = 90.83, least_rows = 16,
     wave_fraction = 1, l2_bytes_per_clock = 70.81, l2_fraction = 0.1315, dram_efficiency = 0.8931,
     overlap_norm = 1.475, pair_cycles = 1268, choice_cycles = 0.01, expert_cycles = 3737,
     pair_bytes = 2.627, token_bytes = 8.825, awake_rate = 0.9932, load_exponent = 0.3834>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "tensorrt-llm",
     kernel = "moe_torch_flow_cutlass", format = "fp8-block", weights = "fp8-block",
     fixed_time = 22.2 us, efficiency = 0.3724, cta_cycles = 2150, latency_cycles = 42.86,
     least_rows = 8, wave_fraction = 0.827, l2_bytes_per_clock = 73.5, l2_fraction = 0.1423,
     dram_efficiency = 0.9133, overlap_norm = 2.408, pair_cycles = 388.8, choice_cycles = 0.4586,
     expert_cycles = 3.0e+04, pair_bytes = 27.09, token_bytes = 4.04, awake_rate = 1.15,
     load_exponent = 0.3333>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "tensorrt-llm", kernel = "moe_torch_flow",
     format = "bf16", weights = "mxfp4", fixed_time = 77.14 us, efficiency = 0.9912,
     cta_cycles = 120.7, latency_cycles = 32.16, least_rows = 8, wave_fraction = 0.06399,
     l2_bytes_per_clock = 976.1, l2_fraction = 0.1466, dram_efficiency = 0.8898, overlap_norm = 1.001,
     pair_cycles = 185.7, choice_cycles = 451.3, expert_cycles = 3.737, pair_bytes = 58.85,
     token_bytes = 66.6, awake_rate = 0.8587, load_exponent = 0.5522>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang",
     kernel = "sglang_flashinfer_trtllm_moe", format = "bf16", weights = "bf16", fixed_time = 13.68 us,
     efficiency = 0.4976, cta_cycles = 59.46, latency_cycles = 171.7, least_rows = 8,
     wave_fraction = 0.9995, l2_bytes_per_clock = 99.17, l2_fraction = 0.0318,
     dram_efficiency = 0.9067, overlap_norm = 2.104, pair_cycles = 0.02095, choice_cycles = 47.91,
     expert_cycles = 0.01213, pair_bytes = 2.691, token_bytes = 12.52, awake_rate = 1.024,
     load_exponent = 0.3231>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang",
     kernel = "sglang_flashinfer_trtllm_moe", format = "fp8-block", weights = "fp8-block",
     fixed_time = 18.16 us, efficiency = 0.2112, cta_cycles = 940.4, latency_cycles = 186.1,
     least_rows = 8, wave_fraction = 0.9999, l2_bytes_per_clock = 40.63, l2_fraction = 0.01468,
     dram_efficiency = 0.9627, overlap_norm = 1.61, pair_cycles = 15.79, choice_cycles = 362.8,
     expert_cycles = 0.4711, pair_bytes = 0.539, token_bytes = 27.23, awake_rate = 0.909,
     load_exponent = 0.2924>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang",
     kernel = "sglang_flashinfer_trtllm_moe", format = "nvfp4", weights = "nvfp4",
     fixed_time = 17.46 us, efficiency = 0.6304, cta_cycles = 1053, latency_cycles = 15.86,
     least_rows = 16, wave_fraction = 0.7183, l2_bytes_per_clock = 195.4, l2_fraction = 0.01247,
     dram_efficiency = 0.8949, overlap_norm = 1.647, pair_cycles = 108.8, choice_cycles = 189.7,
     expert_cycles = 3.025, pair_bytes = 1.203, token_bytes = 10.26, awake_rate = 0.9529,
     load_exponent = 0.3085>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang",
     kernel = "sglang_flashinfer_trtllm_moe", format = "bf16", weights = "mxfp4",
     fixed_time = 14.03 us, efficiency = 0.3446, cta_cycles = 2222, latency_cycles = 129,
     least_rows = 8, wave_fraction = 0.7586, l2_bytes_per_clock = 29.81, l2_fraction = 0.0169,
     dram_efficiency = 0.9997, overlap_norm = 1.147, pair_cycles = 113.6, choice_cycles = 451,
     expert_cycles = 0.01, pair_bytes = 10.65, token_bytes = 15.64, awake_rate = 0.9225,
     load_exponent = 0.466>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang",
     kernel = "sglang_flashinfer_trtllm_moe", format = "mxfp8", weights = "mxfp4",
     fixed_time = 17.96 us, efficiency = 0.7309, cta_cycles = 98.37, latency_cycles = 5.99,
     least_rows = 8, wave_fraction = 0.5326, l2_bytes_per_clock = 1820, l2_fraction = 0.02028,
     dram_efficiency = 0.7459, overlap_norm = 1, pair_cycles = 4.433, choice_cycles = 292.4,
     expert_cycles = 0.0113, pair_bytes = 0.807, token_bytes = 7.75, awake_rate = 0.7469,
     load_exponent = 0.5173>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang", kernel = "sglang_fused_moe_triton",
     format = "bf16", weights = "bf16", fixed_time = 14.97 us, efficiency = 0.1588, cta_cycles = 210.6,
     latency_cycles = 10.73, least_rows = 64, wave_fraction = 0.998, l2_bytes_per_clock = 28.7,
     l2_fraction = 0.05635, dram_efficiency = 0.9959, overlap_norm = 2.413, pair_cycles = 2.963,
     choice_cycles = 2704, expert_cycles = 0.0122, pair_bytes = 0.1777, token_bytes = 18.07,
     awake_rate = 0.9441, load_exponent = 0.496>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang", kernel = "sglang_fused_moe_triton",
     format = "fp8-block", weights = "fp8-block", fixed_time = 35.63 us, efficiency = 0.2182,
     cta_cycles = 162.4, latency_cycles = 183, least_rows = 16, wave_fraction = 0.9998,
     l2_bytes_per_clock = 59.67, l2_fraction = 0.0525, dram_efficiency = 0.8169, overlap_norm = 1.397,
     pair_cycles = 0.1702, choice_cycles = 1160, expert_cycles = 0.05047, pair_bytes = 0.0935,
     token_bytes = 56.6, awake_rate = 0.9767, load_exponent = 0.3298>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm",
     kernel = "vllm_unquantizedfusedmoe_flashinfer_trtllm_trtllmbf16experts", format = "bf16",
     weights = "bf16", fixed_time = 14.26 us, efficiency = 0.3878, cta_cycles = 51.18,
     latency_cycles = 43.96, least_rows = 16, wave_fraction = 0.9999, l2_bytes_per_clock = 83.66,
     l2_fraction = 0.1203, dram_efficiency = 0.8925, overlap_norm = 3.022, pair_cycles = 0.1568,
     choice_cycles = 14, expert_cycles = 1.783, pair_bytes = 0.895, token_bytes = 17.29,
     awake_rate = 0.9453, load_exponent = 0.3184>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm",
     kernel = "vllm_fp8moe_flashinfer_trtllm_trtllmfp8expertsmonolithic", after = "vllm-0.14", format = "fp8-block",
     weights = "fp8-block", fixed_time = 27.45 us, efficiency = 0.2251, cta_cycles = 477.5,
     latency_cycles = 55.95, least_rows = 16, wave_fraction = 0.1147, l2_bytes_per_clock = 93.97,
     l2_fraction = 0.06395, dram_efficiency = 0.905, overlap_norm = 1.664, pair_cycles = 71.22,
     choice_cycles = 44.31, expert_cycles = 0.01505, pair_bytes = 0.1424, token_bytes = 83.15,
     awake_rate = 0.894, load_exponent = 0.3327>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm",
     kernel = "vllm_modeloptfp8moe_flashinfer_trtllm_trtllmfp8expertsmonolithic", format = "fp8",
     weights = "fp8", fixed_time = 13.76 us, efficiency = 0.5448, cta_cycles = 811.8,
     latency_cycles = 145.8, least_rows = 8, wave_fraction = 0.9702, l2_bytes_per_clock = 54.28,
     l2_fraction = 0.04702, dram_efficiency = 0.982, overlap_norm = 1.93, pair_cycles = 9.29,
     choice_cycles = 188.6, expert_cycles = 1004, pair_bytes = 0.7135, token_bytes = 15.54,
     awake_rate = 0.9619, load_exponent = 0.2248>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm",
     kernel = "vllm_compressedtensorsw4a4nvfp4moe_flashinfer_trtllm_trtllmnvfp4expertsmonolithic",
     format = "nvfp4", weights = "nvfp4", fixed_time = 15.76 us, efficiency = 0.8093,
     cta_cycles = 1031, latency_cycles = 6.201, least_rows = 8, wave_fraction = 0.01286,
     l2_bytes_per_clock = 63.21, l2_fraction = 0.02088, dram_efficiency = 0.9015, overlap_norm = 1.904,
     pair_cycles = 333, choice_cycles = 75.23, expert_cycles = 0.01148, pair_bytes = 0.58,
     token_bytes = 17.04, awake_rate = 0.8403, load_exponent = 0.381>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm",
     kernel = "vllm_compressedtensorsw4a4nvfp4moe_flashinfer_cutlass_flashinferexperts",
     format = "nvfp4", weights = "nvfp4", fixed_time = 49.13 us, efficiency = 0.6508,
     cta_cycles = 1689, latency_cycles = 58.58, least_rows = 8, wave_fraction = 0.9999,
     l2_bytes_per_clock = 84.34, l2_fraction = 0.1664, dram_efficiency = 0.6163, overlap_norm = 1.005,
     pair_cycles = 16.42, choice_cycles = 4.683, expert_cycles = 106.3, pair_bytes = 16.16,
     token_bytes = 10.58, awake_rate = 1.224, load_exponent = 0.5081>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm",
     kernel = "vllm_compressedtensorsw4a4nvfp4moe_flashinfer_trtllm_trtllmnvfp4expertsmodular",
     format = "nvfp4", weights = "nvfp4", fixed_time = 23.09 us, efficiency = 0.8001, cta_cycles = 372,
     latency_cycles = 5, least_rows = 8, wave_fraction = 0.9997, l2_bytes_per_clock = 614.8,
     l2_fraction = 0.07602, dram_efficiency = 0.9159, overlap_norm = 1.55, pair_cycles = 274.5,
     choice_cycles = 142.3, expert_cycles = 0.0172, pair_bytes = 3.401, token_bytes = 17.22,
     awake_rate = 0.9919, load_exponent = 0.3855>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm",
     kernel = "vllm_fp8moe_flashinfer_trtllm_trtllmfp8expertsmodular", after = "vllm-0.14", format = "fp8-block",
     weights = "fp8-block", fixed_time = 41.29 us, efficiency = 0.2736, cta_cycles = 85.04,
     latency_cycles = 28.41, least_rows = 8, wave_fraction = 0.9836, l2_bytes_per_clock = 328.5,
     l2_fraction = 0.1759, dram_efficiency = 0.9727, overlap_norm = 1.247, pair_cycles = 7.012,
     choice_cycles = 25.31, expert_cycles = 6.182, pair_bytes = 0.2283, token_bytes = 82.55,
     awake_rate = 0.9663, load_exponent = 0.3017>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm", kernel = "vllm_fused_moe",
     format = "bf16", weights = "bf16", fixed_time = 88.88 us, efficiency = 0.3631, cta_cycles = 51.37,
     latency_cycles = 77.12, least_rows = 16, wave_fraction = 0.9999, l2_bytes_per_clock = 224,
     l2_fraction = 0.0158, dram_efficiency = 0.8256, overlap_norm = 1.317, pair_cycles = 0.04849,
     choice_cycles = 1327, expert_cycles = 5.093, pair_bytes = 0.05155, token_bytes = 40.16,
     awake_rate = 1.091, load_exponent = 0.4406>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm", kernel = "vllm_fused_moe",
     format = "fp8", weights = "fp8", fixed_time = 111.3 us, efficiency = 0.3547, cta_cycles = 50,
     latency_cycles = 11.75, least_rows = 8, wave_fraction = 1, l2_bytes_per_clock = 420.5,
     l2_fraction = 0.0124, dram_efficiency = 0.7401, overlap_norm = 1.466, pair_cycles = 0.01,
     choice_cycles = 1580, expert_cycles = 6151, pair_bytes = 0.05, token_bytes = 36.02,
     awake_rate = 1.05, load_exponent = 0.6>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm", kernel = "vllm_fused_moe",
     after = "vllm-0.14", format = "fp8-block", weights = "fp8-block", fixed_time = 139.7 us, efficiency = 0.1296,
     cta_cycles = 127.4, latency_cycles = 184.4, least_rows = 8, wave_fraction = 0.9805,
     l2_bytes_per_clock = 26.09, l2_fraction = 0.01278, dram_efficiency = 0.7916, overlap_norm = 1.866,
     pair_cycles = 3.878, choice_cycles = 1994, expert_cycles = 1.455, pair_bytes = 0.3118,
     token_bytes = 100, awake_rate = 0.4692, load_exponent = 0.4182>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm",
     kernel = "vllm_gptossmxfp4moe_flashinfer_trtllm_mxfp4_bf16_trtllmmxfp4expertsmonolithic",
     format = "bf16", weights = "mxfp4", fixed_time = 18.7 us, efficiency = 0.2798, cta_cycles = 1621,
     latency_cycles = 53.35, least_rows = 8, wave_fraction = 0.4034, l2_bytes_per_clock = 1173,
     l2_fraction = 0.05371, dram_efficiency = 0.5917, overlap_norm = 1.7, pair_cycles = 60.39,
     choice_cycles = 260.9, expert_cycles = 2.098, pair_bytes = 8.375, token_bytes = 27.15,
     awake_rate = 0.8504, load_exponent = 0.4918>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm",
     kernel = "vllm_modeloptfp8moe_flashinfer_cutlass_flashinferexperts", format = "fp8",
     weights = "fp8", fixed_time = 27.86 us, efficiency = 0.8956, cta_cycles = 3326,
     latency_cycles = 96.8, least_rows = 64, wave_fraction = 0.9739, l2_bytes_per_clock = 74.91,
     l2_fraction = 0.01419, dram_efficiency = 0.7125, overlap_norm = 1.668, pair_cycles = 19.53,
     choice_cycles = 16.24, expert_cycles = 1.737e+04, pair_bytes = 12.09, token_bytes = 21.47,
     awake_rate = 0.9961, load_exponent = 0.3889>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm",
     kernel = "vllm_unquantizedfusedmoe_flashinfer_cutlass_flashinferexperts", format = "bf16",
     weights = "bf16", fixed_time = 30.15 us, efficiency = 0.9986, cta_cycles = 958.3,
     latency_cycles = 240.7, least_rows = 64, wave_fraction = 0.8937, l2_bytes_per_clock = 93.29,
     l2_fraction = 0.1415, dram_efficiency = 0.9828, overlap_norm = 1.068, pair_cycles = 1430,
     choice_cycles = 3.794, expert_cycles = 2.358e+04, pair_bytes = 3.165, token_bytes = 16.31,
     awake_rate = 1.076, load_exponent = 0.4347>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm",
     kernel = "moe_torch_flow_nongated", format = "bf16", weights = "bf16", ungated = true,
     fixed_time = 33.49 us, efficiency = 0.9198, cta_cycles = 171.1, latency_cycles = 35.73,
     least_rows = 64, wave_fraction = 0.9863, l2_bytes_per_clock = 141.8, l2_fraction = 0.1733,
     dram_efficiency = 0.9546, overlap_norm = 1.402, pair_cycles = 220.8, choice_cycles = 233,
     expert_cycles = 8756, pair_bytes = 6.915, token_bytes = 0.148, awake_rate = 1.1,
     load_exponent = 0.3725>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm",
     kernel = "moe_torch_flow_nongated", format = "fp8", weights = "fp8", ungated = true,
     fixed_time = 53.79 us, efficiency = 1, cta_cycles = 50.06, latency_cycles = 7.554, least_rows = 8,
     wave_fraction = 1, l2_bytes_per_clock = 1853, l2_fraction = 0.2097, dram_efficiency = 0.9146,
     overlap_norm = 1.636, pair_cycles = 272.5, choice_cycles = 261.3, expert_cycles = 0.991,
     pair_bytes = 7.405, token_bytes = 7.77, awake_rate = 1.019, load_exponent = 0.3031>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm",
     kernel = "moe_torch_flow_nongated", format = "nvfp4", weights = "nvfp4", ungated = true,
     fixed_time = 52.28 us, efficiency = 1, cta_cycles = 1922, latency_cycles = 5.132, least_rows = 16,
     wave_fraction = 1, l2_bytes_per_clock = 823.7, l2_fraction = 0.1258, dram_efficiency = 0.9992,
     overlap_norm = 1.031, pair_cycles = 1925, choice_cycles = 209.6, expert_cycles = 2.312e+04,
     pair_bytes = 3.239, token_bytes = 13.52, awake_rate = 1.016, load_exponent = 0.2644>,
    // FlashInfer packages these kernels of TensorRT-LLM: the numbers of SGLang's sets. TensorRT-LLM's own rows in nvfp4,
    // which the readers doubt, take 1.04 times as long (median of 2,632 shapes, B200).
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm",
     kernel = "trtllm_gen", format = "fp8-block", weights = "fp8-block",
     fixed_time = 18.16 us, efficiency = 0.2112, cta_cycles = 940.4, latency_cycles = 186.1,
     least_rows = 8, wave_fraction = 0.9999, l2_bytes_per_clock = 40.63, l2_fraction = 0.01468,
     dram_efficiency = 0.9627, overlap_norm = 1.61, pair_cycles = 15.79, choice_cycles = 362.8,
     expert_cycles = 0.4711, pair_bytes = 0.539, token_bytes = 27.23, awake_rate = 0.909,
     load_exponent = 0.2924>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm",
     kernel = "trtllm_gen", format = "nvfp4", weights = "nvfp4",
     fixed_time = 17.46 us, efficiency = 0.6304, cta_cycles = 1053, latency_cycles = 15.86,
     least_rows = 16, wave_fraction = 0.7183, l2_bytes_per_clock = 195.4, l2_fraction = 0.01247,
     dram_efficiency = 0.8949, overlap_norm = 1.647, pair_cycles = 108.8, choice_cycles = 189.7,
     expert_cycles = 3.025, pair_bytes = 1.203, token_bytes = 10.26, awake_rate = 0.9529,
     load_exponent = 0.3085>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm",
     kernel = "moe_torch_flow_cutlass", format = "bf16", weights = "bf16", fixed_time = 24.57 us,
     efficiency = 0.8551, cta_cycles = 51.22, latency_cycles = 114.7, least_rows = 16,
     wave_fraction = 1, l2_bytes_per_clock = 189.1, l2_fraction = 0.08223, dram_efficiency = 0.9999,
     overlap_norm = 1.151, pair_cycles = 1100, choice_cycles = 0.0121, expert_cycles = 8346,
     pair_bytes = 3.84, token_bytes = 10.38, awake_rate = 0.9364, load_exponent = 0.3966>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm",
     kernel = "moe_torch_flow_cutlass", format = "fp8", weights = "fp8", fixed_time = 27.32 us,
     efficiency = 0.9999, cta_cycles = 947.9, latency_cycles = 44.35, least_rows = 16,
     wave_fraction = 0.9779, l2_bytes_per_clock = 157.6, l2_fraction = 0.03819,
     dram_efficiency = 0.9918, overlap_norm = 1.146, pair_cycles = 1466, choice_cycles = 0.01,
     expert_cycles = 7231, pair_bytes = 3.839, token_bytes = 19.53, awake_rate = 0.9022,
     load_exponent = 0.3234>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm",
     kernel = "moe_torch_flow_cutlass", format = "nvfp4", weights = "nvfp4", fixed_time = 28.14 us,
     efficiency = 0.4487, cta_cycles = 2268, latency_cycles = 166.5, least_rows = 8, wave_fraction = 1,
     l2_bytes_per_clock = 140.1, l2_fraction = 0.01067, dram_efficiency = 0.9994, overlap_norm = 1.516,
     pair_cycles = 2050, choice_cycles = 59.67, expert_cycles = 2.998e+04, pair_bytes = 2.087,
     token_bytes = 15.28, awake_rate = 0.7797, load_exponent = 0.3335>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm", kernel = "moe_torch_flow",
     format = "bf16", weights = "mxfp4", fixed_time = 23.75 us, efficiency = 0.2567, cta_cycles = 4298,
     latency_cycles = 559.8, least_rows = 8, wave_fraction = 0.9759, l2_bytes_per_clock = 91.42,
     l2_fraction = 0.04173, dram_efficiency = 0.4086, overlap_norm = 1.415, pair_cycles = 4996,
     choice_cycles = 198.5, expert_cycles = 16.03, pair_bytes = 100, token_bytes = 20.31,
     awake_rate = 0.9205, load_exponent = 0.5275>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm", kernel = "moe_torch_flow",
     format = "mxfp8", weights = "mxfp4", fixed_time = 19.82 us, efficiency = 0.6258,
     cta_cycles = 276.5, latency_cycles = 11.29, least_rows = 8, wave_fraction = 0.9622,
     l2_bytes_per_clock = 266.6, l2_fraction = 0.0493, dram_efficiency = 0.9109, overlap_norm = 1.077,
     pair_cycles = 6.224, choice_cycles = 18.52, expert_cycles = 0.06508, pair_bytes = 0.8655,
     token_bytes = 21.07, awake_rate = 0.8481, load_exponent = 0.5144>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm", kernel = "deepgemm",
     format = "fp8-block", weights = "fp8-block", fixed_time = 23.13 us, efficiency = 0.7336,
     cta_cycles = 3795, latency_cycles = 113.8, least_rows = 64, wave_fraction = 1,
     l2_bytes_per_clock = 81.82, l2_fraction = 0.06355, dram_efficiency = 0.871, overlap_norm = 1.954,
     pair_cycles = 1094, choice_cycles = 2.019, expert_cycles = 3.0e+04, pair_bytes = 4.452,
     token_bytes = 8.54, awake_rate = 1.447, load_exponent = 0.4309>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "sglang",
     kernel = "deepep_moe_context", format = "fp8-block", weights = "fp8-block", exchange = "high-throughput",
     fixed_time = 147.1 us, least_time = 412.0 us, efficiency = 0.7455, cta_cycles = 925.5,
     latency_cycles = 300.0, least_rows = 128, wave_fraction = 0.5017,
     l2_bytes_per_clock = 60.0, l2_fraction = 0.09856, dram_efficiency = 0.6619,
     overlap_norm = 3.802, pair_cycles = 3.608, choice_cycles = 0.02715, expert_cycles = 99.6,
     pair_bytes = 2.272, token_bytes = 4.451, awake_rate = 1.0, load_exponent = 0.5555>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "sglang",
     kernel = "deepep_moe_generation", format = "fp8-block", weights = "fp8-block", exchange = "low-latency",
     fixed_time = 18.93 us, efficiency = 0.7247, cta_cycles = 656.4,
     latency_cycles = 131.8, least_rows = 32, wave_fraction = 0.4101,
     l2_bytes_per_clock = 58.66, l2_fraction = 0.09642, dram_efficiency = 0.8309,
     overlap_norm = 6.174, pair_cycles = 3.014, choice_cycles = 0.0202, expert_cycles = 99.24,
     pair_bytes = 2.697, token_bytes = 0.01348, awake_rate = 1.307, load_exponent = 0.4746>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang",
     kernel = "deepep_moe_context", format = "fp8-block", weights = "fp8-block", exchange = "high-throughput",
     fixed_time = 137.4 us, least_time = 313.2 us, efficiency = 0.6899, cta_cycles = 1676.0,
     latency_cycles = 193.3, least_rows = 128, wave_fraction = 0.8697,
     l2_bytes_per_clock = 72.92, l2_fraction = 0.09695, dram_efficiency = 0.6753,
     overlap_norm = 2.26, pair_cycles = 3.55, choice_cycles = 0.02947, expert_cycles = 97.75,
     pair_bytes = 4.687, token_bytes = 6.994, awake_rate = 1.0, load_exponent = 0.5552>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang",
     kernel = "deepep_moe_generation", format = "fp8-block", weights = "fp8-block", exchange = "low-latency",
     fixed_time = 17.39 us, efficiency = 0.7094, cta_cycles = 480.1,
     latency_cycles = 116.8, least_rows = 32, wave_fraction = 0.2344,
     l2_bytes_per_clock = 101.3, l2_fraction = 0.1042, dram_efficiency = 0.7054,
     overlap_norm = 5.324, pair_cycles = 3.083, choice_cycles = 0.02016, expert_cycles = 101.1,
     pair_bytes = 8.785, token_bytes = 0.01141, awake_rate = 2.017, load_exponent = 0.4943>]>

#latent_attention = #gpucost.latent_attention_fit<
  provenance = "aiconfigurator 0.12.0, table mla: latent attention with 1 to 128 heads in CUDA graphs, H100 SXM and B200, 2026-11; half-widths: 80 % quantiles of the residuals",
  errors = [
    <kind = latent_attention, small = 0.112, medium = 0.158, large = 0.0798>,
    <kind = latent_attention, small = 0.0853, medium = 0.14, large = 0.0825, gpu = "h100-sxm-80gb">,
    <kind = latent_attention, small = 0.128, medium = 0.178, large = 0.076, gpu = "b200-sxm">],
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
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "sglang", bits = 8,
     // flash_attention
     step = <fixed_time = 2.093 us, split_time = 16.15 us, dram_efficiency = 0.3465,
     l2_bytes_per_clock = 2, l2_fraction = 0.2611, hit_exponent = 30, tile_rows = 64, least_rows = 8,
     prologue_cycles = 6723, row_cycles = 0.05, block_cycles = 2444, block_row_cycles = 0.05,
     ctas_per_sm = 3.36, overlap_norm = 1.002, combine_cycles = 7.343, least_split_blocks = 0.5772,
     latency_cycles = 140.1, block_latency_cycles = 281.5, exposed_share = 0.9809,
     wave_fraction = 0.8286>,
     // flash_attention
     prompt = <absorbed_keys = 576, absorbed_values = 512, tile_rows = 64, efficiency = 0.6113,
     softmax_cycles = 0.00252, pipe_norm = 7.817, prologue_cycles = 8400, wave_fraction = 0.04293,
     causal_tail = 0.3898, fixed_time = 11.77 us, dram_efficiency = 1, l2_bytes_per_clock = 234.7,
     l2_fraction = 0.02, head_cycles = 19.69>,
     products = [
       // sglang_sgl_kernel_bmm_fp8
       <n = 512, k = 128, fixed_time = 5.367 us, efficiency = 0.2092, dram_efficiency = 0.2199,
       cta_cycles = 3904, latency_cycles = 15.05, overlap_norm = 2.34>,
       // sglang_sgl_kernel_bmm_fp8
       <n = 128, k = 512, fixed_time = 0.5092 us, efficiency = 0.5017, dram_efficiency = 0.2073,
       cta_cycles = 1.241e+04, latency_cycles = 292.5, overlap_norm = 1.639>]>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "vllm", bits = 16,
     products = [
       // vllm_torch_bmm
       <n = 512, k = 128, fixed_time = 2.57 us, efficiency = 0.8268, dram_efficiency = 1,
       cta_cycles = 2558, latency_cycles = 6.187, overlap_norm = 4.442>,
       // vllm_torch_bmm
       <n = 128, k = 512, fixed_time = 0.5 us, efficiency = 0.9642, dram_efficiency = 0.8356,
       cta_cycles = 4560, latency_cycles = 510.6, overlap_norm = 3.681>]>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "tensorrt-llm", bits = 16,
     // default
     step = <fixed_time = 4.781 us, split_time = 1.909 us, dram_efficiency = 0.9398,
     l2_bytes_per_clock = 282.4, l2_fraction = 0.3092, hit_exponent = 30, tile_rows = 64,
     least_rows = 8, prologue_cycles = 1.383e+04, row_cycles = 122.6, block_cycles = 166.9,
     block_row_cycles = 12.44, ctas_per_sm = 1.939, overlap_norm = 1.323, combine_cycles = 4.31,
     least_split_blocks = 3.275, latency_cycles = 1.659e+04, block_latency_cycles = 565.5,
     exposed_share = 0.09319, wave_fraction = 0.3914>,
     // default
     prompt = <tile_rows = 128, efficiency = 0.6002, softmax_cycles = 0.00547, pipe_norm = 7.51,
     prologue_cycles = 2036, wave_fraction = 0.005, causal_tail = 0.629, fixed_time = 13.31 us,
     dram_efficiency = 0.9794, l2_bytes_per_clock = 447.5, l2_fraction = 0.02, head_cycles = 69>,
     products = [
       // trtllm_bmm_out
       <n = 512, k = 128, fixed_time = 2.585 us, efficiency = 0.8519, dram_efficiency = 1,
       cta_cycles = 2647, latency_cycles = 17.03, overlap_norm = 3.878>,
       // trtllm_bmm_out
       <n = 128, k = 512, fixed_time = 0.5 us, efficiency = 0.9943, dram_efficiency = 0.8571,
       cta_cycles = 4156, latency_cycles = 460.4, overlap_norm = 2.778>]>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "tensorrt-llm", bits = 8,
     // default
     step = <fixed_time = 5.418 us, split_time = 1.141 us, dram_efficiency = 1,
     l2_bytes_per_clock = 71.61, l2_fraction = 0.6979, hit_exponent = 30, tile_rows = 64,
     least_rows = 8, prologue_cycles = 1.336e+04, row_cycles = 115.8, block_cycles = 291.7,
     block_row_cycles = 17.37, ctas_per_sm = 1.745, overlap_norm = 1.064, combine_cycles = 3.244,
     least_split_blocks = 1.381, latency_cycles = 247.1, block_latency_cycles = 612.6,
     exposed_share = 0.01, wave_fraction = 0.1922>,
     // default
     prompt = <products = "fp8", tile_rows = 128, efficiency = 0.3679, softmax_cycles = 0.0749,
     pipe_norm = 3.529, prologue_cycles = 1963, wave_fraction = 0.005, causal_tail = 0.7294,
     fixed_time = 16.85 us, dram_efficiency = 1, l2_bytes_per_clock = 658.9, l2_fraction = 0.4262,
     head_cycles = 188.1>,
     products = [
       // trtllm_fp8_block_scaling_bmm_out
       <n = 512, k = 128, fixed_time = 5.271 us, efficiency = 0.5291, dram_efficiency = 0.5368,
       cta_cycles = 2828, latency_cycles = 55.72, overlap_norm = 1>,
       // trtllm_fp8_block_scaling_bmm_out
       <n = 128, k = 512, fixed_time = 2.626 us, efficiency = 0.6322, dram_efficiency = 0.2822,
       cta_cycles = 7270, latency_cycles = 34.55, overlap_norm = 1.142>]>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang", bits = 16,
     // trtllm_mla
     step = <fixed_time = 4.461 us, split_time = 3.781 us, dram_efficiency = 0.7442,
     l2_bytes_per_clock = 577.9, l2_fraction = 0.588, hit_exponent = 30, tile_rows = 128,
     least_rows = 8, prologue_cycles = 1.245e+04, row_cycles = 42.13, block_cycles = 105.1,
     block_row_cycles = 6.704, ctas_per_sm = 1.384, overlap_norm = 1.541, combine_cycles = 14.74,
     least_split_blocks = 5.735, latency_cycles = 4184, block_latency_cycles = 261.5,
     exposed_share = 0.3265, wave_fraction = 0.7223>,
     // trtllm_mla
     prompt = <tile_rows = 256, efficiency = 0.7286, softmax_cycles = 0.01076, pipe_norm = 5.678,
     prologue_cycles = 2192, wave_fraction = 0.005372, causal_tail = 0.6571, fixed_time = 10.38 us,
     dram_efficiency = 1, l2_bytes_per_clock = 19.04, l2_fraction = 0.02, head_cycles = 55.45>,
     products = [
       // sglang_torch_bmm
       <n = 512, k = 128, fixed_time = 3.916 us, efficiency = 0.5848, dram_efficiency = 0.9998,
       cta_cycles = 239.4, latency_cycles = 216.7, overlap_norm = 1.664>,
       // sglang_torch_bmm
       <n = 128, k = 512, fixed_time = 2.319 us, efficiency = 0.5062, dram_efficiency = 1,
       cta_cycles = 488.3, latency_cycles = 493.3, overlap_norm = 1.661>]>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang", bits = 8,
     // trtllm_mla
     step = <fixed_time = 6.274 us, split_time = 3.037 us, dram_efficiency = 0.8954,
     l2_bytes_per_clock = 992.4, l2_fraction = 0.4058, hit_exponent = 30, tile_rows = 128,
     least_rows = 8, prologue_cycles = 7572, row_cycles = 40.63, block_cycles = 1,
     block_row_cycles = 6.269, ctas_per_sm = 0.8381, overlap_norm = 1.03, combine_cycles = 14.08,
     least_split_blocks = 6.733, latency_cycles = 5991, block_latency_cycles = 1.213,
     exposed_share = 0.01, wave_fraction = 0.964>,
     // trtllm_mla
     prompt = <products = "fp8", tile_rows = 256, efficiency = 0.6321, softmax_cycles = 0.02781,
     pipe_norm = 4.713, prologue_cycles = 2392, wave_fraction = 0.01624, causal_tail = 0.6903,
     fixed_time = 17.35 us, dram_efficiency = 1, l2_bytes_per_clock = 12.62, l2_fraction = 0.04106,
     head_cycles = 100.6>,
     products = [
       // sglang_sgl_kernel_bmm_fp8
       <n = 512, k = 128, fixed_time = 6.056 us, efficiency = 0.05309, dram_efficiency = 0.1996,
       cta_cycles = 50.52, latency_cycles = 146.9, overlap_norm = 1>,
       // sglang_sgl_kernel_bmm_fp8
       <n = 128, k = 512, fixed_time = 0.7083 us, efficiency = 0.3319, dram_efficiency = 0.1345,
       cta_cycles = 1.261e+04, latency_cycles = 113, overlap_norm = 1.362>]>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm", bits = 16,
     products = [
       // vllm_torch_bmm
       <n = 512, k = 128, fixed_time = 3.859 us, efficiency = 0.8052, dram_efficiency = 1,
       cta_cycles = 604.5, latency_cycles = 148.8, overlap_norm = 1.934>,
       // vllm_torch_bmm
       <n = 128, k = 512, fixed_time = 2.369 us, efficiency = 0.5761, dram_efficiency = 0.9999,
       cta_cycles = 707.7, latency_cycles = 423.6, overlap_norm = 1.601>]>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm", bits = 16,
     // default
     step = <fixed_time = 4.219 us, split_time = 3.425 us, dram_efficiency = 0.7574,
     l2_bytes_per_clock = 622.6, l2_fraction = 0.5913, hit_exponent = 30, tile_rows = 128,
     least_rows = 8, prologue_cycles = 1.263e+04, row_cycles = 29.98, block_cycles = 172.1,
     block_row_cycles = 0.2443, ctas_per_sm = 1.153, overlap_norm = 4.815, combine_cycles = 14.56,
     least_split_blocks = 5.411, latency_cycles = 3824, block_latency_cycles = 147.4,
     exposed_share = 0.9558, wave_fraction = 0.8251>,
     // default
     prompt = <tile_rows = 256, efficiency = 0.7203, softmax_cycles = 0.01417, pipe_norm = 5.64,
     prologue_cycles = 2179, wave_fraction = 0.005335, causal_tail = 0.7794, fixed_time = 12.09 us,
     dram_efficiency = 1, l2_bytes_per_clock = 17.72, l2_fraction = 0.3252, head_cycles = 55.59>,
     products = [
       // trtllm_bmm_out
       <n = 512, k = 128, fixed_time = 3.593 us, efficiency = 0.6081, dram_efficiency = 1,
       cta_cycles = 929.1, latency_cycles = 201.6, overlap_norm = 2.906>,
       // trtllm_bmm_out
       <n = 128, k = 512, fixed_time = 1.391 us, efficiency = 0.6375, dram_efficiency = 0.9849,
       cta_cycles = 2825, latency_cycles = 397, overlap_norm = 2.358>]>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm", bits = 8,
     // default
     step = <fixed_time = 5.043 us, split_time = 2.855 us, dram_efficiency = 0.8995,
     l2_bytes_per_clock = 124.9, l2_fraction = 0.3697, hit_exponent = 30, tile_rows = 128,
     least_rows = 8, prologue_cycles = 7418, row_cycles = 72.53, block_cycles = 202,
     block_row_cycles = 2.868, ctas_per_sm = 0.8649, overlap_norm = 1.311, combine_cycles = 16.97,
     least_split_blocks = 6.377, latency_cycles = 1535, block_latency_cycles = 314.2,
     exposed_share = 0.2302, wave_fraction = 0.7969>,
     // default
     prompt = <products = "fp8", tile_rows = 256, efficiency = 0.6625, softmax_cycles = 0.02311,
     pipe_norm = 3.989, prologue_cycles = 2586, wave_fraction = 0.006339, causal_tail = 0.7672,
     fixed_time = 16.36 us, dram_efficiency = 1, l2_bytes_per_clock = 12.04, l2_fraction = 0.2743,
     head_cycles = 129.5>,
     products = [
       // trtllm_bmm_out_dequant_bf16
       <n = 512, k = 128, fixed_time = 3.663 us, efficiency = 0.6742, dram_efficiency = 0.7385,
       cta_cycles = 1166, latency_cycles = 123.2, overlap_norm = 7.999>,
       // trtllm_bmm_out_dequant_bf16
       <n = 128, k = 512, fixed_time = 1.915 us, efficiency = 0.4848, dram_efficiency = 0.8725,
       cta_cycles = 2353, latency_cycles = 322, overlap_norm = 2.307>]>]>

#static_quantization = #gpucost.static_quantization_fit<
  provenance = "aiconfigurator 0.12.0, table quantize_fp8: kernels with one scale in CUDA graphs, TensorRT-LLM 1.3.0rc20 and vLLM 0.24.0 on H100 SXM, B200 and L40S, 2026-12; half-widths: 80 % quantiles of the residuals",
  errors = [
    <kind = static_quantization, small = 0.0974, medium = 0.0798, large = 0.0955>,
    <kind = static_quantization, small = 0.0745, medium = 0.0391, large = 0.0664, gpu = "h100-sxm-80gb">,
    <kind = static_quantization, small = 0.0909, medium = 0.0611, large = 0.0899, gpu = "b200-sxm">,
    <kind = static_quantization, small = 0.122, medium = 0.408, large = 0.0394, gpu = "l40s">],
  stacks = [
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, stacked_memory = true, software = "tensorrt-llm",
     fixed_time = 1.395 us, dram_efficiency = 0.9469, l2_bytes_per_clock = 19.09>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, stacked_memory = true, software = "vllm",
     fixed_time = 2.003 us, dram_efficiency = 0.9066, l2_bytes_per_clock = 78.12,
     row_cycles = 113.5, element_cycles = 0.1109>,
    <gpu = "b200-sxm", matrix_path = tcgen05, stacked_memory = true, software = "tensorrt-llm",
     fixed_time = 1.956 us, dram_efficiency = 0.841, l2_bytes_per_clock = 17.71>,
    <gpu = "b200-sxm", matrix_path = tcgen05, stacked_memory = true, software = "vllm",
     fixed_time = 2.078 us, dram_efficiency = 0.9504, l2_bytes_per_clock = 35.87,
     row_cycles = 151, element_cycles = 0.0892>,
    <gpu = "l40s", stacked_memory = false, software = "tensorrt-llm",
     fixed_time = 2.709 us, dram_efficiency = 0.8465, l2_bytes_per_clock = 22.6>,
    <gpu = "l40s", stacked_memory = false, software = "vllm",
     fixed_time = 1.569 us, dram_efficiency = 0.8348, l2_bytes_per_clock = 20.41,
     row_cycles = 171.3, element_cycles = 0.1414>]>

#sparse_attention = #gpucost.sparse_attention_fit<
  provenance = "aiconfigurator 0.12.0, table sparse_attention_modules: blocks of DeepSeek-V3.2 and GLM-5 with more than 2,048 keys, less the other kernels of the block; TensorRT-LLM 1.3.0rc20 and rc23, vLLM 0.24.0, SGLang 0.5.14, H100 SXM and B200, 2026-12; half-widths: assumed, mean errors in the fit are 4.5 to 21.9 %",
  errors = [
    <kind = sparse_attention, small = 0.363, medium = 0.363, large = 0.377>,
    <kind = sparse_attention, small = 0.393, medium = 0.393, large = 0.396, gpu = "h100-sxm-80gb">,
    <kind = sparse_attention, small = 0.348, medium = 0.348, large = 0.364, gpu = "b200-sxm">],
  stacks = [
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "tensorrt-llm", bits = 16,
     scores = <fixed_time = 156.5 us, efficiency = 0.996, dram_efficiency = 0.7297>,
     choice = <fixed_time = 0.5 us, row_cycles = 1.075e+05, key_cycles = 0.001086>,
     prompt = <latent_keys = 576, latent_values = 512, tile_rows = 64, fixed_time = 30 us,
     efficiency = 0.2126, l2_bytes_per_clock = 53.88>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm", bits = 16,
     scores = <fixed_time = 13.92 us, efficiency = 0.3448, dram_efficiency = 0.6887>,
     choice = <fixed_time = 18.38 us, row_cycles = 5.577e+04, key_cycles = 0.3235>,
     prompt = <latent_keys = 576, latent_values = 512, tile_rows = 64, fixed_time = 29.99 us,
     efficiency = 0.5701, l2_bytes_per_clock = 89.61>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "tensorrt-llm", bits = 8,
     scores = <fixed_time = 11.17 us, efficiency = 0.4116, dram_efficiency = 0.6995>,
     prompt = <latent_keys = 576, latent_values = 512, products = "fp8", tile_rows = 64, fixed_time = 30 us,
     efficiency = 0.8482, l2_bytes_per_clock = 93.58>>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "vllm", bits = 16,
     scores = <fixed_time = 121 us, efficiency = 0.9459, dram_efficiency = 0.8051>,
     choice = <fixed_time = 37.4 us, row_cycles = 2082, key_cycles = 0.07019>,
     prompt = <latent_keys = 576, latent_values = 512, tile_rows = 64, fixed_time = 30 us,
     efficiency = 0.3935, l2_bytes_per_clock = 79.04, all_keys = true>>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "vllm", bits = 8,
     scores = <fixed_time = 97.02 us, efficiency = 1, dram_efficiency = 0.7084>,
     prompt = <latent_keys = 576, latent_values = 512, tile_rows = 64, fixed_time = 30 us,
     efficiency = 0.2469, l2_bytes_per_clock = 43.2, all_keys = true>>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "sglang", bits = 16,
     scores = <fixed_time = 0.5 us, efficiency = 0.5025, dram_efficiency = 0.9953>,
     choice = <fixed_time = 0.5 us, row_cycles = 1.271e+04, key_cycles = 0.8365>,
     prompt = <latent_keys = 576, latent_values = 512, tile_rows = 64, fixed_time = 30 us,
     efficiency = 0.6287, l2_bytes_per_clock = 81.35>>,
    <gpu = "h100-sxm-80gb", matrix_path = wgmma, software = "sglang", bits = 8,
     scores = <fixed_time = 16.5 us, efficiency = 0.368, dram_efficiency = 0.9953>,
     prompt = <latent_keys = 576, latent_values = 512, tile_rows = 64, fixed_time = 30 us,
     efficiency = 0.3485, l2_bytes_per_clock = 42.93>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm", bits = 16,
     scores = <fixed_time = 111.7 us, efficiency = 0.724, dram_efficiency = 0.6306>,
     choice = <fixed_time = 0.5 us, row_cycles = 3214, key_cycles = 0.001>,
     prompt = <latent_keys = 576, latent_values = 512, tile_rows = 64, fixed_time = 30 us,
     efficiency = 0.213, l2_bytes_per_clock = 114.5, all_keys = true>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "vllm", bits = 8,
     scores = <fixed_time = 115.2 us, efficiency = 0.9405, dram_efficiency = 0.6089>,
     prompt = <latent_keys = 576, latent_values = 512, products = "fp8", tile_rows = 64, fixed_time = 30 us,
     efficiency = 0.1422, l2_bytes_per_clock = 87.39, all_keys = true>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang", bits = 16,
     scores = <fixed_time = 0.5 us, efficiency = 0.3671, dram_efficiency = 0.2767>,
     choice = <fixed_time = 0.5 us, row_cycles = 2.127e+04, key_cycles = 0.6771>,
     prompt = <latent_keys = 576, latent_values = 512, tile_rows = 64, fixed_time = 30 us,
     efficiency = 0.2949, l2_bytes_per_clock = 78.8>>,
    <gpu = "b200-sxm", matrix_path = tcgen05, software = "sglang", bits = 8,
     scores = <fixed_time = 0.5 us, efficiency = 0.3671, dram_efficiency = 0.2767>,
     prompt = <latent_keys = 576, latent_values = 512, products = "fp8", tile_rows = 64, fixed_time = 30 us,
     efficiency = 0.6255, l2_bytes_per_clock = 92.46>>]>

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
