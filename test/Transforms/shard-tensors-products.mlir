// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --split-input-file --gpucost-shard-tensors=gpus=4 | FileCheck %s

// 4-bit weights in blocks of 32. Columns: 256 / 4 = 64 rows of the packed
// matrix, with 64 * 4 scales and 64 * 2 bytes of zero points. Rows: 256 / 4 = 64
// elements are 2 of the 8 blocks, with 128 * 2 scales.
// CHECK-LABEL: func.func @packed
// CHECK-DAG: onnx.Parameter {name = "up"} : () -> tensor<64x4x16xui8>
// CHECK-DAG: onnx.Parameter {name = "up.scales"} : () -> tensor<256xf16>
// CHECK-DAG: onnx.Parameter {name = "up.zeros"} : () -> tensor<128xui8>
// CHECK-DAG: onnx.Parameter {name = "down"} : () -> tensor<128x2x16xui8>
// CHECK-DAG: onnx.Parameter {name = "down.scales"} : () -> tensor<256xf16>
// CHECK: onnx.MatMulNBits {{.*}}K = 128 : i64, N = 64 : i64
// CHECK: onnx.MatMulNBits {{.*}}K = 64 : i64, N = 128 : i64
// CHECK: gpucost.collective all_reduce{{.*}}bytes = 1024 : i64{{.*}}world_size = 4
func.func @packed(%x: tensor<4x128xf16>) -> tensor<4x128xf16> {
  %up = onnx.Parameter {name = "up"} : () -> tensor<256x4x16xui8>
  %us = onnx.Parameter {name = "up.scales"} : () -> tensor<1024xf16>
  %uz = onnx.Parameter {name = "up.zeros"} : () -> tensor<512xui8>
  %down = onnx.Parameter {name = "down"} : () -> tensor<128x8x16xui8>
  %ds = onnx.Parameter {name = "down.scales"} : () -> tensor<1024xf16>
  %0 = onnx.MatMulNBits %x, %up, %us, %uz {K = 128 : i64, N = 256 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<4x128xf16>, tensor<256x4x16xui8>, tensor<1024xf16>, tensor<512xui8>) -> tensor<4x256xf16>
  %1 = onnx.Relu %0 : (tensor<4x256xf16>) -> tensor<4x256xf16>
  %2 = onnx.MatMulNBits %1, %down, %ds {K = 256 : i64, N = 128 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<4x256xf16>, tensor<128x8x16xui8>, tensor<1024xf16>) -> tensor<4x128xf16>
  return %2 : tensor<4x128xf16>
}

// -----

// (X8) Six experts with 64 hidden units, gate and up in one matrix with 128 rows:
// each GPU has 32 of its rows and 16 columns of the second one. The router is not
// sharded, and a note reports it.
// CHECK: gpucost.parallel_notes = ["tensor parallelism, 1 x onnx.MatMul: onnx.MoE needs the complete tensor"]
// CHECK-LABEL: func.func @experts
// CHECK-DAG: onnx.Parameter {name = "router"} : () -> tensor<32x6xf16>
// CHECK-DAG: onnx.Parameter {name = "fc1"} : () -> tensor<6x32x32xf16>
// CHECK-DAG: onnx.Parameter {name = "fc2"} : () -> tensor<6x32x16xf16>
// CHECK: onnx.MoE
// CHECK: gpucost.collective all_reduce{{.*}}bytes = 512 : i64
func.func @experts(%x: tensor<8x32xf16>) -> tensor<8x32xf16> {
  %none = onnx.None : () -> !onnx.none
  %wr = onnx.Parameter {name = "router"} : () -> tensor<32x6xf16>
  %w1 = onnx.Parameter {name = "fc1"} : () -> tensor<6x128x32xf16>
  %w2 = onnx.Parameter {name = "fc2"} : () -> tensor<6x32x64xf16>
  %r = onnx.MatMul %x, %wr : (tensor<8x32xf16>, tensor<32x6xf16>) -> tensor<8x6xf16>
  %y = onnx.MoE %x, %r, %w1, %none, %w2 {k = 2 : i64, activation_type = "swiglu", swiglu_fusion = 1 : i64} : (tensor<8x32xf16>, tensor<8x6xf16>, tensor<6x128x32xf16>, !onnx.none, tensor<6x32x64xf16>) -> tensor<8x32xf16>
  return %y : tensor<8x32xf16>
}

// -----

// The same in 4 bits: two elements in a byte, scales of each row.
// CHECK-LABEL: func.func @packed_experts
// CHECK-DAG: onnx.Parameter {name = "fc1"} : () -> tensor<6x32x16xui8>
// CHECK-DAG: onnx.Parameter {name = "fc1.scales"} : () -> tensor<6x32xf16>
// CHECK-DAG: onnx.Parameter {name = "fc2"} : () -> tensor<6x32x8xui8>
// CHECK-DAG: onnx.Parameter {name = "fc2.scales"} : () -> tensor<6x32xf16>
func.func @packed_experts(%x: tensor<8x32xf16>, %r: tensor<8x6xf16>) -> tensor<8x32xf16> {
  %none = onnx.None : () -> !onnx.none
  %w1 = onnx.Parameter {name = "fc1"} : () -> tensor<6x128x16xui8>
  %s1 = onnx.Parameter {name = "fc1.scales"} : () -> tensor<6x128xf16>
  %w2 = onnx.Parameter {name = "fc2"} : () -> tensor<6x32x32xui8>
  %s2 = onnx.Parameter {name = "fc2.scales"} : () -> tensor<6x32xf16>
  %y = onnx.QMoE %x, %r, %w1, %s1, %none, %w2, %s2 {k = 2 : i64, expert_weight_bits = 4 : i64} : (tensor<8x32xf16>, tensor<8x6xf16>, tensor<6x128x16xui8>, tensor<6x128xf16>, !onnx.none, tensor<6x32x32xui8>, tensor<6x32xf16>) -> tensor<8x32xf16>
  return %y : tensor<8x32xf16>
}

// -----

// (X7) 101 words, 26 on each GPU (104 with padding); the head shares the table.
// The embedding is a sum over the GPUs, 2 * 3 * 64 * 4 bytes; the logits, 2 * 3 *
// 101 * 4 bytes, are gathered.
// CHECK: gpucost.parallel_notes = ["tensor parallelism, 1 x vocabulary: its 101 rows are padded to 104"]
// CHECK-LABEL: func.func @words({{.*}} -> tensor<2x3x101xf32>
// CHECK: onnx.Parameter {name = "words"} : () -> tensor<26x64xf32>
// CHECK: onnx.Gather
// CHECK: gpucost.collective all_reduce{{.*}}bytes = 1536 : i64
// CHECK: onnx.MatMul {{.*}} -> tensor<2x3x26xf32>
// CHECK: gpucost.collective all_gather{{.*}}bytes = 2424 : i64{{.*}} (tensor<2x3x26xf32>) -> tensor<2x3x101xf32>
func.func @words(%ids: tensor<2x3xi64>) -> tensor<2x3x101xf32> {
  %w = onnx.Parameter {name = "words"} : () -> tensor<101x64xf32>
  %e = onnx.Gather %w, %ids : (tensor<101x64xf32>, tensor<2x3xi64>) -> tensor<2x3x64xf32>
  %t = onnx.Transpose %w {onnx.constant, perm = array<i64: 1, 0>} : (tensor<101x64xf32>) -> tensor<64x101xf32>
  %y = onnx.MatMul %e, %t : (tensor<2x3x64xf32>, tensor<64x101xf32>) -> tensor<2x3x101xf32>
  return %y : tensor<2x3x101xf32>
}

// -----

// Two layers share their weights: they are divided alike.
// CHECK-LABEL: func.func @shared
// CHECK-DAG: onnx.Parameter {name = "up"} : () -> tensor<64x32xf32>
// CHECK-DAG: onnx.Parameter {name = "down"} : () -> tensor<32x64xf32>
// CHECK: gpucost.collective all_reduce
// CHECK: gpucost.collective all_reduce
func.func @shared(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %up = onnx.Parameter {name = "up"} : () -> tensor<64x128xf32>
  %down = onnx.Parameter {name = "down"} : () -> tensor<128x64xf32>
  %0 = onnx.MatMul %x, %up : (tensor<8x64xf32>, tensor<64x128xf32>) -> tensor<8x128xf32>
  %1 = onnx.MatMul %0, %down : (tensor<8x128xf32>, tensor<128x64xf32>) -> tensor<8x64xf32>
  %2 = onnx.MatMul %1, %up : (tensor<8x64xf32>, tensor<64x128xf32>) -> tensor<8x128xf32>
  %3 = onnx.MatMul %2, %down : (tensor<8x128xf32>, tensor<128x64xf32>) -> tensor<8x64xf32>
  return %3 : tensor<8x64xf32>
}
