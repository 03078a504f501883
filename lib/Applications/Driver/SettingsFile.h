//===- SettingsFile.h - Settings from a file, and their GPU -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_SETTINGSFILE_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_SETTINGSFILE_H

#include "gpucost/Core/Scenario/Scenario.h"
#include "llvm/Support/Error.h"

namespace gpucost {

/// The settings in a JSON report, or in a file with such an object; `flags`
/// override them.
llvm::Expected<Scenario> readSettingsFile(const std::string &path,
                                          const Scenario &flags);
/// The same for the text of a file; errors begin with `path`.
llvm::Expected<Scenario> readSettingsText(llvm::StringRef text,
                                          llvm::StringRef path,
                                          const Scenario &flags);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_SETTINGSFILE_H
