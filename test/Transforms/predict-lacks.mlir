// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: sed 's/, runtime = #runtime>/>/' %inputs/toy-target.mlir > %t.runtime.mlir
// RUN: sed 's/ power = #power,//' %inputs/toy-target.mlir > %t.power.mlir
// RUN: not gpu-cost-opt %s --gpucost-set-target=target-file=%t.power.mlir --gpucost-predict 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not gpu-cost-opt %s --gpucost-set-target=target-file=%t.runtime.mlir --gpucost-predict 2>&1 | FileCheck %s --check-prefix=RUNTIME

// Coefficients that a set leaves out are unknown: an error, never what happens to be
// in memory.
// POWER: error: no power coefficients for {{'?}}toy-target
// RUNTIME: error: no runtime coefficients for {{'?}}toy-target
func.func @relu() {
  gpucost.kernel "relu" attributes {power = #gpucost.power<average = 20 W, energy = 2.4 mJ, clock = 1 GHz>, time = #gpucost.time<total = 120 us, compute = 1 us, l2 = 1.2 us, dram = 120 us, fixed = 0 s, bound = dram, clock = 1 GHz>, tiling = #gpucost.tiling<sm_utilization = 0>, work = #gpucost.work<family = elementwise, instructions = relu, format = fp32, problem = #gpucost.elements<count = 4>>} {
  }
  return
}
