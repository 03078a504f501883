//===- UserDocuments.h - Manual page and completion -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Documents that are made of the flags and subcommands as the program has them.
// The build writes them by --print-document, and installs them.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_DRIVER_USERDOCUMENTS_H
#define GPUCOST_LIB_DRIVER_USERDOCUMENTS_H

#include "DriverOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// A word that may stand in front of all flags.
struct Subcommand {
  llvm::StringLiteral name, help;
  /// Null for one that takes the flags of a report. All arguments are given.
  int (*run)(llvm::ArrayRef<char *>);
};
llvm::ArrayRef<Subcommand> subcommands();

void printUserDocument(UserDocument document, const DriverOptions &options,
                       llvm::raw_ostream &os);

} // namespace gpucost

#endif // GPUCOST_LIB_DRIVER_USERDOCUMENTS_H
