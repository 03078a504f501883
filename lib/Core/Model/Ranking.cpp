//===- Ranking.cpp - Order of candidates and its certainty ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/Ranking.h"
#include "gpucost/Core/Model/Coefficients.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

double gpucost::probabilityLess(const RankCandidate &a, const RankCandidate &b,
                                double common) {
  if (!a.halfWidth || !b.halfWidth)
    return evenProbability;
  // Deviations of a normal distribution that contain 80 % of it.
  constexpr double deviations = 1.2815515655446004;
  double widthOfA = std::log1p(*a.halfWidth),
         widthOfB = std::log1p(*b.halfWidth);
  // The common part of both errors cancels as far as the widths agree.
  double separate = std::sqrt(1 - common * common);
  double deviation = std::hypot(separate * std::hypot(widthOfA, widthOfB),
                                common * (widthOfA - widthOfB)) /
                     deviations;
  double distance = std::log(b.value / a.value);
  if (deviation == 0)
    return distance > 0 ? 1 : distance < 0 ? 0 : evenProbability;
  return evenProbability * std::erfc(-distance / deviation / std::sqrt(2.0));
}

Ranking gpucost::rankCandidates(Span<RankCandidate> candidates, double common,
                                double confidence) {
  Ranking ranking;
  const RankCandidate *all = candidates.begin();
  for (size_t i = 0; i < candidates.size(); ++i)
    if (std::isfinite(all[i].value) && all[i].value > 0)
      ranking.order.push_back({i, 0});
  std::stable_sort(ranking.order.begin(), ranking.order.end(),
                   [&](const RankedCandidate &a, const RankedCandidate &b) {
                     return all[a.index].value < all[b.index].value;
                   });
  auto isToldApart = [&](const RankedCandidate &better,
                         const RankedCandidate &worse) {
    double value = all[better.index].value;
    return value < all[worse.index].value &&
           probabilityLess(all[better.index], all[worse.index], common) >=
               confidence;
  };
  // Widths differ, so a candidate behind one that is told apart may not be.
  for (size_t i = 0; i < ranking.order.size(); ++i)
    if (!isToldApart(ranking.order.front(), ranking.order[i]))
      ranking.worthMeasuring = i + 1;
  size_t first = 0;
  for (size_t i = 1; i < ranking.order.size(); ++i) {
    bool starts = i >= ranking.worthMeasuring &&
                  isToldApart(ranking.order[first], ranking.order[i]);
    ranking.order[i].group = ranking.order[i - 1].group + (starts ? 1 : 0);
    if (starts)
      first = i;
  }
  return ranking;
}

double gpucost::commonFractionOf(const Coefficients &fitted) {
  return fitted.errorBars ? fitted.errorBars->correlation : 0;
}
