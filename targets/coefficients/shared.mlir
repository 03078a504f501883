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
  native_filter_cta = 1600>

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

#memory_overhead = #gpucost.memory_overhead<
  provenance = "context: assumed, depends on driver and libraries more than on the GPU; communicator: 4 MiB (NCCL_BUFFSIZE) for each of 16 to 32 channels in both directions; unseen: assumed",
  context_low = 400 MiB, context = 600 MiB, context_high = 800 MiB,
  communicator_low = 0 MiB, communicator = 128 MiB, communicator_high = 256 MiB,
  unseen_share = 0.1>

module attributes {gpucost.coefficients = #gpucost.coefficients<
  provenance = "refinements of single kernels, and what does not depend on the die",
  depthwise = #depthwise,
  cudnn_batch_norm = #cudnn_batch_norm,
  batch_norm_over_pixels = #batch_norm_over_pixels,
  softmax_on_chip = #softmax_on_chip,
  softmax_reread = #softmax_reread,
  stream_limits = #stream_limits,
  row_cta_norm = #row_cta_norm,
  tf32_strided = #tf32_strided,
  triton_flash_1 = #triton_flash_1,
  decode_paths = #decode_paths,
  simt_split = #simt_split,
  simt_few_rows = #simt_few_rows,
  texture_path = #texture_path,
  simt_issue = #simt_issue,
  tensor_instructions = #tensor_instructions,
  tensor_waits = #tensor_waits,
  boards = #boards,
  memory_overhead = #memory_overhead>} {}
