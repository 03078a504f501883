// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// (L16)
// Structured ops become the operators that they compute, which the rules for ONNX then recognise.
// RUN: gpu-cost-opt %s --gpucost-raise-ops=runtime=eager --split-input-file | FileCheck %s
// Without a runtime, the ops stay as written.
// RUN: gpu-cost-opt %s --gpucost-raise-ops --split-input-file | FileCheck %s --check-prefix=WRITTEN --implicit-check-not=onnx.
// WRITTEN: linalg.generic

// Softmax with fp32 steps between casts is the kernel of the 16-bit format; the position of the
// maximum is not used.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#kept = affine_map<(i, j) -> (i, 0)>
// CHECK-LABEL: @softmax
// CHECK-NEXT: %[[Y:.*]] = onnx.Softmax %arg0 {axis = 1 : i64} : (tensor<64x128xbf16>) -> tensor<64x128xbf16>
// CHECK-NEXT: return %[[Y]]
func.func @softmax(%x: tensor<64x128xbf16>) -> tensor<64x128xbf16> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i64
  %e = tensor.empty() : tensor<64x128xf32>
  %er = tensor.empty() : tensor<64xf32>
  %ek = tensor.empty() : tensor<64x1xf32>
  %ei = tensor.empty() : tensor<64xi64>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xbf16>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %r = arith.extf %a : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %m0 = linalg.fill ins(%lowest : f32) outs(%er : tensor<64xf32>) -> tensor<64xf32>
  %i0 = linalg.fill ins(%c0 : i64) outs(%ei : tensor<64xi64>) -> tensor<64xi64>
  %m:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%wide : tensor<64x128xf32>) outs(%m0, %i0 : tensor<64xf32>, tensor<64xi64>) {
  ^bb0(%a: f32, %o: f32, %i: i64):
    %at = linalg.index 1 : index
    %n = arith.index_cast %at : index to i64
    %r = arith.maximumf %a, %o : f32
    %c = arith.cmpf ogt, %a, %o : f32
    %s = arith.select %c, %n, %i : i64
    linalg.yield %r, %s : f32, i64
  } -> (tensor<64xf32>, tensor<64xi64>)
  %k = tensor.expand_shape %m#0 [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %d = linalg.generic {indexing_maps = [#id, #kept, #id], iterator_types = ["parallel", "parallel"]} ins(%wide, %k : tensor<64x128xf32>, tensor<64x1xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %n0 = linalg.fill ins(%zero : f32) outs(%ek : tensor<64x1xf32>) -> tensor<64x1xf32>
  %n = linalg.generic {indexing_maps = [#id, #kept], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<64x128xf32>) outs(%n0 : tensor<64x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<64x1xf32>
  %q = linalg.generic {indexing_maps = [#id, #kept, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %n : tensor<64x128xf32>, tensor<64x1xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %en = tensor.empty() : tensor<64x128xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<64x128xf32>) outs(%en : tensor<64x128xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x128xbf16>
  return %y : tensor<64x128xbf16>
}

// -----

// A body with several steps is one kernel: an activation that a rule knows is raised, any other
// body is put back.
#id = affine_map<(i) -> (i)>
// CHECK-LABEL: @bodies
// CHECK: %[[G:.*]] = onnx.Swish %arg0 : (tensor<64xf32>) -> tensor<64xf32>
// CHECK: %[[K:.*]] = linalg.generic {{.*}} ins(%[[G]] : tensor<64xf32>)
// CHECK: math.tanh
// CHECK: arith.addf
// CHECK: return %[[K]]
func.func @bodies(%x: tensor<64xf32>) -> tensor<64xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %silu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    %p = math.exp %n : f32
    %s = arith.addf %p, %one : f32
    %g = arith.divf %one, %s : f32
    %r = arith.mulf %g, %a : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%silu : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = math.tanh %a : f32
    %r = arith.addf %t, %one : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  return %y : tensor<64xf32>
}

// -----

// Layer norm whose variance a front end computes in fp64, with weights in bf16.
#id = affine_map<(i, j) -> (i, j)>
#kept = affine_map<(i, j) -> (i, 0)>
#col = affine_map<(i, j) -> (j)>
// CHECK-LABEL: @norm
// CHECK-DAG: %[[W:.*]] = onnx.Identity %arg1 {onnx.constant}
// CHECK-DAG: %[[B:.*]] = onnx.Identity %arg2 {onnx.constant}
// CHECK: %[[Y:.*]] = onnx.LayerNormalization %arg0, %[[W]], %[[B]] {{.*}}epsilon = 9.99999974E-6{{.*}} : (tensor<64x128xbf16>, tensor<128xbf16>, tensor<128xbf16>) -> tensor<64x128xbf16>
// CHECK-NEXT: return %[[Y]]
func.func @norm(%x: tensor<64x128xbf16>, %w: tensor<128xbf16>, %b: tensor<128xbf16>) -> tensor<64x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %zero64 = arith.constant 0.0 : f64
  %count = arith.constant 128.0 : f32
  %count64 = arith.constant 128.0 : f64
  %eps = arith.constant 1.0e-05 : f64
  %e = tensor.empty() : tensor<64x128xf32>
  %e64 = tensor.empty() : tensor<64x128xf64>
  %k = tensor.empty() : tensor<64x1xf32>
  %k64 = tensor.empty() : tensor<64x1xf64>
  %f = linalg.fill ins(%zero : f32) outs(%k : tensor<64x1xf32>) -> tensor<64x1xf32>
  %f64 = linalg.fill ins(%zero64 : f64) outs(%k64 : tensor<64x1xf64>) -> tensor<64x1xf64>
  %x32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xbf16>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %r = arith.extf %a : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %x64 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x32 : tensor<64x128xf32>) outs(%e64 : tensor<64x128xf64>) {
  ^bb0(%a: f32, %o: f64):
    %r = arith.extf %a : f32 to f64
    linalg.yield %r : f64
  } -> tensor<64x128xf64>
  %s64 = linalg.generic {indexing_maps = [#id, #kept], iterator_types = ["parallel", "reduction"]} ins(%x64 : tensor<64x128xf64>) outs(%f64 : tensor<64x1xf64>) {
  ^bb0(%a: f64, %o: f64):
    %r = arith.addf %a, %o : f64
    linalg.yield %r : f64
  } -> tensor<64x1xf64>
  %m64 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s64 : tensor<64x1xf64>) outs(%k64 : tensor<64x1xf64>) {
  ^bb0(%a: f64, %o: f64):
    %r = arith.divf %a, %count64 : f64
    linalg.yield %r : f64
  } -> tensor<64x1xf64>
  %d64 = linalg.generic {indexing_maps = [#id, #kept, #id], iterator_types = ["parallel", "parallel"]} ins(%x64, %m64 : tensor<64x128xf64>, tensor<64x1xf64>) outs(%e64 : tensor<64x128xf64>) {
  ^bb0(%a: f64, %c: f64, %o: f64):
    %r = arith.subf %a, %c : f64
    linalg.yield %r : f64
  } -> tensor<64x128xf64>
  %q64 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%d64, %d64 : tensor<64x128xf64>, tensor<64x128xf64>) outs(%e64 : tensor<64x128xf64>) {
  ^bb0(%a: f64, %c: f64, %o: f64):
    %r = arith.mulf %a, %c : f64
    linalg.yield %r : f64
  } -> tensor<64x128xf64>
  %v64 = linalg.generic {indexing_maps = [#id, #kept], iterator_types = ["parallel", "reduction"]} ins(%q64 : tensor<64x128xf64>) outs(%f64 : tensor<64x1xf64>) {
  ^bb0(%a: f64, %o: f64):
    %r = arith.addf %a, %o : f64
    linalg.yield %r : f64
  } -> tensor<64x1xf64>
  %var64 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%v64 : tensor<64x1xf64>) outs(%k64 : tensor<64x1xf64>) {
  ^bb0(%a: f64, %o: f64):
    %r = arith.divf %a, %count64 : f64
    linalg.yield %r : f64
  } -> tensor<64x1xf64>
  %var = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%var64 : tensor<64x1xf64>) outs(%k : tensor<64x1xf32>) {
  ^bb0(%a: f64, %o: f32):
    %r = arith.truncf %a : f64 to f32
    linalg.yield %r : f32
  } -> tensor<64x1xf32>
  %s = linalg.generic {indexing_maps = [#id, #kept], iterator_types = ["parallel", "reduction"]} ins(%x32 : tensor<64x128xf32>) outs(%f : tensor<64x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<64x1xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<64x1xf32>) outs(%k : tensor<64x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.divf %a, %count : f32
    linalg.yield %r : f32
  } -> tensor<64x1xf32>
  %ve = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%var : tensor<64x1xf32>) outs(%k : tensor<64x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.truncf %eps : f64 to f32
    %r = arith.addf %a, %t : f32
    linalg.yield %r : f32
  } -> tensor<64x1xf32>
  %rs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%ve : tensor<64x1xf32>) outs(%k : tensor<64x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.rsqrt %a : f32
    linalg.yield %r : f32
  } -> tensor<64x1xf32>
  %d = linalg.generic {indexing_maps = [#id, #kept, #id], iterator_types = ["parallel", "parallel"]} ins(%x32, %m : tensor<64x128xf32>, tensor<64x1xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %r = arith.subf %a, %c : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %n = linalg.generic {indexing_maps = [#id, #kept, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %rs : tensor<64x128xf32>, tensor<64x1xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %r = arith.mulf %a, %c : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %nw = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%n, %w : tensor<64x128xf32>, tensor<128xbf16>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %c: bf16, %o: f32):
    %t = arith.extf %c : bf16 to f32
    %r = arith.mulf %a, %t : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %nb = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%nw, %b : tensor<64x128xf32>, tensor<128xbf16>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %c: bf16, %o: f32):
    %t = arith.extf %c : bf16 to f32
    %r = arith.addf %a, %t : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %en = tensor.empty() : tensor<64x128xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%nb : tensor<64x128xf32>) outs(%en : tensor<64x128xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<64x128xbf16>
  return %y : tensor<64x128xbf16>
}

// -----

// A convolution with its padding and its bias; a batch of one; a read whose positions are the
// loops; slices that fill a tensor; a window sum divided by its size.
#nc = affine_map<(n, c, h, w) -> (c)>
#img = affine_map<(n, c, h, w) -> (n, c, h, w)>
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: @layers
// CHECK: %[[C:.*]] = onnx.Conv %arg0, %arg1, %arg2 {{.*}}group = 1 {{.*}}pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<2x4x8x8xf32>
// CHECK: %[[P:.*]] = onnx.AveragePool %[[C]] {{.*}}kernel_shape = array<i64: 2, 2>{{.*}}strides = array<i64: 2, 2>} : (tensor<2x4x8x8xf32>) -> tensor<2x4x4x4xf32>
// CHECK: %[[M:.*]] = onnx.MatMul %{{.*}}, %{{.*}} : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
// CHECK: %[[J:.*]] = onnx.Concat %[[M]], %arg4 {axis = 1 : i64} : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x16xf32>
// CHECK: return %[[P]], %[[J]]
func.func @layers(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>, %v: tensor<1x8x8xf32>, %u: tensor<16x8xf32>) -> (tensor<2x4x4x4xf32>, tensor<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4.0 : f32
  %one = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %pad = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x8x8xf32> to tensor<2x3x10x10xf32>
  %e = tensor.empty() : tensor<2x4x8x8xf32>
  %init = linalg.generic {indexing_maps = [#nc, #img], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<4xf32>) outs(%e : tensor<2x4x8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<2x4x8x8xf32>
  %conv = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%pad, %w : tensor<2x3x10x10xf32>, tensor<4x3x3x3xf32>) outs(%init : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %ep = tensor.empty() : tensor<2x4x4x4xf32>
  %fp = linalg.fill ins(%zero : f32) outs(%ep : tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  %sum = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%conv, %window : tensor<2x4x8x8xf32>, tensor<2x2xf32>) outs(%fp : tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  %pool = linalg.generic {indexing_maps = [#img, #img], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sum : tensor<2x4x4x4xf32>) outs(%ep : tensor<2x4x4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.divf %a, %four : f32
    linalg.yield %r : f32
  } -> tensor<2x4x4x4xf32>
  %eu = tensor.empty() : tensor<16x8xf32>
  %same = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%eu : tensor<16x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %at = arith.select %no, %c0, %j : index
    %r = tensor.extract %u[%i, %at] : tensor<16x8xf32>
    linalg.yield %r : f32
  } -> tensor<16x8xf32>
  %batch = tensor.expand_shape %same [[0, 1], [2]] output_shape [1, 16, 8] : tensor<16x8xf32> into tensor<1x16x8xf32>
  %em = tensor.empty() : tensor<1x16x8xf32>
  %fm = linalg.fill ins(%zero : f32) outs(%em : tensor<1x16x8xf32>) -> tensor<1x16x8xf32>
  %mm = linalg.batch_matmul ins(%batch, %v : tensor<1x16x8xf32>, tensor<1x8x8xf32>) outs(%fm : tensor<1x16x8xf32>) -> tensor<1x16x8xf32>
  %flat = tensor.collapse_shape %mm [[0, 1], [2]] : tensor<1x16x8xf32> into tensor<16x8xf32>
  %ej = tensor.empty() : tensor<16x16xf32>
  %left = tensor.insert_slice %flat into %ej[0, 0] [16, 8] [1, 1] : tensor<16x8xf32> into tensor<16x16xf32>
  %both = tensor.insert_slice %u into %left[0, 8] [16, 8] [1, 1] : tensor<16x8xf32> into tensor<16x16xf32>
  return %pool, %both : tensor<2x4x4x4xf32>, tensor<16x16xf32>
}
