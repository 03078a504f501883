// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not gpu-cost-opt %s --gpucost-set-target 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not gpu-cost-opt %s --gpucost-set-target=target=a100-sx 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not gpu-cost-opt %s --gpucost-set-target=target=t4-bf16 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not gpu-cost-opt %s --gpucost-set-target=target-file=%t.missing.mlir 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not gpu-cost-opt %s --gpucost-set-target='target=l4 target-file=%inputs/toy-target.mlir' 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not gpu-cost-opt %s --gpucost-set-target=coefficients=%s 2>&1 | FileCheck %s --check-prefix=SET
// RUN: not gpu-cost-opt %s --gpucost-set-target=target-file=%s 2>&1 | FileCheck %s --check-prefix=GPU

// NONE: error: no target; give one with target=a100-bf16 or target-file=FILE
// NAME: error: unknown target 'a100-sx'; did you mean 'a100-sxm-40gb' or 'a100-sxm-80gb' or 'a100-sxm'? '--list-targets' shows all
// FORMAT: error: 't4' has no bf16; its formats are fp32, fp16, int8
// FILE: error: cannot read '{{.*}}.missing.mlir': No such file or directory
// BOTH: error: with a target file the target may only name a format (fp32, tf32, fp16, bf16, fp8, int8, fp8-e5m2, mxfp8, mxfp4, nvfp4, fp8-block, mxfp6), but got 'l4'
// SET: error: {{.*}}set-target-errors.mlir: expected a 'gpucost.coefficients' attribute
// GPU: error: {{.*}}set-target-errors.mlir: expected a 'gpucost.gpu' attribute
module {}
