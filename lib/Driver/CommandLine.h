//===- CommandLine.h - Mistakes on the command line -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LLVM's parser would say in its own words, or not at all: unknown flags
// with suggestions among our own ones, a flag that is given twice, values that
// are no case or no number.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_DRIVER_COMMANDLINE_H
#define GPUCOST_LIB_DRIVER_COMMANDLINE_H

#include "DriverOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace gpucost {

/// The first mistake in `arguments` (without the name of the program); "" for
/// none. All options must be registered.
std::string findMistake(llvm::ArrayRef<const char *> arguments,
                        DriverOptions &options);

} // namespace gpucost

#endif // GPUCOST_LIB_DRIVER_COMMANDLINE_H
