//===- Budget.cpp - Limits on the cost of a change ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Compare/Budget.h"
#include "gpucost/Applications/Compare/JsonInput.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::compare;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr const char *groupNames[] = {"families", "phases", "ops"};
static constexpr const char *groupQuantities[] = {"time_ms", "energy_j",
                                                  "launches"};

std::string BudgetLine::name() const {
  return group.empty() ? quantity : group + "." + member + "." + quantity;
}

static bool isGroup(StringRef name) {
  return llvm::is_contained(groupNames, name);
}

/// Lines of one limits object; nested calls with a group name read the groups.
static void readLines(const JsonObjectInput &input, const BudgetLine &known,
                      std::vector<BudgetLine> &lines, std::string &error) {
  for (const auto &[key, value] : input.get()) {
    StringRef name = key;
    if (known.group.empty() && isGroup(name)) {
      const json::Object *group = input.child(name);
      for (const auto &member : group ? *group : json::Object()) {
        BudgetLine inner = known;
        inner.group = name.str();
        inner.member = member.first.str();
        JsonObjectInput members(*group, input.pathOf(name), error);
        if (const json::Object *limits = members.child(inner.member))
          readLines(
              JsonObjectInput(*limits, members.pathOf(inner.member), error),
              inner, lines, error);
        else
          members.fail(inner.member, "an object of limits");
      }
      continue;
    }
    if (!known.group.empty() && !llvm::is_contained(groupQuantities, name))
      input.fail(name, "no limit: families, phases and ops have time_ms, "
                       "energy_j and launches");
    BudgetLine line = known;
    line.quantity = name.str();
    std::optional<double> limit = value.getAsNumber();
    // A change may be negative, which requires a reduction.
    if (!limit || !std::isfinite(*limit) || (*limit < 0 && !known.isChange))
      input.fail(name, known.isChange ? "percent" : "a number of at least 0");
    line.limit = limit.value_or(0);
    lines.push_back(std::move(line));
  }
}

llvm::Expected<std::vector<BudgetLine>> compare::readBudget(StringRef text,
                                                            StringRef file) {
  llvm::Expected<json::Object> object = parseJsonObject(
      text, file, "a budget is an object with 'most' and 'change'");
  if (!object)
    return object.takeError();
  std::string error;
  std::vector<BudgetLine> lines;
  JsonObjectInput root(*object, "", error);
  for (const auto &[key, part] : *object) {
    StringRef name = key;
    if (name != "most" && name != "change")
      return refuseFile(file, "unknown member '" + printable(name) +
                                  "'; a budget has 'most' and 'change'");
    BudgetLine known;
    known.isChange = name == "change";
    if (const json::Object *limits = root.child(name))
      readLines(JsonObjectInput(*limits, name.str(), error), known, lines,
                error);
    else
      root.fail(name, "an object of limits");
  }
  if (!error.empty())
    return refuseFile(file, error);
  if (lines.empty())
    return refuseFile(file, "the budget has no limit");
  llvm::sort(lines, [](const BudgetLine &a, const BudgetLine &b) {
    return std::pair(a.isChange, a.name()) < std::pair(b.isChange, b.name());
  });
  return lines;
}

/// The value limited by `line`; nullopt if no report has it.
static std::optional<Change> findChange(const Comparison &comparison,
                                        const BudgetLine &line) {
  if (line.group.empty()) {
    Change change{line.quantity, comparison.before.value(line.quantity),
                  comparison.after.value(line.quantity)};
    bool known = comparison.before.iteration.count(line.quantity) ||
                 comparison.after.iteration.count(line.quantity);
    return known ? std::optional(change) : std::nullopt;
  }
  const std::vector<GroupChange> &groups =
      line.group == "families" ? comparison.families
      : line.group == "phases" ? comparison.phases
                               : comparison.ops;
  auto it = llvm::find_if(groups, [&](const GroupChange &group) {
    return group.timeUs.name == line.member;
  });
  if (it == groups.end())
    return std::nullopt;
  if (line.quantity == "energy_j")
    return it->energyJ;
  if (line.quantity == "launches")
    return it->launches;
  Change ms = it->timeUs;
  ms.before = *ms.before * 1e-3;
  ms.after = *ms.after * 1e-3;
  return ms;
}

llvm::Expected<std::vector<BudgetResult>>
compare::checkBudget(const Comparison &comparison,
                     const std::vector<BudgetLine> &budget) {
  std::vector<BudgetResult> results;
  for (const BudgetLine &line : budget) {
    std::optional<Change> change = findChange(comparison, line);
    if (!change)
      return llvm::createStringError("the budget bounds '" +
                                     printable(line.name()) +
                                     "', which no report has");
    BudgetResult result;
    result.line = line;
    result.found = line.isChange ? change->relative() : change->after;
    if (line.isChange && result.found)
      *result.found *= 100;
    result.broken = !result.found || *result.found > line.limit;
    results.push_back(std::move(result));
  }
  return results;
}

static std::string numberText(double value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printNumber(os, value);
  return text;
}

std::string compare::describe(const BudgetResult &result) {
  std::string text = printable(result.line.name());
  std::string limit = numberText(result.line.limit);
  if (result.line.isChange)
    return text + " changes by " +
           (result.found ? numberText(*result.found) + " %"
                         : std::string("an unknown share")) +
           ", at most " + limit + " %";
  return text + " is " +
         (result.found ? numberText(*result.found) : std::string("not known")) +
         ", at most " + limit;
}
