//===- DimensionExpression.cpp - Dimensions as expressions ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimensionExpression.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace gpucost;
using llvm::StringRef;

namespace {
/// Recursive descent parser for `+ - * // ( )`, integers and names. The nesting
/// depth is limited, so that a malicious name cannot exhaust the stack.
class ExpressionParser {
public:
  ExpressionParser(StringRef text, LookupDimension lookup)
      : rest(text), lookup(lookup) {}

  ExpressionResult parse(int64_t &value) {
    std::optional<int64_t> sum = parseSum(0);
    if (!sum || !rest.ltrim().empty())
      return ExpressionResult::NoExpression;
    value = *sum;
    return unbound   ? ExpressionResult::Unbound
           : invalid ? ExpressionResult::Invalid
                     : ExpressionResult::Value;
  }

private:
  static constexpr unsigned maxDepth = 64;

  bool consume(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  std::optional<int64_t> parseSum(unsigned depth);
  std::optional<int64_t> parseProduct(unsigned depth);
  std::optional<int64_t> parseAtom(unsigned depth);

  StringRef rest;
  LookupDimension lookup;
  bool unbound = false, invalid = false;
};
} // namespace

std::optional<int64_t> ExpressionParser::parseSum(unsigned depth) {
  std::optional<int64_t> left = parseProduct(depth);
  while (left) {
    bool isPlus = consume("+");
    if (!isPlus && !consume("-"))
      return left;
    std::optional<int64_t> right = parseProduct(depth);
    if (!right)
      return std::nullopt;
    int64_t result = 0;
    invalid |= isPlus ? llvm::AddOverflow(*left, *right, result)
                      : llvm::SubOverflow(*left, *right, result);
    left = result;
  }
  return std::nullopt;
}

std::optional<int64_t> ExpressionParser::parseProduct(unsigned depth) {
  std::optional<int64_t> left = parseAtom(depth);
  while (left) {
    bool isTimes = consume("*");
    if (!isTimes && !consume("//"))
      return left;
    std::optional<int64_t> right = parseAtom(depth);
    if (!right)
      return std::nullopt;
    int64_t result = 0;
    if (isTimes)
      invalid |= llvm::MulOverflow(*left, *right, result);
    else if (*right <= 0)
      invalid = true;
    else
      result = *left / *right - (*left % *right < 0);
    left = result;
  }
  return std::nullopt;
}

std::optional<int64_t> ExpressionParser::parseAtom(unsigned depth) {
  if (depth > maxDepth)
    return std::nullopt;
  if (consume("(")) {
    std::optional<int64_t> value = parseSum(depth + 1);
    return value && consume(")") ? value : std::nullopt;
  }
  StringRef word = rest.take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  if (word.empty())
    return std::nullopt;
  rest = rest.drop_front(word.size());
  int64_t value;
  if (llvm::isDigit(word.front()))
    return word.getAsInteger(10, value) ? std::nullopt
                                        : std::optional<int64_t>(value);
  NamedDimension known = lookup(word);
  if (!known.declared)
    return std::nullopt;
  unbound |= !known.value;
  return known.value.value_or(0);
}

ExpressionResult gpucost::parseDimension(StringRef text, LookupDimension lookup,
                                         int64_t &value) {
  return ExpressionParser(text, lookup).parse(value);
}
