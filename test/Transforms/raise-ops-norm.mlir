// RUN: gpu-cost-opt %s --gpucost-raise-ops --split-input-file | FileCheck %s

// nn.LayerNorm before opset 17; in fp16 the exporter computes in fp32 inside.
// CHECK-LABEL: func @layer_norm
// CHECK-SAME: (%[[X:.*]]: tensor<2x8x64xf16>)
// CHECK-NEXT: %[[W:.*]] = onnx.Parameter
// CHECK-NEXT: %[[B:.*]] = onnx.Parameter
// CHECK-NEXT: onnx.LayerNormalization %[[X]], %[[W]], %[[B]] {axis = -1 : i64, epsilon = 9.99999974E-6 : f32}
// CHECK-NEXT: return
module attributes {onnx.opsets = {ai.onnx = 13 : i64}} {
func.func @layer_norm(%x: tensor<2x8x64xf16>) -> tensor<2x8x64xf16> {
  %w = onnx.Parameter : () -> tensor<64xf16>
  %b = onnx.Parameter : () -> tensor<64xf16>
  %two = onnx.Constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %eps = onnx.Constant {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.ReduceMean %x {axes = array<i64: -1>} : (tensor<2x8x64xf16>) -> tensor<2x8x1xf16>
  %1 = onnx.Sub %x, %0 : (tensor<2x8x64xf16>, tensor<2x8x1xf16>) -> tensor<2x8x64xf16>
  %2 = onnx.Cast %1 {to = 1 : i64} : (tensor<2x8x64xf16>) -> tensor<2x8x64xf32>
  %3 = onnx.Pow %2, %two : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8x64xf32>
  %4 = onnx.ReduceMean %3 {axes = array<i64: -1>} : (tensor<2x8x64xf32>) -> tensor<2x8x1xf32>
  %5 = onnx.Add %4, %eps : (tensor<2x8x1xf32>, tensor<f32>) -> tensor<2x8x1xf32>
  %6 = onnx.Sqrt %5 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %7 = onnx.Div %2, %6 : (tensor<2x8x64xf32>, tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
  %8 = onnx.Cast %7 {to = 10 : i64} : (tensor<2x8x64xf32>) -> tensor<2x8x64xf16>
  %9 = onnx.Mul %8, %w : (tensor<2x8x64xf16>, tensor<64xf16>) -> tensor<2x8x64xf16>
  %10 = onnx.Add %9, %b : (tensor<2x8x64xf16>, tensor<64xf16>) -> tensor<2x8x64xf16>
  return %10 : tensor<2x8x64xf16>
}
}

// -----

// The mean subtracted twice, x * x, a reciprocal, two axes; the bias is not a
// weight, so its addition is another kernel.
// CHECK-LABEL: func @variants
// CHECK: %[[N:.*]] = onnx.LayerNormalization %{{.*}}, %{{[^,]*}} {axis = -2 : i64
// CHECK-NEXT: onnx.Add %[[N]]
// CHECK-NEXT: return
func.func @variants(%x: tensor<2x8x64xf32>, %b: tensor<8x64xf32>) -> tensor<2x8x64xf32> {
  %w = onnx.Parameter : () -> tensor<8x64xf32>
  %eps = onnx.Constant {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %axes = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
  %0 = onnx.ReduceMean %x, %axes : (tensor<2x8x64xf32>, tensor<2xi64>) -> tensor<2x1x1xf32>
  %1 = onnx.Sub %x, %0 : (tensor<2x8x64xf32>, tensor<2x1x1xf32>) -> tensor<2x8x64xf32>
  %2 = onnx.Sub %x, %0 : (tensor<2x8x64xf32>, tensor<2x1x1xf32>) -> tensor<2x8x64xf32>
  %3 = onnx.Mul %1, %1 : (tensor<2x8x64xf32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
  %4 = onnx.ReduceMean %3, %axes : (tensor<2x8x64xf32>, tensor<2xi64>) -> tensor<2x1x1xf32>
  %5 = onnx.Add %eps, %4 : (tensor<f32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %6 = onnx.Sqrt %5 : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %7 = onnx.Reciprocal %6 : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %8 = onnx.Mul %2, %7 : (tensor<2x8x64xf32>, tensor<2x1x1xf32>) -> tensor<2x8x64xf32>
  %9 = onnx.Mul %w, %8 : (tensor<8x64xf32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
  %10 = onnx.Add %9, %b : (tensor<2x8x64xf32>, tensor<8x64xf32>) -> tensor<2x8x64xf32>
  return %10 : tensor<2x8x64xf32>
}

// -----

// Since opset 17 nn.LayerNorm has an operator: this one is decomposed.
// CHECK-LABEL: func @spelled_out
// CHECK-NOT: onnx.LayerNormalization
// CHECK: onnx.Sqrt
module attributes {onnx.opsets = {ai.onnx = 17 : i64}} {
func.func @spelled_out(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %eps = onnx.Constant {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.ReduceMean %x {axes = array<i64: 1>} : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %1 = onnx.Sub %x, %0 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %2 = onnx.Mul %1, %1 : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %3 = onnx.ReduceMean %2 {axes = array<i64: 1>} : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %4 = onnx.Add %3, %eps : (tensor<8x1xf32>, tensor<f32>) -> tensor<8x1xf32>
  %5 = onnx.Sqrt %4 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %6 = onnx.Div %1, %5 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  return %6 : tensor<8x64xf32>
}
}
