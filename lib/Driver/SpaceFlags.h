//===- SpaceFlags.h - Models, lists and ranges on the command line -*- C++
//-*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The flags of `sweep` and `optimize`: every setting, with lists and ranges,
// and a few flags of their own.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_DRIVER_SPACEFLAGS_H
#define GPUCOST_LIB_DRIVER_SPACEFLAGS_H

#include "gpucost/Sweep/Space.h"
#include "llvm/ADT/StringMap.h"

namespace gpucost {

/// A flag of a subcommand that is no setting.
struct OwnFlag {
  llvm::StringLiteral name;
  /// What stands for its value; "" for a switch.
  llvm::StringLiteral placeholder;
  llvm::StringLiteral help;
};

struct SpaceFlags {
  std::vector<std::string> models;
  std::vector<AxisText> settings;
  /// Own flags that were given, with their values.
  llvm::StringMap<std::string> own;

  bool has(llvm::StringRef flag) const { return own.count(flag) != 0; }
  std::string value(llvm::StringRef flag, llvm::StringRef initial) const {
    auto it = own.find(flag);
    return it == own.end() ? initial.str() : it->second;
  }
};

/// Reads the arguments of `command`, and the file of `--space` where they have
/// one; flags override its settings.
llvm::Expected<SpaceFlags> readSpaceFlags(llvm::StringRef command,
                                          llvm::ArrayRef<char *> arguments,
                                          llvm::ArrayRef<OwnFlag> own);

/// Usage, own flags, and how settings take lists and ranges.
void printSpaceHelp(llvm::raw_ostream &os, llvm::StringRef usage,
                    llvm::ArrayRef<OwnFlag> own);

/// A whole number of at least 1.
llvm::Expected<int64_t> readCount(llvm::StringRef flag, llvm::StringRef text,
                                  int64_t most);

/// Threads where nobody states them: as many as the process may use.
unsigned defaultJobs();

} // namespace gpucost

#endif // GPUCOST_LIB_DRIVER_SPACEFLAGS_H
