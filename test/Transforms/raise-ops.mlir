// RUN: gpu-cost-opt %s --gpucost-raise-ops | FileCheck %s

// Ops that exporters write for one kernel of PyTorch become one op again; ops that
// the model computes separately are unchanged. More fusion patterns: raise-ops-*.mlir.

// GELU as the TorchScript exporter writes it, in bf16: 1.4140625 is sqrt(2).
// CHECK-LABEL: func @gelu
// CHECK-SAME: (%[[X:.*]]: tensor<4x64xbf16>)
// CHECK-NEXT: %[[Y:.*]] = onnx.Gelu %[[X]] {approximate = "none", onnx.values = ["y"]} : (tensor<4x64xbf16>) -> tensor<4x64xbf16>
// CHECK-NEXT: return %[[Y]]
func.func @gelu(%x: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  %sqrt2 = onnx.Constant {value = dense<1.4140625> : tensor<bf16>} : () -> tensor<bf16>
  %one = onnx.Constant {value = dense<1.0> : tensor<bf16>} : () -> tensor<bf16>
  %half = onnx.Constant {value = dense<0.5> : tensor<bf16>} : () -> tensor<bf16>
  %0 = onnx.Div %x, %sqrt2 : (tensor<4x64xbf16>, tensor<bf16>) -> tensor<4x64xbf16>
  %1 = onnx.Erf %0 : (tensor<4x64xbf16>) -> tensor<4x64xbf16>
  %2 = onnx.Add %1, %one : (tensor<4x64xbf16>, tensor<bf16>) -> tensor<4x64xbf16>
  %3 = onnx.Mul %x, %2 : (tensor<4x64xbf16>, tensor<4x64xbf16>) -> tensor<4x64xbf16>
  %4 = onnx.Mul %3, %half {onnx.values = ["y"]} : (tensor<4x64xbf16>, tensor<bf16>) -> tensor<4x64xbf16>
  return %4 : tensor<4x64xbf16>
}

// SiLU.
// CHECK-LABEL: func @silu
// CHECK-NEXT: onnx.Swish
// CHECK-NEXT: return
func.func @silu(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = onnx.Sigmoid %x : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %1 = onnx.Mul %x, %0 : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  return %1 : tensor<4x64xf32>
}

// RMSNorm as models write it: eight kernels; the exporter has split one of them,
// rsqrt.
// CHECK-LABEL: func @rms_norm
// CHECK: onnx.Cast
// CHECK: onnx.Pow
// CHECK: onnx.ReduceMean
// CHECK: onnx.Add
// CHECK-NEXT: onnx.Rsqrt
// CHECK-NEXT: onnx.Mul
// CHECK-NEXT: onnx.Cast
// CHECK-NEXT: onnx.Mul
// CHECK-NEXT: return
func.func @rms_norm(%x: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  %w = onnx.Parameter : () -> tensor<64xbf16>
  %two = onnx.Constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %eps = onnx.Constant {value = dense<1.0e-6> : tensor<f32>} : () -> tensor<f32>
  %axes = onnx.Constant {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
  %0 = onnx.Cast %x {to = 1 : i64} : (tensor<4x64xbf16>) -> tensor<4x64xf32>
  %1 = onnx.Pow %0, %two : (tensor<4x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %2 = onnx.ReduceMean %1, %axes {keepdims = 1 : i64} : (tensor<4x64xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  %3 = onnx.Add %2, %eps : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %4 = onnx.Sqrt %3 : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %5 = onnx.Reciprocal %4 : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %6 = onnx.Mul %0, %5 : (tensor<4x64xf32>, tensor<4x1xf32>) -> tensor<4x64xf32>
  %7 = onnx.Cast %6 {to = 16 : i64} : (tensor<4x64xf32>) -> tensor<4x64xbf16>
  %8 = onnx.Mul %w, %7 : (tensor<64xbf16>, tensor<4x64xbf16>) -> tensor<4x64xbf16>
  return %8 : tensor<4x64xbf16>
}
