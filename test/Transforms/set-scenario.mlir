// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Settings on the module: options are added to the existing settings, and
// nothing else is written.
// RUN: gpu-cost-opt %s --split-input-file --gpucost-set-scenario='target-file=%inputs/toy-target.mlir bind=batch:2 clock=400 host-launch-us=2.3 runtime=compiled' | FileCheck %s
// The printed module is read again.
// RUN: gpu-cost-opt %s --split-input-file --gpucost-set-scenario='target-file=%inputs/toy-target.mlir clock=400 host-launch-us=2.3 runtime=compiled' -o %t.mlir
// RUN: gpu-cost-opt %t.mlir --split-input-file --cse | diff %t.mlir -
// A printed pipeline is read again as the same pipeline.
// RUN: gpu-cost-opt %s --split-input-file --pass-pipeline='builtin.module(gpucost-set-scenario{target=t4 channels-last power-limit=62.5},gpucost-form-kernels{runtime=compiled})' --dump-pass-pipeline -o %t.first.mlir > %t.dump 2>&1
// RUN: sed -n '/^builtin/,/^)/p;/^)/q' %t.dump | tr -d '\n' > %t.pipeline
// RUN: FileCheck %s --check-prefix=PIPELINE < %t.pipeline
// RUN: bash -c 'gpu-cost-opt "$0" --split-input-file --pass-pipeline="$(cat "$1")" -o "$2"' %s %t.pipeline %t.second.mlir
// RUN: diff %t.first.mlir %t.second.mlir
// PIPELINE: gpucost-set-scenario{
// PIPELINE-SAME: batch=<default>
// PIPELINE-SAME: channels-last=true
// PIPELINE-SAME: power-limit=62.5
// PIPELINE-SAME: target=t4
// PIPELINE-SAME: gpucost-form-kernels{
// PIPELINE-SAME: channels-last=<default>
// PIPELINE-SAME: runtime=compiled

// CHECK: gpucost.scenario = #gpucost.scenario<bind = "batch:2", target_file = "{{.*}}toy-target.mlir", clock = 400 MHz, runtime = compiled, host_launch_us = 2.3 us>
// CHECK-SAME: gpucost.target = #gpucost.target<gpu = <name = "toy-target"
module {}

// -----

// Words with '-' are quoted; settings of the module stay unless stated anew.
// CHECK: gpucost.scenario = #gpucost.scenario<bind = "batch:2", batch = 16, target_file = "{{.*}}toy-target.mlir", clock = 400 MHz, mode = training, precision_mode = "as-is", runtime = compiled, host_launch_us = 2.3 us, optimizer = "sgd-momentum", clip_grad_norm = true>
module attributes {gpucost.scenario = #gpucost.scenario<batch = 16, mode = training, target = "a100", precision_mode = "as-is", clock = 0.9 GHz, runtime = cudagraph, optimizer = "sgd-momentum", clip_grad_norm = true>} {}
