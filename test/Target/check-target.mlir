// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt --check-target=%inputs/toy-target.mlir | FileCheck %s
// RUN: not gpu-cost-opt --check-target=%s | FileCheck %s --check-prefix=BAD

// CHECK: ok toy-target
// BAD: check-target.mlir: expected 'gpucost.gpu', 'gpucost.network' or 'gpucost.coefficients'
module {}
