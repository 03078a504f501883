// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --split-input-file --gpucost-set-scenario --verify-diagnostics
// RUN: not gpu-cost-opt %s --gpucost-set-scenario=runtime=lazy 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: unknown value 'lazy' of --runtime, expected eager, cudagraph, compiled or as-written
// RUN: not gpu-cost-opt %s --gpucost-analyze='target=t4 gpus=200000' 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: --gpus expects 1 to 131072, but got '200000'
// RUN: not gpu-cost-opt %s --gpucost-analyze='target=t4 speed=2' 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: no such option speed

// expected-error @+1 {{no target; give one with target=a100-bf16 or target-file=FILE}}
module {}

// -----

// expected-error @+1 {{--optimizer needs --mode=training}}
module attributes {gpucost.scenario = #gpucost.scenario<target = "t4", optimizer = sgd>} {}

// -----

// expected-error @+1 {{training does not support int8; use the bf16 or fp16 of 'h100-sxm-80gb'}}
module attributes {gpucost.scenario = #gpucost.scenario<target = "h100-int8", mode = training>} {}

// -----

// expected-error @+1 {{'v100-sxm-32gb' has no TF32 rate; leave out --tf32}}
module attributes {gpucost.scenario = #gpucost.scenario<target = "v100", tf32 = conv>} {}

// -----

// expected-error @+1 {{unknown setting 'clocks'}}
module attributes {gpucost.scenario = #gpucost.scenario<clocks = 900 MHz>} {}

// -----

// expected-error @+1 {{setting 'clock' is stated twice}}
module attributes {gpucost.scenario = #gpucost.scenario<clock = 900 MHz, clock = 1 GHz>} {}

// -----

// expected-error @+1 {{unknown unit 'W'}}
module attributes {gpucost.scenario = #gpucost.scenario<clock = 900 W>} {}

// -----

// expected-error @+1 {{unknown value 'jit' of --runtime, expected eager, cudagraph, compiled or as-written}}
module attributes {gpucost.scenario = #gpucost.scenario<runtime = jit>} {}

// -----

// expected-error @+1 {{--batch expects at least 1, but got '0'}}
module attributes {gpucost.scenario = #gpucost.scenario<batch = 0>} {}
