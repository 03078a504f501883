// RUN: gpu-cost-opt %s --gpucost-raise-ops=attention=eager | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-raise-ops=attention=flash | FileCheck %s --check-prefix=KEPT

// The heads of K and V are repeated, then one kernel per op.
// CHECK-LABEL: func @grouped
// CHECK: onnx.Expand {{.*}} -> tensor<2x2x2x8x16xbf16>
// CHECK: onnx.Expand {{.*}} -> tensor<2x2x2x8x16xbf16>
// CHECK: onnx.MatMul {{.*}} -> tensor<2x4x8x8xbf16>
// CHECK: onnx.Mul
// CHECK-NEXT: onnx.Add %{{.*}}, %arg3
// CHECK-NEXT: onnx.Softmax
// CHECK-NEXT: onnx.MatMul {{.*}} {onnx.values = ["y"]} {{.*}} -> tensor<2x4x8x16xbf16>
// CHECK-NEXT: return
// KEPT-LABEL: func @grouped
// KEPT-NEXT: onnx.Attention
func.func @grouped(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x2x8x16xbf16>, %v: tensor<2x2x8x16xbf16>, %mask: tensor<2x4x8x8xbf16>) -> tensor<2x4x8x16xbf16> {
  %0 = onnx.Attention %q, %k, %v, %mask {onnx.values = ["y"]} : (tensor<2x4x8x16xbf16>, tensor<2x2x8x16xbf16>, tensor<2x2x8x16xbf16>, tensor<2x4x8x8xbf16>) -> tensor<2x4x8x16xbf16>
  return %0 : tensor<2x4x8x16xbf16>
}

// Packed heads are split by views; two layers share one causal mask.
// CHECK-LABEL: func @packed
// CHECK-COUNT-1: onnx.Trilu
// CHECK: onnx.Reshape {{.*}} -> tensor<2x8x4x16xbf16>
// CHECK-NEXT: onnx.Transpose
// CHECK-NOT: onnx.Trilu
// CHECK: onnx.Transpose {{.*}} -> tensor<2x8x4x16xbf16>
// CHECK: onnx.Reshape {{.*}} -> tensor<2x8x64xbf16>
// CHECK-NOT: onnx.Trilu
// CHECK: return
func.func @packed(%q: tensor<2x8x64xbf16>, %k: tensor<2x8x64xbf16>, %v: tensor<2x8x64xbf16>) -> tensor<2x8x64xbf16> {
  %0 = onnx.Attention %q, %k, %v {is_causal = 1 : i64, kv_num_heads = 4 : i64, q_num_heads = 4 : i64} : (tensor<2x8x64xbf16>, tensor<2x8x64xbf16>, tensor<2x8x64xbf16>) -> tensor<2x8x64xbf16>
  %1 = onnx.Attention %0, %k, %v {is_causal = 1 : i64, kv_num_heads = 4 : i64, q_num_heads = 4 : i64} : (tensor<2x8x64xbf16>, tensor<2x8x64xbf16>, tensor<2x8x64xbf16>) -> tensor<2x8x64xbf16>
  return %1 : tensor<2x8x64xbf16>
}

// Past keys and values come before the new ones, 8 + 8, in separate kernels; the
// scores are capped by mul, tanh and mul, and returned.
// CHECK-LABEL: func @cached
// CHECK: %[[K:.*]] = onnx.Concat {{.*}} {axis = 2 : i64} : {{.*}} -> tensor<2x4x16x16xbf16>
// CHECK: onnx.Concat {{.*}} -> tensor<2x4x16x16xbf16>
// CHECK: %[[S:.*]] = onnx.MatMul {{.*}} -> tensor<2x4x8x16xbf16>
// CHECK: onnx.Mul %[[S]]
// CHECK: onnx.Mul
// CHECK-NEXT: onnx.Tanh
// CHECK: onnx.Mul
// CHECK-NEXT: onnx.Softmax
// CHECK-NEXT: onnx.MatMul
// CHECK: %[[R:.*]] = onnx.Reshape %[[S]]
// CHECK: return {{.*}}, %[[K]], %[[R]]
// A fused kernel has no scores to return: the same ops wherever they are read.
// KEPT-LABEL: func @cached
// KEPT: onnx.Concat
// KEPT: onnx.Concat
// KEPT-COUNT-2: onnx.MatMul
// KEPT-NOT: onnx.MatMul
// KEPT: return
func.func @cached(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>, tensor<2x4x8x16xbf16>) {
  %none = onnx.None : () -> !onnx.none
  %0:4 = onnx.Attention %q, %k, %v, %none, %k, %v {softcap = 5.0e+01 : f32} : (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, !onnx.none, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>, tensor<2x4x16x16xbf16>, tensor<2x4x8x16xbf16>)
  return %0#0, %0#1, %0#3 : tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>, tensor<2x4x8x16xbf16>
}
