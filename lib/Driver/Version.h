//===- Version.h - What --version prints ------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_DRIVER_VERSION_H
#define GPUCOST_LIB_DRIVER_VERSION_H

#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// Version of the tool with the commit that it was configured at, of MLIR, and
/// the newest date in the provenance of the coefficients.
void printVersion(llvm::raw_ostream &os);

} // namespace gpucost

#endif // GPUCOST_LIB_DRIVER_VERSION_H
