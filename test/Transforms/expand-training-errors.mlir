// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not gpu-cost-opt %s --gpucost-expand-training=loss=hinge 2>&1 | FileCheck %s --check-prefix=LOSS
// RUN: not gpu-cost-opt %s --gpucost-expand-training=optimizer=lion 2>&1 | FileCheck %s --check-prefix=OPTIMIZER
// RUN: not gpu-cost-opt %s --gpucost-expand-training=optimizer-variant=apex 2>&1 | FileCheck %s --check-prefix=VARIANT
// RUN: not gpu-cost-opt %s --gpucost-expand-training=zero-grad=often 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not gpu-cost-opt %s --gpucost-expand-training=dropout=on 2>&1 | FileCheck %s --check-prefix=DROPOUT
// RUN: not gpu-cost-opt %s --gpucost-expand-training=recompute=some 2>&1 | FileCheck %s --check-prefix=RECOMPUTE
// RUN: not gpu-cost-opt %s --gpucost-expand-training=grad-accum=0 2>&1 | FileCheck %s --check-prefix=ACCUM

// LOSS: unknown value 'hinge' of --loss, expected auto, none, cross-entropy or mse
// OPTIMIZER: unknown value 'lion' of --optimizer, expected none, sgd, sgd-momentum, sgd-nesterov, adam, adamw, adam-amsgrad, adamw-amsgrad, nadam, radam, adamax, adagrad, adadelta, rmsprop, rmsprop-no-momentum, rmsprop-centered, rmsprop-centered-no-momentum, rprop, adafactor, muon, lbfgs or lamb
// VARIANT: unknown value 'apex' of --optimizer-variant, expected foreach, fused or unfused
// ZERO: unknown value 'often' of --zero-grad, expected set-to-none, zero or keep
// DROPOUT: unknown value 'on' of --dropout, expected as-is or off
// RECOMPUTE: --recompute expects none, selective, full, every-N, every-N:Op, names of ONNX ops (Softmax,Gelu) or paths of modules (@blocks.*.mlp), but got 'some'
// ACCUM: --grad-accum expects 1 to 1000000, but got '0'

// A file that contains gradients is costed unchanged.
// RUN: gpu-cost-opt %s --gpucost-expand-training | FileCheck %s
// CHECK: gpucost.training_notes = ["the file has gradient ops and is costed unchanged"]
// CHECK: func.func @step(
// CHECK-NOT: gpucost.phase
// CHECK: return
func.func @step(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  %w = onnx.Parameter : () -> tensor<4xf32>
  %0 = onnx.Mul %x, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.ReluGrad %dy, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
