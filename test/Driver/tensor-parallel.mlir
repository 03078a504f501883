// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --target=h100-fp16 --parallel=tp2 --report=json | FileCheck %s
// RUN: gpu-cost-opt %s --target=h100-fp16 --gpus=4 --parallel=tp --report=json | FileCheck %s --check-prefix=FOUR
// RUN: gpu-cost-opt %s --target=h100-fp16 --parallel=tp2.dp2 --mode=training --loss=none --optimizer=sgd --precision-mode=cast --report=json | FileCheck %s --check-prefix=BOTH
// RUN: gpu-cost-opt %s --target=h100-fp16 --parallel=tp2.fsdp2 --mode=training --loss=none --optimizer=sgd --precision-mode=cast --report=json > %t.json
// RUN: FileCheck %s --check-prefix=SHARDS < %t.json
// RUN: gpu-cost-opt %s --settings=%t.json --report=json | diff %t.json -
// RUN: not gpu-cost-opt %s --target=h100-fp16 --parallel=tp2.dp2 --gpus=8 --mode=training 2>&1 | FileCheck %s --check-prefix=GPUS
// RUN: not gpu-cost-opt %s --target=h100-fp16 --parallel=tp2.fsdp2 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: not gpu-cost-opt %s --target=h100-fp16 --gpus=3 --parallel=tp 2>&1 | FileCheck %s --check-prefix=HEADS

// 8 query heads, 4 key heads, 16 elements each. Parameters per GPU, 2 bytes
// each: n = 2: 128 * (64 + 2 * 32) + 64 * 128 = 24576; n = 4: 12288 (2 query
// heads, 1 key head).
// CHECK: "parallelism": "tp2"
// CHECK: "world_size": 2
// CHECK: "parameter_bytes": 49152
// FOUR: "parameter_bytes": 24576
// (X9) FSDP divides them once more, and gradients; DDP does not.
// BOTH: "parallelism": "tp2.dp2"
// BOTH: "gpus": 4,
// BOTH: "parameter_bytes": 49152
// SHARDS: "parallelism": "tp2.fsdp2"
// SHARDS: "parameter_bytes": 24576
// GPUS: error: --parallel=tp2.dp2 is a plan for 4 GPUs, but --gpus is 8
// DATA: error: --gpus without --mode=training needs --parallel=tp, or ep for experts
// HEADS: error: attention of 1 block has 8 heads and 4 key/value heads, which cannot be split across 3 GPUs; use a number of GPUs that divides 8, or --tp-pad-heads, which pads them to 12
func.func @main(%x: tensor<3x8x128xf16>) -> tensor<3x8x128xf16> {
  %wq = onnx.Parameter {name = "q"} : () -> tensor<128x128xf16>
  %wk = onnx.Parameter {name = "k"} : () -> tensor<128x64xf16>
  %wv = onnx.Parameter {name = "v"} : () -> tensor<128x64xf16>
  %wo = onnx.Parameter {name = "o"} : () -> tensor<128x128xf16>
  %q = onnx.MatMul %x, %wq : (tensor<3x8x128xf16>, tensor<128x128xf16>) -> tensor<3x8x128xf16>
  %k = onnx.MatMul %x, %wk : (tensor<3x8x128xf16>, tensor<128x64xf16>) -> tensor<3x8x64xf16>
  %v = onnx.MatMul %x, %wv : (tensor<3x8x128xf16>, tensor<128x64xf16>) -> tensor<3x8x64xf16>
  %a = onnx.GroupQueryAttention %q, %k, %v {num_heads = 8 : i64, kv_num_heads = 4 : i64} : (tensor<3x8x128xf16>, tensor<3x8x64xf16>, tensor<3x8x64xf16>) -> tensor<3x8x128xf16>
  %y = onnx.MatMul %a, %wo : (tensor<3x8x128xf16>, tensor<128x128xf16>) -> tensor<3x8x128xf16>
  return %y : tensor<3x8x128xf16>
}
