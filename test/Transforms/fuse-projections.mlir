// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-fuse-projections{software=vllm})' | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-fuse-projections{software=pytorch})' | FileCheck %s --check-prefix=APART
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-fuse-projections{software=vllm},gpucost-form-kernels{software=vllm})' | FileCheck %s --check-prefix=KERNELS

// (L19) Q, K and V: 16 + 8 + 8 columns of one matmul, with one bias of 32.
// CHECK-LABEL: func.func @projections
// CHECK: %[[W:.*]] = onnx.Parameter {name = "q+k+v"} : () -> tensor<16x32xf16>
// CHECK: %[[B:.*]] = onnx.Parameter {name = "bq+bk+bv"} : () -> tensor<32xf16>
// CHECK: %[[P:.*]] = onnx.MatMul %{{.*}}, %[[W]] {{.*}}-> tensor<2x1x32xf16>
// CHECK: %[[S:.*]] = onnx.Add %[[P]], %[[B]]
// CHECK: onnx.Slice %[[S]] {{.*}}-> tensor<2x1x16xf16>
// CHECK: onnx.Slice %[[S]] {{.*}}-> tensor<2x1x8xf16>
// CHECK: onnx.Slice %[[S]] {{.*}}-> tensor<2x1x8xf16>
// The output layer reads another activation, and the last weight has a second reader.
// CHECK-COUNT-2: onnx.MatMul
// CHECK-NOT: onnx.MatMul
// APART-LABEL: func.func @projections
// APART-COUNT-5: onnx.MatMul
// KERNELS-LABEL: func.func @projections
// KERNELS: gpucost.kernel "MatMul+Add"
// KERNELS-NOT: copy
// KERNELS: gpucost.kernel "MatMul"
func.func @projections(%x: tensor<2x1x16xf16>, %z: tensor<2x1x16xf16>) -> (tensor<2x1x16xf16>, tensor<2x1x8xf16>, tensor<2x1x8xf16>, tensor<2x1x8xf16>, tensor<2x1x8xf16>, tensor<16x8xf16>) {
  %wq = onnx.Parameter {name = "q"} : () -> tensor<16x16xf16>
  %wk = onnx.Parameter {name = "k"} : () -> tensor<16x8xf16>
  %wv = onnx.Parameter {name = "v"} : () -> tensor<16x8xf16>
  %wo = onnx.Parameter {name = "o"} : () -> tensor<16x8xf16>
  %shared = onnx.Parameter {name = "shared"} : () -> tensor<16x8xf16>
  %bq = onnx.Parameter {name = "bq"} : () -> tensor<16xf16>
  %bk = onnx.Parameter {name = "bk"} : () -> tensor<8xf16>
  %bv = onnx.Parameter {name = "bv"} : () -> tensor<8xf16>
  %q0 = onnx.MatMul %x, %wq : (tensor<2x1x16xf16>, tensor<16x16xf16>) -> tensor<2x1x16xf16>
  %q = onnx.Add %q0, %bq : (tensor<2x1x16xf16>, tensor<16xf16>) -> tensor<2x1x16xf16>
  %k0 = onnx.MatMul %x, %wk : (tensor<2x1x16xf16>, tensor<16x8xf16>) -> tensor<2x1x8xf16>
  %k = onnx.Add %k0, %bk : (tensor<2x1x8xf16>, tensor<8xf16>) -> tensor<2x1x8xf16>
  %v0 = onnx.MatMul %x, %wv : (tensor<2x1x16xf16>, tensor<16x8xf16>) -> tensor<2x1x8xf16>
  %v = onnx.Add %v0, %bv : (tensor<2x1x8xf16>, tensor<8xf16>) -> tensor<2x1x8xf16>
  %o = onnx.MatMul %z, %wo : (tensor<2x1x16xf16>, tensor<16x8xf16>) -> tensor<2x1x8xf16>
  %s = onnx.MatMul %x, %shared : (tensor<2x1x16xf16>, tensor<16x8xf16>) -> tensor<2x1x8xf16>
  return %q, %k, %v, %o, %s, %shared : tensor<2x1x16xf16>, tensor<2x1x8xf16>, tensor<2x1x8xf16>, tensor<2x1x8xf16>, tensor<2x1x8xf16>, tensor<16x8xf16>
}

// (L12) The residual sum and its norm are one kernel that stores both; so are SiLU and its gate.
// CHECK-LABEL: func.func @layer
// KERNELS-LABEL: func.func @layer
// KERNELS: gpucost.kernel "Add+RMSNormalization"
// KERNELS: gpucost.yield %{{.*}}, %{{.*}} : tensor<2x16xf16>, tensor<2x16xf16>
// KERNELS: gpucost.kernel "MatMul"
// KERNELS: gpucost.kernel "Swish+Mul"
// KERNELS: gpucost.kernel "MatMul"
// KERNELS-NOT: gpucost.kernel
// KERNELS: return
func.func @layer(%x: tensor<2x16xf16>, %r: tensor<2x16xf16>) -> (tensor<2x16xf16>, tensor<2x16xf16>) {
  %n = onnx.Parameter {name = "n"} : () -> tensor<16xf16>
  %wg = onnx.Parameter {name = "gate"} : () -> tensor<16x32xf16>
  %wu = onnx.Parameter {name = "up"} : () -> tensor<16x32xf16>
  %wd = onnx.Parameter {name = "down"} : () -> tensor<32x16xf16>
  %sum = onnx.Add %x, %r : (tensor<2x16xf16>, tensor<2x16xf16>) -> tensor<2x16xf16>
  %norm = onnx.RMSNormalization %sum, %n : (tensor<2x16xf16>, tensor<16xf16>) -> tensor<2x16xf16>
  %g = onnx.MatMul %norm, %wg : (tensor<2x16xf16>, tensor<16x32xf16>) -> tensor<2x32xf16>
  %a = onnx.Swish %g : (tensor<2x32xf16>) -> tensor<2x32xf16>
  %u = onnx.MatMul %norm, %wu : (tensor<2x16xf16>, tensor<16x32xf16>) -> tensor<2x32xf16>
  %m = onnx.Mul %a, %u : (tensor<2x32xf16>, tensor<2x32xf16>) -> tensor<2x32xf16>
  %d = onnx.MatMul %m, %wd : (tensor<2x32xf16>, tensor<32x16xf16>) -> tensor<2x16xf16>
  return %sum, %d : tensor<2x16xf16>, tensor<2x16xf16>
}

// The rotation as Hugging Face writes it; without the product with the sine it stays.
// CHECK-LABEL: func.func @spelled_out
// CHECK-NEXT: %[[R:.*]] = onnx.RotaryEmbedding %{{.*}} : (tensor<2x4x1x8xf16>) -> tensor<2x4x1x8xf16>
// CHECK-NEXT: return %[[R]]
// APART-LABEL: func.func @spelled_out
// APART: onnx.Concat
func.func @spelled_out(%x: tensor<2x4x1x8xf16>, %cos: tensor<1x1x1x8xf16>, %sin: tensor<1x1x1x8xf16>, %a: tensor<1xi64>, %b: tensor<1xi64>) -> tensor<2x4x1x8xf16> {
  %first = onnx.Slice %x, %a, %b : (tensor<2x4x1x8xf16>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x4x1x4xf16>
  %second = onnx.Slice %x, %b, %a : (tensor<2x4x1x8xf16>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x4x1x4xf16>
  %negated = onnx.Neg %second : (tensor<2x4x1x4xf16>) -> tensor<2x4x1x4xf16>
  %turned = onnx.Concat %negated, %first {axis = -1 : i64} : (tensor<2x4x1x4xf16>, tensor<2x4x1x4xf16>) -> tensor<2x4x1x8xf16>
  %xc = onnx.Mul %x, %cos : (tensor<2x4x1x8xf16>, tensor<1x1x1x8xf16>) -> tensor<2x4x1x8xf16>
  %xs = onnx.Mul %turned, %sin : (tensor<2x4x1x8xf16>, tensor<1x1x1x8xf16>) -> tensor<2x4x1x8xf16>
  %0 = onnx.Add %xc, %xs : (tensor<2x4x1x8xf16>, tensor<2x4x1x8xf16>) -> tensor<2x4x1x8xf16>
  return %0 : tensor<2x4x1x8xf16>
}

// Queries and keys of 16 and 8 channels are rotated by one kernel: 3 * (2 * 16 + 2 * 8) = 144 FLOP.
// It reads the tables that the attention read.
// CHECK-LABEL: func.func @rotation
// CHECK: %[[COS:.*]] = onnx.Parameter {name = "cos"}
// CHECK: %[[SIN:.*]] = onnx.Parameter {name = "sin"}
// CHECK: %[[R:.*]]:2 = onnx.RotaryEmbedding %{{.*}}, %{{.*}}, %[[COS]], %[[SIN]]
// CHECK: onnx.GroupQueryAttention %[[R]]#0, %[[R]]#1, {{.*}}do_rotary = 0
func.func @rotation(%q: tensor<2x1x16xf16>, %k: tensor<2x1x8xf16>, %v: tensor<2x1x8xf16>, %pk: tensor<2x1x6x8xf16>, %pv: tensor<2x1x6x8xf16>, %l: tensor<2xi32>, %t: tensor<i32>) -> tensor<2x1x16xf16> {
  %cos = onnx.Parameter {name = "cos"} : () -> tensor<32x4xf16>
  %sin = onnx.Parameter {name = "sin"} : () -> tensor<32x4xf16>
  %0:3 = onnx.GroupQueryAttention %q, %k, %v, %pk, %pv, %l, %t, %cos, %sin {num_heads = 2 : i64, kv_num_heads = 1 : i64, do_rotary = 1 : i64} : (tensor<2x1x16xf16>, tensor<2x1x8xf16>, tensor<2x1x8xf16>, tensor<2x1x6x8xf16>, tensor<2x1x6x8xf16>, tensor<2xi32>, tensor<i32>, tensor<32x4xf16>, tensor<32x4xf16>) -> (tensor<2x1x16xf16>, tensor<2x1x7x8xf16>, tensor<2x1x7x8xf16>)
  return %0#0 : tensor<2x1x16xf16>
}

// One kernel rotates the queries and the keys of an attention, and writes the rows of the latent cache: 3 * (2*4*8 + 2*8) = 240 FLOP.
// Without a serving stack, the two rotations and the concatenation stay.
// CHECK-LABEL: func.func @latent
// CHECK: %[[Q:.*]] = onnx.Transpose
// CHECK: %[[L:.*]] = onnx.Unsqueeze
// CHECK: %[[R:.*]]:2 = onnx.RotaryEmbedding %[[Q]], %{{.*}}, %{{.*}}, %{{.*}}, %[[L]] {{.*}}-> (tensor<2x4x1x8xf16>, tensor<2x1x1x24xf16>)
// CHECK: onnx.Concat %{{.*}}, %[[R]]#0
// CHECK-NOT: onnx.Concat
// CHECK: onnx.Insert %[[R]]#1,
// APART-LABEL: func.func @latent
// APART-COUNT-2: onnx.RotaryEmbedding
// APART-COUNT-2: onnx.Concat
// KERNELS-LABEL: func.func @latent
// KERNELS: gpucost.kernel "RotaryEmbedding"
// KERNELS-NOT: gpucost.kernel "RotaryEmbedding"
// KERNELS: return
func.func @latent(%q: tensor<2x1x4x8xf16>, %absorbed: tensor<2x4x1x16xf16>, %k: tensor<2x1x1x8xf16>, %latent: tensor<2x1x16xf16>, %past: tensor<2x1x9x24xf16>, %axis: tensor<1xi64>, %a: tensor<1xi64>, %b: tensor<1xi64>, %at: tensor<1xi64>) -> tensor<2x4x1x16xf16> {
  %cos = onnx.Parameter {name = "cos"} : () -> tensor<32x4xf16>
  %sin = onnx.Parameter {name = "sin"} : () -> tensor<32x4xf16>
  %kr = onnx.RotaryEmbedding %k, %cos, %sin : (tensor<2x1x1x8xf16>, tensor<32x4xf16>, tensor<32x4xf16>) -> tensor<2x1x1x8xf16>
  %qt = onnx.Transpose %q {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x1x4x8xf16>) -> tensor<2x4x1x8xf16>
  %qr = onnx.RotaryEmbedding %qt, %cos, %sin : (tensor<2x4x1x8xf16>, tensor<32x4xf16>, tensor<32x4xf16>) -> tensor<2x4x1x8xf16>
  %qs = onnx.Concat %absorbed, %qr {axis = -1 : i64} : (tensor<2x4x1x16xf16>, tensor<2x4x1x8xf16>) -> tensor<2x4x1x24xf16>
  %row = onnx.Unsqueeze %latent, %axis : (tensor<2x1x16xf16>, tensor<1xi64>) -> tensor<2x1x1x16xf16>
  %rows = onnx.Concat %row, %kr {axis = -1 : i64} : (tensor<2x1x1x16xf16>, tensor<2x1x1x8xf16>) -> tensor<2x1x1x24xf16>
  %keys = onnx.Insert %rows, %past, %at : (tensor<2x1x1x24xf16>, tensor<2x1x9x24xf16>, tensor<1xi64>) -> tensor<2x1x9x24xf16>
  %values = onnx.Slice %keys, %a, %b : (tensor<2x1x9x24xf16>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x1x9x16xf16>
  %r = onnx.FusedAttention %qs, %keys, %values {is_causal = 1 : i64} : (tensor<2x4x1x24xf16>, tensor<2x1x9x24xf16>, tensor<2x1x9x16xf16>) -> tensor<2x4x1x16xf16>
  return %r : tensor<2x4x1x16xf16>
}

// Partial sums of two branches are added before one all-reduce of the sum; one that has another reader is reduced first.
// CHECK-LABEL: func.func @branches
// CHECK: %[[V:.*]] = onnx.Reshape
// CHECK: %[[A:.*]] = onnx.Add %[[V]], %{{.*}}
// CHECK-NEXT: %[[S:.*]] = gpucost.collective all_reduce(%[[A]])
// CHECK: %[[O:.*]] = gpucost.collective all_reduce
// CHECK: onnx.Add %[[S]], %[[O]]
// APART-LABEL: func.func @branches
// APART-COUNT-3: gpucost.collective
func.func @branches(%x: tensor<8x16xf16>, %y: tensor<2x4x16xf16>, %z: tensor<2x4x16xf16>, %shape: tensor<3xi64>) -> (tensor<2x4x16xf16>, tensor<2x4x16xf16>) {
  %xs = gpucost.collective all_reduce(%x) {bytes = 256 : i64, world_size = 4 : i64} : (tensor<8x16xf16>) -> tensor<8x16xf16>
  %xr = onnx.Reshape %xs, %shape : (tensor<8x16xf16>, tensor<3xi64>) -> tensor<2x4x16xf16>
  %ys = gpucost.collective all_reduce(%y) {bytes = 256 : i64, world_size = 4 : i64} : (tensor<2x4x16xf16>) -> tensor<2x4x16xf16>
  %sum = onnx.Add %xr, %ys : (tensor<2x4x16xf16>, tensor<2x4x16xf16>) -> tensor<2x4x16xf16>
  %zs = gpucost.collective all_reduce(%z) {bytes = 256 : i64, world_size = 4 : i64} : (tensor<2x4x16xf16>) -> tensor<2x4x16xf16>
  %all = onnx.Add %sum, %zs : (tensor<2x4x16xf16>, tensor<2x4x16xf16>) -> tensor<2x4x16xf16>
  return %all, %zs : tensor<2x4x16xf16>, tensor<2x4x16xf16>
}

// (L1) Norms read columns of a wider matrix in place; rows at two distances are copied.
// CHECK-LABEL: func.func @columns
// KERNELS-LABEL: func.func @columns
// KERNELS: gpucost.kernel "RMSNormalization"
// KERNELS: gpucost.kernel "contiguous copy"
// KERNELS: gpucost.kernel "RMSNormalization"
// KERNELS: return
func.func @columns(%x: tensor<4x24xf16>, %y: tensor<4x24xf16>, %a: tensor<1xi64>, %b: tensor<1xi64>, %shape: tensor<3xi64>) -> (tensor<4x16xf16>, tensor<4x2x8xf16>) {
  %n = onnx.Parameter {name = "n"} : () -> tensor<16xf16>
  %h = onnx.Parameter {name = "h"} : () -> tensor<8xf16>
  %part = onnx.Slice %x, %a, %b : (tensor<4x24xf16>, tensor<1xi64>, tensor<1xi64>) -> tensor<4x16xf16>
  %0 = onnx.RMSNormalization %part, %n : (tensor<4x16xf16>, tensor<16xf16>) -> tensor<4x16xf16>
  %other = onnx.Slice %y, %a, %b : (tensor<4x24xf16>, tensor<1xi64>, tensor<1xi64>) -> tensor<4x16xf16>
  %heads = onnx.Reshape %other, %shape : (tensor<4x16xf16>, tensor<3xi64>) -> tensor<4x2x8xf16>
  %1 = onnx.RMSNormalization %heads, %h : (tensor<4x2x8xf16>, tensor<8xf16>) -> tensor<4x2x8xf16>
  return %0, %1 : tensor<4x16xf16>, tensor<4x2x8xf16>
}

// (L12) The scores of a router and the bias by which it chooses are one kernel.
// CHECK-LABEL: func.func @router
// KERNELS-LABEL: func.func @router
// KERNELS: gpucost.kernel "Sigmoid+Add"
// KERNELS-NOT: gpucost.kernel
// KERNELS: return
func.func @router(%x: tensor<4x32xf32>) -> (tensor<4x32xf32>, tensor<4x32xf32>) {
  %b = onnx.Parameter {name = "b"} : () -> tensor<32xf32>
  %s = onnx.Sigmoid %x : (tensor<4x32xf32>) -> tensor<4x32xf32>
  %c = onnx.Add %s, %b : (tensor<4x32xf32>, tensor<32xf32>) -> tensor<4x32xf32>
  return %s, %c : tensor<4x32xf32>, tensor<4x32xf32>
}
