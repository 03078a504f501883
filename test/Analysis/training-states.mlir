// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{train} = gpu-cost-opt %s --target=a100-bf16 --mode=training --precision-mode=cast --loss=mse --optimizer=adam --optimizer-variant=fused
// RUN: %{train} --report=json | FileCheck %s --check-prefix=CAST
// RUN: %{train} --main-grads=fp32 --report=json | FileCheck %s --check-prefix=MEGATRON
// RUN: %{train} --main-grads=fp32 --report=csv | FileCheck %s --check-prefix=MEGATRON-KERNELS
// RUN: %{train} --master-weights=fp32 --report=json | FileCheck %s --check-prefix=MASTER
// RUN: %{train} --master-weights=fp32 --report=csv | FileCheck %s --check-prefix=MASTER-KERNELS
// RUN: %{train} --optimizer-states=8bit --report=json | FileCheck %s --check-prefix=EIGHT
// RUN: %{train} --optimizer-states=8bit --report=csv | FileCheck %s --check-prefix=EIGHT-KERNELS
// RUN: %{train} --trainable=v --report=json | FileCheck %s --check-prefix=FROZEN
// RUN: not %{train} --report=json --trainable=lora 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not %{train} --report=json --trainable=[ 2>&1 | FileCheck %s --check-prefix=PATTERN
// RUN: not %{train} --report=json --main-grads=fp32 --master-weights=as-is 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: %{train} --main-grads=fp32 --gpus=4 --parallel=zero1 --report=json | FileCheck %s --check-prefix=ZERO1
// RUN: %{train} --main-grads=fp32 --gpus=4 --parallel=zero1 --report=csv | FileCheck %s --check-prefix=ZERO1-KERNELS
// RUN: %{train} --trainable=v --gpus=4 --parallel=zero1 --report=csv | FileCheck %s --check-prefix=ADAPTER
// RUN: %{train} --gpus=4 --parallel=zero2 --report=json | FileCheck %s --check-prefix=ZERO2
// RUN: %{train} --main-grads=fp32 --gpus=4 --parallel=fsdp --report=json | FileCheck %s --check-prefix=FSDP

// w has 64 x 128 = 8192 elements, v 128 x 16 = 2048, together 10240: 20480 bytes in
// 16 bit, 40960 in 32.

// 16-bit weights, two states in the same format.
// CAST: "parameter_bytes": 20480,
// CAST: "optimizer_bytes": 40960,

// (O6) Megatron: fp32 gradients, master weights and two states: 4 + 12 bytes.
// MEGATRON: "parameter_bytes": 20480,
// MEGATRON: "gradient_bytes": 40960,
// MEGATRON: "optimizer_bytes": 122880,
// Each gradient is added to its buffer: 2 + 4 bytes read, 4 written, 8192 * 10 and
// 2048 * 10 (v is first). Buffers are zeroed: 10240 * 4. Adam reads 4 and writes 3
// tensors of fp32: 10240 * 28. Then 4 bytes are read and 2 written: 10240 * 6.
// MEGATRON-KERNELS-DAG: ,InPlaceAccumulator,{{.*}},81920,
// MEGATRON-KERNELS-DAG: ,InPlaceAccumulator,{{.*}},20480,
// MEGATRON-KERNELS-DAG: ,zero gradients,{{.*}},40960,
// MEGATRON-KERNELS-DAG: ,fused adam,{{.*}},286720,
// MEGATRON-KERNELS-DAG: ,copy to model weights,{{.*}},61440,

// (O6) Without main gradients the 16-bit ones are copied: 2 + 4 bytes.
// MASTER: "optimizer_bytes": 122880,
// MASTER-KERNELS-DAG: ,gradients to master format,{{.*}},61440,
// MASTER-KERNELS-DAG: ,fused adam,{{.*}},286720,
// MASTER-KERNELS-DAG: ,copy to model weights,{{.*}},61440,

// (O7) Two states of 8192 bytes and 32 scales of 4 for w; v is small: two of 8192.
// 2 * (8192 + 128) + 2 * 8192
// EIGHT: "optimizer_bytes": 33024,
// w: read 2 + 2 + 1 + 1, written 2 + 1 + 1 bytes, and 2 * 128 of scales each way:
// 8192 * 10 + 512. v: read 2 + 2 + 4 + 4, written 2 + 4 + 4: 2048 * 22.
// EIGHT-KERNELS-DAG: ,8-bit update,{{.*}},82432,
// EIGHT-KERNELS-DAG: ,32-bit update,{{.*}},45056,

// w is frozen: only v has states, and w and x have no gradient.
// FROZEN-DAG: 1 of 2 parameters are trained
// FROZEN-DAG: "parameter_bytes": 20480,
// FROZEN-DAG: "optimizer_bytes": 8192,
// Two matmuls forward, one for the gradient of v: 2*16*64*128 + 2 * 2*16*128*16.
// FROZEN-DAG: "matrix_flops": 393216,

// NOBODY: error: no parameter name matches --trainable=lora
// PATTERN: error: --trainable:
// MIXED: error: --main-grads=fp32 needs --master-weights=fp32

// (X11) A quarter of the states; buffers of gradients are whole.
// ZERO1: "gradient_bytes": 40960,
// ZERO1: "optimizer_bytes": 30720,
// A quarter of the elements, 2560, in the update; all are zeroed.
// ZERO1-KERNELS-DAG: ,zero gradients,{{.*}},40960,
// ZERO1-KERNELS-DAG: ,fused adam,{{.*}},71680,
// ZERO1-KERNELS-DAG: ,copy to model weights,{{.*}},15360,
// fp32 gradients are reduced and scattered, 16-bit weights gathered: of 40960 and
// 20480 bytes 3/4 each are read and written.
// ZERO1-KERNELS-DAG: ,gpucost.collective,{{.*}},61440,
// ZERO1-KERNELS-DAG: ,gpucost.collective,{{.*}},30720,

// Frozen weights are not sent: only v, 4096 bytes.
// ADAPTER: all_gather bytes=4096 world_size=4,1,{{.*}},network,all_gather,
// ADAPTER-NOT: all_gather

// ZERO2: "parameter_bytes": 20480,
// ZERO2: "optimizer_bytes": 10240,

// (O6) FSDP2: shards of fp32 weights and states, 4 + 8 bytes by 4.
// FSDP: "parameter_bytes": 10240,
// FSDP: "optimizer_bytes": 20480,

func.func @main(%x: tensor<16x64xf32>) -> tensor<16x16xf32> {
  %w = onnx.Parameter {name = "w"} : () -> tensor<64x128xf32>
  %v = onnx.Parameter {name = "v"} : () -> tensor<128x16xf32>
  %0 = onnx.MatMul %x, %w : (tensor<16x64xf32>, tensor<64x128xf32>) -> tensor<16x128xf32>
  %1 = onnx.MatMul %0, %v : (tensor<16x128xf32>, tensor<128x16xf32>) -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}
