//===- StreamClocks.h - Schedules of memory-bound kernels -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equation (M9): how many bytes a kernel's threads keep under way. A compiler
// decides the elements of a load (`vector_m`) and the threads of a CTA
// (`warps`).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_SCHEDULES_STREAMCLOCKS_H
#define GPUCOST_LIB_CORE_MODEL_SCHEDULES_STREAMCLOCKS_H

#include "ScheduleTerms.h"

namespace gpucost {

/// Elementwise kernels, and row kernels, which stream as well.
bool isStream(KernelFamily family);

ScheduleFit fitStream(const ScheduleDevice &device, double elementBytes,
                      const Schedule &schedule);

/// (M9) Time of DRAM and L2 over that of a kernel with loads of 16 bytes and
/// full SMs. `inputs` tensors are read, each by loads of its own.
double streamSlowdown(const ScheduleDevice &device, Seconds memoryLatency,
                      double elementBytes, double inputs,
                      const Schedule &schedule, const ScheduleFit &fit);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_SCHEDULES_STREAMCLOCKS_H
