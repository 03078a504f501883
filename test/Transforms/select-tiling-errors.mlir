// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir --gpucost-select-tiling --split-input-file --verify-diagnostics
// RUN: not gpu-cost-opt %s --gpucost-select-tiling 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: error: expected a 'gpucost.target' attribute; run 'gpucost-set-target' first

func.func @no_work() {
  // expected-error @+1 {{'gpucost.kernel' op expected a 'work' attribute; run 'gpucost-annotate-work' first}}
  gpucost.kernel "relu" {
  }
  return
}

// -----

// The first one that lacks it is named, not the first one.
func.func @second() {
  gpucost.kernel "relu" attributes {work = #gpucost.work<family = elementwise, instructions = relu, format = fp32, problem = #gpucost.elements<count = 4>>} {
  }
  // expected-error @+1 {{'gpucost.kernel' op expected a 'work' attribute}}
  gpucost.kernel "tanh" {
  }
  return
}
