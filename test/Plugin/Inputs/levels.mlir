// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs of levels.test and decisions.test.
//--- named.mlir
func.func @forward(%x: tensor<2048x1024xbf16>, %w: tensor<1024x4096xbf16>, %residual: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<2048x4096xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
  %product = linalg.matmul ins(%x, %w : tensor<2048x1024xbf16>, tensor<1024x4096xbf16>) outs(%init : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
  %sum = linalg.add ins(%product, %residual : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>) outs(%empty : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
  return %sum : tensor<2048x4096xbf16>
}
//--- chain.mlir
func.func @forward(%x: tensor<4096x4096xbf16>, %y: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %empty = tensor.empty() : tensor<4096x4096xbf16>
  %0 = linalg.sub ins(%x, %y : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) outs(%empty : tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %1 = linalg.exp ins(%0 : tensor<4096x4096xbf16>) outs(%empty : tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %2 = linalg.add ins(%1, %y : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) outs(%empty : tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %2 : tensor<4096x4096xbf16>
}
//--- wrapped.mlir
func.func @forward(%x: tensor<4096x4096xbf16>, %y: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %empty = tensor.empty() : tensor<4096x4096xbf16>
  %whole = gpucost.kernel "mine" {
    %0 = linalg.sub ins(%x, %y : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) outs(%empty : tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
    %1 = linalg.exp ins(%0 : tensor<4096x4096xbf16>) outs(%empty : tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
    %2 = linalg.add ins(%1, %y : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) outs(%empty : tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
    gpucost.yield %2 : tensor<4096x4096xbf16>
  } : tensor<4096x4096xbf16>
  return %whole : tensor<4096x4096xbf16>
}
//--- tosa.mlir
func.func @forward(%a: tensor<1x512x768xf16>, %b: tensor<1x768x3072xf16>, %image: tensor<1x56x56x64xf16>, %filter: tensor<64x3x3x64xf16>, %bias: tensor<64xf16>)
    -> (tensor<1x512x3072xf16>, tensor<1x56x56x64xf16>) {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %product = tosa.matmul %a, %b, %zero, %zero : (tensor<1x512x768xf16>, tensor<1x768x3072xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x512x3072xf16>
  %tanh = tosa.tanh %product : (tensor<1x512x3072xf16>) -> tensor<1x512x3072xf16>
  %conv = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x56x56x64xf16>, tensor<64x3x3x64xf16>, tensor<64xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x56x56x64xf16>
  return %tanh, %conv : tensor<1x512x3072xf16>, tensor<1x56x56x64xf16>
}
//--- torch.mlir
#all = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>
module {
  ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @forward(%x: tensor<?x768xf32>) -> tensor<?x3072xf32> {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %weight = arith.constant dense<0.25> : tensor<3072x768xf32>
    %bias = arith.constant dense<0.125> : tensor<3072xf32>
    %rows = tensor.dim %x, %c0 : tensor<?x768xf32>
    %0 = tensor.empty() : tensor<768x3072xf32>
    %turned = linalg.transpose ins(%weight : tensor<3072x768xf32>) outs(%0 : tensor<768x3072xf32>) permutation = [1, 0]
    %empty = tensor.empty(%rows) : tensor<?x3072xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x3072xf32>) -> tensor<?x3072xf32>
    %product = linalg.matmul ins(%x, %turned : tensor<?x768xf32>, tensor<768x3072xf32>) outs(%init : tensor<?x3072xf32>) -> tensor<?x3072xf32>
    %linear = linalg.generic {indexing_maps = [#all, #columns, #all], iterator_types = ["parallel", "parallel"]}
        ins(%product, %bias : tensor<?x3072xf32>, tensor<3072xf32>) outs(%empty : tensor<?x3072xf32>) {
      ^bb0(%in: f32, %b: f32, %out: f32):
        %sum = arith.addf %in, %b : f32
        linalg.yield %sum : f32
    } -> tensor<?x3072xf32>
    %relu = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%linear : tensor<?x3072xf32>) outs(%empty : tensor<?x3072xf32>) {
      ^bb0(%in: f32, %out: f32):
        %positive = arith.cmpf ugt, %in, %zero : f32
        %kept = arith.select %positive, %in, %zero : f32
        linalg.yield %kept : f32
    } -> tensor<?x3072xf32>
    return %relu : tensor<?x3072xf32>
  }
}
//--- launch.mlir
func.func @forward(%a: memref<1048576xf32>, %b: memref<1048576xf32>, %c: memref<1048576xf32>) {
  %one = arith.constant 1 : index
  %threads = arith.constant 128 : index
  %blocks = arith.constant 8192 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %one, %gz = %one) threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %one, %sz = %one) {
    %first = arith.muli %bx, %threads : index
    %i = arith.addi %first, %tx : index
    %x = memref.load %a[%i] : memref<1048576xf32>
    %y = memref.load %b[%i] : memref<1048576xf32>
    %z = arith.mulf %x, %y : f32
    memref.store %z, %c[%i] : memref<1048576xf32>
    gpu.terminator
  }
  return
}
//--- nested.mlir
module {
  module @inner {
    func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
      %empty = tensor.empty() : tensor<512x512xf32>
      %y = linalg.exp ins(%x : tensor<512x512xf32>) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
      return %y : tensor<512x512xf32>
    }
  }
}
//--- vectors.mlir
func.func @forward(%a: memref<2048x1024xf16>, %b: memref<1024x2048xf16>, %c: memref<2048x2048xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  %half = arith.constant 0.0 : f16
  %single = arith.constant 0.0 : f32
  scf.forall (%i, %j) = (0, 0) to (2048, 2048) step (128, 128) {
    %start = vector.transfer_read %c[%i, %j], %single : memref<2048x2048xf32>, vector<128x128xf32>
    %sum = scf.for %k = %c0 to %c1024 step %c16 iter_args(%so_far = %start) -> vector<128x128xf32> {
      %at = vector.transfer_read %a[%i, %k], %half : memref<2048x1024xf16>, vector<128x16xf16>
      %bt = vector.transfer_read %b[%k, %j], %half : memref<1024x2048xf16>, vector<16x128xf16>
      %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %at, %bt, %so_far
          : vector<128x16xf16>, vector<16x128xf16> into vector<128x128xf32>
      scf.yield %next : vector<128x128xf32>
    }
    vector.transfer_write %sum, %c[%i, %j] : vector<128x128xf32>, memref<2048x2048xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
//--- tile.mlir
module attributes {transform.with_named_sequence} {
  func.func @forward(%x: tensor<2048x1024xbf16>, %w: tensor<1024x4096xbf16>, %out: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
    %product = linalg.matmul ins(%x, %w : tensor<2048x1024xbf16>, tensor<1024x4096xbf16>) outs(%out : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    return %product : tensor<2048x4096xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %product = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %grid = transform.structured.tile_using_forall %product tile_sizes [ROWS, COLUMNS] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %step, %loop = transform.structured.tile_using_for %tile tile_sizes [0, 0, STEP] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
//--- two.mlir
func.func @forward(%x: tensor<2048x1024xbf16>, %up: tensor<1024x4096xbf16>, %down: tensor<4096x1024xbf16>) -> tensor<2048x1024xbf16> {
  %zero = arith.constant 0.0 : bf16
  %wide = tensor.empty() : tensor<2048x4096xbf16>
  %narrow = tensor.empty() : tensor<2048x1024xbf16>
  %both = gpucost.kernel "both" {
    %0 = linalg.fill ins(%zero : bf16) outs(%wide : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %1 = linalg.matmul ins(%x, %up : tensor<2048x1024xbf16>, tensor<1024x4096xbf16>) outs(%0 : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %2 = linalg.fill ins(%zero : bf16) outs(%narrow : tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
    %3 = linalg.matmul ins(%1, %down : tensor<2048x4096xbf16>, tensor<4096x1024xbf16>) outs(%2 : tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16>
    gpucost.yield %3 : tensor<2048x1024xbf16>
  } : tensor<2048x1024xbf16>
  return %both : tensor<2048x1024xbf16>
}
//--- epilogue.mlir
func.func @forward(%x: tensor<2048x1024xbf16>, %w: tensor<1024x4096xbf16>, %residual: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
  %empty = tensor.empty() : tensor<2048x4096xbf16>
  %all = gpucost.kernel "all" {
    %0 = linalg.matmul ins(%x, %w : tensor<2048x1024xbf16>, tensor<1024x4096xbf16>) outs(%empty : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %1 = linalg.add ins(%0, %residual : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>) outs(%empty : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %2 = linalg.exp ins(%1 : tensor<2048x4096xbf16>) outs(%empty : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    gpucost.yield %2 : tensor<2048x4096xbf16>
  } : tensor<2048x4096xbf16>
  return %all : tensor<2048x4096xbf16>
}
//--- foreign.mlir
func.func @forward(%x: tensor<2048x1024xbf16>, %w: tensor<1024x4096xbf16>) -> tensor<2048x4096xbf16> {
  %0 = "other.dot_general"(%x, %w) : (tensor<2048x1024xbf16>, tensor<1024x4096xbf16>) -> tensor<2048x4096xbf16>
  return %0 : tensor<2048x4096xbf16>
}
