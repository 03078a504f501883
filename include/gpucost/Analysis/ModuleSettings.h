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

#ifndef GPUCOST_ANALYSIS_MODULESETTINGS_H
#define GPUCOST_ANALYSIS_MODULESETTINGS_H

#include "gpucost/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Iteration/Restate.h"
#include "gpucost/Scenario/Scenario.h"
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

} // namespace gpucost

#endif // GPUCOST_ANALYSIS_MODULESETTINGS_H
