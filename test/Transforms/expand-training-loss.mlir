// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training=optimizer=none | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-expand-training="optimizer=none loss=none" | FileCheck %s --check-prefix=NONE
// RUN: gpu-cost-opt %s --gpucost-expand-training="optimizer=none loss=mse" | FileCheck %s --check-prefix=MSE

// `none`: a gradient of its type arrives at every output that needs one.
// NONE-NOT: {{LogSoftmax|MseLoss}}
// NONE: func.func @scalar

// Logits of images have their classes in dimension 1, a target per pixel; an image
// without that name is not a table of scores.
// CHECK-LABEL: func.func @image(
// CHECK-SAME: , %[[T:[a-z0-9]*]]: tensor<2x4x4xi64>)
// CHECK: %[[P:.*]] = onnx.LogSoftmax {{.*}}axis = 1 : i64{{.*}} -> tensor<2x5x4x4xf32>
// CHECK: onnx.NllLoss %[[P]], %[[T]]
// CHECK: onnx.LogSoftmaxGrad %{{.*}}, %[[P]]
// MSE-LABEL: func.func @image(
// MSE-SAME: , %[[T:[a-z0-9]*]]: tensor<2x5x4x4xf32>)
// MSE: onnx.MseLoss %[[Y:.*]], %[[T]] {{.*}} -> tensor<f32>
// MSE: onnx.MseLossGrad %[[Y]], %[[T]]
func.func @image(%x: tensor<2x5x4x4xf32>) -> tensor<2x5x4x4xf32> {
  %w = onnx.Parameter : () -> tensor<2x5x4x4xf32>
  %0 = onnx.Mul %x, %w {onnx.values = ["logits"]} : (tensor<2x5x4x4xf32>, tensor<2x5x4x4xf32>) -> tensor<2x5x4x4xf32>
  return %0 : tensor<2x5x4x4xf32>
}

// Outputs called logits; the hidden state gets no separate gradient.
// CHECK-LABEL: func.func @logits(
// CHECK-SAME: %{{.*}}: tensor<2x6xf32>, %[[S:.*]]: tensor<2xi64>, %[[E:.*]]: tensor<2xi64>)
// CHECK: onnx.NllLoss %{{.*}}, %[[S]]
// CHECK: onnx.NllLoss %{{.*}}, %[[E]]
// CHECK-NOT: gradient of Exp
// CHECK: return
func.func @logits(%x: tensor<2x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>) {
  %w = onnx.Parameter : () -> tensor<2x6xf32>
  %0 = onnx.Mul %x, %w {onnx.values = ["start_logits"]} : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  %1 = onnx.Sub %x, %w {onnx.values = ["end_logits"]} : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  %2 = onnx.Exp %w {onnx.values = ["hidden"]} : (tensor<2x6xf32>) -> tensor<2x6xf32>
  return %0, %1, %2 : tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>
}

// Several outputs without a hint: as with `none`, with a note in the report.
// CHECK-LABEL: func.func @outputs(
// CHECK-SAME: %{{.*}}: tensor<2x6xf32>, %[[D0:.*]]: tensor<2x6xf32>, %[[D1:.*]]: tensor<2x6xf32>)
// CHECK-NOT: Loss
// CHECK: onnx.Mul %[[D1]], %
// CHECK: onnx.Mul %[[D0]], %
func.func @outputs(%x: tensor<2x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xf32>) {
  %w = onnx.Parameter : () -> tensor<2x6xf32>
  %0 = onnx.Mul %x, %w : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  %1 = onnx.Exp %w : (tensor<2x6xf32>) -> tensor<2x6xf32>
  return %0, %1 : tensor<2x6xf32>, tensor<2x6xf32>
}

// A file that contains its loss, an output of rank 0.
// CHECK-LABEL: func.func @scalar(
// CHECK-SAME: %{{.*}}: tensor<2x6xf32>)
// CHECK-NOT: Softmax
// CHECK: %[[ONE:.*]] = onnx.Fill {{.*}}origin = "gradient of the loss"{{.*}}} : () -> tensor<f32>
// CHECK: onnx.Expand %[[ONE]]
func.func @scalar(%x: tensor<2x6xf32>) -> tensor<f32> {
  %w = onnx.Parameter : () -> tensor<2x6xf32>
  %0 = onnx.Mul %x, %w : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  %1 = onnx.ReduceMean %0 {keepdims = 0 : i64} : (tensor<2x6xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}
