// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels are for the settings that they were formed for, tilings for one GPU.
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-bf16 --gpucost-form-kernels --gpucost-annotate-work --gpucost-select-tiling -o %t.mlir
// RUN: gpu-cost-opt %t.mlir --gpucost-predict | FileCheck %s
// RUN: gpu-cost-opt %t.mlir --gpucost-predict=clock=900 | FileCheck %s
// RUN: not gpu-cost-opt %t.mlir --gpucost-predict=runtime=compiled 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUN: not gpu-cost-opt %t.mlir --gpucost-form-kernels=runtime=compiled 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUN: not gpu-cost-opt %t.mlir --gpucost-set-target=target=h100-bf16 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: gpu-cost-opt %t.mlir --gpucost-set-target=target=a100-bf16 --gpucost-predict | FileCheck %s
// A pipeline that chooses the tilings again may take another GPU.
// RUN: gpu-cost-opt %t.mlir --gpucost-analyze=target=h100-bf16 | FileCheck %s --check-prefix=AGAIN

// CHECK: gpucost.summary =
// RUNTIME: error: the kernels were formed for other settings (runtime); run 'gpucost-form-kernels' with the new settings
// GPU: error: the kernels have tilings for 'a100-sxm-80gb' in bf16, not for 'h100-sxm-80gb' in bf16; set the target before 'gpucost-select-tiling'
// AGAIN: gpucost.summary =
func.func @main(%x: tensor<512x512xbf16>) -> tensor<512x512xbf16> {
  %0 = "onnx.Relu"(%x) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %1 = "onnx.Sigmoid"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %1 : tensor<512x512xbf16>
}
