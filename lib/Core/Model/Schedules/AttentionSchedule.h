//===- AttentionSchedule.h - Schedules of fused attention -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equations (Y11) to (Y13): `tile_m` query rows x `tile_n` keys per CTA,
// warps, stages of keys and values, `split_k` CTAs that share the keys of a
// query tile. The order is not validated by measurements; equations (A*) and
// (D*) determine the cost of the library's tile.
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
  /// One query token per sequence (Y13).
  bool decodes = false;
  /// Decoding: the keys that a query sees, and the CTAs before they are split.
  double keys = 0;
  int32_t variant = 0;         ///< `Tiling::variant`
  bool separatesHeads = false; ///< each query head reads the cache
};

/// (Y11)
ScheduleFit fitAttention(const ScheduleDevice &device,
                         const TensorScheduleCoefficients &c,
                         const ScheduledAttention &attention,
                         const Schedule &schedule);

/// (Y12) Clocks of a block relative to the library's tile, per score: at least
/// 1. A small tile reads keys and values for fewer queries and has more steps.
double blockSlowdown(const ScheduleDevice &device,
                     const TensorScheduleCoefficients &c,
                     const ScheduledAttention &attention,
                     const Schedule &schedule);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_SCHEDULES_ATTENTIONSCHEDULE_H
