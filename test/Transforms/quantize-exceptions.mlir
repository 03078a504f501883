// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-bf16 --gpucost-quantize='weights=int4' | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-bf16 --gpucost-quantize='weights=int4 weights-except=none' | FileCheck %s --check-prefixes=CHECK,EVERY
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-bf16 --gpucost-quantize='weights=int4 weights-except=router,*.down.*' | FileCheck %s --check-prefixes=CHECK,CHOSEN

// (Q1) Exceptions by name; an LM head and a router without a name by their place in the graph.
// DEFAULT: "2 matmuls with weights in int4 {{.*}}", "3 matmuls not quantised: weights-except=lm_head,embed,router"
// EVERY: "5 matmuls with weights in int4
// EVERY-NOT: not quantised
// CHOSEN: "3 matmuls with weights in int4 {{.*}}", "2 matmuls not quantised: weights-except=router,*.down.*"

// CHECK-LABEL: func.func @forward
func.func @forward(%x: tensor<8x64xbf16>) -> (tensor<8x256xbf16>, tensor<8x2xbf16>, tensor<8x64xbf16>)
    attributes {onnx.output_names = ["logits", "weights", "hidden"]} {
  // DEFAULT: onnx.Parameter {name = "layers.0.up.weight"} : () -> tensor<64x64xi4>
  // EVERY: onnx.Parameter {name = "layers.0.up.weight"} : () -> tensor<64x64xi4>
  // CHOSEN: onnx.Parameter {name = "layers.0.up.weight"} : () -> tensor<64x64xi4>
  %up = onnx.Parameter {name = "layers.0.up.weight"} : () -> tensor<64x64xbf16>
  %0 = onnx.MatMul %x, %up : (tensor<8x64xbf16>, tensor<64x64xbf16>) -> tensor<8x64xbf16>
  // DEFAULT: onnx.Parameter {name = "layers.0.down.weight"} : () -> tensor<64x64xi4>
  // CHOSEN: onnx.Parameter {name = "layers.0.down.weight"} : () -> tensor<64x64xbf16>
  %down = onnx.Parameter {name = "layers.0.down.weight"} : () -> tensor<64x64xbf16>
  %1 = onnx.MatMul %0, %down : (tensor<8x64xbf16>, tensor<64x64xbf16>) -> tensor<8x64xbf16>
  // A projection of embeddings, by its name.
  // DEFAULT: onnx.Parameter {name = "embed_proj"} : () -> tensor<64x64xbf16>
  // EVERY: onnx.Parameter {name = "embed_proj"} : () -> tensor<64x64xi4>
  %e = onnx.Parameter {name = "embed_proj"} : () -> tensor<64x64xbf16>
  %2 = onnx.MatMul %1, %e : (tensor<8x64xbf16>, tensor<64x64xbf16>) -> tensor<8x64xbf16>
  // DEFAULT: onnx.Parameter {name = "onnx::MatMul_7"} : () -> tensor<64x16xbf16>
  // EVERY: onnx.Parameter {name = "onnx::MatMul_7"} : () -> tensor<64x16xi4>
  // CHOSEN: onnx.Parameter {name = "onnx::MatMul_7"} : () -> tensor<64x16xbf16>
  %r = onnx.Parameter {name = "onnx::MatMul_7"} : () -> tensor<64x16xbf16>
  %3 = onnx.MatMul %2, %r : (tensor<8x64xbf16>, tensor<64x16xbf16>) -> tensor<8x16xbf16>
  %4 = onnx.Softmax %3 {axis = -1 : i64} : (tensor<8x16xbf16>) -> tensor<8x16xbf16>
  %k = onnx.Constant {value = dense<2> : tensor<1xi64>} : () -> tensor<1xi64>
  %5, %6 = onnx.TopK %4, %k : (tensor<8x16xbf16>, tensor<1xi64>) -> (tensor<8x2xbf16>, tensor<8x2xi64>)
  // DEFAULT: onnx.Parameter {name = "onnx::MatMul_9"} : () -> tensor<64x256xbf16>
  // EVERY: onnx.Parameter {name = "onnx::MatMul_9"} : () -> tensor<64x256xi4>
  // CHOSEN: onnx.Parameter {name = "onnx::MatMul_9"} : () -> tensor<64x256xi4>
  %h = onnx.Parameter {name = "onnx::MatMul_9"} : () -> tensor<64x256xbf16>
  %7 = onnx.MatMul %2, %h : (tensor<8x64xbf16>, tensor<64x256xbf16>) -> tensor<8x256xbf16>
  return %7, %5, %2 : tensor<8x256xbf16>, tensor<8x2xbf16>, tensor<8x64xbf16>
}
