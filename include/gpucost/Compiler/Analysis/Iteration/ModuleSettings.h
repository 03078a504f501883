//===- ModuleSettings.h - The settings of a module --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `gpucost.scenario` states, completed for the GPU in `gpucost.target`.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_ITERATION_MODULESETTINGS_H
#define GPUCOST_COMPILER_ANALYSIS_ITERATION_MODULESETTINGS_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Core/Iteration/Restate.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// What settings depend on of `target`.
ScenarioTarget getScenarioTarget(TargetAttr target);
/// The same of `gpucost.target`; nullopt without one.
std::optional<ScenarioTarget> getScenarioTarget(mlir::ModuleOp module);

/// The stated settings; empty without `gpucost.scenario`.
Scenario getScenario(mlir::ModuleOp module);
void setScenario(mlir::ModuleOp module, const Scenario &scenario);

/// The value of every setting.
Settings getSettings(mlir::ModuleOp module);

/// Adds what a pass was told to `gpucost.scenario`, so that later passes follow
/// it too. Diagnoses values that are out of range or not supported by the GPU.
mlir::FailureOr<Settings> stateSettings(mlir::ModuleOp module,
                                        const Scenario &stated);

/// Records on `module` the settings and the GPU that its kernels are for.
void recordFormation(mlir::ModuleOp module);
/// Diagnoses settings that ask for other kernels than the recorded ones.
mlir::LogicalResult checkFormation(mlir::ModuleOp module);
/// Records the GPU that the tilings of the kernels are for.
void recordTiling(mlir::ModuleOp module);
/// Diagnoses a GPU that is not the recorded one.
mlir::LogicalResult checkTiling(mlir::ModuleOp module);

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_ITERATION_MODULESETTINGS_H
