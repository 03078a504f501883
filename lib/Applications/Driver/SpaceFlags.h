//===- SpaceFlags.h - Models, lists and ranges as flags ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The flags of `sweep` and `optimize`: every setting, with lists and ranges,
// and a few additional flags.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_SPACEFLAGS_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_SPACEFLAGS_H

#include "CommandFlags.h"

namespace gpucost {

/// Reads the arguments of `command` and, if present, the `--space` file.
/// `files` contains at least one model, unless help is requested.
llvm::Expected<CommandFlags> readSpaceFlags(llvm::StringRef command,
                                            llvm::ArrayRef<char *> arguments,
                                            llvm::ArrayRef<OwnFlag> own);

/// Usage, additional flags, and the syntax of lists and ranges.
void printSpaceHelp(llvm::raw_ostream &os, llvm::StringRef usage,
                    llvm::ArrayRef<OwnFlag> own);

/// Number of threads from `--jobs`; by default as many as the process may use.
unsigned jobsOf(const CommandFlags &flags);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_SPACEFLAGS_H
