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

// Flattened positions still count; a transposed splat is still one.
// CHECK-LABEL: func @flattened_positions
// CHECK: onnx.FusedAttention %{{.*}}, %{{.*}}, %{{[^,]*}} {is_causal = 1 : i64
// CHECK-NEXT: return
func.func @flattened_positions(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %i0 = onnx.Constant {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %i1 = onnx.Constant {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %i8 = onnx.Constant {value = dense<8> : tensor<i64>} : () -> tensor<i64>
  %qa = onnx.Constant {value = dense<[0, 3]> : tensor<2xi64>} : () -> tensor<2xi64>
  %ka = onnx.Constant {value = dense<[0, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %zero = onnx.Constant {value = dense<0.0> : tensor<bf16>} : () -> tensor<bf16>
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %sh = onnx.Constant {value = dense<[8, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %column = onnx.Expand %low, %sh : (tensor<bf16>, tensor<2xi64>) -> tensor<8x1xbf16>
  %lows = onnx.Transpose %column {perm = array<i64: 1, 0>} : (tensor<8x1xbf16>) -> tensor<1x8xbf16>
  %r = onnx.Range %i0, %i8, %i1 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<8xi64>
  %r0 = onnx.Flatten %r {axis = 0 : i64} : (tensor<8xi64>) -> tensor<1x8xi64>
  %qp = onnx.Unsqueeze %r0, %qa : (tensor<1x8xi64>, tensor<2xi64>) -> tensor<1x1x8x1xi64>
  %kp = onnx.Unsqueeze %r0, %ka : (tensor<1x8xi64>, tensor<2xi64>) -> tensor<1x1x1x8xi64>
  %le = onnx.LessOrEqual %kp, %qp : (tensor<1x1x1x8xi64>, tensor<1x1x8x1xi64>) -> tensor<1x1x8x8xi1>
  %mask = onnx.Where %le, %zero, %lows : (tensor<1x1x8x8xi1>, tensor<bf16>, tensor<1x8xbf16>) -> tensor<1x1x8x8xbf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %s0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s1 = onnx.Add %s0, %mask : (tensor<2x4x8x8xbf16>, tensor<1x1x8x8xbf16>) -> tensor<2x4x8x8xbf16>
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

// -----

// transformers 5: positions of each sequence by indexing, and a comparison of
// the packed sequences that they belong to. All belong to one.
// CHECK-LABEL: func @indexed_positions
// CHECK: onnx.FusedAttention %{{.*}}, %{{.*}}, %{{[^,]*}} {is_causal = 1 : i64, scale = 1.000000e+00 : f32}
// CHECK-NEXT: return
func.func @indexed_positions(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %i0 = onnx.Constant {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %i1 = onnx.Constant {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %i8 = onnx.Constant {value = dense<8> : tensor<i64>} : () -> tensor<i64>
  %true = onnx.Constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %c0 = onnx.Constant {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %c1 = onnx.Constant {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %c8 = onnx.Constant {value = dense<8> : tensor<1xi64>} : () -> tensor<1xi64>
  %c9 = onnx.Constant {value = dense<9> : tensor<1xi64>} : () -> tensor<1xi64>
  %last = onnx.Constant {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
  %zero = onnx.Constant {value = dense<0.0> : tensor<bf16>} : () -> tensor<bf16>
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %sh = onnx.Constant {value = dense<[2, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %r = onnx.Range %i0, %i8, %i1 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<8xi64>
  %r0 = onnx.Add %r, %i0 : (tensor<8xi64>, tensor<i64>) -> tensor<8xi64>
  %r1 = onnx.Unsqueeze %r0, %c0 : (tensor<8xi64>, tensor<1xi64>) -> tensor<1x8xi64>
  %table = onnx.Expand %r1, %sh : (tensor<1x8xi64>, tensor<2xi64>) -> tensor<2x8xi64>
  %qa = onnx.Constant {value = dense<[0, 1, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
  %ka = onnx.Constant {value = dense<[0, 1, 2]> : tensor<3xi64>} : () -> tensor<3xi64>
  %qsh = onnx.Constant {value = dense<[2, 1, 8, 1]> : tensor<4xi64>} : () -> tensor<4xi64>
  %ksh = onnx.Constant {value = dense<[2, 1, 1, 8]> : tensor<4xi64>} : () -> tensor<4xi64>
  %b = onnx.Constant {value = dense<[[[[0]]], [[[1]]]]> : tensor<2x1x1x1xi64>} : () -> tensor<2x1x1x1xi64>
  %qb = onnx.Expand %b, %qsh : (tensor<2x1x1x1xi64>, tensor<4xi64>) -> tensor<2x1x8x1xi64>
  %qb1 = onnx.Unsqueeze %qb, %last : (tensor<2x1x8x1xi64>, tensor<1xi64>) -> tensor<2x1x8x1x1xi64>
  %qp = onnx.Unsqueeze %r, %qa : (tensor<8xi64>, tensor<3xi64>) -> tensor<1x1x8x1xi64>
  %qp0 = onnx.Expand %qp, %qsh : (tensor<1x1x8x1xi64>, tensor<4xi64>) -> tensor<2x1x8x1xi64>
  %qp1 = onnx.Unsqueeze %qp0, %last : (tensor<2x1x8x1xi64>, tensor<1xi64>) -> tensor<2x1x8x1x1xi64>
  %qi = onnx.Concat %qb1, %qp1 {axis = -1 : i64} : (tensor<2x1x8x1x1xi64>, tensor<2x1x8x1x1xi64>) -> tensor<2x1x8x1x2xi64>
  %kb = onnx.Expand %b, %ksh : (tensor<2x1x1x1xi64>, tensor<4xi64>) -> tensor<2x1x1x8xi64>
  %kb1 = onnx.Unsqueeze %kb, %last : (tensor<2x1x1x8xi64>, tensor<1xi64>) -> tensor<2x1x1x8x1xi64>
  %kp = onnx.Unsqueeze %r, %ka : (tensor<8xi64>, tensor<3xi64>) -> tensor<1x1x1x8xi64>
  %kp0 = onnx.Expand %kp, %ksh : (tensor<1x1x1x8xi64>, tensor<4xi64>) -> tensor<2x1x1x8xi64>
  %kp1 = onnx.Unsqueeze %kp0, %last : (tensor<2x1x1x8xi64>, tensor<1xi64>) -> tensor<2x1x1x8x1xi64>
  %ki = onnx.Concat %kb1, %kp1 {axis = -1 : i64} : (tensor<2x1x1x8x1xi64>, tensor<2x1x1x8x1xi64>) -> tensor<2x1x1x8x2xi64>
  %query = onnx.GatherND %table, %qi : (tensor<2x8xi64>, tensor<2x1x8x1x2xi64>) -> tensor<2x1x8x1xi64>
  %key = onnx.GatherND %table, %ki : (tensor<2x8xi64>, tensor<2x1x1x8x2xi64>) -> tensor<2x1x1x8xi64>
  %le = onnx.LessOrEqual %key, %query : (tensor<2x1x1x8xi64>, tensor<2x1x8x1xi64>) -> tensor<2x1x8x8xi1>
  %first = onnx.Slice %table, %c0, %c1, %c1, %c1 : (tensor<2x8xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x1xi64>
  %before = onnx.Sub %first, %i1 : (tensor<2x1xi64>, tensor<i64>) -> tensor<2x1xi64>
  %cat = onnx.Concat %before, %table {axis = -1 : i64} : (tensor<2x1xi64>, tensor<2x8xi64>) -> tensor<2x9xi64>
  %to = onnx.Slice %cat, %c1, %c9, %last, %c1 : (tensor<2x9xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x8xi64>
  %from = onnx.Slice %cat, %c0, %c8, %last, %c1 : (tensor<2x9xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x8xi64>
  %step = onnx.Sub %to, %from : (tensor<2x8xi64>, tensor<2x8xi64>) -> tensor<2x8xi64>
  %one = onnx.Equal %step, %i1 : (tensor<2x8xi64>, tensor<i64>) -> tensor<2x8xi1>
  %ne = onnx.Not %one : (tensor<2x8xi1>) -> tensor<2x8xi1>
  %ni = onnx.Cast %ne {to = 7 : i64} : (tensor<2x8xi1>) -> tensor<2x8xi64>
  %axis = onnx.Constant {value = dense<-1> : tensor<i64>} : () -> tensor<i64>
  %pack = onnx.CumSum %ni, %axis : (tensor<2x8xi64>, tensor<i64>) -> tensor<2x8xi64>
  %qpack = onnx.GatherND %pack, %qi : (tensor<2x8xi64>, tensor<2x1x8x1x2xi64>) -> tensor<2x1x8x1xi64>
  %kpack = onnx.GatherND %pack, %ki : (tensor<2x8xi64>, tensor<2x1x1x8x2xi64>) -> tensor<2x1x1x8xi64>
  %same = onnx.Equal %qpack, %kpack : (tensor<2x1x8x1xi64>, tensor<2x1x1x8xi64>) -> tensor<2x1x8x8xi1>
  %and = onnx.And %true, %le : (tensor<i1>, tensor<2x1x8x8xi1>) -> tensor<2x1x8x8xi1>
  %seen = onnx.And %and, %same : (tensor<2x1x8x8xi1>, tensor<2x1x8x8xi1>) -> tensor<2x1x8x8xi1>
  %mask = onnx.Where %seen, %zero, %low : (tensor<2x1x8x8xi1>, tensor<bf16>, tensor<bf16>) -> tensor<2x1x8x8xbf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %s0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s1 = onnx.Add %s0, %mask : (tensor<2x4x8x8xbf16>, tensor<2x1x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s2 = onnx.Softmax %s1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s3 = onnx.MatMul %s2, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %s3 : tensor<2x4x8x16xbf16>
}

// -----

// The last of 8 queries sees keys 5 to 7: a window of 3.
// CHECK-LABEL: func @window
// CHECK: onnx.FusedAttention %{{.*}}, %{{.*}}, %{{[^,]*}} {is_causal = 1 : i64, local_window_size = 3 : i64
// CHECK-NEXT: return
func.func @window(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %i0 = onnx.Constant {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %i1 = onnx.Constant {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %i8 = onnx.Constant {value = dense<8> : tensor<i64>} : () -> tensor<i64>
  %true = onnx.Constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %c0 = onnx.Constant {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %c1 = onnx.Constant {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %c8 = onnx.Constant {value = dense<8> : tensor<1xi64>} : () -> tensor<1xi64>
  %c9 = onnx.Constant {value = dense<9> : tensor<1xi64>} : () -> tensor<1xi64>
  %last = onnx.Constant {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
  %zero = onnx.Constant {value = dense<0.0> : tensor<bf16>} : () -> tensor<bf16>
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %sh = onnx.Constant {value = dense<[2, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %r = onnx.Range %i0, %i8, %i1 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<8xi64>
  %r0 = onnx.Add %r, %i0 : (tensor<8xi64>, tensor<i64>) -> tensor<8xi64>
  %r1 = onnx.Unsqueeze %r0, %c0 : (tensor<8xi64>, tensor<1xi64>) -> tensor<1x8xi64>
  %table = onnx.Expand %r1, %sh : (tensor<1x8xi64>, tensor<2xi64>) -> tensor<2x8xi64>
  %qa = onnx.Constant {value = dense<[0, 1, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
  %ka = onnx.Constant {value = dense<[0, 1, 2]> : tensor<3xi64>} : () -> tensor<3xi64>
  %qsh = onnx.Constant {value = dense<[2, 1, 8, 1]> : tensor<4xi64>} : () -> tensor<4xi64>
  %ksh = onnx.Constant {value = dense<[2, 1, 1, 8]> : tensor<4xi64>} : () -> tensor<4xi64>
  %b = onnx.Constant {value = dense<[[[[0]]], [[[1]]]]> : tensor<2x1x1x1xi64>} : () -> tensor<2x1x1x1xi64>
  %qb = onnx.Expand %b, %qsh : (tensor<2x1x1x1xi64>, tensor<4xi64>) -> tensor<2x1x8x1xi64>
  %qb1 = onnx.Unsqueeze %qb, %last : (tensor<2x1x8x1xi64>, tensor<1xi64>) -> tensor<2x1x8x1x1xi64>
  %qp = onnx.Unsqueeze %r, %qa : (tensor<8xi64>, tensor<3xi64>) -> tensor<1x1x8x1xi64>
  %qp0 = onnx.Expand %qp, %qsh : (tensor<1x1x8x1xi64>, tensor<4xi64>) -> tensor<2x1x8x1xi64>
  %qp1 = onnx.Unsqueeze %qp0, %last : (tensor<2x1x8x1xi64>, tensor<1xi64>) -> tensor<2x1x8x1x1xi64>
  %qi = onnx.Concat %qb1, %qp1 {axis = -1 : i64} : (tensor<2x1x8x1x1xi64>, tensor<2x1x8x1x1xi64>) -> tensor<2x1x8x1x2xi64>
  %kb = onnx.Expand %b, %ksh : (tensor<2x1x1x1xi64>, tensor<4xi64>) -> tensor<2x1x1x8xi64>
  %kb1 = onnx.Unsqueeze %kb, %last : (tensor<2x1x1x8xi64>, tensor<1xi64>) -> tensor<2x1x1x8x1xi64>
  %kp = onnx.Unsqueeze %r, %ka : (tensor<8xi64>, tensor<3xi64>) -> tensor<1x1x1x8xi64>
  %kp0 = onnx.Expand %kp, %ksh : (tensor<1x1x1x8xi64>, tensor<4xi64>) -> tensor<2x1x1x8xi64>
  %kp1 = onnx.Unsqueeze %kp0, %last : (tensor<2x1x1x8xi64>, tensor<1xi64>) -> tensor<2x1x1x8x1xi64>
  %ki = onnx.Concat %kb1, %kp1 {axis = -1 : i64} : (tensor<2x1x1x8x1xi64>, tensor<2x1x1x8x1xi64>) -> tensor<2x1x1x8x2xi64>
  %query = onnx.GatherND %table, %qi : (tensor<2x8xi64>, tensor<2x1x8x1x2xi64>) -> tensor<2x1x8x1xi64>
  %key = onnx.GatherND %table, %ki : (tensor<2x8xi64>, tensor<2x1x1x8x2xi64>) -> tensor<2x1x1x8xi64>
  %le = onnx.LessOrEqual %key, %query : (tensor<2x1x1x8xi64>, tensor<2x1x8x1xi64>) -> tensor<2x1x8x8xi1>
  %w = onnx.Constant {value = dense<3> : tensor<i64>} : () -> tensor<i64>
  %oldest = onnx.Sub %query, %w : (tensor<2x1x8x1xi64>, tensor<i64>) -> tensor<2x1x8x1xi64>
  %gt = onnx.Greater %key, %oldest : (tensor<2x1x1x8xi64>, tensor<2x1x8x1xi64>) -> tensor<2x1x8x8xi1>
  %seen = onnx.And %le, %gt : (tensor<2x1x8x8xi1>, tensor<2x1x8x8xi1>) -> tensor<2x1x8x8xi1>
  %mask = onnx.Where %seen, %zero, %low : (tensor<2x1x8x8xi1>, tensor<bf16>, tensor<bf16>) -> tensor<2x1x8x8xbf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %s0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s1 = onnx.Add %s0, %mask : (tensor<2x4x8x8xbf16>, tensor<2x1x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s2 = onnx.Softmax %s1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s3 = onnx.MatMul %s2, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %s3 : tensor<2x4x8x16xbf16>
}

// -----

// All positions start new sequences: more is hidden, and the mask stays.
// CHECK-LABEL: func @unclear_sequences
// CHECK: onnx.FusedAttention %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {is_causal = 1 : i64
func.func @unclear_sequences(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %i0 = onnx.Constant {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %i1 = onnx.Constant {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %i8 = onnx.Constant {value = dense<8> : tensor<i64>} : () -> tensor<i64>
  %true = onnx.Constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %c0 = onnx.Constant {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %c1 = onnx.Constant {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %c8 = onnx.Constant {value = dense<8> : tensor<1xi64>} : () -> tensor<1xi64>
  %c9 = onnx.Constant {value = dense<9> : tensor<1xi64>} : () -> tensor<1xi64>
  %last = onnx.Constant {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
  %zero = onnx.Constant {value = dense<0.0> : tensor<bf16>} : () -> tensor<bf16>
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %sh = onnx.Constant {value = dense<[2, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %r = onnx.Range %i0, %i8, %i1 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<8xi64>
  %r0 = onnx.Add %r, %i0 : (tensor<8xi64>, tensor<i64>) -> tensor<8xi64>
  %r1 = onnx.Unsqueeze %r0, %c0 : (tensor<8xi64>, tensor<1xi64>) -> tensor<1x8xi64>
  %table = onnx.Expand %r1, %sh : (tensor<1x8xi64>, tensor<2xi64>) -> tensor<2x8xi64>
  %qa = onnx.Constant {value = dense<[0, 1, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
  %ka = onnx.Constant {value = dense<[0, 1, 2]> : tensor<3xi64>} : () -> tensor<3xi64>
  %qsh = onnx.Constant {value = dense<[2, 1, 8, 1]> : tensor<4xi64>} : () -> tensor<4xi64>
  %ksh = onnx.Constant {value = dense<[2, 1, 1, 8]> : tensor<4xi64>} : () -> tensor<4xi64>
  %b = onnx.Constant {value = dense<[[[[0]]], [[[1]]]]> : tensor<2x1x1x1xi64>} : () -> tensor<2x1x1x1xi64>
  %qb = onnx.Expand %b, %qsh : (tensor<2x1x1x1xi64>, tensor<4xi64>) -> tensor<2x1x8x1xi64>
  %qb1 = onnx.Unsqueeze %qb, %last : (tensor<2x1x8x1xi64>, tensor<1xi64>) -> tensor<2x1x8x1x1xi64>
  %qp = onnx.Unsqueeze %r, %qa : (tensor<8xi64>, tensor<3xi64>) -> tensor<1x1x8x1xi64>
  %qp0 = onnx.Expand %qp, %qsh : (tensor<1x1x8x1xi64>, tensor<4xi64>) -> tensor<2x1x8x1xi64>
  %qp1 = onnx.Unsqueeze %qp0, %last : (tensor<2x1x8x1xi64>, tensor<1xi64>) -> tensor<2x1x8x1x1xi64>
  %qi = onnx.Concat %qb1, %qp1 {axis = -1 : i64} : (tensor<2x1x8x1x1xi64>, tensor<2x1x8x1x1xi64>) -> tensor<2x1x8x1x2xi64>
  %kb = onnx.Expand %b, %ksh : (tensor<2x1x1x1xi64>, tensor<4xi64>) -> tensor<2x1x1x8xi64>
  %kb1 = onnx.Unsqueeze %kb, %last : (tensor<2x1x1x8xi64>, tensor<1xi64>) -> tensor<2x1x1x8x1xi64>
  %kp = onnx.Unsqueeze %r, %ka : (tensor<8xi64>, tensor<3xi64>) -> tensor<1x1x1x8xi64>
  %kp0 = onnx.Expand %kp, %ksh : (tensor<1x1x1x8xi64>, tensor<4xi64>) -> tensor<2x1x1x8xi64>
  %kp1 = onnx.Unsqueeze %kp0, %last : (tensor<2x1x1x8xi64>, tensor<1xi64>) -> tensor<2x1x1x8x1xi64>
  %ki = onnx.Concat %kb1, %kp1 {axis = -1 : i64} : (tensor<2x1x1x8x1xi64>, tensor<2x1x1x8x1xi64>) -> tensor<2x1x1x8x2xi64>
  %query = onnx.GatherND %table, %qi : (tensor<2x8xi64>, tensor<2x1x8x1x2xi64>) -> tensor<2x1x8x1xi64>
  %key = onnx.GatherND %table, %ki : (tensor<2x8xi64>, tensor<2x1x1x8x2xi64>) -> tensor<2x1x1x8xi64>
  %le = onnx.LessOrEqual %key, %query : (tensor<2x1x1x8xi64>, tensor<2x1x8x1xi64>) -> tensor<2x1x8x8xi1>
  %first = onnx.Slice %table, %c0, %c1, %c1, %c1 : (tensor<2x8xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x1xi64>
  %before = onnx.Sub %first, %i1 : (tensor<2x1xi64>, tensor<i64>) -> tensor<2x1xi64>
  %cat = onnx.Concat %before, %table {axis = -1 : i64} : (tensor<2x1xi64>, tensor<2x8xi64>) -> tensor<2x9xi64>
  %to = onnx.Slice %cat, %c1, %c9, %last, %c1 : (tensor<2x9xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x8xi64>
  %from = onnx.Slice %cat, %c0, %c8, %last, %c1 : (tensor<2x9xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x8xi64>
  %step = onnx.Sub %to, %from : (tensor<2x8xi64>, tensor<2x8xi64>) -> tensor<2x8xi64>
  %one = onnx.Equal %step, %i8 : (tensor<2x8xi64>, tensor<i64>) -> tensor<2x8xi1>
  %ne = onnx.Not %one : (tensor<2x8xi1>) -> tensor<2x8xi1>
  %ni = onnx.Cast %ne {to = 7 : i64} : (tensor<2x8xi1>) -> tensor<2x8xi64>
  %axis = onnx.Constant {value = dense<-1> : tensor<i64>} : () -> tensor<i64>
  %pack = onnx.CumSum %ni, %axis : (tensor<2x8xi64>, tensor<i64>) -> tensor<2x8xi64>
  %qpack = onnx.GatherND %pack, %qi : (tensor<2x8xi64>, tensor<2x1x8x1x2xi64>) -> tensor<2x1x8x1xi64>
  %kpack = onnx.GatherND %pack, %ki : (tensor<2x8xi64>, tensor<2x1x1x8x2xi64>) -> tensor<2x1x1x8xi64>
  %same = onnx.Equal %qpack, %kpack : (tensor<2x1x8x1xi64>, tensor<2x1x1x8xi64>) -> tensor<2x1x8x8xi1>
  %and = onnx.And %true, %le : (tensor<i1>, tensor<2x1x8x8xi1>) -> tensor<2x1x8x8xi1>
  %seen = onnx.And %and, %same : (tensor<2x1x8x8xi1>, tensor<2x1x8x8xi1>) -> tensor<2x1x8x8xi1>
  %mask = onnx.Where %seen, %zero, %low : (tensor<2x1x8x8xi1>, tensor<bf16>, tensor<bf16>) -> tensor<2x1x8x8xbf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %s0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s1 = onnx.Add %s0, %mask : (tensor<2x4x8x8xbf16>, tensor<2x1x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s2 = onnx.Softmax %s1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s3 = onnx.MatMul %s2, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %s3 : tensor<2x4x8x16xbf16>
}

// -----

// Only a window: later keys are visible.
// CHECK-LABEL: func @window_alone
// CHECK: onnx.FusedAttention %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {is_causal = 0 : i64
func.func @window_alone(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x8x16xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %i0 = onnx.Constant {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %i1 = onnx.Constant {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %i8 = onnx.Constant {value = dense<8> : tensor<i64>} : () -> tensor<i64>
  %true = onnx.Constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %c0 = onnx.Constant {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %c1 = onnx.Constant {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %c8 = onnx.Constant {value = dense<8> : tensor<1xi64>} : () -> tensor<1xi64>
  %c9 = onnx.Constant {value = dense<9> : tensor<1xi64>} : () -> tensor<1xi64>
  %last = onnx.Constant {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
  %zero = onnx.Constant {value = dense<0.0> : tensor<bf16>} : () -> tensor<bf16>
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %sh = onnx.Constant {value = dense<[2, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %r = onnx.Range %i0, %i8, %i1 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<8xi64>
  %r0 = onnx.Add %r, %i0 : (tensor<8xi64>, tensor<i64>) -> tensor<8xi64>
  %r1 = onnx.Unsqueeze %r0, %c0 : (tensor<8xi64>, tensor<1xi64>) -> tensor<1x8xi64>
  %table = onnx.Expand %r1, %sh : (tensor<1x8xi64>, tensor<2xi64>) -> tensor<2x8xi64>
  %qa = onnx.Constant {value = dense<[0, 1, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
  %ka = onnx.Constant {value = dense<[0, 1, 2]> : tensor<3xi64>} : () -> tensor<3xi64>
  %qsh = onnx.Constant {value = dense<[2, 1, 8, 1]> : tensor<4xi64>} : () -> tensor<4xi64>
  %ksh = onnx.Constant {value = dense<[2, 1, 1, 8]> : tensor<4xi64>} : () -> tensor<4xi64>
  %b = onnx.Constant {value = dense<[[[[0]]], [[[1]]]]> : tensor<2x1x1x1xi64>} : () -> tensor<2x1x1x1xi64>
  %qb = onnx.Expand %b, %qsh : (tensor<2x1x1x1xi64>, tensor<4xi64>) -> tensor<2x1x8x1xi64>
  %qb1 = onnx.Unsqueeze %qb, %last : (tensor<2x1x8x1xi64>, tensor<1xi64>) -> tensor<2x1x8x1x1xi64>
  %qp = onnx.Unsqueeze %r, %qa : (tensor<8xi64>, tensor<3xi64>) -> tensor<1x1x8x1xi64>
  %qp0 = onnx.Expand %qp, %qsh : (tensor<1x1x8x1xi64>, tensor<4xi64>) -> tensor<2x1x8x1xi64>
  %qp1 = onnx.Unsqueeze %qp0, %last : (tensor<2x1x8x1xi64>, tensor<1xi64>) -> tensor<2x1x8x1x1xi64>
  %qi = onnx.Concat %qb1, %qp1 {axis = -1 : i64} : (tensor<2x1x8x1x1xi64>, tensor<2x1x8x1x1xi64>) -> tensor<2x1x8x1x2xi64>
  %kb = onnx.Expand %b, %ksh : (tensor<2x1x1x1xi64>, tensor<4xi64>) -> tensor<2x1x1x8xi64>
  %kb1 = onnx.Unsqueeze %kb, %last : (tensor<2x1x1x8xi64>, tensor<1xi64>) -> tensor<2x1x1x8x1xi64>
  %kp = onnx.Unsqueeze %r, %ka : (tensor<8xi64>, tensor<3xi64>) -> tensor<1x1x1x8xi64>
  %kp0 = onnx.Expand %kp, %ksh : (tensor<1x1x1x8xi64>, tensor<4xi64>) -> tensor<2x1x1x8xi64>
  %kp1 = onnx.Unsqueeze %kp0, %last : (tensor<2x1x1x8xi64>, tensor<1xi64>) -> tensor<2x1x1x8x1xi64>
  %ki = onnx.Concat %kb1, %kp1 {axis = -1 : i64} : (tensor<2x1x1x8x1xi64>, tensor<2x1x1x8x1xi64>) -> tensor<2x1x1x8x2xi64>
  %query = onnx.GatherND %table, %qi : (tensor<2x8xi64>, tensor<2x1x8x1x2xi64>) -> tensor<2x1x8x1xi64>
  %key = onnx.GatherND %table, %ki : (tensor<2x8xi64>, tensor<2x1x1x8x2xi64>) -> tensor<2x1x1x8xi64>
  %le = onnx.LessOrEqual %key, %query : (tensor<2x1x1x8xi64>, tensor<2x1x8x1xi64>) -> tensor<2x1x8x8xi1>
  %w = onnx.Constant {value = dense<3> : tensor<i64>} : () -> tensor<i64>
  %oldest = onnx.Sub %query, %w : (tensor<2x1x8x1xi64>, tensor<i64>) -> tensor<2x1x8x1xi64>
  %gt = onnx.Greater %key, %oldest : (tensor<2x1x1x8xi64>, tensor<2x1x8x1xi64>) -> tensor<2x1x8x8xi1>
  %seen = onnx.Identity %gt : (tensor<2x1x8x8xi1>) -> tensor<2x1x8x8xi1>
  %mask = onnx.Where %seen, %zero, %low : (tensor<2x1x8x8xi1>, tensor<bf16>, tensor<bf16>) -> tensor<2x1x8x8xbf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x8x16xbf16>) -> tensor<2x4x16x8xbf16>
  %s0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s1 = onnx.Add %s0, %mask : (tensor<2x4x8x8xbf16>, tensor<2x1x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s2 = onnx.Softmax %s1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s3 = onnx.MatMul %s2, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %s3 : tensor<2x4x8x16xbf16>
}

// -----

// x[:, :, None] with symbolic sizes exports as slices that keep everything. The
// mask of one token per sequence is the same number for all keys.
// CHECK-LABEL: func @repeated_heads
// CHECK-SAME: (%[[Q:[^:]*]]: tensor<2x4x1x16xbf16>, %[[K:[^:]*]]: tensor<2x2x1x16xbf16>, %[[V:[^:]*]]: tensor<2x2x1x16xbf16>)
// CHECK: onnx.FusedAttention %[[Q]], %[[K]], %[[V]] {is_causal = 0 : i64
func.func @repeated_heads(%q: tensor<2x4x1x16xbf16>, %k: tensor<2x2x1x16xbf16>, %v: tensor<2x2x1x16xbf16>) -> tensor<2x4x1x16xbf16> {
  %c0 = onnx.Constant {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %c1 = onnx.Constant {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %c2 = onnx.Constant {value = dense<2> : tensor<1xi64>} : () -> tensor<1xi64>
  %end = onnx.Constant {value = dense<9223372036854775807> : tensor<1xi64>} : () -> tensor<1xi64>
  %wide = onnx.Constant {value = dense<[2, 2, 2, 1, 16]> : tensor<5xi64>} : () -> tensor<5xi64>
  %all = onnx.Constant {value = dense<[2, 4, 1, 16]> : tensor<4xi64>} : () -> tensor<4xi64>
  %mask = onnx.Constant {value = dense<0.0> : tensor<2x1x1x1xbf16>} : () -> tensor<2x1x1x1xbf16>
  %k1 = onnx.Unsqueeze %k, %c2 : (tensor<2x2x1x16xbf16>, tensor<1xi64>) -> tensor<2x2x1x1x16xbf16>
  %k2 = onnx.Slice %k1, %c0, %end, %c2, %c1 : (tensor<2x2x1x1x16xbf16>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2x1x1x16xbf16>
  %k3 = onnx.Expand %k2, %wide : (tensor<2x2x1x1x16xbf16>, tensor<5xi64>) -> tensor<2x2x2x1x16xbf16>
  %k4 = onnx.Reshape %k3, %all : (tensor<2x2x2x1x16xbf16>, tensor<4xi64>) -> tensor<2x4x1x16xbf16>
  %v1 = onnx.Unsqueeze %v, %c2 : (tensor<2x2x1x16xbf16>, tensor<1xi64>) -> tensor<2x2x1x1x16xbf16>
  %v2 = onnx.Slice %v1, %c0, %end, %c2, %c1 : (tensor<2x2x1x1x16xbf16>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2x1x1x16xbf16>
  %v3 = onnx.Expand %v2, %wide : (tensor<2x2x1x1x16xbf16>, tensor<5xi64>) -> tensor<2x2x2x1x16xbf16>
  %v4 = onnx.Reshape %v3, %all : (tensor<2x2x2x1x16xbf16>, tensor<4xi64>) -> tensor<2x4x1x16xbf16>
  %kt = onnx.Transpose %k4 {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x1x16xbf16>) -> tensor<2x4x16x1xbf16>
  %s0 = onnx.MatMul %q, %kt : (tensor<2x4x1x16xbf16>, tensor<2x4x16x1xbf16>) -> tensor<2x4x1x1xbf16>
  %s1 = onnx.Add %s0, %mask : (tensor<2x4x1x1xbf16>, tensor<2x1x1x1xbf16>) -> tensor<2x4x1x1xbf16>
  %s2 = onnx.Softmax %s1 {axis = -1 : i64} : (tensor<2x4x1x1xbf16>) -> tensor<2x4x1x1xbf16>
  %s3 = onnx.MatMul %s2, %v4 : (tensor<2x4x1x1xbf16>, tensor<2x4x1x16xbf16>) -> tensor<2x4x1x16xbf16>
  return %s3 : tensor<2x4x1x16xbf16>
}

// -----

// A reversed mask shows the future: it stays, and the attention is not causal.
// CHECK-LABEL: func @reversed
// CHECK: %[[M:.*]] = onnx.Slice
// CHECK: onnx.FusedAttention %{{.*}}, %{{.*}}, %{{.*}}, %[[M]] {
// CHECK-NOT: is_causal = 1
// CHECK: return
func.func @reversed(%q: tensor<2x4x4096x16xbf16>, %k: tensor<2x4x4096x16xbf16>, %v: tensor<2x4x4096x16xbf16>) -> tensor<2x4x4096x16xbf16> {
  %i0 = onnx.Constant {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %i1 = onnx.Constant {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %i8 = onnx.Constant {value = dense<4096> : tensor<i64>} : () -> tensor<i64>
  %im1 = onnx.Constant {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
  %imin = onnx.Constant {value = dense<-9223372036854775808> : tensor<1xi64>} : () -> tensor<1xi64>
  %im2 = onnx.Constant {value = dense<-2> : tensor<1xi64>} : () -> tensor<1xi64>
  %qa = onnx.Constant {value = dense<[0, 1, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
  %ka = onnx.Constant {value = dense<[0, 1, 2]> : tensor<3xi64>} : () -> tensor<3xi64>
  %zero = onnx.Constant {value = dense<0.0> : tensor<bf16>} : () -> tensor<bf16>
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %r = onnx.Range %i0, %i8, %i1 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<4096xi64>
  %r0 = onnx.Add %r, %i0 : (tensor<4096xi64>, tensor<i64>) -> tensor<4096xi64>
  %qp = onnx.Unsqueeze %r0, %qa : (tensor<4096xi64>, tensor<3xi64>) -> tensor<1x1x4096x1xi64>
  %kp = onnx.Unsqueeze %r0, %ka : (tensor<4096xi64>, tensor<3xi64>) -> tensor<1x1x1x4096xi64>
  %c = onnx.LessOrEqual %kp, %qp : (tensor<1x1x1x4096xi64>, tensor<1x1x4096x1xi64>) -> tensor<1x1x4096x4096xi1>
  %m0 = onnx.Where %c, %zero, %low : (tensor<1x1x4096x4096xi1>, tensor<bf16>, tensor<bf16>) -> tensor<1x1x4096x4096xbf16>
  %mask = onnx.Slice %m0, %im1, %imin, %im1, %im1 : (tensor<1x1x4096x4096xbf16>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x1x4096x4096xbf16>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x4096x16xbf16>) -> tensor<2x4x16x4096xbf16>
  %s0 = onnx.MatMul %q, %kt : (tensor<2x4x4096x16xbf16>, tensor<2x4x16x4096xbf16>) -> tensor<2x4x4096x4096xbf16>
  %s1 = onnx.Add %s0, %mask : (tensor<2x4x4096x4096xbf16>, tensor<1x1x4096x4096xbf16>) -> tensor<2x4x4096x4096xbf16>
  %s2 = onnx.Softmax %s1 {axis = -1 : i64} : (tensor<2x4x4096x4096xbf16>) -> tensor<2x4x4096x4096xbf16>
  %s3 = onnx.MatMul %s2, %v : (tensor<2x4x4096x4096xbf16>, tensor<2x4x4096x16xbf16>) -> tensor<2x4x4096x16xbf16>
  return %s3 : tensor<2x4x4096x16xbf16>
}
