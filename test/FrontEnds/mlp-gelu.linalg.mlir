// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// torch-mlir 20261001, linalg-on-tensors: two linear layers and GELU in bf16, as written by the door test.
// The products widen their operands; they run on tensor cores, with the biases in their epilogues: 2 * 2 * 512 * 1024 * 4096
// FLOP. GELU is one kernel. Parameters: 2 * 1024 * 4096 + 4096 + 1024.
// RUN: gpu-cost-opt %s --target=a100-bf16 --strict --report=json -o %t.eager.json
// RUN: FileCheck %s --input-file=%t.eager.json
// RUN: gpu-cost-opt %s --target=a100-bf16 --strict --runtime=compiled --report=json | FileCheck %s
// CHECK: "matrix_flops": 8589934592
// CHECK: "matrix_format": "bf16"
// CHECK: "launches": 3
// CHECK: "parameter_count": 8393728

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<512x1024xbf16>) -> tensor<512x1024xbf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : bf16
    %cst_1 = arith.constant 2.000000e+00 : bf16
    %cst_2 = arith.constant 5.000000e-01 : bf16
    %cst_3 = arith.constant dense_resource<torch_tensor_1024_torch.bfloat16> : tensor<1024xbf16>
    %cst_4 = arith.constant dense_resource<torch_tensor_1024_4096_torch.bfloat16> : tensor<1024x4096xbf16>
    %cst_5 = arith.constant dense_resource<torch_tensor_4096_torch.bfloat16> : tensor<4096xbf16>
    %cst_6 = arith.constant dense_resource<torch_tensor_4096_1024_torch.bfloat16> : tensor<4096x1024xbf16>
    %0 = tensor.empty() : tensor<1024x4096xbf16>
    %transposed = linalg.transpose ins(%cst_6 : tensor<4096x1024xbf16>) outs(%0 : tensor<1024x4096xbf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<4096xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_5 : tensor<4096xbf16>) outs(%1 : tensor<4096xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %25 = arith.extf %in : bf16 to f32
      linalg.yield %25 : f32
    } -> tensor<4096xf32>
    %3 = tensor.empty() : tensor<512x1024xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<512x1024xbf16>) outs(%3 : tensor<512x1024xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %25 = arith.extf %in : bf16 to f32
      linalg.yield %25 : f32
    } -> tensor<512x1024xf32>
    %5 = tensor.empty() : tensor<1024x4096xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<1024x4096xbf16>) outs(%5 : tensor<1024x4096xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %25 = arith.extf %in : bf16 to f32
      linalg.yield %25 : f32
    } -> tensor<1024x4096xf32>
    %7 = tensor.empty() : tensor<512x4096xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<512x4096xf32>) -> tensor<512x4096xf32>
    %9 = linalg.matmul ins(%4, %6 : tensor<512x1024xf32>, tensor<1024x4096xf32>) outs(%8 : tensor<512x4096xf32>) -> tensor<512x4096xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %2 : tensor<512x4096xf32>, tensor<4096xf32>) outs(%7 : tensor<512x4096xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %25 = arith.addf %in, %in_8 : f32
      linalg.yield %25 : f32
    } -> tensor<512x4096xf32>
    %11 = tensor.empty() : tensor<512x4096xbf16>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<512x4096xf32>) outs(%11 : tensor<512x4096xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %25 = arith.truncf %in : f32 to bf16
      linalg.yield %25 : bf16
    } -> tensor<512x4096xbf16>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<512x4096xbf16>) outs(%11 : tensor<512x4096xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %25 = math.sqrt %cst_1 : bf16
      %26 = arith.divf %in, %25 : bf16
      %27 = math.erf %26 : bf16
      %28 = arith.addf %27, %cst_0 : bf16
      %29 = arith.mulf %28, %cst_2 : bf16
      %30 = arith.mulf %in, %29 : bf16
      linalg.yield %30 : bf16
    } -> tensor<512x4096xbf16>
    %14 = tensor.empty() : tensor<4096x1024xbf16>
    %transposed_7 = linalg.transpose ins(%cst_4 : tensor<1024x4096xbf16>) outs(%14 : tensor<4096x1024xbf16>) permutation = [1, 0] 
    %15 = tensor.empty() : tensor<1024xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_3 : tensor<1024xbf16>) outs(%15 : tensor<1024xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %25 = arith.extf %in : bf16 to f32
      linalg.yield %25 : f32
    } -> tensor<1024xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<512x4096xbf16>) outs(%7 : tensor<512x4096xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %25 = arith.extf %in : bf16 to f32
      linalg.yield %25 : f32
    } -> tensor<512x4096xf32>
    %18 = tensor.empty() : tensor<4096x1024xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed_7 : tensor<4096x1024xbf16>) outs(%18 : tensor<4096x1024xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %25 = arith.extf %in : bf16 to f32
      linalg.yield %25 : f32
    } -> tensor<4096x1024xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%3 : tensor<512x1024xf32>) -> tensor<512x1024xf32>
    %21 = linalg.matmul ins(%17, %19 : tensor<512x4096xf32>, tensor<4096x1024xf32>) outs(%20 : tensor<512x1024xf32>) -> tensor<512x1024xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%21, %16 : tensor<512x1024xf32>, tensor<1024xf32>) outs(%3 : tensor<512x1024xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %25 = arith.addf %in, %in_8 : f32
      linalg.yield %25 : f32
    } -> tensor<512x1024xf32>
    %23 = tensor.empty() : tensor<512x1024xbf16>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<512x1024xf32>) outs(%23 : tensor<512x1024xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %25 = arith.truncf %in : f32 to bf16
      linalg.yield %25 : bf16
    } -> tensor<512x1024xbf16>
    return %24 : tensor<512x1024xbf16>
  }
}

{-#

#-}
