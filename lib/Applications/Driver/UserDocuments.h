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
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

void printUserDocument(UserDocument document, const DriverOptions &options,
                       llvm::raw_ostream &os);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_USERDOCUMENTS_H
