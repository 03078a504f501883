//===- CheckScenario.h - Settings from strings and checks -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ScenarioFaults.h with LLVM errors.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_SUPPORT_CHECKSCENARIO_H
#define GPUCOST_COMPILER_SUPPORT_CHECKSCENARIO_H

#include "gpucost/Core/Scenario/ScenarioFaults.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpucost {

/// A message of ScenarioFaults.h as an error.
inline llvm::Error toFaultError(const std::string &fault) {
  return fault.empty() ? llvm::Error::success()
                       : llvm::createStringError(fault);
}

/// `stateText`.
inline llvm::Error state(Scenario &scenario, llvm::StringRef name,
                         llvm::StringRef text) {
  return toFaultError(stateText(scenario, name, text));
}

/// `faultOfValues`.
inline llvm::Error checkValues(const Scenario &scenario,
                               const std::optional<ScenarioTarget> &target) {
  return toFaultError(faultOfValues(scenario, target));
}

/// `findFault`.
inline llvm::Error validate(const Scenario &scenario,
                            const std::optional<ScenarioTarget> &target) {
  return toFaultError(findFault(scenario, target));
}

} // namespace gpucost

#endif // GPUCOST_COMPILER_SUPPORT_CHECKSCENARIO_H
