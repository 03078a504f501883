//===- Cost.h - What ops cost, and how sure that is -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_COSTANALYSIS_COST_H
#define GPUCOST_COMPILER_COSTANALYSIS_COST_H

#include "gpucost/Core/Model/ErrorBars.h"
#include "gpucost/Core/Model/Schedule.h"
#include "gpucost/Core/Support/Quantity.h"
#include "gpucost/Core/Vocabulary/Enums.h"
#include <array>
#include <optional>
#include <string>

namespace gpucost {

/// What launches cost.
struct Cost {
  CostStatus status = CostStatus::Exact;
  /// The runtime whose kernels are priced; `AsWritten`: one for each op.
  Runtime runtime = Runtime::AsWritten;
  /// Why `status` is not Exact; of an op that launches nothing, which kernel
  /// it is part of. May be empty for an Exact cost.
  std::string reason;
  /// All launches, one after the other.
  Seconds time;
  /// 80 % half-width h: the measured time is within [time / (1 + h),
  /// time (1 + h)] with a probability of 80 % (U1), (U2). nullopt: not known;
  /// 0 of nothing.
  std::optional<double> halfWidth = 0;
  Joules energy;
  Watts power;                  ///< energy / time
  Bound bound = Bound::Unknown; ///< of most of the time
  int64_t launches = 0;
  /// Of a single kernel: what the model chose.
  Tiling tiling = {};

  bool hasNumbers() const {
    return status == CostStatus::Exact || status == CostStatus::Bound;
  }
  /// Ends of the 80 % interval; of a lower bound, `high` is infinite. Without a
  /// half-width [0, infinity].
  Seconds low() const;
  Seconds high() const;

  /// The probability that this takes less time than `other`, 0..1, if the logs
  /// of both times are normal around the predictions with the widths of the
  /// intervals and err independently; errors that both share make the order
  /// surer. 0 without numbers, for a lower bound, which says nothing about how
  /// slow this is, and without an interval. `other` may be a lower bound.
  double probabilityFaster(const Cost &other) const;
  /// Whether that is at least `confidence` (0..1), and this predicted faster.
  bool isFasterThan(const Cost &other, double confidence = 0.8) const;
};

/// The number that `goal` minimizes: s, J or J s; infinite when `cost` has no
/// numbers or exceeds the time limit.
double valueOf(const Cost &cost, const ScheduleGoal &goal);

/// One or several launches together, as CostAnalysis sums them.
class CostSum {
public:
  CostSum(const Coefficients &fitted, Runtime runtime) : errors(fitted) {
    sum.runtime = runtime;
  }
  /// `count` launches of `kernel`.
  void add(const KernelCost &kernel, ErrorClass kind, int64_t count);
  /// An op that only is a lower bound, or of which nothing is known.
  void note(CostStatus status, const std::string &reason);
  Cost total() const;

private:
  ErrorSum errors;
  Cost sum;
  std::array<double, getMaxEnumValForBound() + 1> byBound = {};
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_COSTANALYSIS_COST_H
