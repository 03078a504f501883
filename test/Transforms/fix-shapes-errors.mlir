// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes='bind=batch:2' --split-input-file --verify-diagnostics

// expected-error @+1 {{symbolic dimensions have no values: 'sequence' of input 'input_ids', 'past + sequence' of input 'mask'; set them with --bind='sequence:<n>,past + sequence:<n>', or all of them with --bind='*:<n>'}}
func.func @unbound(%a: tensor<?x?xi64> {onnx.name = "input_ids", onnx.dims = ["batch", "sequence"]}, %b: tensor<?x?xi64> {onnx.name = "mask", onnx.dims = ["batch", "past + sequence"]}) -> !onnx.unknown {
  %0 = onnx.Neg %a : (tensor<?x?xi64>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// expected-error @+1 {{no symbolic dimension is named 'batch'; there are 'n', 'm'}}
module {
  func.func @unknown(%a: tensor<?x?xi64> {onnx.dims = ["n", "m"]}) -> !onnx.unknown {
    %0 = onnx.Neg %a : (tensor<?x?xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// (2 - 3) is not a valid size.
// expected-error @+1 {{dimension 'batch - 3' is not between 0 and 2147483648}}
func.func @negative(%a: tensor<?x?xi64> {onnx.name = "a", onnx.dims = ["batch", "batch - 3"]}) -> !onnx.unknown {
  %0 = onnx.Neg %a : (tensor<?x?xi64>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// A mismatch reports the values of the symbols.
func.func @mismatch(%a: tensor<?x3xf32> {onnx.name = "a", onnx.dims = ["batch", ""]}, %b: tensor<5x3xf32>) -> !onnx.unknown {
  // expected-error @+2 {{'onnx.Add' op operand shapes [2, 3] and [5, 3] do not broadcast}}
  // expected-note @+1 {{dimensions are bound as batch = 2}}
  %0 = onnx.Add %a, %b : (tensor<?x3xf32>, tensor<5x3xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
