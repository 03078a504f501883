//===- Version.h - What --version prints ------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_DRIVER_VERSION_H
#define GPUCOST_LIB_DRIVER_VERSION_H

#include "llvm/Support/raw_ostream.h"
#include <string>

namespace gpucost {

/// Version of the tool with the commit that it was configured at, of MLIR, and
/// the newest date in the provenance of the coefficients.
void printVersion(llvm::raw_ostream &os);

/// "0.9.0+c7ab7ea": what predictions depend on beside models and settings.
std::string versionName();

} // namespace gpucost

#endif // GPUCOST_LIB_DRIVER_VERSION_H
