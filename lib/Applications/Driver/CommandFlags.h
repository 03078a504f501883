//===- CommandFlags.h - The command line of a subcommand --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files, the flags of all settings, and the few that a subcommand has itself.
// What the texts of settings mean is said elsewhere: one scenario, or the axes
// of a space (SpaceFlags.h).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_COMMANDFLAGS_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_COMMANDFLAGS_H

#include "gpucost/Applications/Sweep/Space.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpucost {

/// A flag of a subcommand that is no setting. `-o` and `--help` are known to
/// every one.
struct OwnFlag {
  llvm::StringLiteral name;
  /// What stands for its value; "" for a switch.
  llvm::StringLiteral placeholder = "value";
  llvm::StringLiteral help = "";
  bool repeats = false;
};

struct CommandFlags {
  std::vector<std::string> files;
  /// The settings that were given, each once, with all of their texts.
  std::vector<sweep::AxisText> texts;
  /// Own flags that were given, with their values.
  llvm::StringMap<std::vector<std::string>> own;

  bool has(llvm::StringRef flag) const { return own.count(flag) != 0; }
  /// The first value.
  std::string value(llvm::StringRef flag, llvm::StringRef initial = "") const {
    auto it = own.find(flag);
    return it == own.end() ? initial.str() : it->second.front();
  }
};

/// A command line whose settings are those of one scenario.
struct SubcommandFlags : CommandFlags {
  Scenario settings;
};

enum class TakesSettings : bool { No, Yes };

/// Reads the arguments behind the name of `command`.
llvm::Expected<CommandFlags>
readCommandFlags(llvm::StringRef command, llvm::ArrayRef<char *> arguments,
                 llvm::ArrayRef<OwnFlag> own,
                 TakesSettings settings = TakesSettings::Yes);
llvm::Expected<SubcommandFlags>
readSubcommandFlags(llvm::StringRef command, llvm::ArrayRef<char *> arguments,
                    llvm::ArrayRef<OwnFlag> own);

/// Settings in one word of the command line, "target=h100-bf16 batch=8
/// --deterministic", added to `settings`. A comma separates nothing.
llvm::Error readSettingWords(llvm::StringRef flag, llvm::StringRef text,
                             Scenario &settings);

/// A whole number from 1 to `most` that `flag` states, else `initial`.
llvm::Expected<int64_t> readCount(const CommandFlags &flags,
                                  llvm::StringRef flag, int64_t initial,
                                  int64_t most = 1 << 30);

/// One line for each own flag.
void printOwnFlags(llvm::raw_ostream &os, llvm::ArrayRef<OwnFlag> own);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_COMMANDFLAGS_H
