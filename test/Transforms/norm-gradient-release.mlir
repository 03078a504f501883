// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 mode=training loss=none optimizer=none precision-mode=as-is software=pytorch-2.7})' | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 mode=training loss=none optimizer=none precision-mode=as-is})' | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 mode=training loss=none optimizer=none precision-mode=as-is runtime=compiled})' | FileCheck %s --check-prefix=COMPILED
// RUN: sed 's/64x768/65537x768/g' %s > %t.long.mlir
// RUN: gpu-cost-opt %t.long.mlir --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 mode=training loss=none optimizer=none precision-mode=as-is software=pytorch-1.13})' | FileCheck %s --check-prefix=OLD
// RUN: gpu-cost-opt %t.long.mlir --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 mode=training loss=none optimizer=none precision-mode=as-is})' | FileCheck %s --check-prefix=NEW

// (M11) A CTA sums the gradients of 32 columns; since PyTorch 2.8 more than 65,536 rows
// fill the GPU. The kernel of dX is unchanged. A compiler generates separate kernels.
// CHECK: kernel "NormInputGrad"
// CHECK-NOT: norm-gradient-columns
// CHECK: kernel "NormWeightGrad" {{.*}}implementation = "norm-gradient-columns"{{.*}}#gpucost.rows<rows = 768, cols = 64, pass = weight_gradient>
// COMPILED-NOT: norm-gradient-columns
// OLD: kernel "NormWeightGrad" {{.*}}implementation = "norm-gradient-columns"{{.*}}cols = 65537
// NEW: kernel "NormWeightGrad" {{.*}}implementation = reduction{{.*}}cols = 65537
func.func @main(%x: tensor<64x768xf16>) -> tensor<64x768xf16> {
  %e = onnx.Parameter : () -> tensor<768xf16>
  %s = onnx.Parameter : () -> tensor<768xf16>
  %b = onnx.Parameter : () -> tensor<768xf16>
  %0 = onnx.Add %x, %e : (tensor<64x768xf16>, tensor<768xf16>) -> tensor<64x768xf16>
  %1 = onnx.LayerNormalization %0, %s, %b : (tensor<64x768xf16>, tensor<768xf16>, tensor<768xf16>) -> tensor<64x768xf16>
  return %1 : tensor<64x768xf16>
}
