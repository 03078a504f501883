//===- DimensionBindings.cpp - Values of symbolic dimensions --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimensionBindings.h"
#include "DimensionExpression.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace gpucost;
using llvm::StringRef;

/// Names that exporters use for the batch dimension.
static constexpr llvm::StringLiteral batchNames[] = {
    "batch", "batch_size", "batchsize", "batch_dim", "BatchSize", "Batch",
    "N",     "n",          "B",         "b",         "bs",        "bsz"};
/// Names that exporters use for the sequence. `s0` is the only numbered symbol,
/// because with a fixed batch exporters assign it to the sequence.
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
/// Names for the tokens in the cache before the iteration.
static constexpr llvm::StringLiteral pastNames[] = {
    "past",
    "past_len",
    "past_length",
    "past_seq",
    "past_seq_len",
    "past_seq_length",
    "past_sequence",
    "past_sequence_len",
    "past_sequence_length",
    "past_kv_len",
    "past_kv_length",
    "past_key_values_length",
    "past_decoder_sequence_length",
    "kv_len",
    "kv_length",
    "cache_len",
    "cache_length",
    "cache_sequence_length"};
/// Names for the total of past and new tokens.
static constexpr llvm::StringLiteral totalNames[] = {
    "total",
    "total_len",
    "total_length",
    "total_seq",
    "total_seq_len",
    "total_seq_length",
    "total_sequence",
    "total_sequence_len",
    "total_sequence_length",
    "total_kv_len",
    "total_kv_length",
    "past_and_sequence_length",
    "attention_mask_length",
    "attention_mask_sequence_length"};

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

bool DimensionBindings::isSequenceName(StringRef name) {
  return llvm::is_contained(sequenceNames, name);
}

bool DimensionBindings::isPastName(StringRef name) {
  return llvm::is_contained(pastNames, name);
}

std::string DimensionBindings::listNames() const {
  auto list = [](const auto &map) {
    return "'" +
           llvm::join(llvm::map_range(map, [](auto &n) { return n.first; }),
                      "', '") +
           "'";
  };
  std::string text =
      names.empty() ? "; there are none" : "; there are " + list(names);
  if (!scalars.empty())
    text += "; inputs with one element are " + list(scalars);
  return text;
}

/// "nonzero_0", "reshape_3.1".
static bool isDataSizeName(StringRef name) {
  auto [word, number] = name.rsplit('_');
  return !word.empty() && llvm::all_of(word, llvm::isLower) &&
         !number.empty() && llvm::isDigit(number.front()) &&
         llvm::all_of(number,
                      [](char c) { return llvm::isDigit(c) || c == '.'; });
}

/// Whether `name` matches `pattern`, in which `*` matches any string.
static bool matches(StringRef pattern, StringRef name) {
  auto [first, rest] = pattern.split('*');
  if (first.size() == pattern.size())
    return pattern == name;
  if (!name.consume_front(first))
    return false;
  while (rest.contains('*')) {
    auto [part, after] = rest.split('*');
    size_t at = name.find(part);
    if (at == StringRef::npos)
      return false;
    name = name.drop_front(at + part.size());
    rest = after;
  }
  return name.ends_with(rest);
}

std::optional<int64_t> DimensionBindings::wildcard(StringRef name) const {
  const Pattern *best = nullptr;
  for (const Pattern &pattern : patterns)
    if (matches(pattern.text, name) &&
        (!best || pattern.text.size() > best->text.size()))
      best = &pattern;
  if (!best)
    return others;
  best->used = true;
  return best->value;
}

std::optional<int64_t> DimensionBindings::takeDataSize(StringRef name) {
  auto it = dataSizes.find(name.str());
  if (it == dataSizes.end())
    return wildcard(name);
  taken[name] = true;
  return it->second;
}

llvm::Error DimensionBindings::checkDataSizes() const {
  for (const auto &[name, value] : dataSizes)
    if (!taken.contains(name))
      return llvm::createStringError("no symbolic dimension is named '" + name +
                                     "'" + listNames());
  for (const Pattern &pattern : patterns)
    if (!pattern.used)
      return llvm::createStringError("no symbolic dimension is of the form '" +
                                     pattern.text + "'" + listNames());
  return llvm::Error::success();
}

/// Sets `slot` to a value; an error if it already has a different one.
static llvm::Error assign(std::optional<int64_t> &slot, StringRef name,
                          int64_t value) {
  if (slot && *slot != value)
    return llvm::createStringError("dimension '" + name + "' has two values, " +
                                   llvm::Twine(*slot) + " and " +
                                   llvm::Twine(value));
  slot = value;
  return llvm::Error::success();
}

llvm::Error DimensionBindings::bind(StringRef name, int64_t value) {
  if (value < 0 || value > maxValue)
    return llvm::createStringError(
        "value " + llvm::Twine(value) + " of dimension '" + name +
        "' is not between 0 and " + llvm::Twine(maxValue));
  if (name == "*")
    return assign(others, name, value);
  if (auto it = names.find(name.str()); it != names.end())
    return assign(it->second, name, value);
  if (auto it = scalars.find(name.str()); it != scalars.end())
    return assign(it->second, name, value);
  if (name.contains('*')) {
    patterns.push_back({name.str(), value, false});
    return llvm::Error::success();
  }
  if (!isDataSizeName(name))
    return llvm::createStringError("no symbolic dimension is named '" + name +
                                   "'" + listNames());
  std::optional<int64_t> slot;
  if (auto it = dataSizes.find(name.str()); it != dataSizes.end())
    slot = it->second;
  if (llvm::Error error = assign(slot, name, value))
    return error;
  dataSizes[name.str()] = value;
  return llvm::Error::success();
}

llvm::Error DimensionBindings::bindAll(const NamedValues &values) {
  for (const auto &[name, value] : values)
    if (llvm::Error error = bind(name, value))
      return error;
  return llvm::Error::success();
}

llvm::Expected<std::string>
DimensionBindings::findOneOf(llvm::ArrayRef<llvm::StringLiteral> customary,
                             StringRef what) const {
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
  return found;
}

llvm::Error
DimensionBindings::bindOneOf(llvm::ArrayRef<llvm::StringLiteral> customary,
                             StringRef what, int64_t value) {
  llvm::Expected<std::string> found = findOneOf(customary, what);
  if (!found)
    return found.takeError();
  if (found->empty())
    return llvm::createStringError("no dimension with a known name for '" +
                                   what + "'" + listNames());
  return bind(*found, value);
}

llvm::Error DimensionBindings::bindBatch(int64_t value) {
  return bindOneOf(batchNames, "batch", value);
}

llvm::Error DimensionBindings::bindSequence(int64_t value) {
  return bindOneOf(sequenceNames, "sequence", value);
}

llvm::Error DimensionBindings::bindPast(int64_t value) {
  return bindOneOf(pastNames, "past", value);
}

llvm::Error DimensionBindings::bindUnlessBound(StringRef name, int64_t value) {
  auto it = names.find(name.str());
  return it != names.end() && it->second ? llvm::Error::success()
                                         : bind(name, value);
}

//===----------------------------------------------------------------------===//
// Total lengths
//===----------------------------------------------------------------------===//

/// The declared name with a customary form, and its value; an empty name if
/// there is none or several.
std::pair<std::string, std::optional<int64_t>> DimensionBindings::findValue(
    llvm::ArrayRef<llvm::StringLiteral> customary) const {
  llvm::Expected<std::string> name = findOneOf(customary, "");
  if (!name) {
    llvm::consumeError(name.takeError());
    return {};
  }
  std::optional<int64_t> value;
  if (auto it = names.find(*name); it != names.end())
    value = it->second ? it->second : wildcard(*name);
  return {*name, value};
}

/// "past_sequence_length + 1": the total length with a single new token.
static bool isPastPlusOne(StringRef name, StringRef past) {
  return name.consume_front(past) && name.trim().consume_front("+") &&
         name.rsplit('+').second.trim() == "1";
}

llvm::Error DimensionBindings::deriveTotals() {
  auto [past, before] = findValue(pastNames);
  auto [sequence, length] = findValue(sequenceNames);
  if (sequence.empty())
    length = fixedSequence;
  if (past.empty() || !before || !length)
    return llvm::Error::success();
  std::string sum = llvm::Twine(*before).str() + " + " +
                    std::to_string(*length) + " = " +
                    std::to_string(*before + *length);
  for (auto &[name, value] : names) {
    bool customary = llvm::is_contained(totalNames, StringRef(name)) ||
                     isPastPlusOne(name, past);
    bool ofMask = name != past && name != sequence &&
                  llvm::is_contained(maskLengths, name);
    if (!customary && !ofMask)
      continue;
    if (customary && value && *value != *before + *length)
      return llvm::createStringError(
          "dimension '" + name + "' has the value " + llvm::Twine(*value) +
          ", but '" + past + "' and " +
          (sequence.empty() ? std::string("the sequence")
                            : "'" + sequence + "'") +
          " make " + sum);
    if (value)
      continue;
    if (llvm::Error error = bind(name, *before + *length))
      return error;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

llvm::Expected<std::optional<int64_t>>
DimensionBindings::evaluate(StringRef name) const {
  auto it = names.find(name.str());
  if (it != names.end() && it->second)
    return it->second;
  auto lookup = [&](StringRef word) -> NamedDimension {
    auto found = names.find(word.str());
    // The name itself is a symbol, not an expression.
    if (found == names.end() || word == name)
      return {};
    return {true, found->second ? found->second : wildcard(word)};
  };
  int64_t value = 0;
  switch (parseDimension(name, lookup, value)) {
  case ExpressionResult::NoExpression:
    return wildcard(name);
  case ExpressionResult::Unbound:
    return std::nullopt;
  case ExpressionResult::Invalid:
    break;
  case ExpressionResult::Value:
    if (value >= 0 && value <= maxValue)
      return value;
    break;
  }
  return llvm::createStringError(
      "dimension '" + name + "' is not between 0 and " + llvm::Twine(maxValue));
}

std::optional<int64_t> DimensionBindings::evaluateHint(StringRef name) const {
  auto lookup = [&](StringRef word) -> NamedDimension {
    auto found = names.find(word.str());
    if (found == names.end())
      return {};
    return {true, found->second ? found->second : wildcard(word)};
  };
  int64_t value = 0;
  if (NamedDimension known = lookup(name); known.declared)
    return known.value;
  return parseDimension(name, lookup, value) == ExpressionResult::Value &&
                 value >= 0 && value <= maxValue
             ? std::optional(value)
             : std::nullopt;
}

std::optional<int64_t> DimensionBindings::scalarValue(StringRef input) const {
  auto it = scalars.find(input.str());
  return it == scalars.end() ? std::nullopt : it->second;
}

llvm::SmallVector<std::pair<std::string, int64_t>>
DimensionBindings::getBound() const {
  llvm::SmallVector<std::pair<std::string, int64_t>> bound;
  for (const auto &[name, value] : names)
    if (std::optional<int64_t> effective = value ? value : wildcard(name))
      bound.emplace_back(name, *effective);
  for (const auto &[name, value] : scalars)
    if (value)
      bound.emplace_back(name, *value);
  return bound;
}
