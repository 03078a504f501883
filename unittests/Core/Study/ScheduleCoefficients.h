//===- ScheduleCoefficients.h - Terms of the schedule study -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_CORE_STUDY_SCHEDULECOEFFICIENTS_H
#define UNITTESTS_CORE_STUDY_SCHEDULECOEFFICIENTS_H

#include "gpucost/Core/Model/Coefficients.h"

namespace gpucost::study {

/// `l2`: bytes per clock and SM.
inline SimtScheduleCoefficients simtSchedule(double l2) {
  SimtScheduleCoefficients c;
  c.loadIssue = 0.5;
  c.addressIssue = 6.27;
  c.loopIssue = 1.59;
  c.copyIssue = 15.2;
  c.barrierCycles = 23.4;
  c.latencyCycles = 54.3;
  c.missCycles = 231;
  c.baseRegisters = 26;
  c.fragmentCopies = 1.11;
  c.spillAccesses = 2.43;
  c.cacheMiss = 0.325;
  c.pipeNorm = 1.85;
  c.dramEfficiency = 0.85;
  c.l2BytesPerClock = l2;
  c.usableSharedMemory = 1;
  return c;
}

inline TensorScheduleCoefficients tensorSchedule(double l2) {
  TensorScheduleCoefficients c;
  c.scaleOps = 2;
  c.convertOps = 3.66;
  c.stepCycles = 150;
  c.warpCycles = 125;
  c.fillCycles = 990;
  c.stageCycles = 114;
  c.epilogueCycles = 2.67;
  c.mmaShare = 0.2;
  c.memoryLatency = Seconds(435e-9);
  c.baseRegisters = 96;
  c.spillAccesses = 10.2;
  c.mostSpilled = 170;
  c.fixedTime = Seconds(1750e-9);
  c.dramEfficiency = 0.9;
  c.pipeNorm = 1.5;
  c.overlapNorm = 2.06;
  c.reread = 0.287;
  c.l2BytesPerClock = l2;
  return c;
}

} // namespace gpucost::study

#endif // UNITTESTS_CORE_STUDY_SCHEDULECOEFFICIENTS_H
