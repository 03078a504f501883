// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{kind} = none
// DEFINE: %{variant} = foreach
// DEFINE: %{run} = gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=%{kind} optimizer-variant=%{variant}},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s

// (O1) In-place operations of torch.optim over both parameters at once: 300,300 floats,
// 1,201,200 bytes a tensor. A line names the tensors of that size: read, written.

// REDEFINE: %{kind} = none
// RUN: %{run} --check-prefix=NONE
// NONE-NOT: {{optimizer_s|phase optimizer}}
// NONE: return

// REDEFINE: %{kind} = sgd
// RUN: %{run} --check-prefix=SGD
// SGD-NOT: optimizer_state
// SGD: kernel "param += -lr grad" {{.*}}family = optimizer, instructions = optimizer, {{.*}}count = 300300>, {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// SGD-NOT: gpucost.kernel

// With weight decay: 7 tensors read, 4 written, 1 state.
// REDEFINE: %{kind} = sgd-momentum
// RUN: %{run} --check-prefix=MOMENTUM
// MOMENTUM-COUNT-1: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>} : () -> tensor<300300xf32>
// MOMENTUM: kernel "weight decay" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// MOMENTUM: kernel "momentum *= mu" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// MOMENTUM: kernel "momentum += grad" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// MOMENTUM: kernel "param += -lr momentum" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// MOMENTUM-NOT: gpucost.kernel

// 12 read, 8 written, 2 states.
// REDEFINE: %{kind} = adamw
// RUN: %{run} --check-prefixes=ADAMW,ADAM
// Without weight decay: 11 read, 7 written.
// REDEFINE: %{kind} = adam
// RUN: %{run} --check-prefixes=NO-DECAY,ADAM
// NO-DECAY-NOT: weight decay
// ADAM-COUNT-2: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>} : () -> tensor<300300xf32>
// ADAMW: kernel "weight decay" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADAM: kernel "exp_avg lerp" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// ADAM: kernel "exp_avg_sq *= beta2" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADAM: kernel "exp_avg_sq += grad^2" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// ADAM: kernel "sqrt" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADAM: kernel "/= bias correction" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADAM: kernel "+= eps" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADAM: kernel "param addcdiv" {{.*}}bytes_read = 3603600, bytes_written = 1201200>
// ADAM-NOT: gpucost.kernel

// 16 read, 11 written, 2 states.
// REDEFINE: %{kind} = adadelta
// RUN: %{run} --check-prefix=ADADELTA
// ADADELTA: kernel "square_avg *= rho" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADADELTA: kernel "square_avg += grad^2" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// ADADELTA: kernel "square_avg + eps" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADADELTA: kernel "sqrt" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADADELTA: kernel "acc_delta + eps" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADADELTA: kernel "sqrt" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADADELTA: kernel "/= std" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// ADADELTA: kernel "*= grad" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// ADADELTA: kernel "acc_delta *= rho" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADADELTA: kernel "acc_delta += delta^2" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// ADADELTA: kernel "param += -lr delta" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// ADADELTA-NOT: gpucost.kernel

// With weight decay and momentum: 13 read, 8 written, 2 states.
// REDEFINE: %{kind} = rmsprop
// RUN: %{run} --check-prefix=RMSPROP
// RMSPROP: kernel "weight decay" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// RMSPROP: kernel "square_avg *= alpha" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// RMSPROP: kernel "square_avg += grad^2" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// RMSPROP: kernel "sqrt" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// RMSPROP: kernel "+= eps" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// RMSPROP: kernel "buf *= mu" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// RMSPROP: kernel "buf addcdiv" {{.*}}bytes_read = 3603600, bytes_written = 1201200>
// RMSPROP: kernel "param += -lr buf" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// RMSPROP-NOT: gpucost.kernel

// 15 read, 8 written, 2 states; the norms write a number per tensor.
// REDEFINE: %{kind} = lamb
// RUN: %{run} --check-prefix=LAMB
// LAMB: kernel "exp_avg lerp" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// LAMB: kernel "exp_avg_sq *= beta2" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// LAMB: kernel "exp_avg_sq += grad^2" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// LAMB: kernel "sqrt" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// LAMB: kernel "+= eps" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// LAMB: kernel "update" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// LAMB: kernel "+= decay param" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// LAMB: kernel "norm of param" {{.*}}bytes_read = 1201200>
// LAMB: kernel "norm of update" {{.*}}bytes_read = 1201200>
// LAMB: kernel "param += -lr ratio update" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// LAMB-NOT: gpucost.kernel

// 9 read, 5 written, 1 state.
// REDEFINE: %{kind} = sgd-nesterov
// RUN: %{run} --check-prefix=NESTEROV
// NESTEROV-COUNT-1: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>} : () -> tensor<300300xf32>
// NESTEROV-NOT: role optimizer_state
// NESTEROV: kernel "weight decay" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// NESTEROV: kernel "momentum *= mu" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// NESTEROV: kernel "momentum += grad" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// NESTEROV: kernel "grad += mu momentum" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// NESTEROV: kernel "param += -lr grad" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// NESTEROV-NOT: gpucost.kernel

// 13 read, 8 written, 3 states.
// REDEFINE: %{kind} = adam-amsgrad
// RUN: %{run} --check-prefix=AMSGRAD
// AMSGRAD-COUNT-3: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>} : () -> tensor<300300xf32>
// AMSGRAD-NOT: role optimizer_state
// AMSGRAD: kernel "exp_avg lerp" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// AMSGRAD: kernel "exp_avg_sq *= beta2" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// AMSGRAD: kernel "exp_avg_sq += grad^2" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// AMSGRAD: kernel "max_exp_avg_sq maximum" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// AMSGRAD: kernel "sqrt" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// AMSGRAD: kernel "/= bias correction" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// AMSGRAD: kernel "+= eps" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// AMSGRAD: kernel "param addcdiv" {{.*}}bytes_read = 3603600, bytes_written = 1201200>
// AMSGRAD-NOT: gpucost.kernel

// 14 read, 9 written, 3 states.
// REDEFINE: %{kind} = adamw-amsgrad
// RUN: %{run} --check-prefix=AMSGRADW
// AMSGRADW-COUNT-3: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>} : () -> tensor<300300xf32>
// AMSGRADW-NOT: role optimizer_state
// AMSGRADW: kernel "weight decay" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// AMSGRADW: kernel "exp_avg lerp" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// AMSGRADW: kernel "exp_avg_sq *= beta2" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// AMSGRADW: kernel "exp_avg_sq += grad^2" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// AMSGRADW: kernel "max_exp_avg_sq maximum" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// AMSGRADW: kernel "sqrt" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// AMSGRADW: kernel "/= bias correction" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// AMSGRADW: kernel "+= eps" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// AMSGRADW: kernel "param addcdiv" {{.*}}bytes_read = 3603600, bytes_written = 1201200>
// AMSGRADW-NOT: gpucost.kernel

// 14 read, 8 written, 2 states.
// REDEFINE: %{kind} = nadam
// RUN: %{run} --check-prefix=NADAM
// NADAM-COUNT-2: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>} : () -> tensor<300300xf32>
// NADAM-NOT: role optimizer_state
// NADAM: kernel "exp_avg lerp" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// NADAM: kernel "exp_avg_sq *= beta2" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// NADAM: kernel "exp_avg_sq += grad^2" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// NADAM: kernel "sqrt" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// NADAM: kernel "/= bias correction" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// NADAM: kernel "+= eps" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// NADAM: kernel "param addcdiv grad" {{.*}}bytes_read = 3603600, bytes_written = 1201200>
// NADAM: kernel "param addcdiv exp_avg" {{.*}}bytes_read = 3603600, bytes_written = 1201200>
// NADAM-NOT: gpucost.kernel

// 13 read, 9 written, 2 states.
// REDEFINE: %{kind} = radam
// RUN: %{run} --check-prefix=RADAM
// RADAM-COUNT-2: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>} : () -> tensor<300300xf32>
// RADAM-NOT: role optimizer_state
// RADAM: kernel "exp_avg lerp" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// RADAM: kernel "exp_avg_sq *= beta2" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// RADAM: kernel "exp_avg_sq += grad^2" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// RADAM: kernel "sqrt" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// RADAM: kernel "+= eps" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// RADAM: kernel "/= bias correction" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// RADAM: kernel "reciprocal" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// RADAM: kernel "+= unrectified step" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// RADAM: kernel "param addcmul" {{.*}}bytes_read = 3603600, bytes_written = 1201200>
// RADAM-NOT: gpucost.kernel

// 10 read, 6 written, 2 states.
// REDEFINE: %{kind} = adamax
// RUN: %{run} --check-prefix=ADAMAX
// ADAMAX-COUNT-2: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>} : () -> tensor<300300xf32>
// ADAMAX-NOT: role optimizer_state
// ADAMAX: kernel "exp_avg lerp" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// ADAMAX: kernel "exp_inf *= beta2" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADAMAX: kernel "abs" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADAMAX: kernel "+= eps" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADAMAX: kernel "exp_inf maximum" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// ADAMAX: kernel "param addcdiv" {{.*}}bytes_read = 3603600, bytes_written = 1201200>
// ADAMAX-NOT: gpucost.kernel

// 8 read, 5 written, 1 state.
// REDEFINE: %{kind} = adagrad
// RUN: %{run} --check-prefix=ADAGRAD
// ADAGRAD-COUNT-1: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>} : () -> tensor<300300xf32>
// ADAGRAD-NOT: role optimizer_state
// ADAGRAD: kernel "sum += grad^2" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// ADAGRAD: kernel "sqrt" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADAGRAD: kernel "+= eps" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADAGRAD: kernel "-lr grad" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// ADAGRAD: kernel "param addcdiv" {{.*}}bytes_read = 3603600, bytes_written = 1201200>
// ADAGRAD-NOT: gpucost.kernel

// 8 read, 5 written, 1 state.
// REDEFINE: %{kind} = rmsprop-no-momentum
// RUN: %{run} --check-prefix=PLAIN
// PLAIN-COUNT-1: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>} : () -> tensor<300300xf32>
// PLAIN-NOT: role optimizer_state
// PLAIN: kernel "square_avg *= alpha" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// PLAIN: kernel "square_avg += grad^2" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// PLAIN: kernel "sqrt" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// PLAIN: kernel "+= eps" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// PLAIN: kernel "param addcdiv" {{.*}}bytes_read = 3603600, bytes_written = 1201200>
// PLAIN-NOT: gpucost.kernel

// 18 read, 10 written, 3 states.
// REDEFINE: %{kind} = rmsprop-centered
// RUN: %{run} --check-prefix=CENTERED
// Without weight decay and momentum: 11 read, 7 written, 2 states.
// REDEFINE: %{kind} = rmsprop-centered-no-momentum
// RUN: %{run} --check-prefix=CENTERED-PLAIN
// CENTERED-COUNT-3: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>} : () -> tensor<300300xf32>
// CENTERED-NOT: role optimizer_state
// CENTERED: kernel "weight decay" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// CENTERED: kernel "square_avg *= alpha" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// CENTERED: kernel "square_avg += grad^2" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// CENTERED: kernel "grad_avg lerp" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// CENTERED: kernel "square_avg - grad_avg^2" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// CENTERED: kernel "sqrt" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// CENTERED: kernel "+= eps" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// CENTERED: kernel "buf *= mu" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// CENTERED: kernel "buf addcdiv" {{.*}}bytes_read = 3603600, bytes_written = 1201200>
// CENTERED: kernel "param += -lr buf" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// CENTERED-NOT: gpucost.kernel
// CENTERED-PLAIN-COUNT-2: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>} : () -> tensor<300300xf32>
// CENTERED-PLAIN-NOT: {{role optimizer_state|weight decay|buf}}
// CENTERED-PLAIN: kernel "square_avg *= alpha"
// CENTERED-PLAIN: kernel "+= eps"
// CENTERED-PLAIN-NEXT: gpucost.optimizer_step
// CENTERED-PLAIN: kernel "param addcdiv" {{.*}}bytes_read = 3603600, bytes_written = 1201200>
// CENTERED-PLAIN-NOT: gpucost.kernel

// Kernels of each tensor for three masks and what follows: 2 states.
// REDEFINE: %{kind} = rprop
// RUN: %{run} --check-prefix=RPROP
// RPROP-COUNT-2: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>} : () -> tensor<300300xf32>
// RPROP-NOT: role optimizer_state
// RPROP: kernel "grad prev" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// RPROP: kernel "prev = grad" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// RPROP: kernel "sign" {{.*}}bytes_read = 1201200, bytes_written = 1201200>
// RPROP: kernel "sign > 0" {{.*}}bytes_read = 1200>
// RPROP: kernel "sign > 0" {{.*}}bytes_read = 1200000>
// RPROP: kernel "fill" {{.*}}bytes_read = 1200, bytes_written = 1200>
// RPROP: kernel "fill" {{.*}}bytes_read = 1200000, bytes_written = 1200000>
// RPROP: kernel "step_size *= sign" {{.*}}bytes_read = 2402400, bytes_written = 1201200>
// RPROP: kernel "param addcmul" {{.*}}bytes_read = 3603600, bytes_written = 1201200>
// RPROP-NOT: gpucost.kernel
func.func @step(%x: tensor<8x1000xf32>) -> tensor<8x300xf32> {
  %w = onnx.Parameter : () -> tensor<1000x300xf32>
  %b = onnx.Parameter : () -> tensor<300xf32>
  %0 = onnx.Gemm %x, %w, %b : (tensor<8x1000xf32>, tensor<1000x300xf32>, tensor<300xf32>) -> tensor<8x300xf32>
  return %0 : tensor<8x300xf32>
}
