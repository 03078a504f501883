// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-bf16 --gpucost-apply-precision --split-input-file | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-tf32 --gpucost-apply-precision --split-input-file | FileCheck %s --check-prefix=FP32

// Types that follow the model's format follow it everywhere, or the module does not
// verify: declarations and their calls, scalars of functions.
// CHECK: func.func private @elsewhere(tensor<8xbf16>, bf16) -> tensor<8xbf16>
// CHECK-LABEL: func.func @calls
// CHECK-SAME: (%[[X:.*]]: tensor<8xbf16>, %[[S:.*]]: bf16) -> tensor<8xbf16>
// CHECK: call @elsewhere(%[[X]], %[[S]]) : (tensor<8xbf16>, bf16) -> tensor<8xbf16>
func.func private @elsewhere(tensor<8xf32>, f32) -> tensor<8xf32>
func.func @calls(%x: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
  %0 = func.call @elsewhere(%x, %s) : (tensor<8xf32>, f32) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A matmul that is summed in fp32. Widening fp32 to fp32 is nothing; the bf16 of an
// fp16 operand goes through fp32.
// CHECK-LABEL: func.func @wide_sum
// CHECK: ^bb0(%[[IN:.*]]: bf16, %[[HALF:.*]]: f16, %[[SUM:.*]]: f32):
// CHECK-NEXT: arith.extf %[[IN]] : bf16 to f32
// CHECK-NEXT: arith.extf %[[HALF]] : f16 to f32
// FP32-LABEL: func.func @wide_sum
// FP32: ^bb0(%[[IN:.*]]: f32, %[[HALF:.*]]: f16, %[[SUM:.*]]: f32):
// FP32-NEXT: %[[H:.*]] = arith.extf %[[HALF]] : f16 to f32
// FP32-NEXT: arith.mulf %[[IN]], %[[H]] : f32
func.func @wide_sum(%x: tensor<64xbf16>, %h: tensor<16xf16>, %y: tensor<16xf16>) -> tensor<64xbf16> {
  %empty = tensor.empty() : tensor<64xf32>
  %slice = tensor.empty() : tensor<64xf16>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %slice : tensor<64xbf16>, tensor<64xf16>) outs(%empty : tensor<64xf32>) {
  ^bb0(%in: bf16, %half: f16, %sum: f32):
    %1 = arith.extf %in : bf16 to f32
    %2 = arith.extf %half : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<64xf32>
  return %x : tensor<64xbf16>
}

// -----

#id = affine_map<(d0) -> (d0)>

// The formats of 16 bits meet in fp32.
// CHECK-LABEL: func.func @narrowed
// CHECK: ^bb0(%[[IN:.*]]: bf16, %{{.*}}: f16):
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[IN]] : bf16 to f32
// CHECK-NEXT: arith.truncf %[[WIDE]] : f32 to f16
func.func @narrowed(%x: tensor<64xf32>) -> tensor<64xf16> {
  %empty = tensor.empty() : tensor<64xf16>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf16>) {
  ^bb0(%in: f32, %init: f16):
    %1 = arith.truncf %in : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<64xf16>
  return %0 : tensor<64xf16>
}
