//===- ScenarioFaults.h - Parsing and checking settings ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Faults of a scenario, as messages; empty if there is none. Independent of
// LLVM; CheckScenario.h returns them as LLVM errors.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_SCENARIOFAULTS_H
#define GPUCOST_CORE_SCENARIO_SCENARIOFAULTS_H

#include "gpucost/Core/Scenario/Scenario.h"
#include <string>
#include <string_view>

namespace gpucost {

/// Sets the setting `name` (a flag or a JSON key) from the text of a flag
/// value. A switch accepts "true", "false" or "". The message describes the
/// expected values.
std::string stateText(Scenario &scenario, std::string_view name,
                      std::string_view text);

/// The current name of a renamed value, which `stateText` accepts for one
/// release; "" for other values.
std::string_view findRenamed(std::string_view name, std::string_view value);

/// Reports values that are out of range or not supported by `target`.
std::string faultOfValues(const Scenario &scenario,
                          const std::optional<ScenarioTarget> &target);

/// `faultOfValues`, and invalid combinations of settings.
std::string findFault(const Scenario &scenario,
                      const std::optional<ScenarioTarget> &target);

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_SCENARIOFAULTS_H
