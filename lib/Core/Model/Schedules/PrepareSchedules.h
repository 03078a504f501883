//===- PrepareSchedules.h - Absolute level of schedules ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_SCHEDULES_PREPARESCHEDULES_H
#define GPUCOST_LIB_CORE_MODEL_SCHEDULES_PREPARESCHEDULES_H

#include "ScheduleSetup.h"

namespace gpucost::detail {

/// Completes a setup whose model, work and query are set.
Expected<void> prepareSchedules(ScheduleSetup &setup);
/// Likewise for attention; `setup.device` is set.
Expected<void> prepareAttention(ScheduleSetup &setup);

} // namespace gpucost::detail

#endif // GPUCOST_LIB_CORE_MODEL_SCHEDULES_PREPARESCHEDULES_H
