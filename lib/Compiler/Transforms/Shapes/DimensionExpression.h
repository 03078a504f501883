//===- DimensionExpression.h - Dimensions as expressions --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to gpucost-fix-shapes: dimension names that are expressions over
// other names, such as `past + seq` or `(s1 - 1)//8 + 1`.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DIMENSIONEXPRESSION_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DIMENSIONEXPRESSION_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace gpucost {

/// The state of a name in an expression.
struct NamedDimension {
  bool declared = false;
  std::optional<int64_t> value;
};
using LookupDimension = llvm::function_ref<NamedDimension(llvm::StringRef)>;

enum class ExpressionResult {
  NoExpression, ///< a name, or it contains an undeclared name
  Unbound,      ///< a name in it has no value
  Invalid,      ///< it overflows or divides by zero
  Value
};

/// The value of `text`, an expression of integers, names and `+ - * // ( )`.
ExpressionResult parseDimension(llvm::StringRef text, LookupDimension lookup,
                                int64_t &value);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DIMENSIONEXPRESSION_H
