// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir --gpucost-summarize --split-input-file --verify-diagnostics
// DEFINE: %{toy} = gpu-cost-opt --gpucost-set-target=target-file=%inputs/toy-target.mlir
// RUN: echo 'module {}' > %t.mlir
// RUN: not gpu-cost-opt %t.mlir --gpucost-summarize 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not %{toy} %t.mlir --gpucost-summarize=runtime=lazy 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUN: %{toy} %t.mlir --gpucost-summarize | FileCheck %s --check-prefix=EMPTY

// TARGET: error: expected a 'gpucost.target' attribute; run 'gpucost-set-target' first
// RUNTIME: error: unknown runtime 'lazy', expected eager, cudagraph or compiled

// An empty module takes no time; nothing is divided by zero.
// EMPTY: gpucost.summary = #gpucost.summary<time = 0 s, gpu_busy = 0 s, host = 0 s, energy = 0 J, average_power = 0 W, clock = 1 GHz, kernels = 0, flops = 0, dram_bytes = 0, peak_memory = 8519680, mfu = 0, phases = []>

func.func @no_tiling() {
  // expected-error @+1 {{'gpucost.kernel' op expected a 'tiling' attribute; run 'gpucost-select-tiling' first}}
  gpucost.kernel "relu" attributes {work = #gpucost.work<family = elementwise, instructions = relu, format = fp32, problem = #gpucost.elements<count = 4>>} {
  }
  return
}

// -----

func.func @no_power() {
  // expected-error @+1 {{'gpucost.kernel' op expected a 'power' attribute; run 'gpucost-predict-power' first}}
  gpucost.kernel "relu" attributes {tiling = #gpucost.tiling<occupancy = 0>, work = #gpucost.work<family = elementwise, instructions = relu, format = fp32, problem = #gpucost.elements<count = 4>>} {
  }
  return
}
