//===- HostSchedule.h - When the host launches -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_TRACE_HOSTSCHEDULE_H
#define GPUCOST_LIB_TRACE_HOSTSCHEDULE_H

#include "gpucost/Trace/Timeline.h"

namespace gpucost {

/// Sets `hostStart` of all slices, whose other times are known. The host
/// launches one after another, as early as it can: it begins with the first
/// launch as late as no kernel has to wait for it, and goes on when the copy
/// that it waits for has arrived, where its kernels leave time for that. No
/// kernel starts before the end of its launch.
void scheduleHost(std::vector<TimelineSlice> &slices);

} // namespace gpucost

#endif // GPUCOST_LIB_TRACE_HOSTSCHEDULE_H
