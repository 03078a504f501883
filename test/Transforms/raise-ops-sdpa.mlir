// RUN: gpu-cost-opt %s --gpucost-raise-ops --split-input-file | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-raise-ops=attention=eager --split-input-file | FileCheck %s --check-prefix=EAGER

// torchlib's F.scaled_dot_product_attention: sqrt(scale) on Q and on K^T, which
// is transposed between two reshapes. PyTorch launched one kernel.
// CHECK-LABEL: func @torchlib
// CHECK-SAME: (%[[Q:[^:]*]]: {{[^,]*}}, %[[K:[^:]*]]: {{[^,]*}}, %[[V:[^:]*]]: tensor<2x4x8x16xbf16>)
// CHECK-NEXT: onnx.FusedAttention %[[Q]], %[[K]], %[[V]] {is_causal = 1 : i64, scale = 2.500000e-01 : f32}
// CHECK-NEXT: return

// EAGER-LABEL: func @torchlib
// EAGER-SAME: (%[[Q:[^:]*]]: {{[^,]*}}, %[[K:[^:]*]]: {{[^,]*}}, %[[V:[^:]*]]: tensor<2x4x8x16xbf16>)
// EAGER: %[[FILL:.*]] = onnx.ConstantOfShape
// EAGER: %[[MASK:.*]] = onnx.Trilu %[[FILL]]
// EAGER: %[[KT:.*]] = onnx.Transpose %[[K]] {perm = array<i64: 0, 1, 3, 2>}
// EAGER-NEXT: %[[S:.*]] = onnx.MatMul %[[Q]], %[[KT]]
// EAGER: %[[SCALE:.*]] = onnx.Constant {value = dense<2.500000e-01> : tensor<bf16>}
// EAGER-NEXT: %[[T:.*]] = onnx.Mul %[[S]], %[[SCALE]]
// EAGER-NEXT: %[[A:.*]] = onnx.Add %[[T]], %[[MASK]]
// EAGER-NEXT: %[[P:.*]] = onnx.Softmax %[[A]] {axis = -1 : i64}
// EAGER-NEXT: onnx.MatMul %[[P]], %[[V]]
// EAGER-NEXT: return
func.func @torchlib(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %c = onnx.Constant {value = dense<0.5> : tensor<bf16>} : () -> tensor<bf16>
  %s3 = onnx.Constant {value = dense<[-1, 8, 16]> : tensor<3xi64>} : () -> tensor<3xi64>
  %s4 = onnx.Constant {value = dense<[2, 4, 16, 8]> : tensor<4xi64>} : () -> tensor<4xi64>
  %m = onnx.Constant {value = dense<[[0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, 0.0, -3.38953139E+38, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.38953139E+38, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -3.38953139E+38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<8x8xbf16>} : () -> tensor<8x8xbf16>
  %k0 = onnx.Reshape %k, %s3 : (tensor<2x4x8x16xbf16>, tensor<3xi64>) -> tensor<8x8x16xbf16>
  %k1 = onnx.Transpose %k0 {perm = array<i64: 0, 2, 1>} : (tensor<8x8x16xbf16>) -> tensor<8x16x8xbf16>
  %k2 = onnx.Reshape %k1, %s4 : (tensor<8x16x8xbf16>, tensor<4xi64>) -> tensor<2x4x16x8xbf16>
  %q1 = onnx.Mul %q, %c : (tensor<2x4x8x16xbf16>, tensor<bf16>) -> tensor<2x4x8x16xbf16>
  %k3 = onnx.Mul %k2, %c : (tensor<2x4x16x8xbf16>, tensor<bf16>) -> tensor<2x4x16x8xbf16>
  %0 = onnx.MatMul %q1, %k3 : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %1 = onnx.Add %0, %m : (tensor<2x4x8x8xbf16>, tensor<8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %2 = onnx.Softmax %1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %3 = onnx.MatMul %2, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %3 : tensor<2x4x8x16xbf16>
}

// -----

// With a mask: PyTorch takes it as an operand; NaN of hidden rows become 0.
// CHECK-LABEL: func @boolean_mask
// CHECK: %[[M:.*]] = onnx.Where
// CHECK-NEXT: onnx.FusedAttention %{{.*}}, %{{.*}}, %{{.*}}, %[[M]] {is_causal = 0 : i64
// CHECK-NEXT: return
func.func @boolean_mask(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>, %keep: tensor<2x1x8x8xi1>) -> tensor<2x4x8x16xbf16> {
  %c = onnx.Constant {value = dense<0.5> : tensor<bf16>} : () -> tensor<bf16>
  %zero = onnx.Constant {value = dense<0.0> : tensor<bf16>} : () -> tensor<bf16>
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %m = onnx.Where %keep, %zero, %low : (tensor<2x1x8x8xi1>, tensor<bf16>, tensor<bf16>) -> tensor<2x1x8x8xbf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %q1 = onnx.Mul %q, %c : (tensor<2x4x8x16xbf16>, tensor<bf16>) -> tensor<2x4x8x16xbf16>
  %k1 = onnx.Mul %kt, %c : (tensor<2x4x16x8xbf16>, tensor<bf16>) -> tensor<2x4x16x8xbf16>
  %0 = onnx.MatMul %q1, %k1 : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %1 = onnx.Add %0, %m : (tensor<2x4x8x8xbf16>, tensor<2x1x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %2 = onnx.Softmax %1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %3 = onnx.IsNaN %2 : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xi1>
  %4 = onnx.Where %3, %zero, %2 : (tensor<2x4x8x8xi1>, tensor<bf16>, tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %5 = onnx.MatMul %4, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %5 : tensor<2x4x8x16xbf16>
}

// -----

// One scale, on the scores: the model launched each op, and they stay.
// CHECK-LABEL: func @eager
// CHECK: onnx.MatMul
// CHECK-NEXT: onnx.Mul
// CHECK-NEXT: onnx.Softmax
// CHECK-NEXT: onnx.MatMul
// CHECK-NEXT: return
func.func @eager(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %c = onnx.Constant {value = dense<0.25> : tensor<bf16>} : () -> tensor<bf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %1 = onnx.Mul %0, %c : (tensor<2x4x8x8xbf16>, tensor<bf16>) -> tensor<2x4x8x8xbf16>
  %2 = onnx.Softmax %1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %3 = onnx.MatMul %2, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %3 : tensor<2x4x8x16xbf16>
}
