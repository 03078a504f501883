// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --split-input-file --verify-diagnostics --gpucost-shard-experts='gpus=4 parallel=ep4 mode=training'

func.func @six(%rows: tensor<6x16x32xbf16>) -> tensor<6x16x64xbf16> {
  %up = onnx.Parameter {name = "up"} : () -> tensor<6x32x64xbf16>
  // expected-error @+1 {{the layer has 6 experts, which cannot be split across 4 GPUs; use a number of GPUs that divides 6}}
  %a = onnx.MatMul %rows, %up : (tensor<6x16x32xbf16>, tensor<6x32x64xbf16>) -> tensor<6x16x64xbf16>
  return %a : tensor<6x16x64xbf16>
}

// -----

func.func @shared(%rows: tensor<8x16x32xbf16>) -> (tensor<8x16x64xbf16>, tensor<8x16x64xbf16>) {
  %up = onnx.Parameter {name = "up"} : () -> tensor<8x32x64xbf16>
  // expected-error @+1 {{expert parallelism needs weights that a single op reads}}
  %a = onnx.MatMul %rows, %up : (tensor<8x16x32xbf16>, tensor<8x32x64xbf16>) -> tensor<8x16x64xbf16>
  %b = onnx.MatMul %rows, %up : (tensor<8x16x32xbf16>, tensor<8x32x64xbf16>) -> tensor<8x16x64xbf16>
  return %a, %b : tensor<8x16x64xbf16>, tensor<8x16x64xbf16>
}

// -----

// expected-error @+1 {{--parallel=ep requires layers of experts: matmuls of a batch of weights; the model has none}}
module {
  func.func @dense(%x: tensor<16x32xbf16>) -> tensor<16x64xbf16> {
    %w = onnx.Parameter {name = "w"} : () -> tensor<32x64xbf16>
    %y = onnx.MatMul %x, %w : (tensor<16x32xbf16>, tensor<32x64xbf16>) -> tensor<16x64xbf16>
    return %y : tensor<16x64xbf16>
  }
}
