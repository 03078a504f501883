// RUN: gpu-cost-opt %s --gpucost-raise-ops=attention=flash --split-input-file | FileCheck %s

// Eager attention of Hugging Face becomes one kernel on request. K is taken
// before its transpose, dropout and the cast to fp32 vanish.
// CHECK-LABEL: func @padding_mask
// CHECK-SAME: (%[[Q:[^:]*]]: {{[^,]*}}, %[[K:[^:]*]]: {{[^,]*}}, %[[V:[^:]*]]: {{[^,]*}}, %[[M:[^:]*]]: {{.*}})
// CHECK-NEXT: %[[O:.*]] = onnx.FusedAttention %[[Q]], %[[K]], %[[V]], %[[M]] {is_causal = 0 : i64, onnx.values = ["out"], scale = 2.500000e-01 : f32}
// CHECK-NEXT: return %[[O]]
func.func @padding_mask(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>, %mask: tensor<2x1x1x8xbf16>) -> tensor<2x4x8x16xbf16> {
  %c = onnx.Constant {value = dense<0.25> : tensor<bf16>} : () -> tensor<bf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %1 = onnx.Mul %0, %c : (tensor<2x4x8x8xbf16>, tensor<bf16>) -> tensor<2x4x8x8xbf16>
  %2 = onnx.Add %1, %mask : (tensor<2x4x8x8xbf16>, tensor<2x1x1x8xbf16>) -> tensor<2x4x8x8xbf16>
  %3 = onnx.Cast %2 {to = 1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xf32>
  %4 = onnx.Softmax %3 {axis = -1 : i64} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %5 = onnx.Cast %4 {to = 16 : i64} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xbf16>
  %6 = onnx.Dropout %5 : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %7 = onnx.MatMul %6, %v {onnx.values = ["out"]} : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %7 : tensor<2x4x8x16xbf16>
}

// -----

// A causal mask that fix-shapes has folded; division by sqrt(d); scores return
// to the caller in the second function, which keeps all ops there.
// CHECK-LABEL: func @folded_causal_mask
// CHECK-NEXT: onnx.FusedAttention %{{.*}}, %{{.*}}, %{{[^,]*}} {is_causal = 1 : i64, scale = 2.500000e-01 : f32}
// CHECK-NEXT: return
// CHECK-LABEL: func @scores_used
// CHECK-NOT: onnx.FusedAttention
// CHECK: onnx.Softmax
func.func @folded_causal_mask(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %c = onnx.Constant {value = dense<4.0> : tensor<bf16>} : () -> tensor<bf16>
  %m = onnx.Constant {value = dense<[[[[0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, 0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]]]> : tensor<1x1x8x8xbf16>} : () -> tensor<1x1x8x8xbf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %1 = onnx.Div %0, %c : (tensor<2x4x8x8xbf16>, tensor<bf16>) -> tensor<2x4x8x8xbf16>
  %2 = onnx.Add %m, %1 : (tensor<1x1x8x8xbf16>, tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %3 = onnx.Softmax %2 {axis = 3 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %4 = onnx.MatMul %3, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %4 : tensor<2x4x8x16xbf16>
}
func.func @scores_used(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8x8xbf16>) {
  %c = onnx.Constant {value = dense<4.0> : tensor<bf16>} : () -> tensor<bf16>
  %m = onnx.Constant {value = dense<[[[[0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, 0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]]]> : tensor<1x1x8x8xbf16>} : () -> tensor<1x1x8x8xbf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %1 = onnx.Div %0, %c : (tensor<2x4x8x8xbf16>, tensor<bf16>) -> tensor<2x4x8x8xbf16>
  %2 = onnx.Add %m, %1 : (tensor<1x1x8x8xbf16>, tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %3 = onnx.Softmax %2 {axis = 3 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %4 = onnx.MatMul %3, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %4, %3 : tensor<2x4x8x16xbf16>, tensor<2x4x8x8xbf16>
}

// -----

// Filled scores instead of added masks; K^T straight from [b, s, h, d].
// CHECK-LABEL: func @filled
// CHECK-NEXT: %[[K:.*]] = onnx.Transpose %{{.*}} {perm = array<i64: 0, 2, 1, 3>}
// CHECK-NEXT: onnx.FusedAttention %{{.*}}, %[[K]], %{{.*}} {is_causal = 1 : i64, scale = 1.000000e+00 : f32}
// CHECK-NEXT: return
func.func @filled(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x8x4x16xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %m = onnx.Constant {value = dense<[[[[true, false, false, false, false, false, false, false], [true, true, false, false, false, false, false, false], [true, true, true, false, false, false, false, false], [true, true, true, true, false, false, false, false], [true, true, true, true, true, false, false, false], [true, true, true, true, true, true, false, false], [true, true, true, true, true, true, true, false], [true, true, true, true, true, true, true, true]]]]> : tensor<1x1x8x8xi1>} : () -> tensor<1x1x8x8xi1>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 2, 3, 1>} : (tensor<2x8x4x16xbf16>) -> tensor<2x4x16x8xbf16>
  %0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %1 = onnx.Where %m, %0, %low : (tensor<1x1x8x8xi1>, tensor<2x4x8x8xbf16>, tensor<bf16>) -> tensor<2x4x8x8xbf16>
  %2 = onnx.Softmax %1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %3 = onnx.MatMul %2, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %3 : tensor<2x4x8x16xbf16>
}

// -----

// Grouped-query attention: K and V are taken before their heads are repeated.
// CHECK-LABEL: func @grouped_query
// CHECK-SAME: (%[[Q:[^:]*]]: {{[^,]*}}, %[[K:[^:]*]]: {{[^,]*}}, %[[V:[^:]*]]: tensor<2x2x8x16xbf16>)
// CHECK-NEXT: onnx.FusedAttention %[[Q]], %[[K]], %[[V]] {is_causal = 0 : i64
// CHECK-SAME: (tensor<2x4x8x16xbf16>, tensor<2x2x8x16xbf16>, tensor<2x2x8x16xbf16>)
// CHECK-NEXT: return
func.func @grouped_query(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x2x8x16xbf16>, %v: tensor<2x2x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %c = onnx.Constant {value = dense<0.25> : tensor<bf16>} : () -> tensor<bf16>
  %ax = onnx.Constant {value = dense<2> : tensor<1xi64>} : () -> tensor<1xi64>
  %wide = onnx.Constant {value = dense<[2, 2, 2, 8, 16]> : tensor<5xi64>} : () -> tensor<5xi64>
  %to = onnx.Constant {value = dense<[2, 4, 8, 16]> : tensor<4xi64>} : () -> tensor<4xi64>
  %k0 = onnx.Unsqueeze %k, %ax : (tensor<2x2x8x16xbf16>, tensor<1xi64>) -> tensor<2x2x1x8x16xbf16>
  %k1 = onnx.Expand %k0, %wide : (tensor<2x2x1x8x16xbf16>, tensor<5xi64>) -> tensor<2x2x2x8x16xbf16>
  %k2 = onnx.Reshape %k1, %to : (tensor<2x2x2x8x16xbf16>, tensor<4xi64>) -> tensor<2x4x8x16xbf16>
  %v0 = onnx.Unsqueeze %v, %ax : (tensor<2x2x8x16xbf16>, tensor<1xi64>) -> tensor<2x2x1x8x16xbf16>
  %v1 = onnx.Expand %v0, %wide : (tensor<2x2x1x8x16xbf16>, tensor<5xi64>) -> tensor<2x2x2x8x16xbf16>
  %v2 = onnx.Reshape %v1, %to : (tensor<2x2x2x8x16xbf16>, tensor<4xi64>) -> tensor<2x4x8x16xbf16>
  %kt = onnx.Transpose %k2 {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %1 = onnx.Mul %0, %c : (tensor<2x4x8x8xbf16>, tensor<bf16>) -> tensor<2x4x8x8xbf16>
  %2 = onnx.Softmax %1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %3 = onnx.MatMul %2, %v2 : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %3 : tensor<2x4x8x16xbf16>
}

// -----

// Three dimensions, [batch * heads, length, head_dim].
// CHECK-LABEL: func @merged_heads
// CHECK: onnx.FusedAttention
// CHECK-SAME: (tensor<1x8x8x16xbf16>, tensor<1x8x8x16xbf16>, tensor<1x8x8x16xbf16>) -> tensor<1x8x8x16xbf16>
// CHECK: onnx.Reshape {{.*}} -> tensor<8x8x16xbf16>
// CHECK-NEXT: return
func.func @merged_heads(%q: tensor<8x8x16xbf16>, %k: tensor<8x8x16xbf16>, %v: tensor<8x8x16xbf16>) -> tensor<8x8x16xbf16> {
  %kt = onnx.Transpose %k {perm = array<i64: 0, 2, 1>} : (tensor<8x8x16xbf16>) -> tensor<8x16x8xbf16>
  %0 = onnx.MatMul %q, %kt : (tensor<8x8x16xbf16>, tensor<8x16x8xbf16>) -> tensor<8x8x8xbf16>
  %1 = onnx.Softmax %0 {axis = -1 : i64} : (tensor<8x8x8xbf16>) -> tensor<8x8x8xbf16>
  %2 = onnx.MatMul %1, %v : (tensor<8x8x8xbf16>, tensor<8x8x16xbf16>) -> tensor<8x8x16xbf16>
  return %2 : tensor<8x8x16xbf16>
}
