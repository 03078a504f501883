//===- ScenarioFlags.h - Settings on the command line -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One flag for each row of Scenario/Settings.def.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_SCENARIOFLAGS_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_SCENARIOFLAGS_H

#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/Support/CommandLine.h"
#include <deque>
#include <memory>
#include <vector>

namespace gpucost {

class ScenarioFlags {
public:
  ScenarioFlags();

  /// The stated settings. `choosesRecomputation`: the recomputation is not
  /// stated but chosen.
  llvm::Expected<Scenario> read(bool &choosesRecomputation) const;

  /// The section of --help for a group.
  llvm::cl::OptionCategory &category(SettingGroup group) {
    return categories[static_cast<unsigned>(group)];
  }
  bool hasCategory(const llvm::cl::OptionCategory *category) const;

private:
  struct Flag {
    std::string help, placeholder;
    /// A single flag; one with pairs may be repeated.
    std::unique_ptr<llvm::cl::opt<std::string>> single;
    std::unique_ptr<llvm::cl::list<std::string>> several;
  };
  std::deque<llvm::cl::OptionCategory> categories;
  std::vector<std::unique_ptr<Flag>> flags;
};

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_SCENARIOFLAGS_H
