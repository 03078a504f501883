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

static std::vector<std::string_view> metricsOf(SearchSubject subject,
                                               bool minimized) {
  std::vector<std::string_view> names;
  for (std::string_view name : caseNames<Metric>()) {
    const MetricRow &row = rowOf(*symbolizeMetric(name));
    bool belongs = subject == SearchSubject::Deployments ? row.isOfDeployments
                                                         : row.isOfIterations;
    if (belongs && !(minimized && row.moreIsBetter))
      names.push_back(name);
  }
  return names;
}

std::vector<std::string_view> sweep::boundedMetrics(SearchSubject subject) {
  return metricsOf(subject, /*minimized=*/false);
}

std::vector<std::string_view> sweep::minimizedMetrics(SearchSubject subject) {
  return metricsOf(subject, /*minimized=*/true);
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
  const MetricRow &row = rowOf(metric);
  bool isOfRun = row.unitSize != 1;
  switch (row.quantity) {
  case MetricQuantity::Time:
    return {durationUnits, isOfRun ? row.unitSize : 1e-3};
  case MetricQuantity::Energy:
    return {energyUnits, row.unitSize};
  case MetricQuantity::Mass:
    return {massUnits, metric == Metric::RunCarbon ? 1e3 : 1};
  case MetricQuantity::Memory:
    return {unitsOf<BytesTag>(), 1073741824.0};
  case MetricQuantity::Power:
    return {powerUnits, 1};
  case MetricQuantity::EnergyTime:
  case MetricQuantity::Money:
  case MetricQuantity::Plain:
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

static llvm::Expected<Constraint> parseConstraint(StringRef text,
                                                  SearchSubject subject) {
  std::vector<std::string_view> names = boundedMetrics(subject);
  auto refuse = [&] {
    return llvm::createStringError(
        "--subject-to expects metric<=bound, metric<=1.05*best or fits, with "
        "one of " +
        listAlternatives(names) + ", but got '" + text + "'");
  };
  size_t at = text.find_first_of("<>");
  if (at == StringRef::npos)
    return refuse();
  StringRef name = text.take_front(at).trim();
  std::optional<Metric> metric = symbolizeMetric(name);
  if (!metric || !llvm::is_contained(names, std::string_view(name)))
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

llvm::Expected<Goal> sweep::parseGoal(StringRef minimize, StringRef constraints,
                                      SearchSubject subject) {
  std::optional<Metric> metric = symbolizeMetric(minimize);
  std::vector<std::string_view> names = minimizedMetrics(subject);
  if (!metric || !llvm::is_contained(names, std::string_view(minimize)))
    return llvm::createStringError("unknown value '" + minimize +
                                   "' of --minimize, expected " +
                                   listAlternatives(names));
  Goal goal;
  goal.metric = *metric;
  if (constraints.trim().empty())
    return goal;
  llvm::SmallVector<StringRef> parts;
  constraints.split(parts, ',');
  for (StringRef part : parts) {
    if (part.trim() == "fits")
      continue;
    llvm::Expected<Constraint> constraint =
        parseConstraint(part.trim(), subject);
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

static bool satisfiesBound(std::optional<double> value,
                           const Constraint &constraint, double bound) {
  return value && constraint.holds(*value, bound);
}

bool sweep::satisfies(const PointResult &result, const Constraint &constraint,
                      double bound) {
  return satisfiesBound(valueOf(result, constraint.metric), constraint, bound);
}

/// Bounds are those of an iteration, or of the output tokens of a deployment.
static std::optional<double> boundedValue(const Candidates &candidates,
                                          size_t i, Metric metric) {
  return candidates.value(i, metric, Per::Iteration);
}

/// The bounds as numbers. The best value of a metric is over the candidates
/// that satisfy every constraint with a number.
static std::vector<double> resolveBounds(const Candidates &candidates,
                                         const Goal &goal) {
  auto qualifies = [&](size_t i) {
    return candidates.isFeasible(i) &&
           llvm::all_of(goal.constraints, [&](const Constraint &constraint) {
             return constraint.isTimesBest ||
                    satisfiesBound(
                        boundedValue(candidates, i, constraint.metric),
                        constraint, constraint.bound);
           });
  };
  std::vector<double> resolved;
  for (const Constraint &constraint : goal.constraints) {
    resolved.push_back(constraint.bound);
    if (!constraint.isTimesBest)
      continue;
    bool more = rowOf(constraint.metric).moreIsBetter;
    double best = more ? 0 : HUGE_VAL;
    for (size_t i = 0; i < candidates.count; ++i)
      if (qualifies(i))
        if (std::optional<double> value =
                boundedValue(candidates, i, constraint.metric))
          best = more ? std::max(best, *value) : std::min(best, *value);
    resolved.back() *= best;
  }
  return resolved;
}

Choice sweep::choose(const Candidates &candidates, const Goal &goal) {
  Choice choice;
  choice.bounds = resolveBounds(candidates, goal);
  choice.broken.assign(goal.constraints.size(), 0);
  std::vector<size_t> allowed;
  for (size_t i = 0; i < candidates.count; ++i) {
    if (!candidates.isFeasible(i))
      continue;
    bool good = true;
    for (auto [constraint, bound, broken] :
         llvm::zip(goal.constraints, choice.bounds, choice.broken)) {
      bool holds = satisfiesBound(
          boundedValue(candidates, i, constraint.metric), constraint, bound);
      broken += !holds;
      good &= holds;
    }
    if (good && candidates.value(i, goal.metric, goal.per))
      allowed.push_back(i);
  }
  if (allowed.empty())
    return choice;
  auto value = [&](size_t i) {
    return *candidates.value(i, goal.metric, goal.per);
  };
  auto rank = [&](size_t i) {
    return std::tuple(value(i), candidates.tieBreak(i), i);
  };
  llvm::sort(allowed, [&](size_t a, size_t b) { return rank(a) < rank(b); });
  size_t chosen = allowed.front();
  choice.chosen = chosen;
  for (size_t other : llvm::ArrayRef(allowed).drop_front()) {
    std::optional<double> width =
        candidates.widthOfRatio(other, chosen, goal.metric);
    if (width && std::log(value(other) / value(chosen)) <= *width)
      choice.ties.push_back(other);
  }
  choice.ranking = std::move(allowed);
  return choice;
}

static Candidates pointCandidates(llvm::ArrayRef<PointResult> results) {
  Candidates candidates;
  candidates.count = results.size();
  candidates.isFeasible = [=](size_t i) { return results[i].isFeasible(); };
  candidates.value = [=](size_t i, Metric metric, Per per) {
    return valueOf(results[i], metric, per);
  };
  candidates.widthOfRatio = [=](size_t a, size_t b, Metric metric) {
    return sweep::widthOfRatio(results[a], results[b], metric);
  };
  candidates.tieBreak = [=](size_t i) { return results[i].time.value(); };
  return candidates;
}

Choice sweep::choose(llvm::ArrayRef<PointResult> results, const Goal &goal) {
  return choose(pointCandidates(results), goal);
}

std::vector<size_t> sweep::paretoFront(const Candidates &candidates, Metric a,
                                       Metric b, Per per) {
  struct Item {
    double a, b;
    size_t index;
  };
  std::vector<Item> items;
  for (size_t i = 0; i < candidates.count; ++i) {
    if (!candidates.isFeasible(i))
      continue;
    std::optional<double> first = candidates.value(i, a, per);
    std::optional<double> second = candidates.value(i, b, per);
    if (first && second)
      items.push_back({rowOf(a).moreIsBetter ? -*first : *first,
                       rowOf(b).moreIsBetter ? -*second : *second, i});
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

std::vector<size_t> sweep::paretoFront(llvm::ArrayRef<PointResult> results,
                                       Metric a, Metric b, Per per) {
  return paretoFront(pointCandidates(results), a, b, per);
}
