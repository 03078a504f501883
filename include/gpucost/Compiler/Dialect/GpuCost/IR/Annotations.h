//===- Annotations.h - Names of discardable attributes ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_IR_ANNOTATIONS_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_IR_ANNOTATIONS_H

#include "llvm/ADT/StringRef.h"

namespace gpucost {

#define GPUCOST_ANNOTATION(name, spelling, value, holder, description)         \
  inline constexpr llvm::StringLiteral name##AttrName = spelling;
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.def"

} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_IR_ANNOTATIONS_H
