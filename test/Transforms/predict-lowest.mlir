// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir --gpucost-predict='clock=400 power-limit=5' | FileCheck %s

// The search ends at the GPU's lowest clock, 150 MHz, wherever it starts: on the
// grid of 15 MHz below 400 MHz that is 400 - 16 * 15.
// CHECK: gpucost.limit_unreachable
// CHECK: clock = 160 MHz, throttled = true>
func.func @throttle() {
  gpucost.kernel "matmul" attributes {tiling = #gpucost.tiling<tile_m = 128, tile_n = 128, warps = 8, ctas = 10, waves = 1, sm_utilization = 1>, work = #gpucost.work<family = matmul, format = fp32, problem = #gpucost.matmul<m = 1280, n = 128, k = 1024>, tensor_flops = 335544320, bytes_read = 5767168, bytes_written = 655360>} {
  }
  return
}
