// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-bf16 | FileCheck %s --check-prefix=A100
// RUN: gpu-cost-opt %s --gpucost-set-target=target=l4 | FileCheck %s --check-prefix=L4
// RUN: gpu-cost-opt %s --gpucost-set-target=target-file=%inputs/toy-target.mlir | FileCheck %s --check-prefix=TOY
// RUN: gpu-cost-opt %s --gpucost-set-target='target=tf32 target-file=%inputs/toy-target.mlir' | FileCheck %s --check-prefix=TF32
// RUN: gpu-cost-opt %s --gpucost-set-target='target=a100 coefficients=%inputs/toy-target.mlir' | FileCheck %s --check-prefix=MIXED

// A GPU by alias and format; the module gets facts, and fitted
// numbers by name.
// A100: module attributes {gpucost.coefficients = "a100-sxm-80gb",
// A100-SAME: gpucost.target = #gpucost.target<gpu = <name = "a100-sxm-80gb", {{.*}}>, format = bf16>

// Without a format the target's own default.
// L4: gpucost.target = #gpucost.target<gpu = <name = "l4", {{.*}}>, format = bf16>

// A file, with the format that it calls its default and with another one.
// TOY: gpucost.coefficients = #gpucost.coefficients<provenance = "invented",
// TOY-SAME: gpucost.target = #gpucost.target<gpu = <name = "toy-target", {{.*}}>, format = bf16>
// TF32: gpucost.target = #gpucost.target<gpu = <name = "toy-target", {{.*}}>, format = tf32>

// Facts from one file, fitted numbers from another.
// MIXED: gpucost.coefficients = #gpucost.coefficients<provenance = "invented",
// MIXED-SAME: gpucost.target = #gpucost.target<gpu = <name = "a100-sxm-80gb",
module {}
