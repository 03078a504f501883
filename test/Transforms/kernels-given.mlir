// RUN: gpu-cost-opt %s --target=a100-bf16 --emit=ir | FileCheck %s

// Kernels in the input file follow the types of their yielded values.

func.func @quantised(%q: tensor<8x16xi8>, %scale: tensor<f32>) -> tensor<8x16xf32> {
  // CHECK: gpucost.kernel "DequantizeLinear"
  // CHECK: gpucost.yield %{{.*}} : tensor<8x16xbf16>
  // CHECK-NEXT: } : tensor<8x16xbf16>
  %0 = gpucost.kernel "DequantizeLinear" {
    %r = onnx.DequantizeLinear %q, %scale : (tensor<8x16xi8>, tensor<f32>) -> tensor<8x16xf32>
    gpucost.yield %r : tensor<8x16xf32>
  } : tensor<8x16xf32>
  // CHECK: return %{{.*}} : tensor<8x16xbf16>
  return %0 : tensor<8x16xf32>
}
