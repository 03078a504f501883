//===- AttentionSchedule.cpp - Schedules of fused attention ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionSchedule.h"

using namespace gpucost;

static constexpr double warpLanes = 32;
static constexpr double mostThreads = 1024;  ///< of a CTA
static constexpr double mostRegisters = 255; ///< of a thread
static constexpr double registerUnit = 8;
static constexpr int32_t leastTile = 8; ///< rows or columns of one instruction

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
  fit.threads = warpLanes * s.warps;
  // (Y11) The queries stay, keys and values pass through the stages.
  fit.sharedBytes = a.headDim * (s.tileM * a.queryBytes +
                                 2.0 * s.stages * s.tileN * a.keyBytes);
  // Sums of the result and scores of one block.
  double need = s.tileM * (a.headDim + s.tileN) / fit.threads + c.baseRegisters;
  fit.spilled = std::max(need - mostRegisters, 0.0);
  fit.registers =
      std::min(std::ceil(need / registerUnit) * registerUnit, mostRegisters);
  if (fit.threads > std::min(mostThreads, d.threads))
    fit.fault = ScheduleFault::Threads;
  else if (fit.sharedBytes > d.ctaSharedBytes)
    fit.fault = ScheduleFault::SharedMemory;
  else if (fit.spilled >= c.mostSpilled)
    fit.fault = ScheduleFault::Registers;
  double fits = leastWhole(d.registers / (fit.registers * fit.threads),
                           d.sharedBytes / (fit.sharedBytes + d.reservedBytes),
                           d.threads / fit.threads, d.ctas);
  fit.ctasPerSm = s.ctasPerSm ? s.ctasPerSm : fits;
  if (fit && fit.ctasPerSm > fits)
    fit.fault = ScheduleFault::CtasPerSm;
  return fit;
}
