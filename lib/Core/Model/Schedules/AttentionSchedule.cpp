//===- AttentionSchedule.cpp - Schedules of fused attention ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionSchedule.h"

using namespace gpucost;

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

/// Query rows of the instructions that read an operand from shared memory once.
static double rowsOfRead(const ScheduleDevice &d) {
  constexpr double wgmmaRows = 64, warpRows = 32;
  return d.path == MatrixPath::Mma ? warpRows : wgmmaRows;
}

/// Clocks of a block per score: both products, and the writes and reads of its
/// keys and values in shared memory.
static double scoreClocks(const ScheduleDevice &d,
                          const TensorScheduleCoefficients &c,
                          const ScheduledAttention &a, double rows,
                          double keys) {
  double products =
      d.tensorPerClock > 0 ? 2 * rows * keys * a.headDim / d.tensorPerClock : 0;
  double reads = std::max(1.0, rows / rowsOfRead(d));
  double shared =
      2 * keys * a.headDim * a.keyBytes * (1 + reads) / d.sharedBytesPerClock;
  return (joinNorm(products, shared, c.pipeNorm) + c.stepCycles) /
         (rows * keys);
}

double gpucost::blockSlowdown(const ScheduleDevice &d,
                              const TensorScheduleCoefficients &c,
                              const ScheduledAttention &a, const Schedule &s) {
  return std::max(1.0, scoreClocks(d, c, a, s.tileM, s.tileN) /
                           scoreClocks(d, c, a, a.tile.m, a.tile.n));
}

ScheduleFit gpucost::fitAttention(const ScheduleDevice &d,
                                  const TensorScheduleCoefficients &c,
                                  const ScheduledAttention &a,
                                  const Schedule &s) {
  ScheduleFit fit;
  fit.fault = faultOfShape(s);
  // Each query head has its own CTA, which has one row.
  if (fit && a.separatesHeads && s.tileM != leastTile)
    fit.fault = ScheduleFault::TileShape;
  if (fit && a.decodes && s.splitK > roundUp(a.keys / s.tileN))
    fit.fault = ScheduleFault::SplitK;
  if (!fit)
    return fit;
  // (Y11) Shared memory: the queries, and the stages for keys and values.
  // Registers: accumulators of the result and scores of one block.
  double threads = d.lanes * s.warps;
  double registers =
      s.tileM * (a.headDim + s.tileN) / threads + c.baseRegisters;
  return occupy(d, c, s,
                a.headDim * (s.tileM * a.queryBytes +
                             2.0 * s.stages * s.tileN * a.keyBytes),
                allocateRegisters(d, s.warps, registers));
}
