//===- Enums.h - The enumerations of Enums.def ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_VOCABULARY_ENUMS_H
#define GPUCOST_VOCABULARY_ENUMS_H

#include "gpucost/Support/Enumeration.h"

namespace gpucost {

#define GPUCOST_ENUMS "gpucost/Vocabulary/Enums.def"
#include "gpucost/Vocabulary/DefineEnums.inc"

} // namespace gpucost

#endif // GPUCOST_VOCABULARY_ENUMS_H
