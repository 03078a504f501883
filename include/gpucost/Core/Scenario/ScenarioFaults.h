//===- ScenarioFaults.h - Settings from text, and their checks --*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is wrong with a scenario, as a message; empty when nothing is. Free of
// LLVM; CheckScenario.h has the same as LLVM's errors.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_SCENARIOFAULTS_H
#define GPUCOST_CORE_SCENARIO_SCENARIOFAULTS_H

#include "gpucost/Core/Scenario/Scenario.h"
#include <string>
#include <string_view>

namespace gpucost {

/// States the setting `name` (a flag or its key in JSON) from the text that its
/// flag takes. A switch takes "true", "false" or "". The message says what is
/// expected.
std::string stateText(Scenario &scenario, std::string_view name,
                      std::string_view text);

/// The present name of a value that has been renamed, which `stateText` accepts
/// for one release; "" for any other value.
std::string_view findRenamed(std::string_view name, std::string_view value);

/// A value out of its range, or one that `target` does not support.
std::string faultOfValues(const Scenario &scenario,
                          const std::optional<ScenarioTarget> &target);

/// `faultOfValues`, and whether the settings go together.
std::string findFault(const Scenario &scenario,
                      const std::optional<ScenarioTarget> &target);

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_SCENARIOFAULTS_H
