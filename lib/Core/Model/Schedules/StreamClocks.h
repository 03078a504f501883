//===- StreamClocks.h - Schedules of memory-bound kernels -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equation (M9): the bytes that a kernel's threads keep in flight. A compiler
// chooses the elements per load (`vector_m`) and the threads per CTA (`warps`).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_SCHEDULES_STREAMCLOCKS_H
#define GPUCOST_LIB_CORE_MODEL_SCHEDULES_STREAMCLOCKS_H

#include "ScheduleTerms.h"

namespace gpucost {

ScheduleFit fitStream(const ScheduleDevice &device, double elementBytes,
                      const Schedule &schedule);

/// (M9) DRAM and L2 time relative to a kernel with 16-byte loads and full SMs.
/// `inputs` tensors are read, each with separate loads.
double streamSlowdown(const ScheduleDevice &device, Seconds memoryLatency,
                      double elementBytes, double inputs,
                      const Schedule &schedule, const ScheduleFit &fit);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_SCHEDULES_STREAMCLOCKS_H
