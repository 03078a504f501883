//===- TargetOnModule.h - The GPU named by the settings ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_TARGETONMODULE_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_TARGETONMODULE_H

#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// Sets `gpucost.target` and `gpucost.coefficients` from `target`,
/// `target-file` and `coefficients` of `named`. A module that has both keeps
/// them if none of these is stated. Diagnoses unknown names and files.
mlir::LogicalResult setTarget(mlir::ModuleOp module, const Scenario &named);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_TARGETONMODULE_H
