//===- SettingsJson.h - Settings in reports and files -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The object `settings` of a JSON report: every setting with its value, null if
// it has none, and in `given` the names of the settings that were stated. The
// same object, or one without `given`, can be read back.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_SUPPORT_SETTINGSJSON_H
#define GPUCOST_COMPILER_SUPPORT_SETTINGSJSON_H

#include "gpucost/Core/Scenario/SettingsText.h"
#include "llvm/Support/JSON.h"

namespace gpucost {

/// The settings recorded in a file.
struct RecordedSettings {
  /// The stated settings: those in `given`, or all that are not null if the
  /// file has no `given`.
  Scenario given;
  /// The values that were defaults.
  Scenario defaults;
};

/// Reads a report or only its object `settings`. Unknown names and values of
/// the wrong type are errors that name the setting.
llvm::Expected<RecordedSettings> readSettings(llvm::StringRef json);

/// The scenario that reproduces the recorded values on `target`. A recorded
/// default that differs from the current default (the file was edited, or
/// written by another version) counts as stated.
Scenario replay(const RecordedSettings &recorded,
                const std::optional<ScenarioTarget> &target);

} // namespace gpucost

#endif // GPUCOST_COMPILER_SUPPORT_SETTINGSJSON_H
