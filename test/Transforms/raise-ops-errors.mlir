// RUN: not gpu-cost-opt %s --gpucost-raise-ops=runtime=lazy 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUN: not gpu-cost-opt %s --gpucost-raise-ops=attention=paged 2>&1 | FileCheck %s --check-prefix=ATTENTION
// RUN: gpu-cost-opt %s --gpucost-raise-ops | FileCheck %s

// RUNTIME: unknown value 'lazy' of --runtime, expected eager, cudagraph, compiled or as-written
// ATTENTION: unknown value 'paged' of --attention, expected as-is, eager, flash, flash1, flash2 or triton1

// An op without the operands that ONNX requires is left out, nothing else.
// CHECK-LABEL: func @malformed
// CHECK: onnx.Custom {domain = "onnx", op_type = "Erf"}
// CHECK-NEXT: onnx.Swish
func.func @malformed(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = onnx.Erf : () -> tensor<8xf32>
  %1 = onnx.Sigmoid %x : (tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Mul %x, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0, %2 : tensor<8xf32>, tensor<8xf32>
}
