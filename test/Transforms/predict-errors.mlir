// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir --gpucost-predict --split-input-file --verify-diagnostics

// DEFINE: %{toy} = gpu-cost-opt --gpucost-set-target=target-file=%inputs/toy-target.mlir
// RUN: echo 'module {}' > %t.mlir
// RUN: not gpu-cost-opt %t.mlir --gpucost-predict 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not %{toy} %t.mlir --gpucost-predict=power-limit=-100 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not %{toy} %t.mlir --gpucost-predict=runtime=lazy 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUN: not %{toy} %t.mlir --gpucost-predict=clock=1001 2>&1 | FileCheck %s --check-prefix=ABOVE
// RUN: not %{toy} %t.mlir --gpucost-predict=clock=-5 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: %{toy} %t.mlir --gpucost-predict | FileCheck %s --check-prefix=EMPTY

// TARGET: error: expected a 'gpucost.target' attribute; run 'gpucost-set-target' first
// ABOVE: error: clock 1001 MHz is outside the range of 'toy-target' (150 to 1000 MHz)
// BELOW: --clock expects more than 0 MHz, but got '-5'
// LIMIT: --power-limit expects more than 0 W, but got '-100'
// RUNTIME: unknown value 'lazy' of --runtime, expected eager, cudagraph, compiled or as-written

// An empty module takes no time; nothing is divided by zero.
// EMPTY: gpucost.summary = #gpucost.summary<time = 0 s, gpu_busy = 0 s, host = 0 s, energy = 0 J, average_power = 0 W, clock = 1 GHz, kernels = 0, flops = 0, dram_bytes = 0, peak_memory = 8519680, mfu = 0, phases = []>

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

// A tiling that was written by hand must be one that the kernel can run with.
func.func @no_tile() {
  // expected-error @+1 {{expected a tile and a split of K for a tensor-core GEMM, but got 0 x 0, 1}}
  gpucost.kernel "matmul" attributes {tiling = #gpucost.tiling<sm_utilization = 0>, work = #gpucost.work<family = matmul, format = bf16, input_bits = 16, output_bits = 16, problem = #gpucost.matmul<m = 128, n = 128, k = 128>>} {
  }
  return
}

// -----

// A kernel that was written by hand must be one that can do the work: fp32 has no tensor cores here.
func.func @wrong_kernel() {
  // expected-error @+1 {{kernel 'cublas-tensor': }}
  gpucost.kernel "matmul" attributes {tiling = #gpucost.tiling<tile_m = 128, tile_n = 128, ctas = 1, waves = 1, sm_utilization = 1, implementation = "cublas-tensor">, work = #gpucost.work<family = matmul, format = fp32, problem = #gpucost.matmul<m = 128, n = 128, k = 128>>} {
  }
  return
}

// -----

func.func @kernel_of_others() {
  // expected-error @+1 {{kernel 'cublas-tensor' is not of family 'elementwise'}}
  gpucost.kernel "relu" attributes {tiling = #gpucost.tiling<sm_utilization = 0, implementation = "cublas-tensor">, work = #gpucost.work<family = elementwise, instructions = relu, format = fp32, problem = #gpucost.elements<count = 1024>, fp32_flops = 1024, bytes_read = 4096, bytes_written = 4096>} {
  }
  return
}
