// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir --gpucost-predict-power --split-input-file --verify-diagnostics
// DEFINE: %{toy} = gpu-cost-opt --gpucost-set-target=target-file=%inputs/toy-target.mlir
// RUN: echo 'module {}' > %t.mlir
// RUN: not gpu-cost-opt %t.mlir --gpucost-predict-power 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not %{toy} %t.mlir --gpucost-predict-power=power-limit=-100 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not %{toy} %t.mlir --gpucost-predict-power=runtime=lazy 2>&1 | FileCheck %s --check-prefix=RUNTIME

// TARGET: error: expected a 'gpucost.target' attribute; run 'gpucost-set-target' first
// LIMIT: error: expected a positive power limit, but got -100 W
// RUNTIME: error: unknown runtime 'lazy', expected eager, cudagraph or compiled

func.func @no_work() {
  // expected-error @+1 {{'gpucost.kernel' op expected a 'work' attribute; run 'gpucost-annotate-work' first}}
  gpucost.kernel "relu" {
  }
  return
}

// -----

func.func @no_tiling() {
  // expected-error @+1 {{'gpucost.kernel' op expected a 'tiling' attribute; run 'gpucost-select-tiling' first}}
  gpucost.kernel "relu" attributes {work = #gpucost.work<family = elementwise, instructions = relu, format = fp32, problem = #gpucost.elements<count = 4>>} {
  }
  return
}

// -----

func.func @no_time() {
  // expected-error @+1 {{'gpucost.kernel' op expected a 'time' attribute; run 'gpucost-predict-time' first}}
  gpucost.kernel "relu" attributes {tiling = #gpucost.tiling<occupancy = 0>, work = #gpucost.work<family = elementwise, instructions = relu, format = fp32, problem = #gpucost.elements<count = 4>>} {
  }
  return
}
