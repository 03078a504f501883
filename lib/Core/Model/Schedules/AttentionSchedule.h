//===- AttentionSchedule.h - Schedules of fused attention -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equations (Y11) and (Y12): `tile_m` query rows x `tile_n` keys per CTA,
// warps, stages of keys and values, `split_k` CTAs that share the keys of a
// query tile. The order is not validated by measurements; equations (A1)-(A6)
// determine the cost of a tile.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_SCHEDULES_ATTENTIONSCHEDULE_H
#define GPUCOST_LIB_CORE_MODEL_SCHEDULES_ATTENTIONSCHEDULE_H

#include "ScheduleTerms.h"

namespace gpucost {

/// Facts of an attention kernel that determine its resources.
struct ScheduledAttention {
  double headDim = 0;
  double queryBytes = 2, keyBytes = 2; ///< per element
  /// The library's tile, the default of schedules without a tile.
  Tile tile;
  ImplementationKind implementation = ImplementationKind::None;
};

/// (Y11)
ScheduleFit fitAttention(const ScheduleDevice &device,
                         const TensorScheduleCoefficients &c,
                         const ScheduledAttention &attention,
                         const Schedule &schedule);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_SCHEDULES_ATTENTIONSCHEDULE_H
