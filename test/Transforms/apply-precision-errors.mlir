// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-apply-precision --verify-diagnostics
// RUN: not gpu-cost-opt %s --gpucost-set-target=target=l4 --gpucost-apply-precision=precision-mode=mixed 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not gpu-cost-opt %s --gpucost-set-target=target=l4 --gpucost-apply-precision=tf32=maybe 2>&1 | FileCheck %s --check-prefix=TF32

// MODE: unknown value 'mixed' of --precision-mode, expected cast, as-is or amp
// TF32: unknown value 'maybe' of --tf32, expected off, conv or on

// expected-error @+1 {{expected a 'gpucost.target' attribute; run 'gpucost-set-target' first}}
module {}
