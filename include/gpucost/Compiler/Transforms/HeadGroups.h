//===- HeadGroups.h - GPUs that divide heads of attention -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_TRANSFORMS_HEADGROUPS_H
#define GPUCOST_COMPILER_TRANSFORMS_HEADGROUPS_H

#include "llvm/ADT/StringRef.h"

namespace gpucost {

/// (X22) An integer of a module: GPUs that divide the heads of attention among
/// them, of those that share a sequence; without it, 1.
inline constexpr llvm::StringLiteral headGroupAttrName = "context.heads";

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMS_HEADGROUPS_H
