//===- Cost.cpp - Predicted cost and its uncertainty ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/CostAnalysis/Cost.h"
#include "CostSum.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace gpucost;

static constexpr double infinity = std::numeric_limits<double>::infinity();

Seconds Cost::low() const {
  return hasNumbers() && halfWidth ? lowEnd(time, *halfWidth) : Seconds(0);
}

Seconds Cost::high() const {
  return status == CostStatus::Exact && halfWidth ? highEnd(time, *halfWidth)
                                                  : Seconds(infinity);
}

double Cost::probabilityFaster(const Cost &other) const {
  if (status != CostStatus::Exact || !other.hasNumbers() || !halfWidth ||
      !other.halfWidth)
    return 0;
  if (time <= Seconds(0) || other.time <= Seconds(0))
    return time < other.time ? 1 : 0;
  // 80 % of a normal distribution are within 1.2816 standard deviations.
  constexpr double deviations = 1.2815515655446004;
  double deviation =
      std::hypot(std::log1p(*halfWidth), std::log1p(*other.halfWidth)) /
      deviations;
  double distance = std::log(other.time / time);
  if (deviation == 0)
    return distance > 0 ? 1 : 0;
  return 0.5 * std::erfc(-distance / deviation / std::sqrt(2.0));
}

bool Cost::isFasterThan(const Cost &other, double confidence) const {
  return time < other.time && probabilityFaster(other) >= confidence;
}

double gpucost::valueOf(const Cost &cost, const ScheduleGoal &goal) {
  if (!cost.hasNumbers() || (goal.timeLimit && cost.time > *goal.timeLimit))
    return infinity;
  switch (goal.objective) {
  case Objective::Time:
    return cost.time.value();
  case Objective::Energy:
    return cost.energy.value();
  case Objective::EnergyDelay:
    return cost.energy.value() * cost.time.value();
  }
  return infinity;
}

void CostSum::add(const KernelCost &kernel, ErrorClass kind, int64_t count) {
  auto n = static_cast<double>(count);
  errors.add(kind, kernel.time, count);
  sum.tiling = sum.launches == 0 ? kernel.tiling : Tiling();
  sum.time += kernel.time.total * n;
  sum.energy += kernel.energy * n;
  addSaturating(sum.launches, count, 1);
  byBound[static_cast<size_t>(kernel.time.bound)] +=
      kernel.time.total.value() * n;
}

void CostSum::note(CostStatus status, const std::string &reason) {
  if (status <= sum.status)
    return;
  sum.status = status;
  sum.reason = reason;
}

Cost CostSum::total() const {
  Cost cost = sum;
  if (!explanation.empty())
    cost.reason += (cost.reason.empty() ? "" : "; ") + explanation;
  if (!cost.hasNumbers()) {
    cost = Cost();
    cost.status = sum.status;
    cost.runtime = sum.runtime;
    cost.reason = sum.reason;
    cost.halfWidth = std::nullopt;
    return cost;
  }
  if (cost.launches > 0) {
    cost.halfWidth = errors.halfWidth();
    cost.bound = static_cast<Bound>(
        std::max_element(byBound.begin(), byBound.end()) - byBound.begin());
    if (cost.time > Seconds(0))
      cost.power = cost.energy / cost.time;
  }
  return cost;
}
