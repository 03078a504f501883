// RUN: gpu-cost-opt %s --target=a100-fp32 --mode=training --optimizer=adamw --report=csv | FileCheck %s --check-prefix=EAGER
// RUN: gpu-cost-opt %s --target=a100-fp32 --mode=training --optimizer=adamw --runtime=cudagraph --report=csv | FileCheck %s --check-prefix=GRAPH

// (O13) Three parameters of 256, 256 and 64 elements: one multi-tensor division
// outside of a CUDA graph, two divisions of each tensor in one.

// EAGER: /= bias correction,optimizer,optimizer,modelled,fp32,n=576,1,
// EAGER-NOT: /= bias correction,optimizer
// GRAPH: /= bias correction,optimizer,optimizer,modelled,fp32,n=256,4,
// GRAPH: /= bias correction,optimizer,optimizer,modelled,fp32,n=64,2,
// GRAPH-NOT: /= bias correction,optimizer
func.func @main(%x: tensor<8x16xf32>) -> tensor<8x4xf32> {
  %w0 = onnx.Parameter : () -> tensor<16x16xf32>
  %w1 = onnx.Parameter : () -> tensor<16x16xf32>
  %w2 = onnx.Parameter : () -> tensor<16x4xf32>
  %0 = onnx.MatMul %x, %w0 : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %1 = onnx.MatMul %0, %w1 : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %2 = onnx.MatMul %1, %w2 : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
