// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{run} = gpu-cost-opt %s --target=h100-fp16 --precision-mode=as-is
// RUN: %{run} --gpus=4 --parallel=ep --emit=ir | FileCheck %s
// RUN: %{run} --parallel=ep4 --moe-balance=worst --emit=ir | FileCheck %s --check-prefix=WORST
// RUN: %{run} --parallel=ep4 --report=json | FileCheck %s --check-prefix=JSON
// RUN: %{run} --parallel=ep4 --nodes=2 --network=400:5 --emit=ir | FileCheck %s --check-prefix=NODES
// RUN: %{run} --parallel=ep4 --report=json -o %t.json
// RUN: gpu-cost-opt %s --settings=%t.json --report=json | diff %t.json -
// RUN: not %{run} --gpus=3 --parallel=ep 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: not %{run} --parallel=tp2.ep2 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not %{run} --parallel=ep4 --mode=training 2>&1 | FileCheck %s --check-prefix=TRAINING
// RUN: not %{run} --gpus=4 --parallel=fsdp 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: not %{run} --parallel=ep2.dp2 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not gpu-cost-opt %models/gpt2.onnx --target=h100 --batch=1 --seq=8 --parallel=ep2 2>&1 | FileCheck %s --check-prefix=DENSE

// (X12) 8 tokens per GPU choose 2 of 8 experts: the busiest GPU has 16 + 1.05 * sqrt(32 * 2/4 * 3/4 * 6/7) = 19.4, 20 rows:
// 20 * 32 * 2 = 1280 bytes, and 3/4 of them cross a link: 960 are read, and 960 written. The 32 tokens of all GPUs read
// each expert with the probability 1 - 0.75^32 = 0.9999, and the busiest GPU both of its experts. An expert has 128 + 64
// columns over 32 rows, 2 * 20 * 192 * 32 = 245760 FLOP for the 20 rows. Read: 1280, router 8 * 8 * 2 = 128, weights 24576.
// CHECK: kernel "collective" {{.*}}all_to_all, bytes = 1280, world_size = 4{{.*}}bytes_read = 960, bytes_written = 960
// CHECK: kernel "MoE" {{.*}}batch = 2, m = 10, n = 192, k = 32{{.*}}tensor_flops = 245760{{.*}}bytes_read = 25984, bytes_written = 1280
// CHECK: kernel "collective" {{.*}}all_to_all, bytes = 1280
// All 32 tokens choose the two experts of this GPU: 64 rows, 4096 bytes, 786432 FLOP.
// WORST: all_to_all, bytes = 4096
// WORST: kernel "MoE" {{.*}}batch = 2, m = 32, n = 192, k = 32{{.*}}tensor_flops = 786432
// JSON: "parallelism": "ep4"
// JSON: "world_size": 4
// JSON: uncalibrated
// NODES: all_to_all, bytes = 1280, world_size = 4, nodes = 2
// THREE: error: the layer has 8 experts, which cannot be split across 3 GPUs; use a number of GPUs that divides 8
// BOTH: error: --parallel=tp2.ep2 shards both experts and blocks; expected ep, with the rest
// TRAINING: error: --parallel=ep requires layers of experts: matmuls of a batch of weights; the model has none
// DATA: error: --gpus without --mode=training needs --parallel=tp, or ep for experts
// TWICE: error: {{.*}}ep2.dp2
// DENSE: error: --parallel=ep requires MoE layers (MoE, QMoE, MoEPacked), but the model has none; use tp
func.func @main(%x: tensor<2x4x32xf16>) -> tensor<2x4x32xf16> {
  %wr = onnx.Parameter {name = "router"} : () -> tensor<32x8xf16>
  %none = onnx.None : () -> !onnx.none
  %w1 = onnx.Parameter {name = "fc1"} : () -> tensor<8x128x32xf16>
  %w2 = onnx.Parameter {name = "fc2"} : () -> tensor<8x32x64xf16>
  %r = onnx.MatMul %x, %wr : (tensor<2x4x32xf16>, tensor<32x8xf16>) -> tensor<2x4x8xf16>
  %y = onnx.MoE %x, %r, %w1, %none, %w2 {k = 2 : i64, activation_type = "swiglu", swiglu_fusion = 1 : i64} : (tensor<2x4x32xf16>, tensor<2x4x8xf16>, tensor<8x128x32xf16>, !onnx.none, tensor<8x32x64xf16>) -> tensor<2x4x32xf16>
  return %y : tensor<2x4x32xf16>
}
