//===- CrashGuard.h - Survives crashes of a call -------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_SUPPORT_CRASHGUARD_H
#define GPUCOST_COMPILER_SUPPORT_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpucost {

/// Runs `call`, which must not throw; false if a signal ended it: a crash of a
/// parser, or a read from a mapped file that another process has shortened. One
/// call of the process runs at a time.
bool finishes(llvm::function_ref<void()> call);

} // namespace gpucost

#endif // GPUCOST_COMPILER_SUPPORT_CRASHGUARD_H
