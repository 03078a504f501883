// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{modules} = ''
// DEFINE: %{run} = gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none recompute=%{modules}" | FileCheck %s

// (B9) Modules by the path in the names of their nodes.

// Both feed-forward modules: their GELU runs again, from the product that is computed again, too. The second
// product of a module has no reader in the backward pass, and neither have the sums between the modules.
// REDEFINE: %{modules} = @blocks.*.mlp
// RUN: %{run} --check-prefix=WILD
// WILD: func.func @
// WILD: %[[U1:.*]] = onnx.MatMul {{.*}}origin = "recompute"
// WILD-NEXT: onnx.Gelu %[[U1]] {{.*}}origin = "recompute"
// WILD-NOT: "recompute"
// WILD: %[[U0:.*]] = onnx.MatMul {{.*}}origin = "recompute"
// WILD-NEXT: onnx.Gelu %[[U0]] {{.*}}origin = "recompute"
// WILD-NOT: "recompute"
// WILD: return

// One of them by its number.
// REDEFINE: %{modules} = @blocks.1.mlp
// RUN: %{run} --check-prefix=ONE
// ONE: func.func @
// ONE-COUNT-1: onnx.Gelu {{.*}}origin = "recompute"
// ONE-NOT: "recompute"
// ONE: return

// Both in one checkpoint: the sum between them is computed again, once, with the second product of the first
// module, because the product of the second one reads it.
// REDEFINE: %{modules} = @blocks.0.mlp+blocks.1.mlp
// RUN: %{run} --check-prefix=JOINED
// JOINED: func.func @
// JOINED: %[[U:.*]] = onnx.MatMul %arg0, {{.*}}origin = "recompute"
// JOINED-NEXT: %[[G:.*]] = onnx.Gelu %[[U]] {{.*}}origin = "recompute"
// JOINED-NEXT: %[[D:.*]] = onnx.MatMul %[[G]], {{.*}}origin = "recompute"
// JOINED-NEXT: %[[S:.*]] = onnx.Add %[[D]], %arg0 {{.*}}origin = "recompute"
// JOINED-NEXT: %[[V:.*]] = onnx.MatMul %[[S]], {{.*}}origin = "recompute"
// JOINED-NEXT: onnx.Gelu %[[V]] {{.*}}origin = "recompute"
// JOINED-NOT: "recompute"
// JOINED: return

// A part of a name is not a path.
// REDEFINE: %{modules} = @block.*.mlp
// RUN: %{run} --check-prefix=NONE
// NONE: gpucost.training_notes = [{{.*}}"no recomputation: '@block.*.mlp' matches no part of the graph"

// RUN: not gpu-cost-opt %s --gpucost-expand-training="recompute=@blocks..mlp" 2>&1 | FileCheck %s --check-prefix=PATH
// PATH: --recompute expects none, selective, full, every-N, every-N:Op, names of ONNX ops (Softmax,Gelu) or paths of modules (@blocks.*.mlp), but got '@blocks..mlp'

func.func @two_modules(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w0 = onnx.Parameter : () -> tensor<8x16xf32>
  %w1 = onnx.Parameter : () -> tensor<16x8xf32>
  %w2 = onnx.Parameter : () -> tensor<8x16xf32>
  %w3 = onnx.Parameter : () -> tensor<16x8xf32>
  %u0 = onnx.MatMul %x, %w0 : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32> loc("/blocks.0/mlp/up/node_MatMul")
  %g0 = onnx.Gelu %u0 : (tensor<4x16xf32>) -> tensor<4x16xf32> loc("/blocks.0/mlp/act/node_gelu")
  %d0 = onnx.MatMul %g0, %w1 : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32> loc("/blocks.0/mlp/down/node_MatMul_1")
  %s0 = onnx.Add %d0, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc("/blocks.0/node_add")
  %u1 = onnx.MatMul %s0, %w2 : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32> loc("/blocks.1/mlp/up/node_MatMul_2")
  %g1 = onnx.Gelu %u1 : (tensor<4x16xf32>) -> tensor<4x16xf32> loc("/blocks.1/mlp/act/node_gelu_1")
  %d1 = onnx.MatMul %g1, %w3 : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32> loc("/blocks.1/mlp/down/node_MatMul_3")
  %s1 = onnx.Add %d1, %s0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc("/blocks.1/node_add_1")
  return %s1 : tensor<4x8xf32>
}
