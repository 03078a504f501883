//===- CheckPrepared.h - Validation of prepared models ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_ARCHIVE_CHECKPREPARED_H
#define GPUCOST_LIB_CORE_ARCHIVE_CHECKPREPARED_H

#include "gpucost/Core/Archive/PreparedFile.h"

namespace gpucost {

/// A message for the first part of `file` that is invalid; empty if there is
/// none. Checks for indices out of range, negative counts, tensors that are
/// freed before they are allocated, and invalid kernels and settings.
std::string findFaultInPrepared(const PreparedFile &file);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_ARCHIVE_CHECKPREPARED_H
