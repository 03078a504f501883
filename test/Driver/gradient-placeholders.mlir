// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// (X18) A matmul that adds the gradient of a weight to the fp32 sum leaves a placeholder of the weight's size to autograd;
// the two blocks share one. Sums: 4 * (2 * 65536 + 131072) = 1048576; placeholders: 2 * (65536 + 131072) = 393216.
// RUN: gpu-cost-opt %s --target-file=%S/../Inputs/toy-target.mlir --mode=training --software=megatron --optimizer=adam --report=json | FileCheck %s
// CHECK: "gradient_bytes": 1441792

// (B10) Logits of 512 rows, which nothing else reads, are overwritten by their gradient: the caller keeps them without a
// stack, and the gradient needs as much again. 2 * 512 * 512 = 524288 bytes each.
// RUN: gpu-cost-opt %s --target-file=%S/../Inputs/toy-target.mlir --mode=training --software=megatron --optimizer=adam --emit=ir | FileCheck %s --check-prefix=PLACE
// PLACE: onnx.InPlaceFusedLossGrad
// RUN: gpu-cost-opt %s --target-file=%S/../Inputs/toy-target.mlir --mode=training --loss-variant=fused --precision-mode=cast --emit=ir | FileCheck %s --check-prefix=KEPT
// KEPT: onnx.FusedLossGrad
func.func @main(%x: tensor<512x256xbf16>) -> tensor<512x512xbf16> {
  %w0 = onnx.Parameter {name = "layers.0.fc"} : () -> tensor<256x256xbf16>
  %w1 = onnx.Parameter {name = "layers.1.fc"} : () -> tensor<256x256xbf16>
  %w2 = onnx.Parameter {name = "head"} : () -> tensor<256x512xbf16>
  %0 = onnx.MatMul %x, %w0 : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16> loc("layers.0.fc")
  %1 = onnx.Relu %0 : (tensor<512x256xbf16>) -> tensor<512x256xbf16> loc("layers.0.relu")
  %2 = onnx.MatMul %1, %w1 : (tensor<512x256xbf16>, tensor<256x256xbf16>) -> tensor<512x256xbf16> loc("layers.1.fc")
  %3 = onnx.Relu %2 : (tensor<512x256xbf16>) -> tensor<512x256xbf16> loc("layers.1.relu")
  %y = onnx.MatMul %3, %w2 : (tensor<512x256xbf16>, tensor<256x512xbf16>) -> tensor<512x512xbf16> loc("logits")
  return %y : tensor<512x512xbf16>
}
