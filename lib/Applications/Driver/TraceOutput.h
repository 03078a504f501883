//===- TraceOutput.h - The file of --trace ----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_TRACEOUTPUT_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_TRACEOUTPUT_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpucost {

/// Writes the iteration of `placed`, with its settings, to `path` as a
/// timeline. `model` is the name of the model. Creates no file on errors.
llvm::Error writeTraceFile(llvm::StringRef path, const PlacedModel &placed,
                           llvm::StringRef model, bool collapseLoops);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_TRACEOUTPUT_H
