// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled softmax or norm costs the same however the model spells it: one ONNX op,
// ONNX primitives, one linalg op, or one linalg generic for each step.
// RUN: split-file %s %t
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%plugin
// DEFINE: %{a} = gpucost-annotate{target=a100-bf16 runtime=compiled}
// RUN: %{opt} --pass-pipeline='builtin.module(%{a})' %t/rms.mlir | FileCheck %s --check-prefix=RMS
// RUN: %{opt} --pass-pipeline='builtin.module(%{a})' %t/layer.mlir | FileCheck %s --check-prefix=LAYER
// RUN: %{opt} --pass-pipeline='builtin.module(%{a})' %t/softmax.mlir | FileCheck %s --check-prefix=SOFTMAX

// As written and in eager execution the ops are kernels; PyTorch has one for the primitives
// of a layer norm, which its exporter writes.
// RUN: %{opt} --pass-pipeline='builtin.module(gpucost-annotate{target=a100-bf16})' %t/layer.mlir | FileCheck %s --check-prefix=WRITTEN
// RUN: %{opt} --pass-pipeline='builtin.module(gpucost-annotate{target=a100-bf16 runtime=eager})' %t/layer.mlir | FileCheck %s --check-prefix=EAGER
// Kernels that were formed keep the runtime that they were formed for.
// RUN: %{opt} --pass-pipeline='builtin.module(gpucost-raise-ops,gpucost-form-kernels,gpucost-annotate{target=a100-bf16})' %t/layer.mlir | FileCheck %s --check-prefix=STEPS
// RUN: %{opt} --pass-pipeline='builtin.module(gpucost-analyze{target=a100-bf16 entry=primitives},gpucost-annotate)' %t/layer.mlir | FileCheck %s --check-prefix=FORMED
// FORMED: @primitives{{.*}}runtime = "as-written"{{.*}}launches = 9>
// WRITTEN: @op{{.*}}runtime = "as-written"{{.*}}launches = 1>
// WRITTEN: @primitives{{.*}}runtime = "as-written"{{.*}}launches = 9>
// WRITTEN: @generics{{.*}}runtime = "as-written"{{.*}}launches = 8>
// EAGER: @op{{.*}}runtime = eager{{.*}}launches = 1>
// EAGER: @primitives{{.*}}runtime = eager{{.*}}launches = 1>
// EAGER: @generics{{.*}}runtime = eager{{.*}}launches = 1>
// Passes without a runtime recognise groups of onnx ops only.
// STEPS: @op{{.*}}runtime = eager{{.*}}launches = 1>
// STEPS: @primitives{{.*}}runtime = eager{{.*}}launches = 1>
// STEPS: @generics{{.*}}runtime = eager{{.*}}launches = 8>

// RMS: @op{{.*}}runtime = compiled, coverage = modelled, [[COST:time = [^>]*bound = dram, launches = 1]]>
// RMS: @primitives{{.*}}runtime = compiled, coverage = modelled, [[COST]]>
// RMS: @generics{{.*}}runtime = compiled, coverage = modelled, [[COST]]>
//--- rms.mlir
#m = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
#v = affine_map<(i, j) -> (j)>
#i = affine_map<(i) -> (i)>
func.func @op(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %w = onnx.Parameter {name = "w"} : () -> tensor<4096xf32>
  %0 = onnx.RMSNormalization %x, %w : (tensor<8192x4096xf32>, tensor<4096xf32>) -> tensor<8192x4096xf32>
  return %0 : tensor<8192x4096xf32>
}
func.func @primitives(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %w = onnx.Parameter {name = "w"} : () -> tensor<4096xf32>
  %eps = onnx.Constant {value = dense<1.0e-05> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.Mul %x, %x : (tensor<8192x4096xf32>, tensor<8192x4096xf32>) -> tensor<8192x4096xf32>
  %1 = onnx.ReduceMean %0 {axes = array<i64: -1>} : (tensor<8192x4096xf32>) -> tensor<8192x1xf32>
  %2 = onnx.Add %1, %eps : (tensor<8192x1xf32>, tensor<f32>) -> tensor<8192x1xf32>
  %3 = onnx.Sqrt %2 : (tensor<8192x1xf32>) -> tensor<8192x1xf32>
  %4 = onnx.Div %x, %3 : (tensor<8192x4096xf32>, tensor<8192x1xf32>) -> tensor<8192x4096xf32>
  %5 = onnx.Mul %4, %w : (tensor<8192x4096xf32>, tensor<4096xf32>) -> tensor<8192x4096xf32>
  return %5 : tensor<8192x4096xf32>
}
func.func @generics(%x: tensor<8192x4096xf32>, %w: tensor<4096xf32>) -> tensor<8192x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8192x4096xf32>
  %er = tensor.empty() : tensor<8192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<8192xf32>) -> tensor<8192xf32>
  %eps = arith.constant 1.0e-05 : f32
  %n = arith.constant 4096.0 : f32
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8192x4096xf32>) outs(%init : tensor<8192xf32>) {
    ^bb0(%l: f32, %o: f32):
      %m = arith.mulf %l, %l : f32
      %y = arith.addf %m, %o : f32
      linalg.yield %y : f32
  } -> tensor<8192xf32>
  %mean = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%sum : tensor<8192xf32>) outs(%er : tensor<8192xf32>) {
    ^bb0(%l: f32, %o: f32):
      %d = arith.divf %l, %n : f32
      %y = arith.addf %d, %eps : f32
      linalg.yield %y : f32
  } -> tensor<8192xf32>
  %root = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%mean : tensor<8192xf32>) outs(%er : tensor<8192xf32>) {
    ^bb0(%l: f32, %o: f32):
      %y = math.rsqrt %l : f32
      linalg.yield %y : f32
  } -> tensor<8192xf32>
  %scaled = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]}
      ins(%x, %root : tensor<8192x4096xf32>, tensor<8192xf32>) outs(%e : tensor<8192x4096xf32>) {
    ^bb0(%l: f32, %h: f32, %o: f32):
      %y = arith.mulf %l, %h : f32
      linalg.yield %y : f32
  } -> tensor<8192x4096xf32>
  %out = linalg.generic {indexing_maps = [#m, #v, #m], iterator_types = ["parallel", "parallel"]}
      ins(%scaled, %w : tensor<8192x4096xf32>, tensor<4096xf32>) outs(%e : tensor<8192x4096xf32>) {
    ^bb0(%l: f32, %h: f32, %o: f32):
      %y = arith.mulf %l, %h : f32
      linalg.yield %y : f32
  } -> tensor<8192x4096xf32>
  return %out : tensor<8192x4096xf32>
}
// LAYER: @op{{.*}}runtime = compiled, coverage = modelled, [[COST:time = [^>]*bound = dram, launches = 1]]>
// LAYER: @primitives{{.*}}runtime = compiled, coverage = modelled, [[COST]]>
// LAYER: @generics{{.*}}runtime = compiled, coverage = modelled, [[COST]]>
//--- layer.mlir
#m = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
#v = affine_map<(i, j) -> (j)>
#i = affine_map<(i) -> (i)>
func.func @op(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %w = onnx.Parameter {name = "w"} : () -> tensor<4096xf32>
  %b = onnx.Parameter {name = "b"} : () -> tensor<4096xf32>
  %0 = onnx.LayerNormalization %x, %w, %b : (tensor<8192x4096xf32>, tensor<4096xf32>, tensor<4096xf32>) -> tensor<8192x4096xf32>
  return %0 : tensor<8192x4096xf32>
}
func.func @primitives(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %w = onnx.Parameter {name = "w"} : () -> tensor<4096xf32>
  %b = onnx.Parameter {name = "b"} : () -> tensor<4096xf32>
  %eps = onnx.Constant {value = dense<1.0e-05> : tensor<f32>} : () -> tensor<f32>
  %two = onnx.Constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.ReduceMean %x {axes = array<i64: -1>} : (tensor<8192x4096xf32>) -> tensor<8192x1xf32>
  %1 = onnx.Sub %x, %0 : (tensor<8192x4096xf32>, tensor<8192x1xf32>) -> tensor<8192x4096xf32>
  %2 = onnx.Pow %1, %two : (tensor<8192x4096xf32>, tensor<f32>) -> tensor<8192x4096xf32>
  %3 = onnx.ReduceMean %2 {axes = array<i64: -1>} : (tensor<8192x4096xf32>) -> tensor<8192x1xf32>
  %4 = onnx.Add %3, %eps : (tensor<8192x1xf32>, tensor<f32>) -> tensor<8192x1xf32>
  %5 = onnx.Sqrt %4 : (tensor<8192x1xf32>) -> tensor<8192x1xf32>
  %6 = onnx.Div %1, %5 : (tensor<8192x4096xf32>, tensor<8192x1xf32>) -> tensor<8192x4096xf32>
  %7 = onnx.Mul %6, %w : (tensor<8192x4096xf32>, tensor<4096xf32>) -> tensor<8192x4096xf32>
  %8 = onnx.Add %7, %b : (tensor<8192x4096xf32>, tensor<4096xf32>) -> tensor<8192x4096xf32>
  return %8 : tensor<8192x4096xf32>
}
func.func @generics(%x: tensor<8192x4096xf32>, %w: tensor<4096xf32>, %b: tensor<4096xf32>) -> tensor<8192x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8192x4096xf32>
  %er = tensor.empty() : tensor<8192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<8192xf32>) -> tensor<8192xf32>
  %eps = arith.constant 1.0e-05 : f32
  %n = arith.constant 4096.0 : f32
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8192x4096xf32>) outs(%init : tensor<8192xf32>) {
    ^bb0(%l: f32, %o: f32):
      %y = arith.addf %l, %o : f32
      linalg.yield %y : f32
  } -> tensor<8192xf32>
  %mean = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%sum : tensor<8192xf32>) outs(%er : tensor<8192xf32>) {
    ^bb0(%l: f32, %o: f32):
      %y = arith.divf %l, %n : f32
      linalg.yield %y : f32
  } -> tensor<8192xf32>
  %d = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean : tensor<8192x4096xf32>, tensor<8192xf32>) outs(%e : tensor<8192x4096xf32>) {
    ^bb0(%l: f32, %h: f32, %o: f32):
      %y = arith.subf %l, %h : f32
      linalg.yield %y : f32
  } -> tensor<8192x4096xf32>
  %squares = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<8192x4096xf32>) outs(%init : tensor<8192xf32>) {
    ^bb0(%l: f32, %o: f32):
      %m = arith.mulf %l, %l : f32
      %y = arith.addf %m, %o : f32
      linalg.yield %y : f32
  } -> tensor<8192xf32>
  %root = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%squares : tensor<8192xf32>) outs(%er : tensor<8192xf32>) {
    ^bb0(%l: f32, %o: f32):
      %m = arith.divf %l, %n : f32
      %a = arith.addf %m, %eps : f32
      %y = math.rsqrt %a : f32
      linalg.yield %y : f32
  } -> tensor<8192xf32>
  %scaled = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]}
      ins(%d, %root : tensor<8192x4096xf32>, tensor<8192xf32>) outs(%e : tensor<8192x4096xf32>) {
    ^bb0(%l: f32, %h: f32, %o: f32):
      %y = arith.mulf %l, %h : f32
      linalg.yield %y : f32
  } -> tensor<8192x4096xf32>
  %weighted = linalg.generic {indexing_maps = [#m, #v, #m], iterator_types = ["parallel", "parallel"]}
      ins(%scaled, %w : tensor<8192x4096xf32>, tensor<4096xf32>) outs(%e : tensor<8192x4096xf32>) {
    ^bb0(%l: f32, %h: f32, %o: f32):
      %y = arith.mulf %l, %h : f32
      linalg.yield %y : f32
  } -> tensor<8192x4096xf32>
  %out = linalg.generic {indexing_maps = [#m, #v, #m], iterator_types = ["parallel", "parallel"]}
      ins(%weighted, %b : tensor<8192x4096xf32>, tensor<4096xf32>) outs(%e : tensor<8192x4096xf32>) {
    ^bb0(%l: f32, %h: f32, %o: f32):
      %y = arith.addf %l, %h : f32
      linalg.yield %y : f32
  } -> tensor<8192x4096xf32>
  return %out : tensor<8192x4096xf32>
}
// SOFTMAX: @op{{.*}}runtime = compiled, coverage = modelled, [[COST:time = [^>]*bound = dram, launches = 1]]>
// SOFTMAX: @primitives{{.*}}runtime = compiled, coverage = modelled, [[COST]]>
// SOFTMAX: @named{{.*}}runtime = compiled, coverage = modelled, [[COST]]>
// SOFTMAX: @generics{{.*}}runtime = compiled, coverage = modelled, [[COST]]>
//--- softmax.mlir
#m = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
#v = affine_map<(i, j) -> (j)>
#i = affine_map<(i) -> (i)>
func.func @op(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %0 = onnx.Softmax %x {axis = -1 : i64} : (tensor<8192x4096xf32>) -> tensor<8192x4096xf32>
  return %0 : tensor<8192x4096xf32>
}
func.func @primitives(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %0 = onnx.ReduceMax %x {axes = array<i64: -1>} : (tensor<8192x4096xf32>) -> tensor<8192x1xf32>
  %1 = onnx.Sub %x, %0 : (tensor<8192x4096xf32>, tensor<8192x1xf32>) -> tensor<8192x4096xf32>
  %2 = onnx.Exp %1 : (tensor<8192x4096xf32>) -> tensor<8192x4096xf32>
  %3 = onnx.ReduceSum %2 {axes = array<i64: -1>} : (tensor<8192x4096xf32>) -> tensor<8192x1xf32>
  %4 = onnx.Div %2, %3 : (tensor<8192x4096xf32>, tensor<8192x1xf32>) -> tensor<8192x4096xf32>
  return %4 : tensor<8192x4096xf32>
}
func.func @named(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %e = tensor.empty() : tensor<8192x4096xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<8192x4096xf32>) outs(%e : tensor<8192x4096xf32>) -> tensor<8192x4096xf32>
  return %0 : tensor<8192x4096xf32>
}
func.func @generics(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8192x4096xf32>
  %er = tensor.empty() : tensor<8192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%er : tensor<8192xf32>) -> tensor<8192xf32>
  %lowest = arith.constant 0xFF800000 : f32
  %least = linalg.fill ins(%lowest : f32) outs(%er : tensor<8192xf32>) -> tensor<8192xf32>
  %max = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8192x4096xf32>) outs(%least : tensor<8192xf32>) {
    ^bb0(%l: f32, %o: f32):
      %y = arith.maximumf %l, %o : f32
      linalg.yield %y : f32
  } -> tensor<8192xf32>
  %d = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<8192x4096xf32>, tensor<8192xf32>) outs(%e : tensor<8192x4096xf32>) {
    ^bb0(%l: f32, %h: f32, %o: f32):
      %y = arith.subf %l, %h : f32
      linalg.yield %y : f32
  } -> tensor<8192x4096xf32>
  %p = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%d : tensor<8192x4096xf32>) outs(%e : tensor<8192x4096xf32>) {
    ^bb0(%l: f32, %o: f32):
      %y = math.exp %l : f32
      linalg.yield %y : f32
  } -> tensor<8192x4096xf32>
  %sum = linalg.generic {indexing_maps = [#m, #r], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<8192x4096xf32>) outs(%init : tensor<8192xf32>) {
    ^bb0(%l: f32, %o: f32):
      %y = arith.addf %l, %o : f32
      linalg.yield %y : f32
  } -> tensor<8192xf32>
  %out = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p, %sum : tensor<8192x4096xf32>, tensor<8192xf32>) outs(%e : tensor<8192x4096xf32>) {
    ^bb0(%l: f32, %h: f32, %o: f32):
      %y = arith.divf %l, %h : f32
      linalg.yield %y : f32
  } -> tensor<8192x4096xf32>
  return %out : tensor<8192x4096xf32>
}
