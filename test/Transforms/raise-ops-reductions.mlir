// RUN: gpu-cost-opt %s --gpucost-raise-ops | FileCheck %s

// x.mean(-1) of a bf16 tensor, as torch.onnx writes it, is one kernel.
// CHECK-LABEL: func @mean
// CHECK-SAME: (%[[X:.*]]: tensor<8x64xbf16>)
// CHECK-NOT: onnx.Cast
// CHECK: %[[Y:.*]] = onnx.ReduceMean %[[X]], %{{.*}} {keepdims = 0 : i64} : (tensor<8x64xbf16>, tensor<1xi64>) -> tensor<8xbf16>
// CHECK-NEXT: return %[[Y]]
func.func @mean(%x: tensor<8x64xbf16>) -> tensor<8xbf16> {
  %axes = onnx.Constant {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %0 = onnx.Cast %x {to = 1 : i64} : (tensor<8x64xbf16>) -> tensor<8x64xf32> loc("node_convert_element_type_default")
  %1 = onnx.ReduceMean %0, %axes {keepdims = 0 : i64} : (tensor<8x64xf32>, tensor<1xi64>) -> tensor<8xf32>
  %2 = onnx.Cast %1 {to = 16 : i64} : (tensor<8xf32>) -> tensor<8xbf16> loc("node_convert_element_type_default_1")
  return %2 : tensor<8xbf16>
}

// The exporter omits the second cast of a result of the model.
// CHECK-LABEL: func @result
// CHECK-SAME: (%[[X:.*]]: tensor<8x64xbf16>)
// CHECK-NOT: onnx.Cast
// CHECK: onnx.ReduceMax %[[X]], {{.*}} -> tensor<8xf32>
func.func @result(%x: tensor<8x64xbf16>) -> tensor<8xf32> {
  %axes = onnx.Constant {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %0 = onnx.Cast %x {to = 1 : i64} : (tensor<8x64xbf16>) -> tensor<8x64xf32> loc("node_convert_element_type_default")
  %1 = onnx.ReduceMax %0, %axes {keepdims = 0 : i64} : (tensor<8x64xf32>, tensor<1xi64>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// The casts of x.float().sum(-1).bfloat16() are kernels.
// CHECK-LABEL: func @own_casts
// CHECK: onnx.Cast
// CHECK-NEXT: onnx.ReduceSum
// CHECK-NEXT: onnx.Cast
func.func @own_casts(%x: tensor<8x64xbf16>) -> tensor<8xbf16> {
  %axes = onnx.Constant {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %0 = onnx.Cast %x {to = 1 : i64} : (tensor<8x64xbf16>) -> tensor<8x64xf32> loc("node__to_copy")
  %1 = onnx.ReduceSum %0, %axes {keepdims = 0 : i64} : (tensor<8x64xf32>, tensor<1xi64>) -> tensor<8xf32>
  %2 = onnx.Cast %1 {to = 16 : i64} : (tensor<8xf32>) -> tensor<8xbf16> loc("node__to_copy_1")
  return %2 : tensor<8xbf16>
}

// A widened tensor with another reader exists in memory.
// CHECK-LABEL: func @shared
// CHECK: onnx.Cast
// CHECK: onnx.ReduceSum
// CHECK: onnx.Cast
func.func @shared(%x: tensor<8x64xf16>) -> (tensor<8xf16>, tensor<8x64xf32>) {
  %axes = onnx.Constant {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %0 = onnx.Cast %x {to = 1 : i64} : (tensor<8x64xf16>) -> tensor<8x64xf32> loc("node_convert_element_type_default")
  %1 = onnx.ReduceSum %0, %axes {keepdims = 0 : i64} : (tensor<8x64xf32>, tensor<1xi64>) -> tensor<8xf32>
  %2 = onnx.Cast %1 {to = 10 : i64} : (tensor<8xf32>) -> tensor<8xf16> loc("node_convert_element_type_default_1")
  return %2, %0 : tensor<8xf16>, tensor<8x64xf32>
}

// Integers are converted by a kernel.
// CHECK-LABEL: func @integers
// CHECK: onnx.Cast
// CHECK-NEXT: onnx.ReduceSum
// CHECK-NEXT: onnx.Cast
func.func @integers(%x: tensor<8x64xi16>) -> tensor<8xi16> {
  %axes = onnx.Constant {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %0 = onnx.Cast %x {to = 1 : i64} : (tensor<8x64xi16>) -> tensor<8x64xf32> loc("node_convert_element_type_default")
  %1 = onnx.ReduceSum %0, %axes {keepdims = 0 : i64} : (tensor<8x64xf32>, tensor<1xi64>) -> tensor<8xf32>
  %2 = onnx.Cast %1 {to = 5 : i64} : (tensor<8xf32>) -> tensor<8xi16> loc("node_convert_element_type_default_1")
  return %2 : tensor<8xi16>
}
