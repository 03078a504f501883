// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h200-bf16 software=sglang})' | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h200-bf16 software=tensorrt-llm})' | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h200-bf16 software=vllm})' | FileCheck %s --check-prefix=ROWS
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h200-bf16 software=sglang runtime=compiled})' | FileCheck %s --check-prefix=COMPILED
// RUN: gpu-cost-opt %s --target=h200-bf16 --software=sglang | FileCheck %s --check-prefix=TIME

// (M16) SGLang and TensorRT-LLM start a CTA for each row.
// CHECK: kernel "RMSNormalization" {{.*}}implementation = "norm-row-per-cta"{{.*}}rows = 221184, cols = 128, norm = rms>
// ROWS: kernel "RMSNormalization" {{.*}}implementation = "native-norm"{{.*}}rows = 221184, cols = 128, norm = rms>
// COMPILED: kernel "RMSNormalization" {{.*}}implementation = reduction{{.*}}rows = 221184, cols = 128>

// 2.45 clocks for each of 221,184 rows at 1.98 GHz: 273.7 us, plus launch and other terms; measured: 274.7 us.
// TIME: 27{{[0-9.]+}} norm {{ *}}RMSNormalization {{ *}}rows=221184 cols=128
func.func @main(%h: tensor<4608x48x128xbf16>) -> tensor<4608x48x128xbf16> {
  %w = onnx.Parameter {name = "norm"} : () -> tensor<128xbf16>
  %n = onnx.RMSNormalization %h, %w : (tensor<4608x48x128xbf16>, tensor<128xbf16>) -> tensor<4608x48x128xbf16>
  return %n : tensor<4608x48x128xbf16>
}
