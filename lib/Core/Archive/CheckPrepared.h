//===- CheckPrepared.h - Whether a prepared model is one --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_ARCHIVE_CHECKPREPARED_H
#define GPUCOST_LIB_CORE_ARCHIVE_CHECKPREPARED_H

#include "gpucost/Core/Archive/PreparedFile.h"

namespace gpucost {

/// What in `file` no preparation writes, as a message; empty when nothing is:
/// indices beyond their lists, negative counts, tensors that are freed before
/// they are made, kernels and settings that are not valid.
std::string findFaultInPrepared(const PreparedFile &file);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_ARCHIVE_CHECKPREPARED_H
