//===- SettingsText.h - Settings as JSON ------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes settings; SettingsJson.h reads them.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_SETTINGSTEXT_H
#define GPUCOST_CORE_SCENARIO_SETTINGSTEXT_H

#include "gpucost/Core/Scenario/Scenario.h"
#include "gpucost/Core/Support/JsonStream.h"
#include <string>

namespace gpucost {

/// The members of the object `settings`. Settings that do not apply (such as
/// training settings for inference) are null.
void writeSettings(JsonStream &json, const Scenario &given,
                   const Settings &settings);

/// Every setting as a JSON array of objects: name, flag, group, type, choices,
/// range, unit, default, help.
std::string describeSettings();

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_SETTINGSTEXT_H
