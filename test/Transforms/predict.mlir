// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir --gpucost-predict | FileCheck %s

// The toy GPU: 10 W at idle, 1 pJ per bf16 FLOP, 10 pJ per fp32 FLOP and per
// thread instruction, 100 pJ per DRAM byte; (P2) keeps nothing in L2.

// CHECK-NOT: gpucost.limit_unreachable
// CHECK-LABEL: func.func @powers
func.func @powers() {
  // 120 us: 10 W * 120 us = 1.2 mJ; 10^6 instructions * 10 pJ = 0.01 mJ;
  // 12 MB * 100 pJ = 1.2 mJ. Together 2.41 mJ, 20.08 W.
  // CHECK: gpucost.kernel "add" attributes {power = #gpucost.power<average = 20.08{{[0-9]*}} W, energy = 2.41000{{[0-9]*}} mJ, clock = 1 GHz>,
  // The power is within the limit of 100 W. Attributes in the input IR are replaced.
  // CHECK-SAME: time = #gpucost.time<total = 120{{(.0000[0-9]*)?}} us,
  gpucost.kernel "add" attributes {tiling = #gpucost.tiling<sm_utilization = 0>, time = #gpucost.time<total = 120 us, compute = 1 us, l2 = 1.2 us, dram = 120 us, fixed = 0 s, bound = dram, clock = 1 GHz>, work = #gpucost.work<family = elementwise, instructions = add, format = fp32, problem = #gpucost.elements<count = 1000000>, fp32_flops = 1000000, bytes_read = 8000000, bytes_written = 4000000>} {
  }
  // 33554432 FLOPs * 1 pJ = 33.55 uJ; 557056 B * 100 pJ = 55.71 uJ; 10 W for
  // 32.77 us = 327.7 uJ. Together 417.0 uJ, 12.72 W.
  // CHECK: gpucost.kernel "matmul" attributes {power = #gpucost.power<average = 12.72{{[0-9]*}} W, energy = 41{{[67]\.[0-9]*}} uJ, clock = 1 GHz>,
  gpucost.kernel "matmul" attributes {tiling = #gpucost.tiling<tile_m = 128, tile_n = 128, ctas = 1, waves = 1, sm_utilization = 0.1>, time = #gpucost.time<total = 32.77 us, compute = 32.768 us, l2 = 52 ns, dram = 5.57056 us, fixed = 0 s, bound = tensor, clock = 1 GHz>, work = #gpucost.work<family = matmul, format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.matmul<m = 128, n = 128, k = 1024>, tensor_flops = 33554432, bytes_read = 524288, bytes_written = 32768>} {
  }
  // CHECK: gpucost.kernel "unknown" attributes {coverage = #gpucost<coverage unmodelled>} {
  gpucost.kernel "unknown" attributes {coverage = #gpucost<coverage unmodelled>} {
  }
  return
}
