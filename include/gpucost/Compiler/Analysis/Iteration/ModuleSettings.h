//===- ModuleSettings.h - The settings of a module --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The settings in `gpucost.scenario`, completed for the module's GPU.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_ITERATION_MODULESETTINGS_H
#define GPUCOST_COMPILER_ANALYSIS_ITERATION_MODULESETTINGS_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Core/Iteration/Restate.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// The properties of `target` and its network that settings depend on.
ScenarioTarget getScenarioTarget(TargetAttr target,
                                 const Coefficients &coefficients);
/// The same properties of `gpucost.target`; nullopt without a target.
std::optional<ScenarioTarget> getScenarioTarget(mlir::ModuleOp module);

/// The stated settings; empty without `gpucost.scenario`.
Scenario getScenario(mlir::ModuleOp module);
void setScenario(mlir::ModuleOp module, const Scenario &scenario);

/// The value of every setting.
Settings getSettings(mlir::ModuleOp module);

/// Adds the settings of a pass to `gpucost.scenario`, so that later passes use
/// them. Diagnoses values that are out of range or not supported by the GPU.
mlir::FailureOr<Settings> stateSettings(mlir::ModuleOp module,
                                        const Scenario &stated);

/// The runtime that passes without a `runtime` option use: the one recorded for
/// existing kernels, else the one in the settings, else `AsWritten`.
Runtime getDefaultRuntime(mlir::ModuleOp module);

/// Records on `module` the settings and the GPU of the kernel formation.
void recordFormation(mlir::ModuleOp module);
/// Diagnoses settings that require other kernels than the recorded ones.
mlir::LogicalResult checkFormation(mlir::ModuleOp module);
/// Records the GPU that the kernel tilings were selected for.
void recordTiling(mlir::ModuleOp module);
/// Diagnoses a GPU that differs from the recorded one.
mlir::LogicalResult checkTiling(mlir::ModuleOp module);

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_ITERATION_MODULESETTINGS_H
