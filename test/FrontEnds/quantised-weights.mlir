// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights in few bits that are dequantised in front of a product: PyTorch converts them at every
// call, a compiler reads the stored bits in the product.
// RUN: gpu-cost-opt %s --target=a100-fp16 --entry=rows --runtime=eager --report=json | FileCheck %s --check-prefix=EAGER
// RUN: gpu-cost-opt %s --target=a100-fp16 --entry=rows --report=json | FileCheck %s --check-prefix=ROWS
// RUN: gpu-cost-opt %s --target=a100-fp16 --entry=blocks --report=json | FileCheck %s --check-prefix=BLOCKS

// int8 with a scale per row. 4096 * 4096 integers, as many f16, and 4096 scales in eager; in
// compiled code the integers, the scales and 2 * 16 * 4096 f16.
// EAGER: "launches": 2
// EAGER: "bytes": 84156416
// ROWS: "launches": 1
// ROWS: "bytes": 17047552
#w = affine_map<(n, k) -> (n, k)>
#s = affine_map<(n, k) -> (n)>
func.func @rows(%x: tensor<16x4096xf16>, %w: tensor<4096x4096xi8>, %scale: tensor<4096xf16>) -> tensor<16x4096xf16> {
  %e = tensor.empty() : tensor<4096x4096xf16>
  %d = linalg.generic {indexing_maps = [#w, #s, #w], iterator_types = ["parallel", "parallel"]} ins(%w, %scale : tensor<4096x4096xi8>, tensor<4096xf16>) outs(%e : tensor<4096x4096xf16>) {
  ^bb0(%i: i8, %a: f16, %o: f16):
    %f = arith.sitofp %i : i8 to f16
    %m = arith.mulf %f, %a : f16
    linalg.yield %m : f16
  } -> tensor<4096x4096xf16>
  %t = linalg.transpose ins(%d : tensor<4096x4096xf16>) outs(%e : tensor<4096x4096xf16>) permutation = [1, 0]
  %z = arith.constant 0.0 : f16
  %ey = tensor.empty() : tensor<16x4096xf16>
  %init = linalg.fill ins(%z : f16) outs(%ey : tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %y = linalg.matmul ins(%x, %t : tensor<16x4096xf16>, tensor<4096x4096xf16>) outs(%init : tensor<16x4096xf16>) -> tensor<16x4096xf16>
  return %y : tensor<16x4096xf16>
}

// 4 bits with a scale and a zero point per block of 128: 1024 * 4096 / 2 + 2 * 1024 * 32 * 2 bytes,
// and 2 * (4096 + 1024) of activations.
// BLOCKS: "launches": 1
// BLOCKS: "bytes": 2238464
#w3 = affine_map<(n, g, k) -> (n, g, k)>
#s3 = affine_map<(n, g, k) -> (n, g)>
#a4 = affine_map<(m, n, g, k) -> (m, g, k)>
#b4 = affine_map<(m, n, g, k) -> (n, g, k)>
#c4 = affine_map<(m, n, g, k) -> (m, n)>
func.func @blocks(%x: tensor<1x32x128xf16>, %w: tensor<1024x32x128xi4>, %scale: tensor<1024x32xf16>, %zero: tensor<1024x32xf16>) -> tensor<1x1024xf16> {
  %e = tensor.empty() : tensor<1024x32x128xf16>
  %d = linalg.generic {indexing_maps = [#w3, #s3, #s3, #w3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %scale, %zero : tensor<1024x32x128xi4>, tensor<1024x32xf16>, tensor<1024x32xf16>) outs(%e : tensor<1024x32x128xf16>) {
  ^bb0(%i: i4, %a: f16, %b: f16, %o: f16):
    %j = arith.extui %i : i4 to i32
    %f = arith.uitofp %j : i32 to f16
    %s = arith.subf %f, %b : f16
    %m = arith.mulf %s, %a : f16
    linalg.yield %m : f16
  } -> tensor<1024x32x128xf16>
  %z = arith.constant 0.0 : f16
  %ey = tensor.empty() : tensor<1x1024xf16>
  %init = linalg.fill ins(%z : f16) outs(%ey : tensor<1x1024xf16>) -> tensor<1x1024xf16>
  %y = linalg.generic {indexing_maps = [#a4, #b4, #c4], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x, %d : tensor<1x32x128xf16>, tensor<1024x32x128xf16>) outs(%init : tensor<1x1024xf16>) {
  ^bb0(%a: f16, %b: f16, %c: f16):
    %m = arith.mulf %a, %b : f16
    %s = arith.addf %c, %m : f16
    linalg.yield %s : f16
  } -> tensor<1x1024xf16>
  return %y : tensor<1x1024xf16>
}
