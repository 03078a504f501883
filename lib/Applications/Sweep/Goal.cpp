//===- Goal.cpp - What is to be least, subject to what --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/Goal.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Support/QuantityText.h"
#include "llvm/ADT/STLExtras.h"
#include <charconv>
#include <cmath>

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// Throughput can only be bounded.
static constexpr size_t minimizedCount =
    static_cast<size_t>(Metric::Throughput);

std::vector<std::string_view> sweep::minimizedMetrics() {
  std::vector<std::string_view> names = caseNames<Metric>();
  names.resize(minimizedCount);
  return names;
}

static constexpr Unit durationUnits[] = {{"us", 1e-6}, {"ms", 1e-3},
                                         {"s", 1.0},   {"min", 60},
                                         {"h", 3600},  {"d", 86400}};
static constexpr Unit energyUnits[] = {
    {"mJ", 1e-3}, {"J", 1.0},     {"kJ", 1e3},   {"MJ", 1e6},
    {"Wh", 3600}, {"kWh", 3.6e6}, {"MWh", 3.6e9}};
static constexpr Unit massUnits[] = {
    {"mg", 1e-3}, {"g", 1.0}, {"kg", 1e3}, {"t", 1e6}};
static constexpr Unit powerUnits[] = {
    {"mW", 1e-3}, {"W", 1.0}, {"kW", 1e3}, {"MW", 1e6}};

/// Units of a bound, and the unit of a number without one.
static std::pair<Span<Unit>, double> unitsOf(Metric metric) {
  switch (metric) {
  case Metric::Time:
    return {durationUnits, 1e-3};
  case Metric::RunHours:
    return {durationUnits, 3600};
  case Metric::Energy:
    return {energyUnits, 1};
  case Metric::RunEnergy:
    return {energyUnits, 3.6e6};
  case Metric::Carbon:
    return {massUnits, 1};
  case Metric::RunCarbon:
    return {massUnits, 1e3};
  case Metric::Memory:
    return {unitsOf<BytesTag>(), 1073741824.0};
  case Metric::Power:
  case Metric::TotalPower:
    return {powerUnits, 1};
  case Metric::Edp:
  case Metric::Cost:
  case Metric::RunCost:
  case Metric::Throughput:
    break;
  }
  return {unitsOf<ScalarTag>(), 1};
}

/// "80", "80ms", "80 ms" in SI units.
static std::optional<double> parseBound(StringRef text, Metric metric) {
  auto [units, size] = unitsOf(metric);
  text.consume_front("+");
  double number = 0;
  auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  if (error != std::errc() || !std::isfinite(number))
    return std::nullopt;
  StringRef unit =
      text.drop_front(static_cast<size_t>(end - text.begin())).trim();
  if (unit.empty())
    return number * size;
  std::optional<double> named =
      findUnit(units, std::string_view(unit.data(), unit.size()));
  return named ? std::optional(number * *named) : std::nullopt;
}

static llvm::Expected<Constraint> parseConstraint(StringRef text) {
  auto refuse = [&] {
    return llvm::createStringError(
        "--subject-to expects metric<=bound, metric<=1.05*best or fits, with "
        "one of " +
        listAlternatives(caseNames<Metric>()) + ", but got '" + text + "'");
  };
  size_t at = text.find_first_of("<>");
  if (at == StringRef::npos)
    return refuse();
  std::optional<Metric> metric = symbolizeMetric(text.take_front(at).trim());
  if (!metric)
    return refuse();
  Constraint constraint;
  constraint.metric = *metric;
  constraint.text = text.str();
  bool less = text[at] == '<';
  StringRef bound = text.drop_front(at + 1);
  bool equal = bound.consume_front("=");
  using Relation = Constraint::Relation;
  constraint.relation =
      less ? (equal ? Relation::LessEqual : Relation::Less)
           : (equal ? Relation::GreaterEqual : Relation::Greater);
  bound = bound.trim();
  if (bound.consume_back("best")) {
    constraint.isTimesBest = true;
    bound = bound.rtrim();
    double factor = 1;
    if (!bound.empty() &&
        (!bound.consume_back("*") || bound.trim().getAsDouble(factor) ||
         !std::isfinite(factor) || factor <= 0))
      return refuse();
    constraint.bound = factor;
    return constraint;
  }
  std::optional<double> number = parseBound(bound, *metric);
  if (!number)
    return refuse();
  constraint.bound = *number;
  return constraint;
}

llvm::Expected<Goal> sweep::parseGoal(StringRef minimize,
                                      StringRef constraints) {
  std::optional<Metric> metric = symbolizeMetric(minimize);
  if (!metric || static_cast<size_t>(*metric) >= minimizedCount)
    return llvm::createStringError("unknown value '" + minimize +
                                   "' of --minimize, expected " +
                                   listAlternatives(minimizedMetrics()));
  Goal goal;
  goal.metric = *metric;
  if (constraints.trim().empty())
    return goal;
  llvm::SmallVector<StringRef> parts;
  constraints.split(parts, ',');
  for (StringRef part : parts) {
    if (part.trim() == "fits")
      continue;
    llvm::Expected<Constraint> constraint = parseConstraint(part.trim());
    if (!constraint)
      return constraint.takeError();
    goal.constraints.push_back(std::move(*constraint));
  }
  return goal;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

bool Constraint::holds(double value, double resolved) const {
  switch (relation) {
  case Relation::LessEqual:
    return value <= resolved;
  case Relation::Less:
    return value < resolved;
  case Relation::GreaterEqual:
    return value >= resolved;
  case Relation::Greater:
    return value > resolved;
  }
  return false;
}

static bool moreIsBetter(Metric metric) { return metric == Metric::Throughput; }

bool sweep::satisfies(const PointResult &result, const Constraint &constraint,
                      double bound) {
  std::optional<double> value = valueOf(result, constraint.metric);
  return value && constraint.holds(*value, bound);
}

/// The bounds as numbers. The best value of a metric is over the points that
/// satisfy every constraint with a number.
static std::vector<double> resolveBounds(llvm::ArrayRef<PointResult> results,
                                         const Goal &goal) {
  auto qualifies = [&](const PointResult &result) {
    return result.isFeasible() &&
           llvm::all_of(goal.constraints, [&](const Constraint &constraint) {
             return constraint.isTimesBest ||
                    satisfies(result, constraint, constraint.bound);
           });
  };
  std::vector<double> resolved;
  for (const Constraint &constraint : goal.constraints) {
    resolved.push_back(constraint.bound);
    if (!constraint.isTimesBest)
      continue;
    bool more = moreIsBetter(constraint.metric);
    double best = more ? 0 : HUGE_VAL;
    for (const PointResult &result : results)
      if (qualifies(result))
        if (std::optional<double> value = valueOf(result, constraint.metric))
          best = more ? std::max(best, *value) : std::min(best, *value);
    resolved.back() *= best;
  }
  return resolved;
}

Choice sweep::choose(llvm::ArrayRef<PointResult> results, const Goal &goal) {
  Choice choice;
  choice.bounds = resolveBounds(results, goal);
  choice.broken.assign(goal.constraints.size(), 0);
  std::vector<size_t> allowed;
  for (auto [i, result] : llvm::enumerate(results)) {
    if (!result.isFeasible())
      continue;
    bool good = true;
    for (auto [constraint, bound, broken] :
         llvm::zip(goal.constraints, choice.bounds, choice.broken)) {
      bool holds = satisfies(result, constraint, bound);
      broken += !holds;
      good &= holds;
    }
    if (good && valueOf(result, goal.metric, goal.per))
      allowed.push_back(i);
  }
  if (allowed.empty())
    return choice;
  auto value = [&](size_t i) {
    return *valueOf(results[i], goal.metric, goal.per);
  };
  auto rank = [&](size_t i) {
    return std::tuple(value(i), results[i].time.value(), i);
  };
  llvm::sort(allowed, [&](size_t a, size_t b) { return rank(a) < rank(b); });
  size_t chosen = allowed.front();
  choice.chosen = chosen;
  for (size_t other : llvm::ArrayRef(allowed).drop_front()) {
    std::optional<double> width =
        widthOfRatio(results[other], results[chosen], goal.metric);
    if (width && std::log(value(other) / value(chosen)) <= *width)
      choice.ties.push_back(other);
  }
  choice.ranking = std::move(allowed);
  return choice;
}

std::vector<size_t> sweep::paretoFront(llvm::ArrayRef<PointResult> results,
                                       Metric a, Metric b, Per per) {
  struct Item {
    double a, b;
    size_t index;
  };
  std::vector<Item> items;
  for (auto [i, result] : llvm::enumerate(results)) {
    if (!result.isFeasible())
      continue;
    std::optional<double> first = valueOf(result, a, per);
    std::optional<double> second = valueOf(result, b, per);
    if (first && second)
      items.push_back({moreIsBetter(a) ? -*first : *first,
                       moreIsBetter(b) ? -*second : *second, i});
  }
  llvm::sort(items, [](const Item &x, const Item &y) {
    return std::tuple(x.a, x.b, x.index) < std::tuple(y.a, y.b, y.index);
  });
  std::vector<size_t> front;
  double least = HUGE_VAL;
  for (const Item &item : items)
    if (item.b < least) {
      least = item.b;
      front.push_back(item.index);
    }
  return front;
}
