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
