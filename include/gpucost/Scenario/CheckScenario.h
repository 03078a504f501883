//===- CheckScenario.h - Settings from text, and their checks ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from the plain structs of Scenario.h, because its errors and texts are
// LLVM's.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_SCENARIO_CHECKSCENARIO_H
#define GPUCOST_SCENARIO_CHECKSCENARIO_H

#include "gpucost/Scenario/Scenario.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpucost {

/// States the setting `name` (a flag or its key in JSON) from the text that its
/// flag takes. A switch takes "true", "false" or "". An unknown name or value
/// is an error that says what is expected.
llvm::Error state(Scenario &scenario, llvm::StringRef name,
                  llvm::StringRef text);

/// The present name of a value that has been renamed, which `state` accepts for
/// one release; "" for any other value.
llvm::StringRef findRenamed(llvm::StringRef name, llvm::StringRef value);

/// Error for a value out of its range, or one that `target` does not support.
llvm::Error checkValues(const Scenario &scenario,
                        const std::optional<ScenarioTarget> &target);

/// `checkValues`, and whether the settings go together.
llvm::Error validate(const Scenario &scenario,
                     const std::optional<ScenarioTarget> &target);

} // namespace gpucost

#endif // GPUCOST_SCENARIO_CHECKSCENARIO_H
