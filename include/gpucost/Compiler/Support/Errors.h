//===- Errors.h - Errors as llvm::Error -------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_SUPPORT_ERRORS_H
#define GPUCOST_COMPILER_SUPPORT_ERRORS_H

#include "gpucost/Core/Support/Expected.h"
#include "llvm/Support/Error.h"

namespace gpucost {

/// `error` as an llvm::Error with the same message.
inline llvm::Error toLLVMError(const Error &error) {
  return llvm::createStringError(error.message);
}

} // namespace gpucost

#endif // GPUCOST_COMPILER_SUPPORT_ERRORS_H
