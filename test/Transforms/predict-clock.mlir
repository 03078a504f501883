// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir --gpucost-predict | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir --gpucost-predict=clock=510 | FileCheck %s --check-prefix=HALF

// On the toy GPU: 1024 bf16 FLOP and 128 fp32 FLOP per clock and SM at 1 GHz,
// 100 GB/s DRAM, L2 of 1 MiB. The total is the 4-norm of its parts (W1).

#tile = #gpucost.tiling<tile_m = 128, tile_n = 128, ctas = 16, waves = 2, sm_utilization = 0.8>
#tile1 = #gpucost.tiling<tile_m = 128, tile_n = 128, ctas = 1, waves = 1, sm_utilization = 0.1>
#simt = #gpucost.tiling<tile_m = 128, tile_n = 128, warps = 8, ctas = 10, waves = 1, sm_utilization = 1>
#none = #gpucost.tiling<sm_utilization = 0>

// CHECK-LABEL: func.func @times
// HALF-LABEL: func.func @times
func.func @times() {
  // Two waves of 2 * 128 * 128 * 256 / 1024 = 8192 clocks: 16.384 us. Operands
  // and result once, 1048576 B / 100 GB/s. Each of 16 CTAs takes 256 * 256
  // elements of 2 B from L2 at 10 TB/s: 209.7152 ns. Total
  // 16.384 * (1 + 0.64^4)^(1/4) = 16.384 * 1.0395.
  // CHECK: gpucost.kernel "matmul" {{.*}}time = #gpucost.time<total = 17.03{{[0-9]*}} us, compute = 16.384 us, l2 = 209.71{{[0-9]*}} ns, dram = 10.485{{[0-9]*}} us, fixed = 0 s, bound = tensor, clock = 1 GHz>
  // 510 MHz become 505, 1000 less 33 steps of 15. SMs and L2 take 1/0.505 of
  // their time, DRAM does not (W1).
  // HALF: gpucost.kernel "matmul" {{.*}}compute = 32.443{{[0-9]*}} us, l2 = 415.27{{[0-9]*}} ns, dram = 10.485{{[0-9]*}} us, fixed = 0 s, bound = tensor, clock = 505 MHz>
  gpucost.kernel "matmul" attributes {tiling = #tile, work = #gpucost.work<family = matmul, format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.matmul<m = 512, n = 512, k = 256>, tensor_flops = 134217728, bytes_read = 524288, bytes_written = 524288>} {
  }
  // One CTA on one SM: 2 * 128 * 128 * 1024 / 1024 clocks.
  // CHECK: gpucost.kernel "one_sm" {{.*}}time = #gpucost.time<total = 32.77{{[0-9]*}} us, compute = 32.768 us,
  gpucost.kernel "one_sm" attributes {tiling = #tile1, work = #gpucost.work<family = matmul, format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.matmul<m = 128, n = 128, k = 1024>, tensor_flops = 33554432, bytes_read = 524288, bytes_written = 32768>} {
  }
  // Ten CTAs of 2 * 128 * 128 * 128 / 128 = 32768 clocks on CUDA cores;
  // 1376256 B / 100 GB/s. Total 32.768 * (1 + 0.42^4)^(1/4).
  // CHECK: gpucost.kernel "fp32" {{.*}}time = #gpucost.time<total = 33.01{{[0-9]*}} us, compute = 32.768 us, l2 = 131.072 ns, dram = 13.76256 us, fixed = 0 s, bound = fp32,
  gpucost.kernel "fp32" attributes {tiling = #simt, work = #gpucost.work<family = matmul, format = fp32, problem = #gpucost.matmul<m = 1280, n = 128, k = 128>, tensor_flops = 41943040, bytes_read = 720896, bytes_written = 655360>} {
  }
  // 12 MB at 100 GB/s is 120 us; 10^6 instructions at 10 * 100 per ns and 12 MB
  // at 10 TB/s take 1 us and 1.2 us at the same time.
  // CHECK: gpucost.kernel "add" {{.*}}time = #gpucost.time<total = 120.0000{{[0-9]*}} us, compute = 1 us, l2 = 1.2 us, dram = 120{{[.0]*1?}} us, fixed = 0 s, bound = dram,
  // HALF: gpucost.kernel "add" {{.*}}time = #gpucost.time<total = 120.0000{{[0-9]*}} us, compute = 1.9801{{[0-9]*}} us, l2 = 2.3762{{[0-9]*}} us, dram = 120{{[.0]*1?}} us,
  gpucost.kernel "add" attributes {tiling = #none, work = #gpucost.work<family = elementwise, instructions = add, format = fp32, problem = #gpucost.elements<count = 1000000>, fp32_flops = 1000000, bytes_read = 8000000, bytes_written = 4000000>} {
  }
  // A working set that fits in L2 (1 MB of 1 MiB) is read from L2 (M1): 1 MB / 10 TB/s.
  // CHECK: gpucost.kernel "cached" {{.*}}l2 = {{100|99[.9]+}} ns, dram = 0 s, fixed = 0 s, bound = l2,
  gpucost.kernel "cached" attributes {tiling = #none, work = #gpucost.work<family = elementwise, instructions = relu, format = fp32, problem = #gpucost.elements<count = 10000>, fp32_flops = 10000, bytes_read = 500000, bytes_written = 500000>} {
  }
  // A kernel with unknown work is not changed.
  // CHECK: gpucost.kernel "unknown" attributes {coverage = #gpucost<coverage unmodelled>} {
  gpucost.kernel "unknown" attributes {coverage = #gpucost<coverage unmodelled>} {
  }
  return
}
