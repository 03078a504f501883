// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// torch-mlir 20261001, linalg-on-tensors: an embedding of 16 x 512 tokens of 1024 bf16 numbers is one gather. Parameters: 32000 * 1024.
// RUN: gpu-cost-opt %s --target=a100-bf16 --strict --report=json | FileCheck %s
// CHECK: "matrix_flops": 0
// CHECK: "launches": 1
// CHECK: "parameter_count": 32768000
// CHECK: "family": "embedding"
// CHECK: "shape": "n=8388608"

#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<16x512xi64>) -> tensor<16x512x1024xbf16> {
    %c32000 = arith.constant 32000 : index
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant dense_resource<torch_tensor_32000_1024_torch.bfloat16> : tensor<32000x1024xbf16>
    %0 = tensor.empty() : tensor<16x512x1024xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<16x512xi64>) outs(%0 : tensor<16x512x1024xbf16>) {
    ^bb0(%in: i64, %out: bf16):
      %2 = arith.index_cast %in : i64 to index
      %3 = linalg.index 2 : index
      %4 = arith.cmpi slt, %2, %c32000 : index
      cf.assert %4, "index must be smaller than dim size"
      %5 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %5, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst[%2, %3] : tensor<32000x1024xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<16x512x1024xbf16>
    return %1 : tensor<16x512x1024xbf16>
  }
}

{-#

#-}
