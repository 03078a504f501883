// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not gpu-cost-opt %s --gpucost-parallelize="gpus=2 parallel=zero" 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not gpu-cost-opt %s --gpucost-parallelize="gpus=2 parallel=tp" 2>&1 | FileCheck %s --check-prefix=TP
// RUN: not gpu-cost-opt %s --gpucost-parallelize=gpus=0 2>&1 | FileCheck %s --check-prefix=GPUS
// RUN: not gpu-cost-opt %s --gpucost-parallelize="gpus=2 bucket-mib=0" 2>&1 | FileCheck %s --check-prefix=BUCKET

// MODE: --parallel expects ddp, zero1, zero2, fsdp, tp or pp, or several of them with numbers (tp4.dp2, tp2.fsdp4, tp2.pp4.dp2, tp2.zero1x4, fsdp8.dp2), but got 'zero'
// TP: error: tensor parallelism requires 'gpucost-shard-tensors'; expected ddp, zero1, zero2 or fsdp
// GPUS: --gpus expects 1 to 131072, but got '0'
// BUCKET: error: expected buckets of at least 1 MiB, but got 0

// A graph without gradients has nothing to exchange.
// RUN: gpu-cost-opt %s --gpucost-parallelize=gpus=2 | FileCheck %s
// CHECK: func.func @forward
// CHECK-NOT: collective
// CHECK: return
func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = onnx.Parameter : () -> tensor<4xf32>
  %0 = onnx.Mul %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
