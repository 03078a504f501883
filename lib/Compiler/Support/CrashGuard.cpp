//===- CrashGuard.cpp - Survives crashes of a call ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Support/CrashGuard.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <mutex>

bool gpucost::finishes(llvm::function_ref<void()> call) {
  // Signal handlers are global to the process.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  llvm::CrashRecoveryContext guard;
  llvm::CrashRecoveryContext::Enable();
  bool finished = guard.RunSafely(call);
  llvm::CrashRecoveryContext::Disable();
  return finished;
}
