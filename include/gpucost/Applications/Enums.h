//===- Enums.h - The enumerations of Enums.def ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_ENUMS_H
#define GPUCOST_APPLICATIONS_ENUMS_H

#include "gpucost/Core/Support/Enumeration.h"

namespace gpucost {

#define GPUCOST_ENUMS "gpucost/Applications/Enums.def"
#include "gpucost/Core/Vocabulary/DefineEnums.inc"

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_ENUMS_H
