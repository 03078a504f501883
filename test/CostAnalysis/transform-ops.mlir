// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transform scripts that query costs, in a stock mlir-opt.
// RUN: split-file %s %t
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%plugin --transform-interpreter
// RUN: %{opt} %t/estimate.mlir -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=ESTIMATE
// RUN: %{opt} %t/tile.mlir 2>%t/remarks | FileCheck %s --check-prefix=TILE
// RUN: FileCheck %s --check-prefix=PICKED < %t/remarks
// RUN: sed 's/a100-bf16/l4-bf16/' %t/tile.mlir | %{opt} 2>&1 | FileCheck %s --check-prefix=L4
// RUN: %{opt} %t/fuse.mlir 2>%t/remarks | FileCheck %s --check-prefix=FUSE
// RUN: FileCheck %s --check-prefix=WHY < %t/remarks
// RUN: not %{opt} %t/expect.mlir 2>&1 | FileCheck %s --check-prefix=EXPECT
// RUN: not %{opt} %t/errors.mlir 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %{opt} %t/invalid.mlir --split-input-file --verify-diagnostics

// Only the add: 3 x 16 MiB. Add and exp in one kernel move as much as the add;
// in two kernels they move 2 x 16 MiB more.
// ESTIMATE: remark: add [[#ADD:]] : i64
// ESTIMATE: remark: apart [[#ADD]] : i64, {{2[0-9][0-9][0-9][0-9]}} : i64
// ESTIMATE: remark: together {{3[0-9][0-9][0-9][0-9]}} : i64
// ESTIMATE: remark: runtimes "as-written", "as-written"
// ESTIMATE: remark: runtime "compiled"
//--- estimate.mlir
module attributes {gpucost.scenario = #gpucost.scenario<target = "a100-bf16">, transform.with_named_sequence} {
  func.func @main(%a: tensor<2048x4096xbf16>, %b: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
    %s = linalg.add ins(%a, %b : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>)
        outs(%a : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %e = linalg.exp ins(%s : tensor<2048x4096xbf16>) outs(%a : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    return %e : tensor<2048x4096xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %both = transform.structured.match ops{["linalg.add", "linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.gpucost.estimate %add : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %0, "add" : !transform.param<i64>
    %1 = transform.gpucost.estimate %both : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %1, "apart" : !transform.param<i64>
    %2 = transform.gpucost.estimate %both as_kernel : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %2, "together" : !transform.param<i64>
    %3, %each = transform.gpucost.estimate %both : (!transform.any_op) -> (!transform.param<i64>, !transform.any_param)
    transform.debug.emit_param_as_remark %each, "runtimes" : !transform.any_param
    %4, %one = transform.gpucost.estimate %both as_kernel : (!transform.any_op) -> (!transform.param<i64>, !transform.any_param)
    transform.debug.emit_param_as_remark %one, "runtime" : !transform.any_param
    transform.yield
  }
}

// The tile goes into the loop; another GPU gets another one.
// PICKED: remark: rows [[#%u,M:]]
// PICKED: remark: columns [[#%u,N:]]
// PICKED: remark: energy {{[0-9]+}}
// TILE: scf.forall (%{{.*}}, %{{.*}}) in ([[#%u,]], [[#%u,]])
// TILE: linalg.matmul
// L4: remark: rows {{[0-9]+}}
//--- tile.mlir
module attributes {gpucost.scenario = #gpucost.scenario<target = "a100-bf16">, transform.with_named_sequence} {
  func.func @main(%a: tensor<2048x1024xbf16>, %b: tensor<1024x4096xbf16>, %c: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
    %p = linalg.matmul ins(%a, %b : tensor<2048x1024xbf16>, tensor<1024x4096xbf16>)
        outs(%c : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    return %p : tensor<2048x4096xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %m, %n, %k, %ns = transform.gpucost.pick_tile %mm from [32, 64, 128, 256] x [32, 64, 128, 256] x [32, 64]
        : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.debug.emit_param_as_remark %m, "rows" : !transform.param<i64>
    transform.debug.emit_param_as_remark %n, "columns" : !transform.param<i64>
    %em, %en, %ek, %ens = transform.gpucost.pick_tile %mm from [64, 128] x [64, 128] {objective = "energy"}
        : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
    transform.debug.emit_param_as_remark %em, "energy" : !transform.param<i64>
    %tiled, %loop = transform.structured.tile_using_forall %mm tile_sizes [%m, %n] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// The chain is fused; a value with two readers is not computed twice.
// FUSE: linalg.generic
// FUSE: arith.addf
// FUSE-NEXT: math.exp
// FUSE: linalg.generic
// FUSE: arith.mulf
// FUSE: linalg.generic
// FUSE: arith.subf
// WHY: remark: not fused: {{[0-9.]+}} us (compiled) instead of {{[0-9.]+}} us (as-written) is not faster with the required confidence
//--- fuse.mlir
#id = affine_map<(i, j) -> (i, j)>
module attributes {gpucost.scenario = #gpucost.scenario<target = "a100-bf16">, transform.with_named_sequence} {
  func.func @main(%a: tensor<4096x4096xf32>, %b: tensor<4096x4096xf32>)
      -> (tensor<4096x4096xf32>, tensor<4096x4096xf32>) {
    %o = tensor.empty() : tensor<4096x4096xf32>
    %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a, %b : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%o : tensor<4096x4096xf32>) attrs = {first} {
      ^bb0(%x: f32, %y: f32, %z: f32):
        %r = arith.addf %x, %y : f32
        linalg.yield %r : f32
    } -> tensor<4096x4096xf32>
    %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%s : tensor<4096x4096xf32>) outs(%o : tensor<4096x4096xf32>) attrs = {second} {
      ^bb0(%x: f32, %z: f32):
        %r = math.exp %x : f32
        linalg.yield %r : f32
    } -> tensor<4096x4096xf32>
    %m = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%e, %b : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%o : tensor<4096x4096xf32>) attrs = {third} {
      ^bb0(%x: f32, %y: f32, %z: f32):
        %r = arith.mulf %x, %y : f32
        linalg.yield %r : f32
    } -> tensor<4096x4096xf32>
    %t = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%e, %a : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%o : tensor<4096x4096xf32>) {
      ^bb0(%x: f32, %y: f32, %z: f32):
        %r = arith.subf %x, %y : f32
        linalg.yield %r : f32
    } -> tensor<4096x4096xf32>
    return %m, %t : tensor<4096x4096xf32>, tensor<4096x4096xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %first = transform.structured.match attributes {first} in %root : (!transform.any_op) -> !transform.any_op
    %second = transform.structured.match attributes {second} in %root : (!transform.any_op) -> !transform.any_op
    %third = transform.structured.match attributes {third} in %root : (!transform.any_op) -> !transform.any_op
    %chain, %yes = transform.gpucost.fuse_if_faster %first into %second
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.param<i64>)
    %twice, %no = transform.gpucost.fuse_if_faster %chain into %third {confidence = 0.9 : f64}
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.param<i64>)
    transform.yield
  }
}

// EXPECT: error: expected the first ops to be faster: {{[0-9.]+}} us (as-written) against {{[0-9.]+}} us (as-written)
//--- expect.mlir
module attributes {gpucost.scenario = #gpucost.scenario<target = "a100-bf16">, transform.with_named_sequence} {
  func.func @main(%a: tensor<2048x4096xbf16>, %b: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
    %s = linalg.add ins(%a, %b : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>)
        outs(%a : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    %e = linalg.exp ins(%s : tensor<2048x4096xbf16>) outs(%a : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
    return %e : tensor<2048x4096xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.gpucost.expect_faster %exp than %add {confidence = 0.8 : f64} : !transform.any_op, !transform.any_op
    transform.gpucost.expect_faster %add than %exp : !transform.any_op, !transform.any_op
    transform.yield
  }
}

// ERROR: error: {{.*}}no cost: unknown (no target
//--- errors.mlir
module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
    %s = linalg.exp ins(%a : tensor<64x64xbf16>) outs(%a : tensor<64x64xbf16>) -> tensor<64x64xbf16>
    return %s : tensor<64x64xbf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %0 = transform.gpucost.estimate %exp : (!transform.any_op) -> !transform.param<i64>
    transform.yield
  }
}

//--- invalid.mlir
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op):
  // expected-error @+1 {{attribute 'confidence' failed to satisfy constraint: 64-bit float attribute in 0..1}}
  transform.gpucost.expect_faster %op than %op {confidence = 1.5 : f64} : !transform.any_op, !transform.any_op
}

// -----

transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op):
  // expected-error @+1 {{attribute 'rows' failed to satisfy constraint: i64 dense array attribute with at least one size, each in 1..4096}}
  %m, %n, %k, %ns = transform.gpucost.pick_tile %op from [0] x [64]
      : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
}

// -----

transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op):
  // expected-error @+1 {{attribute 'objective' failed to satisfy constraint: string attribute that is 'time', 'energy' or 'energy_delay'}}
  %m, %n, %k, %ns = transform.gpucost.pick_tile %op from [64] x [64] {objective = "speed"}
      : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
}
