// RUN: gpu-cost-opt %s --gpucost-raise-ops | FileCheck %s

// nn.GroupNorm before opset 21 is an instance normalization of the groups.
// CHECK-LABEL: func @group_norm
// CHECK-SAME: (%[[X:.*]]: tensor<2x32x8x8xf32>)
// CHECK: onnx.GroupNormalization %[[X]], %{{.*}}, %{{[^,]*}} {epsilon = 9.99999974E-6 : f32, num_groups = 4 : i64}
// CHECK-NEXT: return
func.func @group_norm(%x: tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32> {
  %w = onnx.Parameter : () -> tensor<32x1x1xf32>
  %b = onnx.Parameter : () -> tensor<32x1x1xf32>
  %ones = onnx.Constant {value = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %zeros = onnx.Constant {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %to = onnx.Constant {value = dense<[0, 4, -1]> : tensor<3xi64>} : () -> tensor<3xi64>
  %back = onnx.Constant {value = dense<[2, 32, 8, 8]> : tensor<4xi64>} : () -> tensor<4xi64>
  %0 = onnx.Reshape %x, %to : (tensor<2x32x8x8xf32>, tensor<3xi64>) -> tensor<2x4x512xf32>
  %1 = onnx.InstanceNormalization %0, %ones, %zeros {epsilon = 1.0e-5 : f32} : (tensor<2x4x512xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x512xf32>
  %2 = onnx.Reshape %1, %back : (tensor<2x4x512xf32>, tensor<4xi64>) -> tensor<2x32x8x8xf32>
  %3 = onnx.Mul %2, %w : (tensor<2x32x8x8xf32>, tensor<32x1x1xf32>) -> tensor<2x32x8x8xf32>
  %4 = onnx.Add %3, %b : (tensor<2x32x8x8xf32>, tensor<32x1x1xf32>) -> tensor<2x32x8x8xf32>
  return %4 : tensor<2x32x8x8xf32>
}

// Exporters write the ones and zeros for many groups like parameters: a weight
// and a bias per channel after the norm show that they are not parameters.
// CHECK-LABEL: func @unknown_ones
// CHECK: onnx.GroupNormalization %{{.*}} {num_groups = 4 : i64}
// CHECK-NEXT: return
func.func @unknown_ones(%x: tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32> {
  %w = onnx.Parameter : () -> tensor<32x1x1xf32>
  %b = onnx.Parameter : () -> tensor<32x1x1xf32>
  %ones = onnx.Parameter : () -> tensor<4xf32>
  %zeros = onnx.Parameter : () -> tensor<4xf32>
  %to = onnx.Constant {value = dense<[0, 4, -1]> : tensor<3xi64>} : () -> tensor<3xi64>
  %back = onnx.Constant {value = dense<[2, 32, 8, 8]> : tensor<4xi64>} : () -> tensor<4xi64>
  %0 = onnx.Reshape %x, %to : (tensor<2x32x8x8xf32>, tensor<3xi64>) -> tensor<2x4x512xf32>
  %1 = onnx.InstanceNormalization %0, %ones, %zeros : (tensor<2x4x512xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x512xf32>
  %2 = onnx.Reshape %1, %back : (tensor<2x4x512xf32>, tensor<4xi64>) -> tensor<2x32x8x8xf32>
  %3 = onnx.Mul %2, %w : (tensor<2x32x8x8xf32>, tensor<32x1x1xf32>) -> tensor<2x32x8x8xf32>
  %4 = onnx.Add %3, %b : (tensor<2x32x8x8xf32>, tensor<32x1x1xf32>) -> tensor<2x32x8x8xf32>
  return %4 : tensor<2x32x8x8xf32>
}

// Without those they may scale.
// CHECK-LABEL: func @scaled
// CHECK: onnx.InstanceNormalization
// CHECK-NOT: onnx.GroupNormalization
// CHECK: return
func.func @scaled(%x: tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32> {
  %scale = onnx.Parameter : () -> tensor<4xf32>
  %shift = onnx.Parameter : () -> tensor<4xf32>
  %to = onnx.Constant {value = dense<[0, 4, -1]> : tensor<3xi64>} : () -> tensor<3xi64>
  %back = onnx.Constant {value = dense<[2, 32, 8, 8]> : tensor<4xi64>} : () -> tensor<4xi64>
  %0 = onnx.Reshape %x, %to : (tensor<2x32x8x8xf32>, tensor<3xi64>) -> tensor<2x4x512xf32>
  %1 = onnx.InstanceNormalization %0, %scale, %shift : (tensor<2x4x512xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x512xf32>
  %2 = onnx.Reshape %1, %back : (tensor<2x4x512xf32>, tensor<4xi64>) -> tensor<2x32x8x8xf32>
  return %2 : tensor<2x32x8x8xf32>
}
