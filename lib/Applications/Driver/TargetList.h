//===- TargetList.h - The built-in GPUs and networks ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_TARGETLIST_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_TARGETLIST_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// One line per GPU, or an array in JSON.
llvm::Error printTargets(llvm::raw_ostream &os, bool json);
/// One line per network, or an array in JSON.
llvm::Error printNetworks(llvm::raw_ostream &os, bool json);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_TARGETLIST_H
