// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{options} =
// DEFINE: %{run} = gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none %{options}},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s

// (O2) Fused kernels read and write each tensor once; 25,000,500 floats are 100,002,000
// bytes. (O3) They are 381.5 chunks with 65,536 elements and one with 500, at most 320 in one
// launch: two launches with half the elements, 50,001,000 bytes a tensor.
// REDEFINE: %{options} = optimizer=sgd optimizer-variant=fused
// RUN: %{run} --check-prefix=SGD
// SGD: kernel "fused sgd" attributes {count = 2 : i64, {{.*}}count = 12500250>, {{.*}}bytes_read = 100002000, bytes_written = 50001000>
// SGD-NOT: gpucost.kernel

// Parameter, gradient, momentum; parameter and momentum come back.
// REDEFINE: %{options} = optimizer=sgd-momentum optimizer-variant=fused
// RUN: %{run} --check-prefix=MOMENTUM
// MOMENTUM: kernel "fused sgd" {{.*}}bytes_read = 150003000, bytes_written = 100002000>
// MOMENTUM-NOT: gpucost.kernel

// Parameter, gradient and two moments.
// REDEFINE: %{options} = optimizer=adamw optimizer-variant=fused
// RUN: %{run} --check-prefix=ADAM
// REDEFINE: %{options} = optimizer=adam optimizer-variant=fused
// RUN: %{run} --check-prefix=ADAM
// ADAM: kernel "fused adam" attributes {count = 2 : i64, {{.*}}bytes_read = 200004000, bytes_written = 150003000>
// ADAM-NOT: gpucost.kernel

// Norms lie between the two stages of LAMB.
// REDEFINE: %{options} = optimizer=lamb optimizer-variant=fused
// RUN: %{run} --check-prefix=LAMB
// LAMB: kernel "norm of grad" {{.*}}bytes_read = 50001000>
// LAMB: kernel "lamb stage 1" {{.*}}bytes_read = 200004000, bytes_written = 150003000>
// LAMB: kernel "norm of param" {{.*}}bytes_read = 50001000>
// LAMB: kernel "norm of update" {{.*}}bytes_read = 50001000>
// LAMB: kernel "lamb stage 2" {{.*}}bytes_read = 100002000, bytes_written = 50001000>
// LAMB-NOT: gpucost.kernel

// Unfused: the same operations, one launch per parameter.
// REDEFINE: %{options} = optimizer=sgd optimizer-variant=unfused
// RUN: %{run} --check-prefix=UNFUSED
// UNFUSED: kernel "param += -lr grad" attributes {gpucost.origin{{.*}}count = 500>, {{.*}}bytes_read = 4000, bytes_written = 2000>
// UNFUSED: kernel "param += -lr grad" attributes {gpucost.origin{{.*}}count = 25000000>, {{.*}}bytes_read = 200000000, bytes_written = 100000000>
// UNFUSED-NOT: gpucost.kernel

// Around the update: zeros are written, unscaling reads and writes, the norm reads,
// clipping reads and writes.
// REDEFINE: %{options} = optimizer=sgd zero-grad=zero loss-scaling clip-grad-norm
// RUN: %{run} --check-prefix=AROUND
// AROUND: kernel "zero gradients" {{.*}}bytes_written = 50001000>
// AROUND: kernel "unscale gradients" {{.*}}bytes_read = 50001000, bytes_written = 50001000>
// The host reads whether they are finite, (H12).
// AROUND: kernel "finite gradients to host" {{.*}}gpucost.synchronizes
// AROUND: kernel "norm of grad" {{.*}}bytes_read = 50001000>
// AROUND: kernel "clip" {{.*}}bytes_read = 50001000, bytes_written = 50001000>
// AROUND: kernel "param += -lr grad" {{.*}}bytes_read = 100002000, bytes_written = 50001000>
// AROUND-NOT: gpucost.kernel
func.func @step(%x: tensor<8x50000xf32>) -> tensor<8x500xf32> {
  %w = onnx.Parameter : () -> tensor<50000x500xf32>
  %b = onnx.Parameter : () -> tensor<500xf32>
  %0 = onnx.Gemm %x, %w, %b : (tensor<8x50000xf32>, tensor<50000x500xf32>, tensor<500xf32>) -> tensor<8x500xf32>
  return %0 : tensor<8x500xf32>
}
