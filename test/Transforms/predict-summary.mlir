// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir --gpucost-predict | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir --gpucost-predict=host-launch-us=500 | FileCheck %s --check-prefix=HOST
// RUN: gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir --gpucost-predict='host-launch-us=500 runtime=cudagraph' | FileCheck %s --check-prefix=GRAPH

// Three launches of 120 us (see predict-clock.mlir), one of them twice, and two
// ops that are not fully modelled. The toy host launches for free.
//   time    2 * 120 us + 120 us (the fallback moves as much)
//   energy  360 us * 10 W + 2 * 10^6 * 10 pJ + 3 * 12 MB * 100 pJ = 7.22 mJ
//   power   7.22 mJ / 360 us
//   memory  256 B of parameters, x (16 MB) and its two sums alive together
//   report  2 modelled, 1 fallback, 1 unmodelled
// CHECK: gpucost.summary = #gpucost.summary<time = 360.0000{{[0-9]*}} us, gpu_busy = 360.0000{{[0-9]*}} us, host = 0 s, energy = 7.2200{{[0-9]*}} mJ, average_power = 20.05{{[0-9]*}} W, clock = 1 GHz, kernels = 3, flops = 0, dram_bytes = 3{{[56][0-9]+}}, peak_memory = 56519936, mfu = 0, modelled = 2, fallback = 1, unmodelled = 1,
// CHECK-SAME: phases = [<phase = forward, time = 360.0000{{[0-9]*}} us, gpu_busy = 360.0000{{[0-9]*}} us, host = 0 s, energy = 7.2200{{[0-9]*}} mJ, kernels = 3, flops = 2000000, bytes = 36000000>]>

// A host that takes 500 us for each launch and another 500 us for a library call
// (H1); this module has no library call: 1500 us. Both overlap in a 6-norm (H2):
// 1500 * (1 + 0.24^6)^(1/6).
// HOST: gpucost.summary = #gpucost.summary<time = 1.50004{{[0-9]*}} ms, gpu_busy = 360.0000{{[0-9]*}} us, host = 1.5 ms,
// GRAPH: gpucost.summary = #gpucost.summary<time = 360.0000{{[0-9]*}} us, gpu_busy = 360.0000{{[0-9]*}} us, host = 0 s,

#none = #gpucost.tiling<sm_utilization = 0>
func.func @main(%x: tensor<4000000xf32>, %d: tensor<?xf32>) -> tensor<4000000xf32> {
  %w = onnx.Parameter : () -> tensor<64xf32>
  %0 = gpucost.kernel "add" attributes {count = 2 : i64, tiling = #none, work = #gpucost.work<family = elementwise, instructions = add, format = fp32, problem = #gpucost.elements<count = 1000000>, fp32_flops = 1000000, bytes_read = 8000000, bytes_written = 4000000>} {
    %r = onnx.Add %x, %x : (tensor<4000000xf32>, tensor<4000000xf32>) -> tensor<4000000xf32>
    gpucost.yield %r : tensor<4000000xf32>
  } : tensor<4000000xf32>
  %1 = gpucost.kernel "custom" attributes {coverage = #gpucost<coverage fallback>, gpucost.reason = "no cost rule", tiling = #none, work = #gpucost.work<family = opaque, format = fp32, problem = #gpucost.elements<count = 1000000>, bytes_read = 8000000, bytes_written = 4000000>} {
    %r = onnx.Custom %x, %0 {domain = "d", op_type = "Foo"} : (tensor<4000000xf32>, tensor<4000000xf32>) -> tensor<4000000xf32>
    gpucost.yield %r : tensor<4000000xf32>
  } : tensor<4000000xf32>
  %2 = gpucost.kernel "relu" attributes {coverage = #gpucost<coverage unmodelled>, gpucost.reason = "unknown shapes"} {
    %r = onnx.Relu %d : (tensor<?xf32>) -> tensor<?xf32>
    gpucost.yield %r : tensor<?xf32>
  } : tensor<?xf32>
  return %1 : tensor<4000000xf32>
}
