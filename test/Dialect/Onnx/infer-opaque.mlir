// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes | FileCheck %s

// Ops that run on the host have types as well.
// CHECK: func.func @strings
// CHECK-SAME: -> (tensor<2x3x!onnx.string>, tensor<2x3x?x!onnx.string>, tensor<2x3xi64>, tensor<2x3xi1>, tensor<2x7xf32>, tensor<?x?x1xui8>)
func.func @strings(%s: tensor<2x3x!onnx.string>, %t: tensor<3x!onnx.string>, %i: tensor<2x5xi64>, %b: tensor<9xui8>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0 = onnx.StringConcat %s, %t : (tensor<2x3x!onnx.string>, tensor<3x!onnx.string>) -> !onnx.unknown
  %1:2 = onnx.StringSplit %s : (tensor<2x3x!onnx.string>) -> (!onnx.unknown, !onnx.unknown)
  %2 = onnx.RegexFullMatch %s : (tensor<2x3x!onnx.string>) -> !onnx.unknown
  // The largest of the feature numbers, 6, and 0.
  %3 = onnx.TfIdfVectorizer %i {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 0, 6, 3>} : (tensor<2x5xi64>) -> !onnx.unknown
  %4 = onnx.ImageDecoder %b {pixel_format = "Grayscale"} : (tensor<9xui8>) -> !onnx.unknown
  return %0, %1#0, %1#1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// CHECK: func.func @classical
// CHECK-SAME: -> (tensor<8xi64>, tensor<8x3xf32>, tensor<8x2xf32>, tensor<8x4xf32>, tensor<8x4x5xf32>, tensor<8x2xf32>, !onnx.sequence)
func.func @classical(%x: tensor<8x4xf32>, %c: tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown,
    !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0:2 = onnx.LinearClassifier %x {classlabels_ints = array<i64: 0, 1, 2>, coefficients = array<f32: 1.0, 1.0, 1.0>} : (tensor<8x4xf32>) -> (!onnx.unknown, !onnx.unknown)
  %1 = onnx.TreeEnsembleRegressor %x {n_targets = 2 : i64} : (tensor<8x4xf32>) -> !onnx.unknown
  %2 = onnx.Scaler %x : (tensor<8x4xf32>) -> !onnx.unknown
  %3 = onnx.OneHotEncoder %x {cats_int64s = array<i64: 0, 1, 2, 3, 4>} : (tensor<8x4xf32>) -> !onnx.unknown
  %4 = onnx.ArrayFeatureExtractor %x, %c : (tensor<8x4xf32>, tensor<2xi64>) -> !onnx.unknown
  %5 = onnx.ZipMap %x : (tensor<8x4xf32>) -> !onnx.unknown
  return %0#0, %0#1, %1, %2, %3, %4, %5 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}
