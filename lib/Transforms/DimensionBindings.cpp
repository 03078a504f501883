//===- DimensionBindings.cpp - Values of symbolic dimensions --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimensionBindings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"

using namespace gpucost;
using llvm::StringRef;

/// Names by which exporters call the batch dimension.
static constexpr llvm::StringLiteral batchNames[] = {
    "batch", "batch_size", "batchsize", "batch_dim", "BatchSize", "Batch",
    "N",     "n",          "B",         "b",         "bs",        "bsz"};
/// The same for the sequence. Of the numbered symbols only `s0` is taken: with
/// fixed batch it is the one that an exporter names first.
static constexpr llvm::StringLiteral sequenceNames[] = {"seq",
                                                        "sequence",
                                                        "seq_len",
                                                        "seq_length",
                                                        "seqlen",
                                                        "sequence_len",
                                                        "sequence_length",
                                                        "SequenceLength",
                                                        "sequence_dim",
                                                        "S",
                                                        "T",
                                                        "L",
                                                        "s0"};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

namespace {
/// Recursive descent over `+ - * // ( )`, integers and names. The nesting is
/// bounded, so that a hostile name cannot exhaust the stack.
class ExpressionParser {
public:
  enum class Result { NoExpression, Unbound, Invalid, Value };
  using Lookup = llvm::function_ref<std::optional<int64_t>(StringRef)>;

  /// `lookup` gives the value of a declared name (0 when it has none) and
  /// nullopt for other names.
  ExpressionParser(StringRef text, Lookup lookup)
      : rest(text), lookup(lookup) {}

  Result parse(int64_t &value) {
    std::optional<int64_t> sum = parseSum(0);
    if (!sum || !rest.ltrim().empty())
      return Result::NoExpression;
    value = *sum;
    return unbound   ? Result::Unbound
           : invalid ? Result::Invalid
                     : Result::Value;
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
  Lookup lookup;
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
  std::optional<int64_t> known = lookup(word);
  if (!known)
    return std::nullopt;
  unbound |= *known == 0;
  return known;
}

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

std::string DimensionBindings::listNames() const {
  if (names.empty())
    return "; there are none";
  return "; there are '" +
         llvm::join(llvm::map_range(names, [](auto &n) { return n.first; }),
                    "', '") +
         "'";
}

/// "nonzero_0", "reshape_3.1".
static bool isDataSizeName(StringRef name) {
  auto [word, number] = name.rsplit('_');
  return !word.empty() && llvm::all_of(word, llvm::isLower) &&
         !number.empty() && llvm::isDigit(number.front()) &&
         llvm::all_of(number,
                      [](char c) { return llvm::isDigit(c) || c == '.'; });
}

std::optional<int64_t> DimensionBindings::takeDataSize(StringRef name) {
  auto it = dataSizes.find(name.str());
  if (it == dataSizes.end())
    return std::nullopt;
  taken[name] = true;
  return it->second;
}

llvm::Error DimensionBindings::checkDataSizes() const {
  for (const auto &[name, value] : dataSizes)
    if (!taken.contains(name))
      return llvm::createStringError("no symbolic dimension is named '" + name +
                                     "'" + listNames());
  return llvm::Error::success();
}

llvm::Error DimensionBindings::bind(StringRef name, int64_t value) {
  if (value < 1 || value > maxValue)
    return llvm::createStringError(
        "value " + llvm::Twine(value) + " of dimension '" + name +
        "' is not from 1 to " + llvm::Twine(maxValue));
  auto it = names.find(name.str());
  if (it == names.end() && isDataSizeName(name)) {
    auto [slot, isNew] = dataSizes.insert({name.str(), value});
    if (isNew || slot->second == value)
      return llvm::Error::success();
    return llvm::createStringError("dimension '" + name + "' has two values, " +
                                   llvm::Twine(slot->second) + " and " +
                                   llvm::Twine(value));
  }
  if (name != "*" && it == names.end())
    return llvm::createStringError("no symbolic dimension is named '" + name +
                                   "'" + listNames());
  int64_t &slot = name == "*" ? others : it->second;
  if (slot != 0 && slot != value)
    return llvm::createStringError("dimension '" + name + "' has two values, " +
                                   llvm::Twine(slot) + " and " +
                                   llvm::Twine(value));
  slot = value;
  return llvm::Error::success();
}

llvm::Error DimensionBindings::bindAll(const NamedValues &values) {
  for (const auto &[name, value] : values)
    if (llvm::Error error = bind(name, value))
      return error;
  return llvm::Error::success();
}

llvm::Error
DimensionBindings::bindOneOf(llvm::ArrayRef<llvm::StringLiteral> customary,
                             StringRef what, int64_t value) {
  std::string found;
  for (auto &[name, bound] : names) {
    if (!llvm::is_contained(customary, StringRef(name)))
      continue;
    if (!found.empty())
      return llvm::createStringError("both '" + found + "' and '" + name +
                                     "' may be the " + what +
                                     " dimension; bind them by name");
    found = name;
  }
  if (found.empty())
    return llvm::createStringError("no symbolic dimension has a customary name "
                                   "of the " +
                                   what + " dimension" + listNames());
  return bind(found, value);
}

llvm::Error DimensionBindings::bindBatch(int64_t value) {
  return bindOneOf(batchNames, "batch", value);
}

llvm::Error DimensionBindings::bindSequence(int64_t value) {
  return bindOneOf(sequenceNames, "sequence", value);
}

llvm::Error DimensionBindings::bindUnlessBound(StringRef name, int64_t value) {
  auto it = names.find(name.str());
  return it != names.end() && it->second ? llvm::Error::success()
                                         : bind(name, value);
}

llvm::Expected<std::optional<int64_t>>
DimensionBindings::evaluate(StringRef name) const {
  auto it = names.find(name.str());
  if (it != names.end() && it->second != 0)
    return it->second;
  auto lookup = [&](StringRef word) -> std::optional<int64_t> {
    auto found = names.find(word.str());
    // The name itself is a symbol, not an expression.
    if (found == names.end() || word == name)
      return std::nullopt;
    return found->second ? found->second : others;
  };
  int64_t value = 0;
  switch (ExpressionParser(name, lookup).parse(value)) {
  case ExpressionParser::Result::NoExpression:
    return others ? std::optional<int64_t>(others) : std::nullopt;
  case ExpressionParser::Result::Unbound:
    return std::nullopt;
  case ExpressionParser::Result::Invalid:
    break;
  case ExpressionParser::Result::Value:
    if (value >= 1 && value <= maxValue)
      return value;
    break;
  }
  return llvm::createStringError("dimension '" + name + "' is not from 1 to " +
                                 llvm::Twine(maxValue));
}

llvm::SmallVector<std::pair<std::string, int64_t>>
DimensionBindings::getBound() const {
  llvm::SmallVector<std::pair<std::string, int64_t>> bound;
  for (const auto &[name, value] : names)
    if (int64_t effective = value ? value : others)
      bound.emplace_back(name, effective);
  return bound;
}
