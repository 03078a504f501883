// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels --gpucost-annotate-work | FileCheck %s

// A fill whose value leaves the function is a kernel: nothing read, 4 KiB written.
// CHECK-LABEL: func.func @fill
// CHECK: gpucost.kernel "fill" {{.*}}family = data_movement, instructions = copy, format = fp32, problem = #gpucost.elements<count = 1024>, bytes_written = 4096>
func.func @fill() -> tensor<1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024xf32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}

// A transpose moves 2 * 64 * 32 bytes each way through strided addresses.
// CHECK-LABEL: func.func @transpose
// CHECK: family = data_movement, instructions = copy, format = fp16, input_bits = 16, output_bits = 16, problem = #gpucost.elements<count = 2048, strided = true>, bytes_read = 4096, bytes_written = 4096>
func.func @transpose(%x: tensor<64x32xf16>) -> tensor<32x64xf16> {
  %out = tensor.empty() : tensor<32x64xf16>
  %0 = linalg.transpose ins(%x : tensor<64x32xf16>) outs(%out : tensor<32x64xf16>)
      permutation = [1, 0]
  return %0 : tensor<32x64xf16>
}

// On memrefs the destination is written; it is not read after a fill.
//   FLOPs: 2 * 16 * 16 * 16 = 8192, read: 4 * (256 + 256) = 2048
// CHECK-LABEL: func.func @memref
// CHECK-NOT: gpucost.kernel "fill"
// CHECK: gpucost.kernel "matmul" {{.*}}tensor_flops = 8192, bytes_read = 2048, bytes_written = 1024>
// The second one adds to the result of the first one: 4 * 3 * 256 = 3072.
// CHECK: gpucost.kernel "matmul" {{.*}}tensor_flops = 8192, bytes_read = 3072, bytes_written = 1024>
func.func @memref(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<16x16xf32>)
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  return
}

// A matrix times a vector is a matmul with n = 1; a dot product is a reduction
// with a multiply and an add per element: 2 * 32 = 64 FLOPs.
// CHECK-LABEL: func.func @vectors
// CHECK: problem = #gpucost.matmul<m = 64, n = 1, k = 32>, tensor_flops = 4096
// CHECK: family = reduction, {{.*}}#gpucost.rows<rows = 1, cols = 32>, fp32_flops = 64,
func.func @vectors(%a: tensor<64x32xf32>, %x: tensor<32xf32>, %y: tensor<64xf32>, %s: tensor<f32>)
    -> (tensor<64xf32>, tensor<f32>) {
  %0 = linalg.matvec ins(%a, %x : tensor<64x32xf32>, tensor<32xf32>)
      outs(%y : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.dot ins(%x, %x : tensor<32xf32>, tensor<32xf32>) outs(%s : tensor<f32>)
      -> tensor<f32>
  return %0, %1 : tensor<64xf32>, tensor<f32>
}

// int8 operands with zero points: integer operations outside of the matrix unit
// are not FLOPs. 2 * 8 * 8 * 4 = 512, read: 8 * 4 + 4 * 8 + 4 * 8 * 8 = 320.
// CHECK-LABEL: func.func @quantized
// CHECK: family = matmul, format = int8, input_bits = 8, problem = #gpucost.matmul<m = 8, n = 8, k = 4>, tensor_flops = 512, bytes_read = 320, bytes_written = 256>
func.func @quantized(%a: tensor<8x4xi8>, %b: tensor<4x8xi8>, %c: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %z = arith.constant 3 : i32
  %0 = linalg.quantized_matmul ins(%a, %b, %z, %z : tensor<8x4xi8>, tensor<4x8xi8>, i32, i32)
      outs(%c : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}

// Rows read at computed positions: 8 indices of 8 bytes, 8 * 16 elements of 4.
// CHECK-LABEL: func.func @gather
// CHECK: family = embedding, instructions = gather, {{.*}}#gpucost.elements<count = 128, strided = true>, bytes_read = 576, bytes_written = 512>
func.func @gather(%table: tensor<1000x16xf32>, %ids: tensor<8xindex>) -> tensor<8x16xf32> {
  %out = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<8xindex>) outs(%out : tensor<8x16xf32>) {
    ^bb0(%id: index, %o: f32):
      %j = linalg.index 1 : index
      %v = tensor.extract %table[%id, %j] : tensor<1000x16xf32>
      linalg.yield %v : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Unknown loop ranges have no work, only a reason. (Counts beyond 63 bits are errors: Driver/huge-counts.test.)
// CHECK-LABEL: func.func @unknown
// CHECK: gpucost.kernel "exp" {{.*}}coverage unmodelled>
func.func @unknown(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// A body with an op that has no cost rule gets its bytes as a lower bound.
// CHECK-LABEL: func.func @opaque
// CHECK: gpucost.kernel "generic" {{.*}}coverage fallback>{{.*}}"no cost rule"{{.*}}bytes_read
func.func private @f(f32) -> f32
func.func @opaque(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%x : tensor<8xf32>) {
    ^bb0(%v: f32):
      %c = func.call @f(%v) : (f32) -> f32
      linalg.yield %c : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
