// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-analyze='target-file=%inputs/toy-target.mlir bind=batch:128' | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-set-target{target-file=%inputs/toy-target.mlir},gpucost-fix-shapes{bind=batch:128},gpucost-apply-precision,gpucost-raise-ops,gpucost-form-kernels,gpucost-annotate-work,gpucost-select-tiling,gpucost-predict)' | FileCheck %s
// RUN: gpu-cost-opt %s --target-file=%inputs/toy-target.mlir --bind=batch:128 --emit=ir | FileCheck %s

// The whole pipeline, as one pass, as its passes, and as the tool runs it: a
// linear layer with fp32 weights on a bf16 target.
//   matmul  one CTA: 2 * 128 * 128 * 1024 / 1024 clocks = 32.768 us;
//           2 * (128 * 1024 + 1024 * 128 + 128) bytes in (the bias is fused)
//   gelu    16384 instructions at 10 * 100 per ns: 16 ns, 65536 bytes from L2
//   memory  parameters 2 * (1024 * 128 + 128), activations 2 * (128 * 1024) for x,
//           which stays, and 2 * 128 * 128 for the matmul and for the result
// CHECK: module attributes {gpucost.bindings = {batch = 128 : i64}, gpucost.coefficients =
// CHECK-SAME: gpucost.precision = bf16, gpucost.scenario = #gpucost.scenario<bind = "batch:128"{{.*}}>, gpucost.summary = #gpucost.summary<time = 32.7{{[0-9]*}} us,
// CHECK-SAME: kernels = 2, flops = 33554432, dram_bytes = {{[0-9]+}}, peak_memory = 9109760,
// CHECK-SAME: modelled = 2, phases = [<phase = forward,
// CHECK-SAME: gpucost.target = #gpucost.target<gpu = <name = "toy-target",
// CHECK: func.func @main(%[[X:.*]]: tensor<128x1024xbf16>{{.*}}) -> tensor<128x128xbf16>
// CHECK: %[[K:.*]] = gpucost.kernel "MatMul+Add" attributes {library, power = #gpucost.power<average = {{.*}} W, energy = {{.*}} uJ, clock = 1 GHz>, tiling = #gpucost.tiling<tile_m = 128, tile_n = 128, ctas = 1, waves = 1, sm_utilization = 0.1, implementation = "cublas-tensor">, time = #gpucost.time<total = 32.77{{[0-9]*}} us, compute = 32.768 us,
// CHECK-SAME: work = #gpucost.work<family = matmul, format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.matmul<m = 128, n = 128, k = 1024>, tensor_flops = 33554432, fp32_flops = 16384, bytes_read = 524544, bytes_written = 32768>} {
// CHECK: gpucost.kernel "Gelu" attributes {power = {{.*}}bytes_read = 32768, bytes_written = 32768>}
module {
  func.func @main(%x: tensor<?x1024xf32> {onnx.name = "x", onnx.dims = ["batch", ""]}) -> !onnx.unknown {
    %w = onnx.Parameter : () -> tensor<1024x128xf32>
    %b = onnx.Parameter : () -> tensor<128xf32>
    %0 = onnx.MatMul %x, %w : (tensor<?x1024xf32>, tensor<1024x128xf32>) -> !onnx.unknown
    %1 = onnx.Add %0, %b : (!onnx.unknown, tensor<128xf32>) -> !onnx.unknown
    %2 = onnx.Gelu %1 : (!onnx.unknown) -> !onnx.unknown
    return %2 : !onnx.unknown
  }
}
