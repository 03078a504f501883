// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-bf16 --gpucost-quantize='weights=int4' | FileCheck %s --check-prefixes=CHECK,INT4
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-bf16 --gpucost-quantize='weights=int4 weight-group=64' | FileCheck %s --check-prefix=GROUP
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-bf16 --gpucost-quantize='weights=fp8 activations=fp8 kv=fp8' | FileCheck %s --check-prefixes=CHECK,FP8
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-bf16 --gpucost-quantize='weights=int8 activations=int8 kv=int8' | FileCheck %s --check-prefixes=CHECK,INT8
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-fp8 --gpucost-quantize | FileCheck %s --check-prefix=TARGET
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-bf16 --gpucost-quantize | FileCheck %s --check-prefix=NONE
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-bf16 --gpucost-quantize='weights=int4' --gpucost-form-kernels --gpucost-annotate-work | FileCheck %s --check-prefix=WORK4
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-bf16 --gpucost-quantize='weights=fp8 activations=fp8 kv=fp8' --gpucost-form-kernels --gpucost-annotate-work | FileCheck %s --check-prefix=WORK8
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-bf16 --gpucost-quantize='weights=fp8 activations=fp8' --gpucost-form-kernels=runtime=compiled | FileCheck %s --check-prefix=COMPILED

// The notes for the report.
// INT4: gpucost.format_notes = ["3 matmuls with weights in int4 (a 16-bit scale and a 4-bit zero point per 128), which the kernels dequantise to compute in 16 bit or more", "1 matmul not quantised: sizes are not multiples of 16", "1 matmul not quantised: other ops also read the weight", "1 convolution not quantised: no kernels dequantise their weights; set --activations as well",
// FP8: gpucost.format_notes = ["4 matmuls with weights in fp8 (a scale per output channel) and activations in fp8 (static scales; a separate kernel quantises each activation)", "1 matmul not quantised: sizes are not multiples of 16", "1 matmul not quantised: other ops also read the weight", "KV cache of 1 attention in fp8, attention computes in its original format",
// NONE-NOT: gpucost.format_notes
// NONE-NOT: f8E4M3FN
// NONE-NOT: QuantizeLinear

// (Q2) The weight through its transpose, with scales and zero points for groups along
// the 256 rows: each of the 512 columns has 2 groups of 128.
// CHECK-LABEL: func.func @products
// INT4-DAG: onnx.Parameter : () -> tensor<512x256xi4>
// INT4-DAG: %[[S:.*]] = onnx.Parameter {gpucost.role = #gpucost<role parameter>} : () -> tensor<512x2xf16>
// INT4-DAG: %[[Z:.*]] = onnx.Parameter {gpucost.role = #gpucost<role parameter>} : () -> tensor<512x2xi4>
// INT4-DAG: %[[T:.*]] = onnx.Transpose {{.*}} : (tensor<512x256xi4>) -> tensor<256x512xi4>
// INT4: onnx.MatMul %{{.*}}, %[[T]], %[[S]], %[[Z]] : (tensor<8x256xbf16>, tensor<256x512xi4>, tensor<512x2xf16>, tensor<512x2xi4>) -> tensor<8x512xbf16>
// GROUP: onnx.MatMul %{{.*}} : (tensor<8x256xbf16>, tensor<256x512xi4>, tensor<512x4xf16>, tensor<512x4xi4>) -> tensor<8x512xbf16>
// (Q3) Both matmuls of an activation read one quantised copy of it.
// FP8-DAG: %[[Q:.*]] = onnx.QuantizeLinear %{{.*}} : (tensor<8x256xbf16>) -> tensor<8x256xf8E4M3FN>
// FP8-DAG: onnx.MatMul %[[Q]], %{{.*}} : (tensor<8x256xf8E4M3FN>, tensor<256x512xf8E4M3FN>, tensor<512xf32>) -> tensor<8x512xbf16>
// FP8-DAG: onnx.Gemm %[[Q]], %{{.*}} {transB = 1 : i64} : (tensor<8x256xf8E4M3FN>, tensor<64x256xf8E4M3FN>, tensor<64xbf16>, tensor<64xf32>) -> tensor<8x64xbf16>
// INT8-DAG: onnx.Gemm %{{.*}} {transB = 1 : i64} : (tensor<8x256xi8>, tensor<64x256xi8>, tensor<64xbf16>, tensor<64xf32>) -> tensor<8x64xbf16>
// An fp8 target implies both settings, but does not change the cache.
// TARGET: onnx.Gemm %{{.*}} {transB = 1 : i64} : (tensor<8x256xf8E4M3FN>, tensor<64x256xf8E4M3FN>, tensor<64xbf16>, tensor<64xf32>) -> tensor<8x64xbf16>

// (Q1) 512 * 256 / 2 bytes of weights, 512 * 2 groups with 2 bytes and 1/2 byte; activations
// 4096: 65536 + 2048 + 512 + 4096 = 72192. 2 * 8 * 512 * 256 matrix FLOPs, and 2 per
// weight to dequantise it.
// WORK4: gpucost.kernel "MatMul" {{.*}}format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.matmul<m = 8, n = 512, k = 256, weight_bits = 4>, tensor_flops = 2097152, fp32_flops = 262144, bytes_read = 72192, bytes_written = 8192>
// 8 * 256 elements read in 2 bytes, written in 1.
// WORK8: gpucost.kernel "QuantizeLinear" {{.*}}problem = #gpucost.elements<count = 2048, quantized_columns = 256>, {{.*}}bytes_read = 4096, bytes_written = 2048>
// 512 * 256 + 512 * 4 + 2048 bytes.
// WORK8: gpucost.kernel "MatMul" {{.*}}format = fp8, input_bits = 8, output_bits = 16, problem = #gpucost.matmul<m = 8, n = 512, k = 256>, tensor_flops = 2097152, bytes_read = 135168, bytes_written = 8192>
func.func @products(%x: tensor<8x256xbf16>) -> (tensor<8x512xbf16>, tensor<8x64xbf16>) {
  %w = onnx.Parameter : () -> tensor<512x256xbf16>
  %v = onnx.Parameter : () -> tensor<64x256xbf16>
  %b = onnx.Parameter : () -> tensor<64xbf16>
  %t = onnx.Transpose %w {onnx.constant, perm = array<i64: 1, 0>} : (tensor<512x256xbf16>) -> tensor<256x512xbf16>
  %0 = onnx.MatMul %x, %t : (tensor<8x256xbf16>, tensor<256x512xbf16>) -> tensor<8x512xbf16>
  %1 = onnx.Gemm %x, %v, %b {transB = 1 : i64} : (tensor<8x256xbf16>, tensor<64x256xbf16>, tensor<64xbf16>) -> tensor<8x64xbf16>
  return %0, %1 : tensor<8x512xbf16>, tensor<8x64xbf16>
}

// Sizes that are not multiples of 16, and an embedding that is also the output layer,
// are unchanged; matmuls of two activations have no weight.
// CHECK-LABEL: func.func @others
// CHECK: onnx.Gather %{{.*}} : (tensor<64x32xbf16>, tensor<8xi64>) -> tensor<8x32xbf16>
// CHECK: onnx.MatMul %{{.*}} : (tensor<8x32xbf16>, tensor<32x50xbf16>) -> tensor<8x50xbf16>
// CHECK: onnx.MatMul %{{.*}} : (tensor<8x32xbf16>, tensor<32x64xbf16>) -> tensor<8x64xbf16>
// CHECK: onnx.MatMul %{{.*}} : (tensor<8x32xbf16>, tensor<32x8xbf16>) -> tensor<8x8xbf16>
func.func @others(%i: tensor<8xi64>) -> (tensor<8x50xbf16>, tensor<8x64xbf16>, tensor<8x8xbf16>) {
  %e = onnx.Parameter : () -> tensor<64x32xbf16>
  %w = onnx.Parameter : () -> tensor<32x50xbf16>
  %x = onnx.Gather %e, %i {axis = 0 : i64} : (tensor<64x32xbf16>, tensor<8xi64>) -> tensor<8x32xbf16>
  %0 = onnx.MatMul %x, %w : (tensor<8x32xbf16>, tensor<32x50xbf16>) -> tensor<8x50xbf16>
  %t = onnx.Transpose %e {onnx.constant, perm = array<i64: 1, 0>} : (tensor<64x32xbf16>) -> tensor<32x64xbf16>
  %1 = onnx.MatMul %x, %t : (tensor<8x32xbf16>, tensor<32x64xbf16>) -> tensor<8x64xbf16>
  %u = onnx.Transpose %x {perm = array<i64: 1, 0>} : (tensor<8x32xbf16>) -> tensor<32x8xbf16>
  %2 = onnx.MatMul %x, %u : (tensor<8x32xbf16>, tensor<32x8xbf16>) -> tensor<8x8xbf16>
  return %0, %1, %2 : tensor<8x50xbf16>, tensor<8x64xbf16>, tensor<8x8xbf16>
}

// A convolution computes in 8 bit or not at all; its scale is the operand after the bias,
// which is absent here.
// CHECK-LABEL: func.func @convolution
// INT4: onnx.Conv %{{.*}} : (tensor<1x16x8x8xbf16>, tensor<32x16x3x3xbf16>) -> tensor<1x32x6x6xbf16>
// FP8: onnx.Conv %{{.*}} : (tensor<1x16x8x8xf8E4M3FN>, tensor<32x16x3x3xf8E4M3FN>, !onnx.none, tensor<32xf32>) -> tensor<1x32x6x6xbf16>
// INT8: onnx.Conv %{{.*}} : (tensor<1x16x8x8xi8>, tensor<32x16x3x3xi8>, !onnx.none, tensor<32xf32>) -> tensor<1x32x6x6xbf16>
func.func @convolution(%x: tensor<1x16x8x8xbf16>) -> tensor<1x32x6x6xbf16> {
  %w = onnx.Parameter : () -> tensor<32x16x3x3xbf16>
  %0 = onnx.Conv %x, %w {group = 1 : i64} : (tensor<1x16x8x8xbf16>, tensor<32x16x3x3xbf16>) -> tensor<1x32x6x6xbf16>
  return %0 : tensor<1x32x6x6xbf16>
}

// (Q4) The cache comes in and goes out in 8 bits; queries and new tokens do not. Bytes
// read: queries and new tokens 2 * (256 + 2 * 128), the cache of 63 tokens 2 * 2 * 63 *
// 64; written: 2 * 256, the cache of 64 tokens 2 * 2 * 64 * 64.
// CHECK-LABEL: func.func @cache
// FP8-SAME: tensor<1x2x63x64xf8E4M3FN>, %{{.*}}: tensor<1x2x63x64xf8E4M3FN>) -> (tensor<1x1x256xbf16>, tensor<1x2x64x64xf8E4M3FN>, tensor<1x2x64x64xf8E4M3FN>)
// INT8-SAME: tensor<1x2x63x64xi8>
// TARGET: onnx.GroupQueryAttention {{.*}} -> (tensor<1x1x256xbf16>, tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>)
// WORK8: gpucost.kernel "GroupQueryAttention" {{.*}}format = bf16, input_bits = 8, output_bits = 16, problem = #gpucost.attention<heads = 4, kv_heads = 2, query_length = 1, kv_length = 64, head_dim = 64, causal = true>, tensor_flops = 65536, fp32_flops = 1280, special_ops = 256, bytes_read = 17152, bytes_written = 16896>
func.func @cache(%q: tensor<1x1x256xbf16>, %k: tensor<1x1x128xbf16>, %v: tensor<1x1x128xbf16>, %pk: tensor<1x2x63x64xbf16>, %pv: tensor<1x2x63x64xbf16>) -> (tensor<1x1x256xbf16>, tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>) {
  %0:3 = onnx.GroupQueryAttention %q, %k, %v, %pk, %pv {kv_num_heads = 2 : i64, num_heads = 4 : i64} : (tensor<1x1x256xbf16>, tensor<1x1x128xbf16>, tensor<1x1x128xbf16>, tensor<1x2x63x64xbf16>, tensor<1x2x63x64xbf16>) -> (tensor<1x1x256xbf16>, tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>)
  return %0#0, %0#1, %0#2 : tensor<1x1x256xbf16>, tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>
}

// Compiled code quantises where the activation is made; eager code does not.
// COMPILED-LABEL: func.func @fused
// COMPILED: gpucost.kernel "Relu+QuantizeLinear"
// COMPILED-NOT: gpucost.kernel "QuantizeLinear"
// WORK8-LABEL: func.func @fused
// WORK8: gpucost.kernel "Relu"
// WORK8: gpucost.kernel "QuantizeLinear"
func.func @fused(%x: tensor<16x256xbf16>) -> tensor<16x512xbf16> {
  %w = onnx.Parameter : () -> tensor<256x512xbf16>
  %0 = onnx.Relu %x : (tensor<16x256xbf16>) -> tensor<16x256xbf16>
  %1 = onnx.MatMul %0, %w : (tensor<16x256xbf16>, tensor<256x512xbf16>) -> tensor<16x512xbf16>
  return %1 : tensor<16x512xbf16>
}
