// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-narrow-products --split-input-file | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-narrow-products,gpucost-form-kernels,gpucost-annotate-work)' --split-input-file | FileCheck %s --check-prefix=WORK
// RUN: gpu-cost-opt %s --gpucost-lower-tosa --gpucost-narrow-products --split-input-file | FileCheck %s --check-prefix=TOSA
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-set-target{target=v100-fp16},gpucost-narrow-products,gpucost-apply-precision,gpucost-narrow-products)' --split-input-file | FileCheck %s --check-prefix=V100

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// (L14) A Linear in bf16 as torch-mlir writes it. 2*64*32*128 = 524,288 FLOP in bf16. The
// kernel reads 64*128*2 + 128*32*2 = 24,576 bytes and stores 64*32*2 = 4096. The ops
// that widen have no other reader, so they launch nothing.
// CHECK: gpucost.notes = ["1 product reads its operands before the file widens them from bf16; accumulators stay f32"]
// CHECK-LABEL: func.func @linear(
// CHECK-SAME: %[[X:.*]]: tensor<64x128xbf16>, %[[W:.*]]: tensor<32x128xbf16>
// CHECK-NOT: -> tensor<64x128xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[W]] : tensor<32x128xbf16>)
// CHECK: linalg.matmul ins(%[[X]], %[[T]] : tensor<64x128xbf16>, tensor<128x32xbf16>) outs(%{{.*}} : tensor<64x32xf32>)
// WORK-LABEL: func.func @linear
// WORK: gpucost.kernel
// WORK-SAME: format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.matmul<m = 64, n = 32, k = 128
// WORK-SAME: tensor_flops = 524288, {{.*}}bytes_read = 24576, bytes_written = 4096
// WORK-NOT: gpucost.kernel
// WORK: return
func.func @linear(%x: tensor<64x128xbf16>, %w: tensor<32x128xbf16>) -> tensor<64x32xbf16> {
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<64x128xf32>
  %ew = tensor.empty() : tensor<128x32xf32>
  %et = tensor.empty() : tensor<128x32xbf16>
  %ey = tensor.empty() : tensor<64x32xf32>
  %eo = tensor.empty() : tensor<64x32xbf16>
  %t = linalg.transpose ins(%w : tensor<32x128xbf16>) outs(%et : tensor<128x32xbf16>) permutation = [1, 0]
  %xf = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x128xbf16>) outs(%ex : tensor<64x128xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  %wf = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<128x32xbf16>) outs(%ew : tensor<128x32xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    linalg.yield %0 : f32
  } -> tensor<128x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ey : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%xf, %wf : tensor<64x128xf32>, tensor<128x32xf32>) outs(%f : tensor<64x32xf32>) -> tensor<64x32xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<64x32xf32>) outs(%eo : tensor<64x32xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<64x32xbf16>
  return %r : tensor<64x32xbf16>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// What follows the widening moves narrow elements: a transpose that widens, a
// broadcast, a reshape. Also from fp16 constants.
// CHECK-LABEL: func.func @moved
// CHECK: %[[T:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}]{{.*}} ins(%{{.*}} : tensor<16x8xf16>) outs(%{{.*}} : tensor<8x16xf16>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f16, %{{.*}}: f16):
// CHECK-NEXT: linalg.yield %[[IN]] : f16
// CHECK: %[[B:.*]] = linalg.broadcast ins(%[[T]] : tensor<8x16xf16>) outs(%{{.*}} : tensor<4x8x16xf16>) dimensions = [0]
// CHECK: %[[W:.*]] = tensor.expand_shape %{{.*}} {{.*}} : tensor<64x32xf16> into tensor<4x16x32xf16>
// CHECK: linalg.batch_matmul ins(%[[B]], %[[W]] : tensor<4x8x16xf16>, tensor<4x16x32xf16>)
func.func @moved(%x: tensor<16x8xf16>, %acc: tensor<4x8x32xf32>) -> tensor<4x8x32xf32> {
  %w = arith.constant dense<1.0> : tensor<64x32xf16>
  %ex = tensor.empty() : tensor<8x16xf32>
  %eb = tensor.empty() : tensor<4x8x16xf32>
  %t = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x8xf16>) outs(%ex : tensor<8x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<8x16xf32>
  %b = linalg.broadcast ins(%t : tensor<8x16xf32>) outs(%eb : tensor<4x8x16xf32>) dimensions = [0]
  %wf = arith.extf %w : tensor<64x32xf16> to tensor<64x32xf32>
  %we = tensor.expand_shape %wf [[0, 1], [2]] output_shape [4, 16, 32] : tensor<64x32xf32> into tensor<4x16x32xf32>
  %y = linalg.batch_matmul ins(%b, %we : tensor<4x8x16xf32>, tensor<4x16x32xf32>) outs(%acc : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %y : tensor<4x8x32xf32>
}

// -----

// A padded image: the padding is narrow as well.
// CHECK-LABEL: func.func @convolution
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: tensor.yield %{{.*}} : bf16
// CHECK: linalg.conv_2d_nhwc_hwcf ins(%[[P]], %{{.*}} : tensor<1x6x6x8xbf16>, tensor<3x3x8x8xbf16>) outs(%{{.*}} : tensor<1x4x4x8xf32>)
func.func @convolution(%x: tensor<1x4x4x8xbf16>, %w: tensor<3x3x8x8xbf16>, %acc: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %xf = arith.extf %x : tensor<1x4x4x8xbf16> to tensor<1x4x4x8xf32>
  %wf = arith.extf %w : tensor<3x3x8x8xbf16> to tensor<3x3x8x8xf32>
  %p = tensor.pad %xf low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x4x4x8xf32> to tensor<1x6x6x8xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%p, %wf : tensor<1x6x6x8xf32>, tensor<3x3x8x8xf32>) outs(%acc : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %y : tensor<1x4x4x8xf32>
}

// -----

// Integers: 8 bit into i32.
// CHECK: accumulators stay i32
// CHECK-LABEL: func.func @integers
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<8x16xi8>, tensor<16x8xi8>) outs(%{{.*}} : tensor<8x8xi32>)
func.func @integers(%x: tensor<8x16xi8>, %w: tensor<16x8xi8>, %acc: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %xi = arith.extsi %x : tensor<8x16xi8> to tensor<8x16xi32>
  %wi = arith.extsi %w : tensor<16x8xi8> to tensor<16x8xi32>
  %y = linalg.matmul ins(%xi, %wi : tensor<8x16xi32>, tensor<16x8xi32>) outs(%acc : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %y : tensor<8x8xi32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Another reader keeps the widened tensor.
// CHECK-LABEL: func.func @two_readers
// CHECK: %[[XF:.*]] = arith.extf
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<8x16xbf16>, tensor<16x8xbf16>)
// CHECK: return %{{.*}}, %[[XF]]
func.func @two_readers(%x: tensor<8x16xbf16>, %w: tensor<16x8xbf16>, %acc: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x16xf32>) {
  %xf = arith.extf %x : tensor<8x16xbf16> to tensor<8x16xf32>
  %wf = arith.extf %w : tensor<16x8xbf16> to tensor<16x8xf32>
  %y = linalg.matmul ins(%xf, %wf : tensor<8x16xf32>, tensor<16x8xf32>) outs(%acc : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y, %xf : tensor<8x8xf32>, tensor<8x16xf32>
}

// -----

// fp32 stays: an operand that was computed in fp32, two narrow formats, fp64.
// CHECK-NOT: gpucost.notes
// CHECK-LABEL: func.func @stays
// CHECK: linalg.matmul ins(%{{.*}} : tensor<8x8xf32>, tensor<8x8xf32>)
// CHECK: linalg.matmul ins(%{{.*}} : tensor<8x8xf32>, tensor<8x8xf32>)
// CHECK: linalg.matmul ins(%{{.*}} : tensor<8x8xf64>, tensor<8x8xf64>)
func.func @stays(%x: tensor<8x8xbf16>, %h: tensor<8x8xf16>, %s: tensor<8x8xf32>, %acc: tensor<8x8xf32>, %wide: tensor<8x8xf64>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf64>) {
  %xf = arith.extf %x : tensor<8x8xbf16> to tensor<8x8xf32>
  %hf = arith.extf %h : tensor<8x8xf16> to tensor<8x8xf32>
  %xd = arith.extf %x : tensor<8x8xbf16> to tensor<8x8xf64>
  %0 = linalg.matmul ins(%xf, %s : tensor<8x8xf32>, tensor<8x8xf32>) outs(%acc : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%xf, %hf : tensor<8x8xf32>, tensor<8x8xf32>) outs(%acc : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%xd, %xd : tensor<8x8xf64>, tensor<8x8xf64>) outs(%wide : tensor<8x8xf64>) -> tensor<8x8xf64>
  return %0, %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf64>
}

// -----

// ONNX: a product whose result is cast back reads fp16; a router, whose result a
// softmax reads in fp32, stays fp32.
// CHECK-LABEL: func.func @onnx(
// CHECK-SAME: %[[X:.*]]: tensor<8x16xf16>
// CHECK: %[[W:.*]] = onnx.Parameter : () -> tensor<4x16xf16>
// CHECK: %[[T:.*]] = onnx.Transpose %[[W]] {perm = array<i64: 1, 0>} : (tensor<4x16xf16>) -> tensor<16x4xf16>
// CHECK: onnx.MatMul %[[X]], %[[T]] : (tensor<8x16xf16>, tensor<16x4xf16>) -> tensor<8x4xf32>
// CHECK: onnx.MatMul %{{.*}} : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
func.func @onnx(%x: tensor<8x16xf16>) -> (tensor<8x4xf16>, tensor<8x4xf32>) {
  %w = onnx.Parameter : () -> tensor<4x16xf16>
  %xf = onnx.Cast %x {to = 1 : i64} : (tensor<8x16xf16>) -> tensor<8x16xf32>
  %wf = onnx.Cast %w {to = 1 : i64} : (tensor<4x16xf16>) -> tensor<4x16xf32>
  %t = onnx.Transpose %wf {perm = array<i64: 1, 0>} : (tensor<4x16xf32>) -> tensor<16x4xf32>
  %y = onnx.MatMul %xf, %t : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %z = onnx.Cast %y {to = 10 : i64} : (tensor<8x4xf32>) -> tensor<8x4xf16>
  %r = onnx.MatMul %xf, %t : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %s = onnx.Softmax %r {axis = -1 : i64} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %z, %s : tensor<8x4xf16>, tensor<8x4xf32>
}

// -----

// ONNX slices and reshapes also move narrow elements.
// CHECK-LABEL: func.func @onnx_moved(
// CHECK: %[[S:.*]] = onnx.Slice %{{.*}} -> tensor<2x8x4xf16>
// CHECK: %[[F:.*]] = onnx.Flatten %[[S]] {axis = 2 : i64} : (tensor<2x8x4xf16>) -> tensor<16x4xf16>
// CHECK: onnx.MatMul %{{.*}}, %[[F]] : (tensor<8x16xf16>, tensor<16x4xf16>) -> tensor<8x4xf32>
func.func @onnx_moved(%x: tensor<8x16xf16>) -> tensor<8x4xf16> {
  %w = onnx.Parameter : () -> tensor<2x8x8xf16>
  %start = onnx.Constant {value = dense<4> : tensor<1xi64>} : () -> tensor<1xi64>
  %end = onnx.Constant {value = dense<8> : tensor<1xi64>} : () -> tensor<1xi64>
  %axis = onnx.Constant {value = dense<2> : tensor<1xi64>} : () -> tensor<1xi64>
  %xf = onnx.Cast %x {to = 1 : i64} : (tensor<8x16xf16>) -> tensor<8x16xf32>
  %wf = onnx.Cast %w {to = 1 : i64} : (tensor<2x8x8xf16>) -> tensor<2x8x8xf32>
  %s = onnx.Slice %wf, %start, %end, %axis : (tensor<2x8x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x8x4xf32>
  %f = onnx.Flatten %s {axis = 2 : i64} : (tensor<2x8x4xf32>) -> tensor<16x4xf32>
  %y = onnx.MatMul %xf, %f : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %z = onnx.Cast %y {to = 10 : i64} : (tensor<8x4xf32>) -> tensor<8x4xf16>
  return %z : tensor<8x4xf16>
}

// -----

// The casts and the transpose of TOSA become linalg. 2*64*32*128 = 524,288 FLOP.
// TOSA-LABEL: func.func @tosa
// TOSA: linalg.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<1x64x128xbf16>, tensor<1x128x32xbf16>) outs(%{{.*}} : tensor<1x64x32xf32>)
func.func @tosa(%x: tensor<1x64x128xbf16>, %w: tensor<1x32x128xbf16>) -> tensor<1x64x32xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %xf = tosa.cast %x : (tensor<1x64x128xbf16>) -> tensor<1x64x128xf32>
  %wf = tosa.cast %w : (tensor<1x32x128xbf16>) -> tensor<1x32x128xf32>
  %wt = tosa.transpose %wf {perms = array<i32: 0, 2, 1>} : (tensor<1x32x128xf32>) -> tensor<1x128x32xf32>
  %y = tosa.matmul %xf, %wt, %zero, %zero : (tensor<1x64x128xf32>, tensor<1x128x32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x64x32xf32>
  return %y : tensor<1x64x32xf32>
}

// -----

// A GPU without a matrix unit for the format multiplies the widened operands. With an fp16
// target the model is cast to fp16 first; the destination is no weight.
// V100-LABEL: func.func @units
// V100: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<8x16xf16>, tensor<16x8xf16>) outs(%{{.*}} : tensor<8x8xf32>)
// V100: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<8x8xf32>, tensor<8x8xf32>)
func.func @units(%x: tensor<8x16xbf16>, %w: tensor<16x8xbf16>, %q: tensor<8x8xf8E4M3FN>, %acc: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %xf = arith.extf %x : tensor<8x16xbf16> to tensor<8x16xf32>
  %wf = arith.extf %w : tensor<16x8xbf16> to tensor<16x8xf32>
  %qf = arith.extf %q : tensor<8x8xf8E4M3FN> to tensor<8x8xf32>
  %y = linalg.matmul ins(%xf, %wf : tensor<8x16xf32>, tensor<16x8xf32>) outs(%acc : tensor<8x8xf32>) -> tensor<8x8xf32>
  %z = linalg.matmul ins(%qf, %qf : tensor<8x8xf32>, tensor<8x8xf32>) outs(%acc : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y, %z : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// A result that is cast to text or to integers is not narrow again, nor is a divisor.
// CHECK-LABEL: func.func @to_text
// CHECK: onnx.MatMul {{.*}} -> tensor<256x1024xf32>
func.func @to_text(%x: tensor<256x512xbf16>, %w: tensor<512x1024xbf16>) -> tensor<256x1024x!onnx.string> {
  %a = onnx.Cast %x {to = 1 : i64} : (tensor<256x512xbf16>) -> tensor<256x512xf32>
  %b = onnx.Cast %w {to = 1 : i64} : (tensor<512x1024xbf16>) -> tensor<512x1024xf32>
  %c = onnx.MatMul %a, %b : (tensor<256x512xf32>, tensor<512x1024xf32>) -> tensor<256x1024xf32>
  %d = onnx.Cast %c {to = 8 : i64} : (tensor<256x1024xf32>) -> tensor<256x1024x!onnx.string>
  return %d : tensor<256x1024x!onnx.string>
}

// -----

// CHECK-LABEL: func.func @divisor
// CHECK: onnx.MatMul {{.*}} -> tensor<256x1024xf32>
func.func @divisor(%x: tensor<256x512xbf16>, %w: tensor<512x1024xbf16>, %g: tensor<256x1024xf32>) -> tensor<256x1024xbf16> {
  %a = onnx.Cast %x {to = 1 : i64} : (tensor<256x512xbf16>) -> tensor<256x512xf32>
  %b = onnx.Cast %w {to = 1 : i64} : (tensor<512x1024xbf16>) -> tensor<512x1024xf32>
  %c = onnx.MatMul %a, %b : (tensor<256x512xf32>, tensor<512x1024xf32>) -> tensor<256x1024xf32>
  %d = onnx.Div %g, %c : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %e = onnx.Cast %d {to = 16 : i64} : (tensor<256x1024xf32>) -> tensor<256x1024xbf16>
  return %e : tensor<256x1024xbf16>
}

// -----

// Matrix units do not multiply integers of other widths.
// CHECK-LABEL: func.func @four_bit
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<16x32xi32>, tensor<32x16xi32>)
func.func @four_bit(%x: tensor<16x32xi4>, %w: tensor<32x16xi4>, %acc: tensor<16x16xi32>) -> tensor<16x16xi32> {
  %a = arith.extsi %x : tensor<16x32xi4> to tensor<16x32xi32>
  %b = arith.extsi %w : tensor<32x16xi4> to tensor<32x16xi32>
  %c = linalg.matmul ins(%a, %b : tensor<16x32xi32>, tensor<32x16xi32>) outs(%acc : tensor<16x16xi32>) -> tensor<16x16xi32>
  return %c : tensor<16x16xi32>
}
