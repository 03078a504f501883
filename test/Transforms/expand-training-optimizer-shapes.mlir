// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{kind} = adafactor
// DEFINE: %{run} = gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=%{kind} lbfgs-history=2},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s

// Optimizers whose kernels depend on the shapes of the parameters: a matrix of
// 1000 x 300 (1,200,000 bytes), a vector of 300.

// (O15) A number for each row and each column of the matrix; the vector has all
// its elements. Two norms of each parameter are read by the host.
// RUN: %{run} --check-prefix=FACTORED
// FACTORED: role optimizer_state>} : () -> tensor<300xf32>
// FACTORED: role optimizer_state>} : () -> tensor<1000xf32>
// FACTORED: role optimizer_state>} : () -> tensor<300xf32>
// FACTORED-NOT: role optimizer_state
// FACTORED: kernel "norm of param" attributes {{.*}}gpucost.synchronizes{{.*}}count = 300>, {{.*}}bytes_read = 1200>
// FACTORED: kernel "norm of param" attributes {{.*}}gpucost.synchronizes{{.*}}count = 300000>, {{.*}}bytes_read = 1200000>
// FACTORED: kernel "norms of rows" {{.*}}bytes_read = 1200000>
// FACTORED: kernel "row means *=" {{.*}}bytes_read = 4000, bytes_written = 4000>
// FACTORED: kernel "row means /=" {{.*}}bytes_read = 4000, bytes_written = 4000>
// FACTORED: kernel "row_var lerp" {{.*}}bytes_read = 8000, bytes_written = 4000>
// FACTORED: kernel "norms of columns" {{.*}}bytes_read = 1200000>
// FACTORED: kernel "column means *=" {{.*}}bytes_read = 1200, bytes_written = 1200>
// FACTORED: kernel "column means /=" {{.*}}bytes_read = 1200, bytes_written = 1200>
// FACTORED: kernel "col_var lerp" {{.*}}bytes_read = 2400, bytes_written = 1200>
// FACTORED: kernel "row_var col_var" {{.*}}bytes_written = 1200000>
// FACTORED: kernel "mean of row_var" {{.*}}bytes_read = 4000>
// FACTORED: kernel "/= mean" {{.*}}bytes_read = 1200000, bytes_written = 1200000>
// FACTORED: kernel "grad^2" {{.*}}bytes_read = 1200, bytes_written = 1200>
// FACTORED: kernel "variance lerp" {{.*}}bytes_read = 2400, bytes_written = 1200>
// FACTORED: kernel "variance copy" {{.*}}bytes_read = 1200, bytes_written = 1200>
// FACTORED: kernel "clamp" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// FACTORED: kernel "rsqrt" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// FACTORED: kernel "*= grad" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// FACTORED: kernel "norm of update" {{.*}}bytes_read = 1200>
// FACTORED: kernel "norm of update" {{.*}}bytes_read = 1200000>
// FACTORED: kernel "param += -lr update" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// FACTORED-NOT: gpucost.kernel

// (O14) Five iterations on the transposed matrix: 300 x 1000 by its transpose,
// 300 x 300 squared, and 300 x 300 by 300 x 1000:
// 2*300*300*(1000 + 300 + 1000) = 414,000,000 FLOP each. AdamW updates the vector.
// REDEFINE: %{kind} = muon
// RUN: %{run} --check-prefix=MUON
// MUON-COUNT-2: role optimizer_state>} : () -> tensor<300xf32>
// MUON: role optimizer_state>} : () -> tensor<300000xf32>
// MUON-NOT: role optimizer_state
// MUON: kernel "momentum lerp" {{.*}}bytes_read = 2400000, bytes_written = 1200000>
// MUON: kernel "grad lerp" {{.*}}bytes_read = 2400000, bytes_written = 1200000>
// MUON: kernel "param *= decay" {{.*}}bytes_read = 1200000, bytes_written = 1200000>
// MUON: kernel "Cast" {{.*}}bytes_read = 1200000, bytes_written = 600000>
// MUON: kernel "norm of update" {{.*}}bytes_read = 600000>
// MUON: kernel "/= norm" {{.*}}bytes_read = 600000, bytes_written = 600000>
// MUON: kernel "Gemm" attributes {gpucost.origin = "orthogonalization", {{.*}}format = bf16, {{.*}}m = 300, n = 300, k = 1000{{.*}}tensor_flops = 180000000,
// MUON: kernel "Gemm" {{.*}}m = 300, n = 300, k = 300{{.*}}tensor_flops = 54000000,
// MUON: kernel "Gemm" {{.*}}m = 300, n = 1000, k = 300{{.*}}tensor_flops = 180000000,
// MUON-COUNT-12: kernel "Gemm"
// MUON-NOT: kernel "Gemm"
// MUON: kernel "param += -lr update" {{.*}}bytes_read = 1800000, bytes_written = 1200000>
// MUON: kernel "weight decay" {{.*}}count = 300>
// MUON: kernel "param addcdiv" {{.*}}count = 300>
// MUON-NOT: gpucost.kernel

// (O16) All 300,300 elements are one tensor. Besides 2 x 2 tensors of the
// history, a direction and a gradient are kept; the four steps of the history run twice.
// REDEFINE: %{kind} = lbfgs
// RUN: %{run} --check-prefix=HISTORY
// HISTORY: role optimizer_state>} : () -> tensor<1201200xf32>
// HISTORY-COUNT-2: role optimizer_state>} : () -> tensor<300300xf32>
// HISTORY-NOT: role optimizer_state
// HISTORY: kernel "gather gradients" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// HISTORY: kernel "abs" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// HISTORY: kernel "max" attributes {{.*}}gpucost.synchronizes{{.*}}bytes_read = 1201200>
// HISTORY: kernel "grad - prev" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// HISTORY: kernel "t d" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// HISTORY: kernel "y s" attributes {{.*}}gpucost.synchronizes{{.*}}bytes_read = 2402400>
// HISTORY: kernel "y y" {{.*}}bytes_read = 1201200>
// HISTORY: kernel "-grad" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// HISTORY: kernel "s q" {{.*}}bytes_read = 2402400>
// HISTORY: kernel "q += y" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// HISTORY: kernel "s q"
// HISTORY: kernel "q += y"
// HISTORY: kernel "d = H q" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// HISTORY: kernel "y d" {{.*}}bytes_read = 2402400>
// HISTORY: kernel "d += s" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// HISTORY: kernel "y d"
// HISTORY: kernel "d += s"
// HISTORY: kernel "prev = grad" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// HISTORY: kernel "grad d" attributes {{.*}}gpucost.synchronizes{{.*}}bytes_read = 2402400>
// HISTORY: kernel "param += t d" {{.*}}bytes_read = 2400, bytes_written = 1200>
// HISTORY: kernel "param += t d" {{.*}}bytes_read = 2400000, bytes_written = 1200000>
// HISTORY: kernel "abs of t d" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// HISTORY: kernel "max of t d" attributes {{.*}}gpucost.synchronizes{{.*}}bytes_read = 1201200>
// HISTORY-NOT: gpucost.kernel
func.func @step(%x: tensor<8x1000xf32>) -> tensor<8x300xf32> {
  %w = onnx.Parameter {name = "w"} : () -> tensor<1000x300xf32>
  %b = onnx.Parameter {name = "b"} : () -> tensor<300xf32>
  %0 = onnx.Gemm %x, %w, %b : (tensor<8x1000xf32>, tensor<1000x300xf32>, tensor<300xf32>) -> tensor<8x300xf32>
  return %0 : tensor<8x300xf32>
}
