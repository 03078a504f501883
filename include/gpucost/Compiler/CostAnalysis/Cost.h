//===- Cost.h - Predicted cost and its uncertainty --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_COSTANALYSIS_COST_H
#define GPUCOST_COMPILER_COSTANALYSIS_COST_H

#include "gpucost/Core/Model/ScheduleFields.h"
#include "gpucost/Core/Model/Tiling.h"
#include "gpucost/Core/Support/Quantity.h"
#include "gpucost/Core/Vocabulary/Enums.h"
#include <cstdint>
#include <optional>
#include <string>

namespace gpucost {

/// Predicted cost of a set of launches.
struct Cost {
  CostStatus status = CostStatus::Exact;
  /// The runtime whose kernels are priced; `AsWritten`: one for each op.
  Runtime runtime = Runtime::AsWritten;
  /// Why `status` is not Exact; for an op that launches nothing, the kernel
  /// that contains it; for loops that are not mapped to CTAs, that their
  /// kernels run one after the other; for a schedule, why it is faster than the
  /// library, and whether it is outside the validated set. May be empty for an
  /// Exact cost.
  std::string reason;
  /// All launches, executed sequentially.
  Seconds time;
  /// 80 % half-width h: the measured time is between time / (1 + h) and
  /// time (1 + h) with a probability of 80 % (U1), (U2). nullopt: unknown; 0
  /// without launches.
  std::optional<double> halfWidth = 0;
  Joules energy;
  Watts power;                  ///< energy / time
  Bound bound = Bound::Unknown; ///< of the largest part of the time
  int64_t launches = 0;
  /// For a single kernel: the tiling chosen by the model.
  Tiling tiling = {};

  bool hasNumbers() const {
    return status == CostStatus::Exact || status == CostStatus::Bound;
  }
  /// Ends of the 80 % interval; `high` is infinite for a lower bound. [0,
  /// infinity] without a half-width.
  Seconds low() const;
  Seconds high() const;

  /// The probability, 0..1, that this takes less time than `other`, if the logs
  /// of both times are normally distributed around the predictions with the
  /// widths of the intervals and err independently; shared errors make the
  /// order more certain. 0 without numbers or an interval, and for a lower
  /// bound, which has no upper limit. `other` may be a lower bound.
  double probabilityFaster(const Cost &other) const;
  /// Whether this is at least `confidence`, 0..1, and the prediction is lower.
  bool isFasterThan(const Cost &other, double confidence = 0.8) const;
};

/// The quantity that `goal` minimizes, in s, J or J s; infinite if `cost` has
/// no numbers or exceeds the time limit.
double valueOf(const Cost &cost, const ScheduleGoal &goal);

} // namespace gpucost

#endif // GPUCOST_COMPILER_COSTANALYSIS_COST_H
