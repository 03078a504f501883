//===- SubcommandFlags.h - Settings and flags of a subcommand ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line of a subcommand that runs models: files, the flags of all
// settings, and the few of its own.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_DRIVER_SUBCOMMANDFLAGS_H
#define GPUCOST_LIB_DRIVER_SUBCOMMANDFLAGS_H

#include "gpucost/Scenario/Scenario.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpucost {

struct SubcommandFlag {
  llvm::StringLiteral name;
  bool repeats = false;
};

struct SubcommandFlags {
  std::vector<std::string> files;
  Scenario settings;
  llvm::StringMap<std::vector<std::string>> own;
  bool help = false;

  std::string value(llvm::StringRef flag, llvm::StringRef initial = "") const {
    auto it = own.find(flag);
    return it == own.end() ? initial.str() : it->second.front();
  }
};

/// Reads `arguments` of `command`; `-o` and `--help` are flags of every one.
llvm::Expected<SubcommandFlags>
readSubcommandFlags(llvm::StringRef command, llvm::ArrayRef<char *> arguments,
                    llvm::ArrayRef<SubcommandFlag> own);

/// Settings in one word of the command line, "target=h100-bf16 batch=8
/// --deterministic", added to `settings`. A comma separates nothing.
llvm::Error readSettingWords(llvm::StringRef flag, llvm::StringRef text,
                             Scenario &settings);

/// A whole number of at least 1 that `flag` states, else `initial`.
llvm::Expected<unsigned> readWhole(const SubcommandFlags &flags,
                                   llvm::StringRef flag, unsigned initial);

} // namespace gpucost

#endif // GPUCOST_LIB_DRIVER_SUBCOMMANDFLAGS_H
