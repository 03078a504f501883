// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --target=a100-bf16 --precision-mode=as-is --entry=two_products --emit=ir | FileCheck %s --check-prefix=PRODUCTS
// RUN: gpu-cost-opt %s --target=a100-bf16 --precision-mode=as-is --entry=epilogue --emit=ir | FileCheck %s --check-prefix=EPILOGUE
// RUN: gpu-cost-opt %s --target=a100-bf16 --precision-mode=as-is --entry=norm --runtime=compiled --emit=ir | FileCheck %s --check-prefix=NORM
//
// (W3) Every member of a fused kernel counts.

// 2 matmuls of 2*2048*4096*1024 = 17179869184 FLOP. Beyond the first matmul
// the kernel reads the second weight, 4096*1024*2 B.
// PRODUCTS: work = #gpucost.work<family = matmul
// PRODUCTS-SAME: tensor_flops = 34359738368
// 2048*1024*2 + 1024*4096*2 + 4096*1024*2, and 2048*1024*2.
// PRODUCTS-SAME: bytes_read = 20971520, bytes_written = 4194304
// PRODUCTS-SAME: fused_tensor_flops = 17179869184, fused_bytes = 8388608>
func.func @two_products(%a: tensor<2048x1024xbf16>, %b: tensor<1024x4096xbf16>, %c: tensor<4096x1024xbf16>) -> tensor<2048x1024xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<2048x4096xbf16>
  %e2 = tensor.empty() : tensor<2048x1024xbf16>
  %k = gpucost.kernel "mlp" {
    %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %m = linalg.matmul ins(%a, %b : tensor<2048x1024xbf16>, tensor<1024x4096xbf16>) outs(%f : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %f2 = linalg.fill ins(%zero : bf16) outs(%e2 : tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
    %n = linalg.matmul ins(%m, %c : tensor<2048x4096xbf16>, tensor<4096x1024xbf16>) outs(%f2 : tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
    gpucost.yield %n : tensor<2048x1024xbf16>
  } : tensor<2048x1024xbf16>
  return %k : tensor<2048x1024xbf16>
}

// The residual has 2048*4096*2 = 16777216 B; the exponentials cost a
// multiplication and a special result each. One operation per result, here the
// addition, is part of any epilogue.
// EPILOGUE: work = #gpucost.work<family = matmul
// EPILOGUE-SAME: fp32_flops = 16777216, special_ops = 8388608
// EPILOGUE-SAME: fused_fp32_flops = 8388608, fused_special_ops = 8388608, fused_bytes = 16777216>
func.func @epilogue(%a: tensor<2048x1024xbf16>, %b: tensor<1024x4096xbf16>, %residual: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<2048x4096xbf16>
  %k = gpucost.kernel "mine" {
    %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %m = linalg.matmul ins(%a, %b : tensor<2048x1024xbf16>, tensor<1024x4096xbf16>) outs(%f : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %add = linalg.add ins(%m, %residual : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>) outs(%e : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %x = linalg.exp ins(%add : tensor<2048x4096xbf16>) outs(%e : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    gpucost.yield %x : tensor<2048x4096xbf16>
  } : tensor<2048x4096xbf16>
  return %k : tensor<2048x4096xbf16>
}

// A norm in parts: compiled code reads and writes each element once.
// NORM: gpucost.kernel "Mul+ReduceMean+Rsqrt+Mul"
// NORM-SAME: work = #gpucost.work<family = reduction
// NORM-SAME: rows = 512, cols = 2048
// NORM-SAME: bytes_read = 4194304, bytes_written = 4194304>
// NORM-NOT: gpucost.kernel
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>
func.func @norm(%x: tensor<512x2048xf32>) -> tensor<512x2048xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 2048.0 : f32
  %e = tensor.empty() : tensor<512x2048xf32>
  %r = tensor.empty() : tensor<512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<512xf32>) -> tensor<512xf32>
  %sq = linalg.mul ins(%x, %x : tensor<512x2048xf32>, tensor<512x2048xf32>) outs(%e : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %sum = linalg.reduce ins(%sq : tensor<512x2048xf32>) outs(%f : tensor<512xf32>) dimensions = [1]
    (%in: f32, %acc: f32) {
      %s = arith.addf %in, %acc : f32
      linalg.yield %s : f32
    }
  %inv = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%sum : tensor<512xf32>) outs(%r : tensor<512xf32>) {
    ^bb0(%a: f32, %o: f32):
      %m = arith.divf %a, %n : f32
      %q = math.rsqrt %m : f32
      linalg.yield %q : f32
  } -> tensor<512xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %inv : tensor<512x2048xf32>, tensor<512xf32>) outs(%e : tensor<512x2048xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %m = arith.mulf %a, %b : f32
      linalg.yield %m : f32
  } -> tensor<512x2048xf32>
  return %y : tensor<512x2048xf32>
}
