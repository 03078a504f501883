//===- Values.cpp - Lists and ranges of values ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/Space.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::StringRef;

/// Values of one axis.
static constexpr int64_t mostValues = 100'000;

static llvm::Error refuse(StringRef flag, StringRef text,
                          const llvm::Twine &why) {
  return llvm::createStringError("--" + flag + "=" + text + ": " + why);
}

namespace {
/// "first..last", with ":step" or "xfactor".
struct RangeText {
  StringRef first, last, step;
  char by = 0; ///< ':' or 'x'; 0 without a step
};
} // namespace

static RangeText splitRange(StringRef text) {
  RangeText range;
  std::tie(range.first, range.last) = text.split("..");
  size_t by = range.last.find_first_of(":x");
  if (by == StringRef::npos)
    return range;
  range.by = range.last[by];
  range.step = range.last.substr(by + 1);
  range.last = range.last.take_front(by);
  return range;
}

/// `whole`: of whole numbers.
static llvm::Error addRange(StringRef flag, StringRef text, bool whole,
                            std::vector<std::string> &values) {
  RangeText range = splitRange(text);
  double first = 0, last = 0, step = 1;
  auto parse = [&](StringRef number, double &value) {
    int64_t integer;
    if (whole && number.trim().getAsInteger(10, integer))
      return false;
    return !number.trim().getAsDouble(value) && std::isfinite(value);
  };
  if (!parse(range.first, first) || !parse(range.last, last) ||
      (range.by && !parse(range.step, step)))
    return refuse(flag, text,
                  "a range is first..last, first..last:step or "
                  "first..lastxfactor, of " +
                      llvm::Twine(whole ? "whole numbers" : "numbers"));
  if (!range.by && !whole)
    return refuse(flag, text,
                  "a range needs a step (" + range.first + ".." + range.last +
                      ":10)");
  if (first > last)
    return refuse(flag, text,
                  "the range is empty: it runs from " + range.first.trim() +
                      " up to " + range.last.trim());
  bool grows = range.by == 'x';
  if (grows ? step <= 1 || first <= 0 : step <= 0)
    return refuse(flag, text,
                  grows ? "a factor must be above 1, from a first value above 0"
                        : "a step must be above 0");
  // Only rounding may miss the last value.
  double end = last + 1e-9 * (grows ? last : step);
  for (int64_t i = 0;; ++i) {
    double value = grows ? first * std::pow(step, static_cast<double>(i))
                         : first + step * static_cast<double>(i);
    if (value > end)
      return llvm::Error::success();
    if (i == mostValues)
      return refuse(flag, text,
                    "more than " + llvm::Twine(mostValues) + " values");
    values.push_back(numberText(value, ValueSpec()));
  }
}

/// Adds the values of `text`.
template <typename Row>
static llvm::Error addValues(const Row &row, StringRef text,
                             std::vector<std::string> &values) {
  llvm::SmallVector<StringRef> items;
  if (row.spec.isList || std::is_same_v<typename Row::Type, NamedValues>)
    items.push_back(text);
  else
    text.split(items, ',');
  for (StringRef item : items) {
    item = item.trim();
    if (item.empty() && !Row::isSwitch)
      return refuse(row.flag, text, "a value is empty");
    if (Row::isNumber && item.contains("..")) {
      bool whole = std::is_same_v<typename Row::Type, int64_t>;
      if (llvm::Error error = addRange(row.flag, item, whole, values))
        return error;
    } else {
      values.push_back(item.str());
    }
    if (values.size() > static_cast<size_t>(mostValues))
      return refuse(row.flag, text,
                    "more than " + llvm::Twine(mostValues) + " values");
  }
  return llvm::Error::success();
}

/// Adds to `error` that several values repeat a flag whose values contain
/// commas, if the parts of `text` are such values.
template <typename Row>
static llvm::Error adviseRepetition(const Row &row, StringRef text,
                                    llvm::Error error) {
  std::string flags;
  if (std::is_same_v<typename Row::Type, std::string> || !text.contains(','))
    return error;
  for (StringRef part : llvm::split(text, ',')) {
    Scenario scenario;
    if (llvm::Error wrong = state(scenario, row.flag, part)) {
      llvm::consumeError(std::move(wrong));
      return error;
    }
    flags += " --" + std::string(row.flag) + "=" + part.trim().str();
  }
  return llvm::createStringError(
      llvm::toString(std::move(error)) +
      "; for several values repeat the flag:" + flags);
}

llvm::Expected<std::vector<int64_t>>
sweep::expandCounts(StringRef flag, StringRef text, int64_t most) {
  std::vector<std::string> items;
  for (StringRef item : llvm::split(text, ',')) {
    if (item.contains("..")) {
      if (llvm::Error error = addRange(flag, item, /*whole=*/true, items))
        return std::move(error);
    } else {
      items.push_back(item.trim().str());
    }
  }
  std::vector<int64_t> counts;
  for (const std::string &item : items) {
    int64_t count = 0;
    if (!parseCount(item, count) || count < 1 || count > most)
      return llvm::createStringError(
          "--" + flag + " expects a whole number from 1 to " +
          llvm::Twine(most) + ", but got '" + item + "'");
    if (!llvm::is_contained(counts, count))
      counts.push_back(count);
  }
  return counts;
}

llvm::Expected<std::vector<std::string>>
sweep::expandValues(StringRef flag, llvm::ArrayRef<std::string> texts) {
  std::vector<std::string> values;
  llvm::Error error = llvm::Error::success();
  bool known = visitSetting(flag, [&](const auto &row) {
    llvm::StringSet<> seen;
    std::vector<std::string> given;
    for (const std::string &text : texts)
      if (!error)
        error = addValues(row, text, given);
    // As the setting itself writes them, so that equal values are found.
    for (const std::string &text : given) {
      if (error)
        return;
      std::string own = "default";
      if (text != "default") {
        Scenario scenario;
        error = state(scenario, row.flag, text);
        if (error)
          error = adviseRepetition(row, text, std::move(error));
        if (!error)
          own = toText(*(scenario.*row.stated), row.spec);
      }
      if (!error && seen.insert(own).second)
        values.push_back(own);
    }
  });
  if (error)
    return std::move(error);
  if (!known)
    return llvm::createStringError("unknown setting '" + flag + "'");
  return values;
}
