//===- UserDocuments.h - Manual page and completion -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Documents generated from the flags and subcommands of the program. The build
// writes them with --print-document and installs them.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_USERDOCUMENTS_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_USERDOCUMENTS_H

#include "DriverOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// A subcommand, which precedes all flags.
struct Subcommand {
  llvm::StringLiteral name, help;
  /// Null if the subcommand takes the flags of a report. Receives all
  /// arguments.
  int (*run)(llvm::ArrayRef<char *>);
};
llvm::ArrayRef<Subcommand> subcommands();

void printUserDocument(UserDocument document, const DriverOptions &options,
                       llvm::raw_ostream &os);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_USERDOCUMENTS_H
