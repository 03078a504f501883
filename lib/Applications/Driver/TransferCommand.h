//===- TransferCommand.h - gpu-cost-opt transfer ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_TRANSFERCOMMAND_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_TRANSFERCOMMAND_H

#include "llvm/ADT/ArrayRef.h"

namespace gpucost {

/// The subcommand; `arguments` follow its name. Returns the exit code.
int runTransferCommand(llvm::ArrayRef<char *> arguments);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_TRANSFERCOMMAND_H
