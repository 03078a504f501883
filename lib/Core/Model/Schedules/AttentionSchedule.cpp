//===- AttentionSchedule.cpp - Schedules of fused attention ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionSchedule.h"

using namespace gpucost;

static constexpr double warpLanes = 32;
static constexpr int32_t leastTile = 8; ///< rows or columns per instruction

static ScheduleFault faultOfShape(const Schedule &s) {
  if (!s.tileM || !s.tileN || !s.stages || !s.warps || !s.splitK)
    return ScheduleFault::Unknown;
  Schedule others = s;
  others.tileM = others.tileN = others.stages = others.warps = others.splitK =
      others.ctasPerSm = 0;
  if (!(others == Schedule()))
    return ScheduleFault::NotOfAttention;
  return s.tileM % leastTile || s.tileN % leastTile ? ScheduleFault::TileShape
                                                    : ScheduleFault::None;
}

ScheduleFit gpucost::fitAttention(const ScheduleDevice &d,
                                  const TensorScheduleCoefficients &c,
                                  const ScheduledAttention &a,
                                  const Schedule &s) {
  ScheduleFit fit;
  fit.fault = faultOfShape(s);
  if (!fit)
    return fit;
  // (Y11) Shared memory: the queries, and the stages for keys and values.
  // Registers: accumulators of the result and scores of one block.
  double threads = warpLanes * s.warps;
  double registers =
      s.tileM * (a.headDim + s.tileN) / threads + c.baseRegisters;
  return occupy(d, c, s,
                a.headDim * (s.tileM * a.queryBytes +
                             2.0 * s.stages * s.tileN * a.keyBytes),
                allocateRegisters(d, s.warps, registers));
}
