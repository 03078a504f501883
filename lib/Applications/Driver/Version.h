//===- Version.h - Output of --version --------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_VERSION_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_VERSION_H

#include "gpucost/Core/Support/Version.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// Versions of the tool, with its commit at configuration time, of MLIR, and of
/// the coefficients: the newest date in their provenance, and the hash of all
/// built-in targets and coefficients (gpucostDataVersion).
void printVersion(llvm::raw_ostream &os);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_VERSION_H
