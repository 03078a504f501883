//===- CommandLine.h - Errors on the command line ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errors that LLVM's parser reports in different words or not at all: unknown
// flags, with suggestions from our flags; a flag that is given twice; values
// that are not a case or not a number.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_COMMANDLINE_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_COMMANDLINE_H

#include "DriverOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace gpucost {

/// The first error in `arguments` (without the program name); "" if there is
/// none. All options must be registered.
std::string findMistake(llvm::ArrayRef<const char *> arguments,
                        DriverOptions &options);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_COMMANDLINE_H
