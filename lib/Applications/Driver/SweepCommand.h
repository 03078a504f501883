//===- SweepCommand.h - gpu-cost-opt sweep ----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_SWEEPCOMMAND_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_SWEEPCOMMAND_H

#include "llvm/ADT/ArrayRef.h"

namespace gpucost {

/// The subcommand; `arguments` follow its name. Returns the exit code.
int runSweepCommand(llvm::ArrayRef<char *> arguments);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_SWEEPCOMMAND_H
