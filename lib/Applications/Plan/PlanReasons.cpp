//===- PlanReasons.cpp - Why a plan is the best one -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSearch.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/STLExtras.h"
#include <fmt/format.h>

using namespace gpucost;
using namespace gpucost::plan;
using namespace gpucost::sweep;

llvm::ArrayRef<PlanTerms::Part> PlanTerms::parts() {
  static constexpr Part all[] = {
      {&PlanTerms::computation, "computation", "computation"},
      {&PlanTerms::communication, "communication", "communication"},
      {&PlanTerms::waiting, "waiting", "waiting for other ranks"},
      {&PlanTerms::transfers, "transfers", "transfers"},
      {&PlanTerms::update, "update", "update"}};
  return all;
}

static std::vector<Property> propertiesOf(const Space &space, int64_t point) {
  Scenario scenario = space.scenarioOf(point);
  std::vector<Property> properties;
  if (space.findAxis("parallel")) {
    Parallelism plan = scenario.parallel->on(scenario.gpus.value_or(1))
                           .value_or(Parallelism{1, 1, 0});
    Parallelism kind{1, 0, plan.stage};
    kind.shards = plan.shards;
    properties = {{"tp", std::to_string(plan.tensor)},
                  {"cp", std::to_string(plan.context)},
                  {"pp", std::to_string(plan.pipeline)},
                  {"ep", std::to_string(plan.expertGpus())},
                  {"data", toText(kind)}};
  }
  std::vector<size_t> values = space.valuesOf(point);
  for (auto [axis, index] : llvm::zip(space.axes(), values))
    // Schedules are those of the virtual stages, and numbers of GPUs have a
    // table.
    if (axis.flag != "parallel" && axis.flag != "gpus" &&
        axis.flag != "schedule")
      properties.push_back({axis.flag, axis.texts[index]});
  return properties;
}

/// "waiting +3.1 %, computation +0.4 %": parts of `other`, in shares of the
/// chosen time, that are larger than those of `chosen`.
static std::string describeTerms(const PlanTerms &chosen,
                                 const PlanTerms &other, Seconds time) {
  constexpr double leastShare = 0.001;
  std::vector<std::pair<double, const char *>> more;
  for (const auto &[member, name, phrase] : PlanTerms::parts())
    if (double share = (other.*member - chosen.*member) / time;
        share > leastShare)
      more.push_back({share, name});
  llvm::sort(more, [](const auto &a, const auto &b) { return a > b; });
  std::string text;
  for (const auto &[share, name] : more)
    text += (text.empty() ? "" : ", ") +
            fmt::format("{} +{:.1f} %", name, 100 * share);
  return text;
}

std::vector<PlansWithout>
plan::plansWithout(llvm::ArrayRef<PointResult> results, const Space &space,
                   size_t best) {
  const PointResult &chosen = results[best];
  std::vector<PlansWithout> all;
  for (Property &property : propertiesOf(space, chosen.point))
    all.push_back({std::move(property), {}, ""});
  for (size_t i = 0; i < results.size(); ++i) {
    const PointResult &point = results[i];
    if (point.gpus != chosen.gpus && point.hasNumbers())
      continue;
    std::vector<Property> theirs = propertiesOf(space, point.point);
    for (auto [each, property] : llvm::zip(all, theirs)) {
      if (property.value == each.property.value)
        continue;
      if (point.isFeasible())
        each.plans.push_back(i);
      else if (each.fault.empty() || point.status == PointStatus::DoesNotFit)
        each.fault = point.reason;
    }
  }
  return all;
}

std::vector<Alternative> plan::findAlternatives(const PlanResult &result,
                                                const Space &space) {
  std::vector<Alternative> alternatives;
  const Optimum &optimum = result.optimum;
  if (!optimum.choice.chosen)
    return alternatives;
  size_t best = *optimum.choice.chosen;
  const PointResult &chosen = optimum.results[best];
  Goal goal = optimum.goal;
  for (auto [constraint, bound] :
       llvm::zip(goal.constraints, optimum.choice.bounds)) {
    constraint.isTimesBest = false;
    constraint.bound = bound;
  }
  for (auto &[property, plans, fault] :
       plansWithout(optimum.results, space, best)) {
    Alternative alternative{property.name, property.value, "", std::nullopt,
                            ""};
    std::vector<PointResult> some;
    for (size_t i : plans)
      some.push_back(optimum.results[i]);
    if (Choice choice = choose(some, goal); choice.chosen) {
      size_t index = plans[*choice.chosen];
      alternative.index = index;
      for (Property &other : propertiesOf(space, optimum.results[index].point))
        if (other.name == property.name)
          alternative.other = std::move(other.value);
      alternative.reason =
          describeTerms(result.terms[best], result.terms[index], chosen.time);
    } else if (plans.empty() && fault.empty()) {
      continue; // the only value
    } else {
      alternative.reason = plans.empty() ? fault : "beyond a bound";
    }
    alternatives.push_back(std::move(alternative));
  }
  return alternatives;
}
