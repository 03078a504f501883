//===- TechniqueFlags.h - Flags of techniques of serving --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_TECHNIQUEFLAGS_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_TECHNIQUEFLAGS_H

#include "CommandFlags.h"
#include "gpucost/Applications/Serve/Techniques.h"

namespace gpucost {

/// Numbers from 0 to 1, separated by commas.
llvm::Expected<std::vector<double>> readShares(llvm::StringRef flag,
                                               llvm::StringRef text);

/// One value of each flag, as `deploy` takes them.
llvm::Expected<serve::Techniques> readTechniques(const CommandFlags &flags);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_TECHNIQUEFLAGS_H
