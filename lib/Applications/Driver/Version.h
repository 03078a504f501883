//===- Version.h - Output of --version --------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_VERSION_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_VERSION_H

#include "llvm/Support/raw_ostream.h"
#include <string>

namespace gpucost {

/// Versions of the tool, with its commit at configuration time, and of MLIR,
/// and the newest date in the provenance of the coefficients.
void printVersion(llvm::raw_ostream &os);

/// "0.9.0+c7ab7ea": identifies everything that predictions depend on, except
/// models and settings.
std::string versionName();

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_VERSION_H
