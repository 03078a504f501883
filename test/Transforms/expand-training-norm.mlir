// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s

// (B3) Training takes mean and deviation from the batch: x is read twice, forward and
// backward; 4 * 8 * 36 elements are 4608 bytes. Buffers are not trainable.
// CHECK-LABEL: func.func @batch_norm
// CHECK-SAME: -> (tensor<8x8x1x1xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8x3x3xf32>)
// CHECK: kernel "Conv"
// CHECK: %[[S:.*]]:2 = gpucost.kernel "BatchStatistics" {{.*}}rows = 8, cols = 144, norm = batch, run = 36>, {{.*}}bytes_read = 4608, bytes_written = 64>
// Scale, shift, mean and deviation: 4 * 32 bytes more.
// CHECK: kernel "BatchNormalization" {{.*}}count = 1152, norm = batch, channels = 8, run = 36>, {{.*}}bytes_read = 4736, bytes_written = 4608>
// CHECK-NEXT: onnx.BatchNormalization %{{.*}}, %{{.*}}, %{{.*}}, %[[S]]#0, %[[S]]#1
// The positions of the maxima are 8 bytes each: 4 * 8 * 9 * (4 + 8).
// CHECK: %[[P:.*]]:2 = gpucost.kernel "MaxPool" {{.*}}bytes_read = 4608, bytes_written = 3456>
// CHECK: %[[D:.*]] = gpucost.kernel "PoolGrad" {{.*}}count = 1152, {{.*}}bytes_read = 3456, bytes_written = 4608>
// CHECK-NEXT: onnx.PoolGrad %{{.*}}, %[[P]]#1
// dY and x, 2 * 4608, give the sums of 8 channels, which are the gradients of scale and
// shift; both and the sums give dX.
// CHECK: %[[R:.*]]:2 = gpucost.kernel "BatchNormReduceGrad" {{.*}}rows = 8, cols = 144, norm = batch, run = 36>, {{.*}}bytes_read = 9216, bytes_written = 64>
// CHECK: %[[DX:.*]] = gpucost.kernel "BatchNormInputGrad" {{.*}}count = 1152, norm = batch, channels = 8, run = 36>, {{.*}}bytes_read = 9280, bytes_written = 4608>
// CHECK: %[[DW:.*]] = gpucost.kernel "ConvWeightGrad"
// CHECK: return {gpucost.gradients = array<i64: 0, 1, 2>} %[[DW]], %[[R]]#0, %[[R]]#1
func.func @batch_norm(%x: tensor<4x8x6x6xf32>) -> tensor<4x8x3x3xf32> {
  %w = onnx.Parameter : () -> tensor<8x8x1x1xf32>
  %s = onnx.Parameter : () -> tensor<8xf32>
  %b = onnx.Parameter : () -> tensor<8xf32>
  %m = onnx.Parameter {onnx.values = ["bn.running_mean"]} : () -> tensor<8xf32>
  %v = onnx.Parameter {onnx.values = ["bn.running_var"]} : () -> tensor<8xf32>
  %0 = onnx.Conv %x, %w : (tensor<4x8x6x6xf32>, tensor<8x8x1x1xf32>) -> tensor<4x8x6x6xf32>
  %1 = onnx.BatchNormalization %0, %s, %b, %m, %v : (tensor<4x8x6x6xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8x6x6xf32>
  %2 = onnx.MaxPool %1 {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<4x8x6x6xf32>) -> tensor<4x8x3x3xf32>
  return %2 : tensor<4x8x3x3xf32>
}

// (B4) One kernel for dX, one for scale and shift. (B5) Softmax multiplies dY and Y,
// then reduces rows. Dropout writes a mask of one byte per element. Rows of 4 * 16
// elements are 256 bytes.
// CHECK-LABEL: func.func @layer_norm
// CHECK: kernel "DropoutTraining" {{.*}}bytes_read = 256, bytes_written = 320>
// CHECK: kernel "DropoutGrad" {{.*}}phase backward{{.*}}bytes_read = 320, bytes_written = 256>
// CHECK: kernel "Mul" {{.*}}origin = "gradient of Softmax"{{.*}}bytes_read = 512, bytes_written = 256>
// CHECK: kernel "SoftmaxGrad" {{.*}}bytes_read = 512, bytes_written = 256>
// dY, x and the 64 bytes of the scale.
// CHECK: kernel "NormInputGrad" {{.*}}count = 64,{{.*}}bytes_read = 576, bytes_written = 256>
// CHECK: kernel "NormWeightGrad" {{.*}}rows = 16, cols = 4, pass = weight_gradient>, {{.*}}bytes_read = 512, bytes_written = 128>
// CHECK-NOT: gpucost.kernel
// CHECK: return
func.func @layer_norm(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %w = onnx.Parameter : () -> tensor<4x16xf32>
  %g = onnx.Parameter : () -> tensor<16xf32>
  %b = onnx.Parameter : () -> tensor<16xf32>
  %0 = onnx.Add %x, %w : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  %1 = onnx.LayerNormalization %0, %g, %b {axis = -1 : i64} : (tensor<4x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  %2 = onnx.Softmax %1 {axis = -1 : i64} : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %3 = onnx.Dropout %2 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  return %3 : tensor<4x16xf32>
}

// Off, or with a ratio of 0: no kernel in either direction.
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none dropout=off" | FileCheck %s --check-prefix=OFF
// OFF-NOT: {{Dropout(Training|Grad)}}
// CHECK-LABEL: func.func @idle
// CHECK-NOT: Dropout
// CHECK: return
func.func @idle(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %w = onnx.Parameter : () -> tensor<4x16xf32>
  %r = onnx.Constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.Add %x, %w : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  %1 = onnx.Dropout %0, %r : (tensor<4x16xf32>, tensor<f32>) -> tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
}
