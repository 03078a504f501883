//===- Nesting.h - Depth of nested text ----------------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_NESTING_H
#define GPUCOST_CORE_SUPPORT_NESTING_H

#include <cstddef>
#include <optional>
#include <string_view>

namespace gpucost {

/// Maximum nesting of JSON and MLIR text. It bounds the stack use of recursive
/// parsers, which text is checked against before it is parsed.
inline constexpr size_t deepestNesting = 250;

enum class NestedSyntax { Json, Mlir };

/// A place in text: line and column, from 1.
struct TextPlace {
  size_t line = 1, column = 1;
};

/// The first bracket of `text` that is nested more than `deepestNesting` deep.
/// Brackets in strings and comments do not count. In MLIR, each `-` of several
/// signs in a row counts as a level.
std::optional<TextPlace> findDeepNesting(std::string_view text,
                                         NestedSyntax syntax);

/// Diagnostic about such text, without its place: "nested more than 250 deep".
std::string_view deepNestingText();

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_NESTING_H
