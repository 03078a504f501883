// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target=l4-fp16 -o %t.mlir
// RUN: gpu-cost-opt %t.mlir --gpucost-set-target -o %t.again.mlir
// RUN: diff %t.mlir %t.again.mlir
// RUN: gpu-cost-opt %t.mlir --gpucost-set-target=coefficients=%inputs/toy-target.mlir | FileCheck %s

// A module that has both attributes is not changed without options; an option
// replaces its attribute, and nothing else.
// CHECK: gpucost.coefficients = #gpucost.coefficients<provenance = "invented",
// CHECK-SAME: gpucost.target = #gpucost.target<gpu = <name = "l4", {{.*}}>, format = fp16>
module {}
