// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotations between upstream passes do not change the output of these passes: after
// gpucost-strip the output is the same to the byte.
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%plugin
// DEFINE: %{annotate} = gpucost-annotate{target=a100-bf16}

// Generalize, fuse, bufferize, loops.
// RUN: %{opt} --pass-pipeline='builtin.module(func.func(linalg-generalize-named-ops,linalg-fuse-elementwise-ops),one-shot-bufferize{bufferize-function-boundaries=1},func.func(convert-linalg-to-loops))' %s > %t.plain
// RUN: %{opt} --pass-pipeline='builtin.module(func.func(%{annotate},linalg-generalize-named-ops,%{annotate},linalg-fuse-elementwise-ops,%{annotate}),one-shot-bufferize{bufferize-function-boundaries=1},%{annotate},func.func(convert-linalg-to-loops,%{annotate}),gpucost-strip)' %s > %t.annotated
// RUN: cmp %t.plain %t.annotated
// RUN: FileCheck %s --check-prefix=LOOPS < %t.plain
// LOOPS: memref.load

// Tile, vectorize, by a transform script.
// RUN: %{opt} --pass-pipeline='builtin.module(transform-interpreter,func.func(canonicalize,cse))' %s > %t.plain
// RUN: %{opt} --pass-pipeline='builtin.module(func.func(%{annotate}),transform-interpreter,%{annotate},func.func(canonicalize,%{annotate},cse,%{annotate}),gpucost-strip)' %s > %t.annotated
// RUN: cmp %t.plain %t.annotated
// RUN: FileCheck %s --check-prefix=VECTORS < %t.plain
// VECTORS: scf.forall
// VECTORS: vector.contract

// The attributes of gpucost-analyze are removed as well.
// RUN: %{opt} --pass-pipeline='builtin.module(gpucost-analyze{target=a100-bf16 precision-mode=as-is entry=main},gpucost-strip{all},one-shot-bufferize{bufferize-function-boundaries=1})' %s | FileCheck %s --check-prefix=ALL --implicit-check-not=gpucost
// ALL: linalg.matmul
// ALL: linalg.exp

module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<256x512xbf16>, %b: tensor<512x256xbf16>, %c: tensor<256x256xbf16>)
      -> tensor<256x256xbf16> {
    %zero = arith.constant 0.0 : bf16
    %empty = tensor.empty() : tensor<256x256xbf16>
    %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %p = linalg.matmul ins(%a, %b : tensor<256x512xbf16>, tensor<512x256xbf16>)
        outs(%init : tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %s = linalg.add ins(%p, %c : tensor<256x256xbf16>, tensor<256x256xbf16>)
        outs(%empty : tensor<256x256xbf16>) -> tensor<256x256xbf16>
    %e = linalg.exp ins(%s : tensor<256x256xbf16>)
        outs(%empty : tensor<256x256xbf16>) -> tensor<256x256xbf16>
    return %e : tensor<256x256xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %mm tile_sizes [64, 64] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %step, %inner = transform.structured.tile_using_for %tiled tile_sizes [0, 0, 32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
