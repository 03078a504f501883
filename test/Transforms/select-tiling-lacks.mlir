// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target=t4 --gpucost-select-tiling | FileCheck %s

// Facts that the GPU or its coefficients lack are not zero and have no default: the kernel
// keeps its bytes as a lower bound and states the reason.

// CHECK-LABEL: func.func @lacks
func.func @lacks() {
  // 2 * 512 * 512 * 256 FLOPs would need bf16; the bound is by 1048576 bytes:
  // 524288 / 4 elements.
  // CHECK: gpucost.kernel "bf16" attributes {coverage = #gpucost<coverage fallback>, gpucost.reason = "'t4' has no tensor cores for format 'bf16'", tiling = #gpucost.tiling<sm_utilization = 0, implementation = "bytes-only">, work = #gpucost.work<family = opaque, instructions = copy, format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.elements<count = 131072>, tensor_flops = 134217728, bytes_read = 524288, bytes_written = 524288>}
  gpucost.kernel "bf16" attributes {work = #gpucost.work<family = matmul, format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.matmul<m = 512, n = 512, k = 256>, tensor_flops = 134217728, bytes_read = 524288, bytes_written = 524288>} {
  }
  // The same format where it exists is untouched.
  // CHECK: gpucost.kernel "fp16" attributes {tiling = #gpucost.tiling<tile_m =
  gpucost.kernel "fp16" attributes {work = #gpucost.work<family = matmul, format = fp16, input_bits = 16, output_bits = 16, problem = #gpucost.matmul<m = 512, n = 512, k = 256>, tensor_flops = 134217728, bytes_read = 524288, bytes_written = 524288>} {
  }
  return
}
