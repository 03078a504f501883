// RUN: gpu-cost-opt %s --gpucost-raise-ops=attention=flash --split-input-file | FileCheck %s

// Masks of long sequences are not folded: the ops that build them identify them.

// Hugging Face: where(key <= query and padding, 0, lowest). The padding stays.
// CHECK-LABEL: func @positions_and_padding
// CHECK: %[[M:.*]] = onnx.Where
// CHECK-NEXT: onnx.FusedAttention %{{.*}}, %{{.*}}, %{{.*}}, %[[M]] {is_causal = 1 : i64
func.func @positions_and_padding(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>, %pad: tensor<2x1x1x8xi1>) -> tensor<2x4x8x16xbf16> {
  %i0 = onnx.Constant {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %i1 = onnx.Constant {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %i8 = onnx.Constant {value = dense<8> : tensor<i64>} : () -> tensor<i64>
  %qa = onnx.Constant {value = dense<[0, 1, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
  %ka = onnx.Constant {value = dense<[0, 1, 2]> : tensor<3xi64>} : () -> tensor<3xi64>
  %zero = onnx.Constant {value = dense<0.0> : tensor<bf16>} : () -> tensor<bf16>
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %r = onnx.Range %i0, %i8, %i1 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<8xi64>
  %r0 = onnx.Add %r, %i0 : (tensor<8xi64>, tensor<i64>) -> tensor<8xi64>
  %qp = onnx.Unsqueeze %r0, %qa : (tensor<8xi64>, tensor<3xi64>) -> tensor<1x1x8x1xi64>
  %kp = onnx.Unsqueeze %r0, %ka : (tensor<8xi64>, tensor<3xi64>) -> tensor<1x1x1x8xi64>
  %le = onnx.LessOrEqual %kp, %qp : (tensor<1x1x1x8xi64>, tensor<1x1x8x1xi64>) -> tensor<1x1x8x8xi1>
  %and = onnx.And %le, %pad : (tensor<1x1x8x8xi1>, tensor<2x1x1x8xi1>) -> tensor<2x1x8x8xi1>
  %mask = onnx.Where %and, %zero, %low : (tensor<2x1x8x8xi1>, tensor<bf16>, tensor<bf16>) -> tensor<2x1x8x8xbf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %s0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s1 = onnx.Add %s0, %mask : (tensor<2x4x8x8xbf16>, tensor<2x1x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s2 = onnx.Softmax %s1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s3 = onnx.MatMul %s2, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %s3 : tensor<2x4x8x16xbf16>
}

// -----

// Without padding nothing of the mask is left.
// CHECK-LABEL: func @positions
// CHECK-NEXT: %[[K:.*]] = onnx.FusedAttention %{{.*}}, %{{.*}}, %{{[^,]*}} {is_causal = 1 : i64
// CHECK-NEXT: return
func.func @positions(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %i0 = onnx.Constant {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %i1 = onnx.Constant {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %i8 = onnx.Constant {value = dense<8> : tensor<i64>} : () -> tensor<i64>
  %qa = onnx.Constant {value = dense<[0, 1, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
  %ka = onnx.Constant {value = dense<[0, 1, 2]> : tensor<3xi64>} : () -> tensor<3xi64>
  %zero = onnx.Constant {value = dense<0.0> : tensor<bf16>} : () -> tensor<bf16>
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %r = onnx.Range %i0, %i8, %i1 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<8xi64>
  %r0 = onnx.Add %r, %i0 : (tensor<8xi64>, tensor<i64>) -> tensor<8xi64>
  %qp = onnx.Unsqueeze %r0, %qa : (tensor<8xi64>, tensor<3xi64>) -> tensor<1x1x8x1xi64>
  %kp = onnx.Unsqueeze %r0, %ka : (tensor<8xi64>, tensor<3xi64>) -> tensor<1x1x1x8xi64>
  %le = onnx.LessOrEqual %kp, %qp : (tensor<1x1x1x8xi64>, tensor<1x1x8x1xi64>) -> tensor<1x1x8x8xi1>
  %true = onnx.Constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %and = onnx.And %true, %le : (tensor<i1>, tensor<1x1x8x8xi1>) -> tensor<1x1x8x8xi1>
  %sh = onnx.Constant {value = dense<[2, 1, 8, 8]> : tensor<4xi64>} : () -> tensor<4xi64>
  %wide = onnx.Expand %and, %sh : (tensor<1x1x8x8xi1>, tensor<4xi64>) -> tensor<2x1x8x8xi1>
  %mask = onnx.Where %wide, %zero, %low : (tensor<2x1x8x8xi1>, tensor<bf16>, tensor<bf16>) -> tensor<2x1x8x8xbf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %s0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s1 = onnx.Add %s0, %mask : (tensor<2x4x8x8xbf16>, tensor<2x1x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s2 = onnx.Softmax %s1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s3 = onnx.MatMul %s2, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %s3 : tensor<2x4x8x16xbf16>
}

// -----

// torchlib: where(tril(ones) == 0, lowest, 0).
// CHECK-LABEL: func @triangle
// CHECK-NEXT: onnx.FusedAttention %{{.*}}, %{{.*}}, %{{[^,]*}} {is_causal = 1 : i64
// CHECK-NEXT: return
func.func @triangle(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %fz = onnx.Constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %zero = onnx.Constant {value = dense<0.0> : tensor<bf16>} : () -> tensor<bf16>
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %sh = onnx.Constant {value = dense<8> : tensor<2xi64>} : () -> tensor<2xi64>
  %ones = onnx.Expand %one, %sh : (tensor<f32>, tensor<2xi64>) -> tensor<8x8xf32>
  %tril = onnx.Trilu %ones {upper = 0 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %eq = onnx.Equal %tril, %fz : (tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xi1>
  %mask = onnx.Where %eq, %low, %zero : (tensor<8x8xi1>, tensor<bf16>, tensor<bf16>) -> tensor<8x8xbf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %s0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s1 = onnx.Add %s0, %mask : (tensor<2x4x8x8xbf16>, tensor<8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s2 = onnx.Softmax %s1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s3 = onnx.MatMul %s2, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %s3 : tensor<2x4x8x16xbf16>
}

// -----

// key < query hides the diagonal as well: not causal in the usual sense.
// CHECK-LABEL: func @strict
// CHECK: onnx.FusedAttention %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {is_causal = 0 : i64
func.func @strict(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %i0 = onnx.Constant {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %i1 = onnx.Constant {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %i8 = onnx.Constant {value = dense<8> : tensor<i64>} : () -> tensor<i64>
  %qa = onnx.Constant {value = dense<[0, 1, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
  %ka = onnx.Constant {value = dense<[0, 1, 2]> : tensor<3xi64>} : () -> tensor<3xi64>
  %zero = onnx.Constant {value = dense<0.0> : tensor<bf16>} : () -> tensor<bf16>
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %r = onnx.Range %i0, %i8, %i1 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<8xi64>
  %r0 = onnx.Add %r, %i0 : (tensor<8xi64>, tensor<i64>) -> tensor<8xi64>
  %qp = onnx.Unsqueeze %r0, %qa : (tensor<8xi64>, tensor<3xi64>) -> tensor<1x1x8x1xi64>
  %kp = onnx.Unsqueeze %r0, %ka : (tensor<8xi64>, tensor<3xi64>) -> tensor<1x1x1x8xi64>
  %le = onnx.Less %kp, %qp : (tensor<1x1x1x8xi64>, tensor<1x1x8x1xi64>) -> tensor<1x1x8x8xi1>
  %mask = onnx.Where %le, %zero, %low : (tensor<1x1x8x8xi1>, tensor<bf16>, tensor<bf16>) -> tensor<1x1x8x8xbf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %s0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s1 = onnx.Add %s0, %mask : (tensor<2x4x8x8xbf16>, tensor<1x1x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s2 = onnx.Softmax %s1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s3 = onnx.MatMul %s2, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %s3 : tensor<2x4x8x16xbf16>
}
