// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: split-file %s %t
// RUN: gpu-cost-opt %t/gradients.mlir --target=a100-fp32 --mode=training --loss=mse --optimizer=adam --optimizer-variant=fused --report=json | FileCheck %s --check-prefix=GRADIENTS
// RUN: gpu-cost-opt %t/gradients.mlir --target=a100-fp32 --mode=training --loss=mse --optimizer=adam --report=json | FileCheck %s --check-prefix=FOREACH
// RUN: gpu-cost-opt %t/activations.mlir --target=a100-fp32 --mode=training --loss=mse --optimizer=none --report=json | FileCheck %s --check-prefix=ACTIVATIONS
// RUN: gpu-cost-opt %t/accumulated.mlir --target=a100-fp16 --mode=training --optimizer=sgd-momentum --grad-accum=2 --report=json | FileCheck %s --check-prefix=ACCUMULATED

// Peak memory by hand, bytes. Every A100 keeps 8,519,680 for the library in each of two
// threads. The caller keeps the model's output y until the step ends (B10).

// Small batch: gradients dominate. w0 2048, w1 256; Adam keeps two tensors of each.
//   start            x 1024 + targets 128                               1152
//   h = x w0         + 512                                              1664
//   y = h w1         + 128                                              1792
//   dy of the loss   + 128                                              1920
//   dh = dy w1^T     + 512                                              2432
//   dw1 = h^T dy     + 256, then h and dy go                    2688 -> 2048
//   dw0 = x^T dh     + 2048: inputs 1152 + y 128 + dh 512, gradients 2304  4096
// GRADIENTS: "parameter_count": 576,
// GRADIENTS: "parameter_bytes": 2304,
// GRADIENTS: "activation_bytes": 1792,
// GRADIENTS: "gradient_bytes": 2304,
// GRADIENTS: "optimizer_bytes": 4608,
// GRADIENTS: "workspace_bytes": 17039360,
// 2304 + 1792 + 2304 + 4608 + 17039360
// GRADIENTS: "peak_memory_bytes": 17050368,

// (O5) Without a fused kernel Adam stores the roots of all second moments, 2304,
// in addition to the gradients, the inputs, 1152, and y: the update is the peak.
// FOREACH: "activation_bytes": 3584,
// FOREACH: "gradient_bytes": 2304,
// FOREACH: "optimizer_bytes": 4608,
// 2304 + 3584 + 2304 + 4608 + 17039360
// FOREACH: "peak_memory_bytes": 17052160,

// Large batch: activations dominate. Relu saves its result only. w0 and w1 4096 each.
//   start            x 65536 + targets 65536                          131072
//   z = x w0         + 262144                                         393216
//   h = relu(z)      + 262144, then z goes                  655360 -> 393216
//   y = h w1         + 65536                                          458752
//   dy of the loss   + 65536                                          524288
//   dh = dy w1^T     + 262144                                         786432
//   dw1 = h^T dy     + 4096, then dy goes                   790528 -> 724992
//   dz               + 262144: inputs 131072, y 65536, h, dh, dz 786432, dw1
//                                                                     987136
//   dw0              h and dh went, + 4096                            466944
// ACTIVATIONS: "parameter_count": 2048,
// ACTIVATIONS: "parameter_bytes": 8192,
// ACTIVATIONS: "activation_bytes": 983040,
// ACTIVATIONS: "gradient_bytes": 4096,
// ACTIVATIONS: "optimizer_bytes": 0,
// 8192 + 983040 + 4096 + 17039360
// ACTIVATIONS: "peak_memory_bytes": 18034688,

// Mixed precision, two passes: w 2048 and its gradient live on in fp32, and the
// momentum does as well.
//   start            x 8192 + targets 512                               8704
//   x16              + 4096                                            12800
//   w16              + 1024                                            13824
//   y = x16 w16      + 2048, then w16 goes                      15872 -> 14848
//   p = log softmax  + 4096 (fp32)                                     18944
//   zeros            + 4096 and a 1 of 4 bytes, which goes into them
//   dy               + 2048: inputs 8704 + x16, p, zeros 4096 each, y  25088
// ACCUMULATED: "parameter_bytes": 2048,
// ACCUMULATED: "activation_bytes": 25088,
// ACCUMULATED: "gradient_bytes": 2048,
// ACCUMULATED: "optimizer_bytes": 2048,
// 3 * 2048 + 25088 + 17039360
// ACCUMULATED: "peak_memory_bytes": 17070592,

//--- gradients.mlir
func.func @gradients(%x: tensor<8x32xf32>) -> tensor<8x4xf32> {
  %w0 = onnx.Parameter : () -> tensor<32x16xf32>
  %w1 = onnx.Parameter : () -> tensor<16x4xf32>
  %0 = onnx.MatMul %x, %w0 : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %1 = onnx.MatMul %0, %w1 : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

//--- activations.mlir
func.func @activations(%x: tensor<1024x16xf32>) -> tensor<1024x16xf32> {
  %w0 = onnx.Parameter : () -> tensor<16x64xf32>
  %w1 = onnx.Parameter : () -> tensor<64x16xf32>
  %0 = onnx.MatMul %x, %w0 : (tensor<1024x16xf32>, tensor<16x64xf32>) -> tensor<1024x64xf32>
  %1 = onnx.Relu %0 : (tensor<1024x64xf32>) -> tensor<1024x64xf32>
  %2 = onnx.MatMul %1, %w1 : (tensor<1024x64xf32>, tensor<64x16xf32>) -> tensor<1024x16xf32>
  return %2 : tensor<1024x16xf32>
}

//--- accumulated.mlir
func.func @accumulated(%x: tensor<64x32xf32>) -> tensor<64x16xf32> {
  %w = onnx.Parameter : () -> tensor<32x16xf32>
  %0 = onnx.MatMul %x, %w : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}
