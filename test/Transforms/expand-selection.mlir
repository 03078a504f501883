// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-selection --gpucost-form-kernels --gpucost-annotate-work | FileCheck %s

// (T2) The 10 largest of 5000: four digits of 8 bits are counted, 2 * 5000 * 4 bytes in
// and 2 * 256 * 4 out each; the gather reads all of it again and the counts, 40000 + 4 *
// 2048, and writes 2 * 10 values and positions, 20 * 12; one kernel sorts those.
// CHECK-LABEL: func.func @some
// CHECK: kernel "RadixCount" {{.*}}elements<count = 10000>, fp32_flops = 10000, bytes_read = 40000, bytes_written = 2048>
// CHECK: kernel "RadixCount"
// CHECK: kernel "RadixCount"
// CHECK: kernel "RadixCount"
// CHECK: kernel "RadixSelect" {{.*}}elements<count = 10000>, {{.*}}bytes_read = 48192, bytes_written = 240>
// CHECK: kernel "RadixPass" {{.*}}elements<count = 20>, {{.*}}bytes_read = 240, bytes_written = 240>
// CHECK-NOT: kernel
// CHECK: return
func.func @some(%x: tensor<2x5000xf32>) -> (tensor<2x10xf32>, tensor<2x10xi64>) {
  %k = onnx.Constant {value = dense<10> : tensor<1xi64>} : () -> tensor<1xi64>
  %0:2 = onnx.TopK %x, %k : (tensor<2x5000xf32>, tensor<1xi64>) -> (tensor<2x10xf32>, tensor<2x10xi64>)
  return %0#0, %0#1 : tensor<2x10xf32>, tensor<2x10xi64>
}

// (T1) All elements of 16 bits: positions, 10000 * 8 out; two digits counted at once, 20000
// in; two passes over keys and positions, 20000 + 80000 and the counts, 2 * 2 * 256 * 4.
// CHECK-LABEL: func.func @all
// CHECK: kernel "Fill" {{.*}}bytes_written = 80000>
// CHECK: kernel "RadixCount" {{.*}}bytes_read = 20000, bytes_written = 4096>
// CHECK: kernel "RadixPass" {{.*}}bytes_read = 104096, bytes_written = 100000>
// CHECK: kernel "RadixPass" {{.*}}bytes_read = 104096, bytes_written = 100000>
// CHECK-NOT: kernel
// CHECK: return
func.func @all(%x: tensor<2x5000xf16>) -> (tensor<2x5000xf16>, tensor<2x5000xi64>) {
  %k = onnx.Constant {value = dense<5000> : tensor<1xi64>} : () -> tensor<1xi64>
  %0:2 = onnx.TopK %x, %k : (tensor<2x5000xf16>, tensor<1xi64>) -> (tensor<2x5000xf16>, tensor<2x5000xi64>)
  return %0#0, %0#1 : tensor<2x5000xf16>, tensor<2x5000xi64>
}

// (T3) 1024 flags are counted, and the host waits; 10 positions are selected; each has two
// coordinates. Without a known size it is the size of the operand.
// CHECK-LABEL: func.func @positions
// CHECK: kernel "RadixCount" attributes {gpucost.synchronizes{{.*}}bytes_read = 1024, bytes_written = 1024>
// CHECK: kernel "RadixSelect" {{.*}}bytes_read = 2048, bytes_written = 80>
// CHECK: kernel "RadixSelect" {{.*}}bytes_read = 80, bytes_written = 160>
// CHECK: kernel "RadixCount" attributes {gpucost.synchronizes
// CHECK: kernel "RadixSelect" {{.*}}bytes_read = 2048, bytes_written = 8192>
// CHECK: kernel "RadixSelect" {{.*}}bytes_read = 8192, bytes_written = 16384>
// CHECK-NOT: kernel
// CHECK: return
func.func @positions(%m: tensor<32x32xi1>) -> (tensor<2x10xi64>, tensor<2x?xi64>) {
  %0 = onnx.NonZero %m : (tensor<32x32xi1>) -> tensor<2x10xi64>
  %1 = onnx.NonZero %m : (tensor<32x32xi1>) -> tensor<2x?xi64>
  return %0, %1 : tensor<2x10xi64>, tensor<2x?xi64>
}

// (T3) 4 flags select 2 rows of 8 * 4 bytes, which are read and written.
// CHECK-LABEL: func.func @compress
// CHECK: kernel "RadixCount" attributes {gpucost.synchronizes{{.*}}bytes_read = 4, bytes_written = 1024>
// CHECK: kernel "RadixSelect" {{.*}}bytes_read = 1028, bytes_written = 16>
// CHECK: kernel "Compress" {{.*}}elements<count = 16>, {{.*}}bytes_read = 80, bytes_written = 64>
func.func @compress(%x: tensor<4x8xf32>, %m: tensor<4xi1>) -> tensor<2x8xf32> {
  %0 = onnx.Compress %x, %m {axis = 0 : i64} : (tensor<4x8xf32>, tensor<4xi1>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// (T4) 4000 elements are one small sort of keys and positions, 4000 * 12 in and out; of
// the sorted ones at most all are written.
// CHECK-LABEL: func.func @unique
// CHECK: kernel "Fill" {{.*}}bytes_written = 32000>
// CHECK: kernel "RadixPass" {{.*}}bytes_read = 48000, bytes_written = 48000>
// CHECK: kernel "Unique" attributes {gpucost.synchronizes{{.*}}bytes_read = 48000, bytes_written = 16000>
func.func @unique(%x: tensor<4x1000xf32>) -> tensor<?xf32> {
  %0 = onnx.Unique %x : (tensor<4x1000xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// (T5) 2 * 100 scores are sorted; then 2 * 100 * 5 pairs.
// CHECK-LABEL: func.func @boxes
// CHECK: kernel "Fill" {{.*}}bytes_written = 1600>
// CHECK: kernel "RadixPass" {{.*}}bytes_read = 2400, bytes_written = 2400>
// CHECK: kernel "NonMaxSuppression" attributes {gpucost.synchronizes{{.*}}elements<count = 1000, strided = true>, fp32_flops = 16000, bytes_read = 2400, bytes_written = 240>
func.func @boxes(%b: tensor<1x100x4xf32>, %s: tensor<1x2x100xf32>) -> tensor<?x3xi64> {
  %k = onnx.Constant {value = dense<5> : tensor<1xi64>} : () -> tensor<1xi64>
  %0 = onnx.NonMaxSuppression %b, %s, %k : (tensor<1x100x4xf32>, tensor<1x2x100xf32>, tensor<1xi64>) -> tensor<?x3xi64>
  return %0 : tensor<?x3xi64>
}

// If only weights are selected, it runs before the iteration; without elements it launches nothing.
// CHECK-LABEL: func.func @nothing
// CHECK-NOT: kernel
// CHECK: return
func.func @nothing(%x: tensor<2x0xf32>) -> (tensor<4xf32>, tensor<2x0xf32>) {
  %k = onnx.Constant {value = dense<4> : tensor<1xi64>} : () -> tensor<1xi64>
  %w = onnx.Parameter {name = "w"} : () -> tensor<9xf32>
  %0 = onnx.TopK %w, %k {onnx.constant} : (tensor<9xf32>, tensor<1xi64>) -> tensor<4xf32>
  %1 = onnx.Relu %x : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %0, %1 : tensor<4xf32>, tensor<2x0xf32>
}
