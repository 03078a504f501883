//===- Ranking.h - Order of candidates and its certainty --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tuners that measure: candidates in, their predicted order out, with
// groups that the model cannot tell apart and the candidates that are worth
// measuring. Equation (U6) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_RANKING_H
#define GPUCOST_CORE_MODEL_RANKING_H

#include "gpucost/Core/Support/Span.h"
#include <cstddef>
#include <optional>
#include <vector>

namespace gpucost {

struct Coefficients;

/// The probability of prediction intervals, and of an order by default.
inline constexpr double usualConfidence = 0.8;
/// The probability of an order of which nothing is known.
inline constexpr double evenProbability = 0.5;

/// The predicted time (or energy) of one candidate.
struct RankCandidate {
  /// In any unit. Not finite or not positive: the candidate cannot run.
  double value = 0;
  /// 80 % half-width of `value`, (U1) or (U2); nullopt: unknown.
  std::optional<double> halfWidth;
};

/// One candidate in the order.
struct RankedCandidate {
  size_t index = 0; ///< into the candidates
  /// From 0. A group ends before the first candidate that is told apart from
  /// the best one of the group.
  size_t group = 0;
};

struct Ranking {
  /// Candidates that can run, best first; equal ones keep their order.
  std::vector<RankedCandidate> order;
  /// The first candidates of `order` that may be the fastest: those that are
  /// not told apart from the best.
  size_t worthMeasuring = 0;
};

/// The probability, 0..1, that `a` is less than `b`, for errors of which the
/// fraction `common` of each half-width is the same for both: 0 for unrelated
/// kernels. 0.5 if a half-width is unknown.
double probabilityLess(const RankCandidate &a, const RankCandidate &b,
                       double common);

/// (U6) The order of `candidates`, whose errors share the fraction `common`. A
/// candidate is told apart from a better one if it is worse with a probability
/// of at least `confidence`, 0.5..1.
Ranking rankCandidates(Span<RankCandidate> candidates, double common,
                       double confidence = usualConfidence);

/// `common` for variants of one kernel, whose errors are of one class; 0
/// without error bars.
double commonFractionOf(const Coefficients &fitted);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_RANKING_H
