// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries of a compiler between its passes: a matmul and an add cost the same
// in every form, after tiling, bufferization, in loops and launches;
// an op that is not understood is one launch and a bound.
// RUN: split-file %s %t
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%plugin --allow-unregistered-dialect
// DEFINE: %{a} = gpucost-annotate{target-file=%examples/a100.mlir target=bf16}

// Named, generalized, bufferized: 92.5 and 32.3 us.
// RUN: %{opt} --pass-pipeline='builtin.module(func.func(%{a}))' %t/named.mlir | FileCheck %s --check-prefix=PAIR
// RUN: %{opt} --pass-pipeline='builtin.module(func.func(linalg-generalize-named-ops,%{a}))' %t/named.mlir | FileCheck %s --check-prefix=PAIR
// RUN: %{opt} --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries=1},func.func(%{a}))' %t/named.mlir | FileCheck %s --check-prefix=PAIR
// PAIR: time = 124.8 us{{.*}}launches = 2>
// PAIR: time = 92.53{{.*}}launches = 1>
// PAIR: time = 32.26{{.*}}launches = 1>

// A chain: 3 + 2 + 3 passes over 32 MiB; fused by upstream, 3.
// RUN: %{opt} --pass-pipeline='builtin.module(func.func(%{a}))' %t/chain.mlir | FileCheck %s --check-prefix=CHAIN
// RUN: %{opt} --pass-pipeline='builtin.module(func.func(linalg-generalize-named-ops,linalg-fuse-elementwise-ops,%{a}))' %t/chain.mlir | FileCheck %s --check-prefix=FUSED
// RUN: %{opt} --pass-pipeline='builtin.module(func.func(gpucost-annotate{target-file=%examples/a100.mlir target=bf16 runtime=compiled}))' %t/chain.mlir | FileCheck %s --check-prefix=COMPILED
// CHAIN: time = 172.{{.*}}launches = 3>
// FUSED: time = 64.19 us{{.*}}launches = 1>
// COMPILED: time = 64.19 us{{.*}}launches = 1>

// CTA tiles with K steps, ragged, on buffers: one kernel, modelled.
// RUN: %{opt} --pass-pipeline='builtin.module(transform-interpreter,canonicalize,%{a})' %t/tile.mlir | FileCheck %s --check-prefix=TILED
// RUN: sed 's/128, 128\]/512, 64]/' %t/tile.mlir | %{opt} --pass-pipeline='builtin.module(transform-interpreter,canonicalize,%{a})' | FileCheck %s --check-prefix=TILED
// RUN: sed 's/128, 128\]/96, 160]/' %t/tile.mlir | %{opt} --pass-pipeline='builtin.module(transform-interpreter,canonicalize,%{a})' | FileCheck %s --check-prefix=TILED
// RUN: %{opt} --pass-pipeline='builtin.module(transform-interpreter,canonicalize,one-shot-bufferize{bufferize-function-boundaries=1},canonicalize,%{a})' %t/tile.mlir | FileCheck %s --check-prefix=TILED
// TILED: func.func @forward{{.*}}coverage = modelled, time = {{[0-9.]+}} us{{.*}}launches = 1>
// TILED: scf.forall
// TILED: coverage = modelled, time = {{[0-9.]+}} us{{.*}}launches = 1>
// TILED-NOT: gpucost.cost

// A cast of bits in a nest, an op of an unknown dialect: one launch, at least.
// RUN: %{opt} --pass-pipeline='builtin.module(%{a})' %t/unknown.mlir | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: func.func @vectors
// UNKNOWN: coverage = fallback, {{.*}}launches = 1, reason = "{{.*}}vector.bitcast{{.*}}">}
// UNKNOWN: func.func @foreign
// UNKNOWN: "foreign.dot"{{.*}}coverage = fallback, {{.*}}launches = 1, reason = "'foreign.dot': no cost rule">}

// Launches, inner modules, TOSA.
// RUN: %{opt} --pass-pipeline='builtin.module(%{a})' %t/launch.mlir | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: gpu.func @kernel
// LAUNCH-NOT: gpucost.cost
// LAUNCH: func.func @launches
// LAUNCH: gpu.launch_func{{.*}}gpucost.cost = #gpucost.cost<{{.*}}launches = 1
// LAUNCH: func.func @inner
// LAUNCH: linalg.exp {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = modelled, time = {{[0-9.]+}} us{{.*}}launches = 1>}
// LAUNCH: func.func @tosa
// LAUNCH: tosa.conv2d {{.*}}gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = modelled

// Dynamic sizes: the symbol, or its value.
// RUN: %{opt} --pass-pipeline='builtin.module(%{a})' %t/dynamic.mlir | FileCheck %s --check-prefix=DYNAMIC
// RUN: %{opt} --pass-pipeline='builtin.module(gpucost-annotate{target=a100-bf16 bind=arg0.0:4096})' %t/dynamic.mlir | FileCheck %s --check-prefix=BOUND
// DYNAMIC: arith.constant 0
// DYNAMIC-NOT: gpucost.cost
// DYNAMIC: linalg.exp {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = fallback, {{.*}}high = open, {{.*}}launches = 1, reason = "symbolic dimension 'arg0.0'
// BOUND: linalg.exp {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = modelled, time = {{[0-9.]+}} us

//--- named.mlir
func.func @forward(%a: tensor<2048x1024xbf16>, %b: tensor<1024x4096xbf16>, %c: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<2048x4096xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
  %p = linalg.matmul ins(%a, %b : tensor<2048x1024xbf16>, tensor<1024x4096xbf16>) outs(%f : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
  %s = linalg.add ins(%p, %c : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>) outs(%e : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
  return %s : tensor<2048x4096xbf16>
}
//--- chain.mlir
func.func @chain(%a: tensor<4096x4096xbf16>, %b: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %e = tensor.empty() : tensor<4096x4096xbf16>
  %0 = linalg.add ins(%a, %b : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) outs(%e : tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %1 = linalg.exp ins(%0 : tensor<4096x4096xbf16>) outs(%e : tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %2 = linalg.mul ins(%1, %b : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) outs(%e : tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %2 : tensor<4096x4096xbf16>
}
//--- tile.mlir
module attributes {transform.with_named_sequence} {
  func.func @forward(%a: tensor<2050x1024xbf16>, %b: tensor<1024x4096xbf16>, %c: tensor<2050x4096xbf16>) -> tensor<2050x4096xbf16> {
    %p = linalg.matmul ins(%a, %b : tensor<2050x1024xbf16>, tensor<1024x4096xbf16>) outs(%c : tensor<2050x4096xbf16>) -> tensor<2050x4096xbf16>
    return %p : tensor<2050x4096xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %grid = transform.structured.tile_using_forall %mm tile_sizes [128, 128] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %step, %loop = transform.structured.tile_using_for %tile tile_sizes [0, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
//--- unknown.mlir
func.func @vectors(%a: tensor<2048x1024xbf16>, %o: tensor<2048x1024xbf16>) -> tensor<2048x1024xbf16> {
  %zero = arith.constant 0.0 : bf16
  %c0 = arith.constant 0 : index
  %r = scf.forall (%i) = (0) to (2048) step (128) shared_outs(%out = %o) -> (tensor<2048x1024xbf16>) {
    %at = tensor.extract_slice %a[%i, 0] [128, 1024] [1, 1] : tensor<2048x1024xbf16> to tensor<128x1024xbf16>
    %ot = tensor.extract_slice %out[%i, 0] [128, 1024] [1, 1] : tensor<2048x1024xbf16> to tensor<128x1024xbf16>
    %v = vector.transfer_read %at[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<128x1024xbf16>, vector<128x1024xbf16>
    %bits = vector.bitcast %v : vector<128x1024xbf16> to vector<128x1024xi16>
    %w = vector.bitcast %bits : vector<128x1024xi16> to vector<128x1024xbf16>
    %t = vector.transfer_write %w, %ot[%c0, %c0] {in_bounds = [true, true]} : vector<128x1024xbf16>, tensor<128x1024xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %out[%i, 0] [128, 1024] [1, 1] : tensor<128x1024xbf16> into tensor<2048x1024xbf16>
    }
  } {mapping = [#gpu.block<x>]}
  return %r : tensor<2048x1024xbf16>
}
func.func @foreign(%a: tensor<2048x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<2048x1024xbf16> {
  %r = "foreign.dot"(%a, %b) : (tensor<2048x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<2048x1024xbf16>
  return %r : tensor<2048x1024xbf16>
}
//--- launch.mlir
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%a: memref<1048576xf32>, %b: memref<1048576xf32>) kernel {
      %block = gpu.block_id x
      %thread = gpu.thread_id x
      %size = gpu.block_dim x
      %first = arith.muli %block, %size : index
      %i = arith.addi %first, %thread : index
      %x = memref.load %a[%i] : memref<1048576xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %b[%i] : memref<1048576xf32>
      gpu.return
    }
  }
  func.func @launches(%a: memref<1048576xf32>, %b: memref<1048576xf32>) {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c4096 = arith.constant 4096 : index
    gpu.launch_func @kernels::@kernel blocks in (%c4096, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%a : memref<1048576xf32>, %b : memref<1048576xf32>)
    return
  }
  module @nested {
    func.func @inner(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
      %e = tensor.empty() : tensor<512x512xf32>
      %r = linalg.exp ins(%a : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
      return %r : tensor<512x512xf32>
    }
  }
  func.func @tosa(%x: tensor<1x32x32x64xf16>, %w: tensor<64x3x3x64xf16>, %b: tensor<64xf16>) -> tensor<1x32x32x64xf16> {
    %z = "tosa.const"() {values = dense<0.0> : tensor<1xf16>} : () -> tensor<1xf16>
    %c = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
        : (tensor<1x32x32x64xf16>, tensor<64x3x3x64xf16>, tensor<64xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x32x32x64xf16>
    return %c : tensor<1x32x32x64xf16>
  }
}
//--- dynamic.mlir
func.func @main(%a: tensor<?x4096xbf16>) -> tensor<?x4096xbf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x4096xbf16>
  %o = tensor.empty(%n) : tensor<?x4096xbf16>
  %e = linalg.exp ins(%a : tensor<?x4096xbf16>) outs(%o : tensor<?x4096xbf16>) -> tensor<?x4096xbf16>
  return %e : tensor<?x4096xbf16>
}
