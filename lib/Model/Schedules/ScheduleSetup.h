//===- ScheduleSetup.h - One product, prepared for its schedules -*- C++ -*-==//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_MODEL_SCHEDULES_SCHEDULESETUP_H
#define GPUCOST_LIB_MODEL_SCHEDULES_SCHEDULESETUP_H

#include "AttentionSchedule.h"
#include "ScheduleTerms.h"
#include "gpucost/Model/KernelFamily.h"

namespace gpucost::detail {

/// What all schedules of one product share.
struct ScheduleSetup {
  const CostModel *model = nullptr;
  KernelWork work;
  KernelQuery query;
  ScheduleDevice device;
  ScheduledProduct product;
  /// One of them, or none for a memory-bound kernel; both belong to the model's
  /// coefficients.
  const SimtScheduleCoefficients *simt = nullptr;
  const TensorScheduleCoefficients *tensor = nullptr;
  /// Attention has coefficients in `tensor`, too, but (A*) for its time.
  std::optional<ScheduledAttention> attention;
  /// A memory-bound kernel: its terms as calibrated, tensors that it reads, and
  /// what (M9) needs.
  bool isStream = false;
  LaunchTerms stream;
  double streamInputs = 1;
  Seconds memoryLatency;
  /// Splits of K to try where a schedule states none.
  std::vector<int32_t> splits;
  /// (V1) Calibrated over scheduled time.
  double level = 1;
  /// Seconds that a second wave of CTAs, the partial sums, cost with a split.
  double splitTime = 0, partialRate = 1;
  /// What fused members add beside the main loop, at the maximum clock, and
  /// their products over the own one.
  double fusedIssue = 0, fusedDram = 0, fusedProducts = 0;

  ScheduleFit fit(const Schedule &schedule) const;
  double elementBytes() const {
    return static_cast<double>(work.inputBits) / 8;
  }
  /// (M9)
  LaunchTerms streamTerms(const Schedule &schedule,
                          const ScheduleFit &fit) const;
  /// Time of the partial sums of a split, before (V1).
  double partialsTime(const Schedule &schedule) const;
  /// (V1) without fused members, at the maximum clock; see `tensorTime` for
  /// `giveUp`.
  ScheduleTime
  time(const Schedule &schedule, const ScheduleFit &fit,
       double giveUp = std::numeric_limits<double>::infinity()) const;
  /// Not above `time(...).total`, but for rounding; on tensor cores not above
  /// that of the same schedule with more stages either, up to `mostStages`.
  double leastTime(const Schedule &schedule, const ScheduleFit &fit,
                   int32_t mostStages = 0) const;
  /// (Y12) Attention in this tile, not yet marked as unconfirmed.
  Expected<LaunchTerms> attentionTerms(const Schedule &schedule,
                                       const ScheduleFit &fit) const;
  /// The launch as time terms at the maximum clock.
  Expected<LaunchTerms> terms(const Schedule &schedule, const ScheduleFit &fit,
                              const ScheduleTime &time) const;
};

/// The configuration as reports state it.
Tiling tilingOf(const ScheduleSetup &setup, const Schedule &schedule,
                const ScheduleFit &fit);

} // namespace gpucost::detail

#endif // GPUCOST_LIB_MODEL_SCHEDULES_SCHEDULESETUP_H
