// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats with a scale per block (Q2), (Q3), on the toy GPU as a Blackwell that states rates for them.
// RUN: sed -e 's/architecture = ada/architecture = blackwell/' -e 's/<format = int8, [^>]*>/&, <format = mxfp4, flops_per_clock = 4096, peak = 40.96 TFLOPS>, <format = nvfp4, flops_per_clock = 4096, peak = 40.96 TFLOPS>/' -e 's/eight_bit_energy = 0.5,/& four_bit_energy = 0.25,/' %inputs/toy-target.mlir > %t.mlir
// RUN: gpu-cost-opt %s --gpucost-set-target='target-file=%t.mlir target=bf16' --gpucost-quantize='weights=nvfp4 activations=nvfp4' | FileCheck %s --check-prefixes=CHECK,NVFP4
// RUN: gpu-cost-opt %s --gpucost-set-target='target-file=%t.mlir target=bf16' --gpucost-quantize='weights=mxfp8 activations=mxfp8' | FileCheck %s --check-prefixes=CHECK,MXFP8
// RUN: gpu-cost-opt %s --gpucost-set-target='target-file=%t.mlir target=bf16' --gpucost-quantize='weights=mxfp4' | FileCheck %s --check-prefixes=CHECK,ALONE
// RUN: gpu-cost-opt %s --gpucost-set-target='target-file=%t.mlir target=bf16' --gpucost-quantize='weights=nvfp4 activations=nvfp4' --gpucost-form-kernels --gpucost-annotate-work | FileCheck %s --check-prefix=WORK
// RUN: gpu-cost-opt %s --gpucost-set-target='target-file=%t.mlir target=bf16' --gpucost-quantize='weights=mxfp8 activations=mxfp8' --gpucost-form-kernels --gpucost-annotate-work | FileCheck %s --check-prefix=WORK8
// RUN: gpu-cost-opt %s --gpucost-set-target='target-file=%t.mlir target=bf16' --gpucost-quantize='weights=mxfp4 activations=mxfp8' --gpucost-form-kernels --gpucost-annotate-work | FileCheck %s --check-prefix=MIXED

// NVFP4: gpucost.format_notes = ["1 matmul with weights in nvfp4 (a scale of 8 bits per 16) and activations in nvfp4 (a separate kernel quantises each activation)", "1 convolution not quantised: no kernels compute them in nvfp4",
// ALONE: gpucost.format_notes = ["1 matmul with weights in mxfp4 (a scale of 8 bits per 32), which the kernels dequantise to compute in 16 bit or more", "1 convolution not quantised: no kernels dequantise their weights; set --activations as well",

// Scales along the 256 rows, for each of the 512 columns and for 8 * 256 activations.
// CHECK-LABEL: func.func @product
// NVFP4-DAG: %[[S:.*]] = onnx.Parameter {gpucost.role = #gpucost<role parameter>} : () -> tensor<512x16xi8>
// NVFP4-DAG: %[[Q:.*]]:2 = onnx.QuantizeBlocks %{{.*}} : (tensor<8x256xbf16>) -> (tensor<8x256xf4E2M1FN>, tensor<128xi8>)
// NVFP4: onnx.MatMul %[[Q]]#0, %{{.*}}, %[[S]], %[[Q]]#1 : (tensor<8x256xf4E2M1FN>, tensor<256x512xf4E2M1FN>, tensor<512x16xi8>, tensor<128xi8>) -> tensor<8x512xbf16>
// MXFP8: onnx.MatMul %{{.*}} : (tensor<8x256xf8E4M3FN>, tensor<256x512xf8E4M3FN>, tensor<512x8xi8>, tensor<64xi8>) -> tensor<8x512xbf16>
// ALONE: onnx.MatMul %{{.*}} : (tensor<8x256xbf16>, tensor<256x512xf4E2M1FN>, tensor<512x8xi8>) -> tensor<8x512xbf16>

// 2 bytes of 8 * 256 elements are read, 1/2 of each and 1 per 16 written: 1024 + 128.
// The matmul reads them and 512 * 256 / 2 + 512 * 16 bytes of weights: 74880.
// WORK: gpucost.kernel "QuantizeBlocks" {{.*}}bytes_read = 4096, bytes_written = 1152>
// WORK: gpucost.kernel "MatMul" {{.*}}format = nvfp4, input_bits = 4, output_bits = 16, problem = #gpucost.matmul<m = 8, n = 512, k = 256>, tensor_flops = 2097152, bytes_read = 74880, bytes_written = 8192>
// 2048 + 64 bytes of activations, 512 * 256 + 512 * 8 of weights.
// WORK8: gpucost.kernel "MatMul" {{.*}}format = mxfp8, input_bits = 8, output_bits = 16, problem = #gpucost.matmul<m = 8, n = 512, k = 256>, tensor_flops = 2097152, bytes_read = 137280, bytes_written = 8192>
// The same activations, 512 * 256 / 2 + 512 * 8 of weights.
// MIXED: gpucost.kernel "MatMul" {{.*}}format = mxfp8, input_bits = 8, output_bits = 16, problem = #gpucost.matmul<m = 8, n = 512, k = 256, weight_bits = 4>, tensor_flops = 2097152, bytes_read = 71744, bytes_written = 8192>
func.func @product(%x: tensor<8x256xbf16>) -> tensor<8x512xbf16> {
  %w = onnx.Parameter : () -> tensor<256x512xbf16>
  %0 = onnx.MatMul %x, %w : (tensor<8x256xbf16>, tensor<256x512xbf16>) -> tensor<8x512xbf16>
  return %0 : tensor<8x512xbf16>
}

// CHECK-LABEL: func.func @convolution
// CHECK: onnx.Conv %{{.*}} : (tensor<1x16x8x8xbf16>, tensor<32x16x3x3xbf16>) -> tensor<1x32x6x6xbf16>
func.func @convolution(%x: tensor<1x16x8x8xbf16>) -> tensor<1x32x6x6xbf16> {
  %w = onnx.Parameter : () -> tensor<32x16x3x3xbf16>
  %0 = onnx.Conv %x, %w : (tensor<1x16x8x8xbf16>, tensor<32x16x3x3xbf16>) -> tensor<1x32x6x6xbf16>
  return %0 : tensor<1x32x6x6xbf16>
}
