//===- Validation.h - Physical limits of facts and coefficients -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rejects numbers that cannot be physical, by field name, before any equation
// divides by them.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_MODEL_VALIDATION_H
#define GPUCOST_LIB_MODEL_VALIDATION_H

#include "gpucost/Model/Coefficients.h"
#include "llvm/Support/Error.h"

namespace gpucost {

llvm::Error validate(const Gpu &gpu);
llvm::Error validate(const Coefficients &coefficients);

} // namespace gpucost

#endif // GPUCOST_LIB_MODEL_VALIDATION_H
