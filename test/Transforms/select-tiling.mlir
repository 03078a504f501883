// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir --gpucost-select-tiling | FileCheck %s

// The toy GPU has 10 SMs and one tile, 128x128, at one CTA per SM.

// CHECK-LABEL: func.func @tiles
func.func @tiles() {
  // 512 / 128 = 4 by 4 tiles: 16 CTAs, 10 and then 6; busy 16 of 2 * 10.
  // CHECK: gpucost.kernel "matmul" attributes {tiling = #gpucost.tiling<tile_m = 128, tile_n = 128, ctas = 16, waves = 2, sm_utilization = 0.8, implementation = "cublas-tensor">,
  gpucost.kernel "matmul" attributes {work = #gpucost.work<family = matmul, format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.matmul<m = 512, n = 512, k = 256>, tensor_flops = 134217728, bytes_read = 524288, bytes_written = 524288>} {
  }
  // A part of a tile takes a whole one: 2 CTAs for 129 rows, 5 matmuls.
  // CHECK: gpucost.kernel "batched" attributes {tiling = #gpucost.tiling<tile_m = 128, tile_n = 128, ctas = 10, waves = 1, sm_utilization = 1, implementation = "cublas-tensor">,
  gpucost.kernel "batched" attributes {work = #gpucost.work<family = matmul, format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.matmul<batch = 5, m = 129, n = 64, k = 64, linear = false>, tensor_flops = 5283840, bytes_read = 123520, bytes_written = 82560>} {
  }
  // fp32 has separate tiles, with 8 warps.
  // CHECK: gpucost.kernel "fp32" attributes {tiling = #gpucost.tiling<tile_m = 128, tile_n = 128, warps = 8, ctas = 10, waves = 1, sm_utilization = 1, implementation = "cublas-simt">,
  gpucost.kernel "fp32" attributes {work = #gpucost.work<family = matmul, format = fp32, problem = #gpucost.matmul<m = 1280, n = 128, k = 128>, tensor_flops = 41943040, bytes_read = 720896, bytes_written = 655360>} {
  }
  // A convolution is a matmul of 2 * 28 * 28 = 1568 positions (13 tiles of 128)
  // and 128 channels: 13 of 2 * 10.
  // CHECK: gpucost.kernel "conv" attributes {tiling = #gpucost.tiling<tile_m = 128, tile_n = 128, ctas = 13, waves = 2, sm_utilization = 0.65, implementation = "cudnn-implicit-gemm-tensor">,
  gpucost.kernel "conv" attributes {work = #gpucost.work<family = convolution, format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.convolution<batch = 2, channels = 64, height = 28, width = 28, out_channels = 128, out_height = 28, out_width = 28, kernel_height = 3, kernel_width = 3>, tensor_flops = 231211008, bytes_read = 348160, bytes_written = 401408>} {
  }
  // Attention: 512 / 128 query tiles for each of 2 * 5 heads: 40 CTAs.
  // CHECK: gpucost.kernel "attention" attributes {tiling = #gpucost.tiling<tile_m = 128, tile_n = 128, ctas = 40, waves = 4, sm_utilization = 1, implementation = "flash-attention-full">,
  gpucost.kernel "attention" attributes {work = #gpucost.work<family = attention, format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.attention<batch = 2, heads = 5, kv_heads = 5, query_length = 512, kv_length = 512, head_dim = 64>, tensor_flops = 671088640, bytes_read = 1966080, bytes_written = 655360>} {
  }
  // A memory-bound kernel has no tile.
  // CHECK: gpucost.kernel "relu" attributes {tiling = #gpucost.tiling<sm_utilization = 0, implementation = pointwise>,
  gpucost.kernel "relu" attributes {work = #gpucost.work<family = elementwise, instructions = relu, format = fp32, problem = #gpucost.elements<count = 1024>, fp32_flops = 1024, bytes_read = 4096, bytes_written = 4096>} {
  }
  // One of unknown work has no tiling either, and is passed by.
  // CHECK: gpucost.kernel "unknown" attributes {coverage = #gpucost<coverage unmodelled>} {
  gpucost.kernel "unknown" attributes {coverage = #gpucost<coverage unmodelled>} {
  }
  // CHECK: return
  return
}
