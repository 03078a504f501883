//===- AttentionSchedule.h - Schedules of fused attention -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equations (Y11) and (Y12): `tile_m` query rows x `tile_n` keys of a CTA,
// warps, stages of keys and values, `split_k` CTAs that share the keys of a
// query tile. No measurement of ours ranks them: what a tile costs is (A1)-(A6)
// with it.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_SCHEDULES_ATTENTIONSCHEDULE_H
#define GPUCOST_LIB_CORE_MODEL_SCHEDULES_ATTENTIONSCHEDULE_H

#include "ScheduleTerms.h"

namespace gpucost {

/// One attention kernel as its resources see it.
struct ScheduledAttention {
  double headDim = 0;
  double queryBytes = 2, keyBytes = 2; ///< of an element
  /// The library's, which a schedule without a tile gets.
  Tile tile;
};

/// (Y11)
ScheduleFit fitAttention(const ScheduleDevice &device,
                         const TensorScheduleCoefficients &c,
                         const ScheduledAttention &attention,
                         const Schedule &schedule);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_SCHEDULES_ATTENTIONSCHEDULE_H
