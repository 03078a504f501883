//===- CommandFlags.h - The command line of a subcommand --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files, the flags of all settings, and the additional flags of a subcommand.
// The texts of settings state one scenario, or the axes of a space
// (SpaceFlags.h).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_COMMANDFLAGS_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_COMMANDFLAGS_H

#include "Output.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Applications/Sweep/Space.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "gpucost/Core/Support/Text.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpucost {

/// A flag of a subcommand that is not a setting. Every subcommand also takes
/// `-o`, `--width` and `--help`.
struct OwnFlag {
  llvm::StringRef name;
  /// Placeholder of the value, or the possible values: "table|json"; "" for a
  /// switch.
  llvm::StringRef placeholder;
  llvm::StringRef help;
  bool repeats = false;
  /// Largest value of a flag that takes an integer from `least`; 0 for other
  /// flags.
  int64_t most = 0;
  int64_t least = 1;
};

/// Largest value of most numbers.
inline constexpr int64_t anyCount = 1 << 30;

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
  /// The value of a flag with a largest number.
  int64_t count(llvm::StringRef flag, int64_t initial) const {
    int64_t count = initial;
    parseCount(value(flag), count);
    return count;
  }
};

/// A part of some work, from 1.
struct Shard {
  int64_t index = 1, count = 1;
};

/// The value "i/n" of `--shard`, with at most `most` parts.
llvm::Expected<Shard> readShard(llvm::StringRef text, int64_t most);

/// A command line whose settings are those of one scenario.
struct SubcommandFlags : CommandFlags {
  Scenario settings;
};

enum class TakesSettings : bool { No, Yes };

/// Reads the arguments that follow the name of `command`.
llvm::Expected<CommandFlags>
readCommandFlags(llvm::StringRef command, llvm::ArrayRef<char *> arguments,
                 llvm::ArrayRef<OwnFlag> own,
                 TakesSettings settings = TakesSettings::Yes);
llvm::Expected<SubcommandFlags>
readSubcommandFlags(llvm::StringRef command, llvm::ArrayRef<char *> arguments,
                    llvm::ArrayRef<OwnFlag> own);

/// Joins the texts of settings of pairs ("--bind=a:1 --bind=b:2"), which in a
/// space are several values.
void joinPairs(std::vector<sweep::AxisText> &texts);

/// Settings in one word of the command line, "target=h100-bf16 batch=8
/// --deterministic", added to `settings`. A comma separates nothing.
llvm::Error readSettingWords(llvm::StringRef flag, llvm::StringRef text,
                             Scenario &settings);

/// `own` and the flags of every subcommand.
std::vector<OwnFlag> flagsOf(llvm::ArrayRef<OwnFlag> own);
/// A line or more for each of them.
void printOwnFlags(llvm::raw_ostream &os, llvm::ArrayRef<OwnFlag> own);

/// Prints help if `flags` request it, otherwise runs `run(flags)`; reports
/// errors.
template <typename Flags, typename Run>
ExitCode runCommand(llvm::Expected<Flags> flags,
                    llvm::function_ref<void(llvm::raw_ostream &)> printHelp,
                    Run run) {
  if (!flags)
    return reportError(flags.takeError());
  std::optional<size_t> columns =
      columnsOf(flags->count("width", static_cast<int64_t>(lineWidth())));
  if (!columns)
    return reportError(llvm::createStringError(widthFault));
  ScopedWidth width(*columns);
  if (flags->has("help")) {
    printHelp(llvm::outs());
    return ExitCode::Success;
  }
  llvm::Expected<ExitCode> code = run(*flags);
  return code ? *code : reportError(code.takeError());
}

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_COMMANDFLAGS_H
