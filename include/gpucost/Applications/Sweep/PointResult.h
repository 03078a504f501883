//===- PointResult.h - One point of a sweep ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SWEEP_POINTRESULT_H
#define GPUCOST_APPLICATIONS_SWEEP_POINTRESULT_H

#include "gpucost/Applications/Enums.h"
#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Report/RunCost.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpucost::sweep {

/// Totals of one point; numbers describe an iteration on one GPU as in a
/// report.
struct PointResult {
  int64_t point = 0; ///< its index in the space
  PointStatus status = PointStatus::Ok;
  std::string reason; ///< why it is not ok

  std::string gpu; ///< full name: "a100-sxm-80gb"
  NumericFormat format = NumericFormat::FP32;
  Seconds time;
  Joules energy;
  Watts power;
  std::optional<IterationErrorBars> errorBars;
  bool isLowerBound = false;
  /// (U2) Fraction of a half-width that one model's points on one GPU share.
  double correlation = 0;
  Hertz clock;
  bool throttled = false;
  double mfu = 0;
  int64_t peakBytes = 0, deviceBytes = 0;
  MemoryVerdict memoryVerdict = MemoryVerdict::Fits;
  int64_t gpus = 1, samples = 0, tokens = 0;
  /// Cost of one iteration on all GPUs.
  RunCost cost;
  /// Iterations of the run; nullopt if its size is not stated.
  std::optional<double> iterations;

  /// Whether times and energies are valid.
  bool hasNumbers() const {
    return status == PointStatus::Ok ||
           (status == PointStatus::DoesNotFit && time > Seconds(0));
  }
  bool isFeasible() const { return status == PointStatus::Ok; }
  /// nullopt where the model names no such dimension.
  std::optional<double> perSecond(int64_t count) const {
    return count > 0 ? std::optional(static_cast<double>(count) / time.value())
                     : std::nullopt;
  }
  /// Energy on all GPUs.
  std::optional<Joules> energyPerSample() const {
    return samples > 0 ? std::optional(energy * static_cast<double>(gpus) /
                                       static_cast<double>(samples))
                       : std::nullopt;
  }
  /// Average power of all GPUs and nodes, times the PUE.
  Watts totalPower() const {
    return time > Seconds(0) ? cost.energy / time : Watts(0);
  }
  std::optional<RunCost> run() const {
    return iterations ? std::optional(cost * *iterations) : std::nullopt;
  }
};

inline bool isKnown(const PointResult &result) { return result.hasNumbers(); }

} // namespace gpucost::sweep

#endif // GPUCOST_APPLICATIONS_SWEEP_POINTRESULT_H
