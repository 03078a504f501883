// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-autocast --verify-diagnostics
// RUN: not gpu-cost-opt %s --gpucost-autocast=format=fp32 2>&1 | FileCheck %s

// CHECK: error: unknown autocast format 'fp32', expected bf16 or fp16

// expected-error @+1 {{expected a 'gpucost.target' attribute; run 'gpucost-set-target' first}}
module {}
