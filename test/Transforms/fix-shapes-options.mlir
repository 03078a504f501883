// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not gpu-cost-opt %s --gpucost-fix-shapes='bind=b:-1' 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not gpu-cost-opt %s --gpucost-fix-shapes='bind=b:4294967296' 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not gpu-cost-opt %s --gpucost-fix-shapes='bind=b' 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not gpu-cost-opt %s --gpucost-fix-shapes='bind=b:1,b:2' 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not gpu-cost-opt %s --gpucost-fix-shapes='batch=1' 2>&1 | FileCheck %s --check-prefix=AMBIGUOUS
// RUN: not gpu-cost-opt %s --gpucost-fix-shapes='seq=1' 2>&1 | FileCheck %s --check-prefix=NONE

// RANGE: --bind expects NAME:N pairs, one N for each NAME, with N from 0 to 2147483648, but got 'b:-1'
// LARGE: --bind expects NAME:N pairs, {{.*}}, but got 'b:4294967296'
// SYNTAX: --bind expects NAME:N pairs, {{.*}}, but got 'b'
// TWICE: --bind expects NAME:N pairs, one N for each NAME, {{.*}}, but got 'b:1,b:2'
// AMBIGUOUS: error: both 'b' and 'batch' may be the batch dimension; bind them by name
// NONE: error: no dimension with a known name for 'sequence'; there are 'b', 'batch'
func.func @main(%a: tensor<?x?xf32> {onnx.name = "a", onnx.dims = ["b", "batch"]})
    -> !onnx.unknown {
  %0 = onnx.Relu %a : (tensor<?x?xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
