//===- HostSchedule.h - Schedules the host's launches -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_TRACE_HOSTSCHEDULE_H
#define GPUCOST_LIB_CORE_TRACE_HOSTSCHEDULE_H

#include "gpucost/Core/Trace/Timeline.h"

namespace gpucost {

/// Sets `hostStart` of all slices, whose other times must be set. The host
/// starts as late as possible without delaying a kernel, then launches kernels
/// consecutively as early as possible. After a wait it continues when the copy
/// has arrived, if its kernels leave time for that. A kernel never starts
/// before the end of its launch.
void scheduleHost(std::vector<TimelineSlice> &slices);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_TRACE_HOSTSCHEDULE_H
