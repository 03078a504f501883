//===- ScheduleFields.h - A schedule and what to search for -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fields of a schedule and the goal of a search. Schedule.h evaluates them;
// passes that only name schedules include this header without the model.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_SCHEDULEFIELDS_H
#define GPUCOST_CORE_MODEL_SCHEDULEFIELDS_H

#include "gpucost/Core/Support/Record.h"
#include "gpucost/Core/Vocabulary/Enums.h"
#include <cstdint>
#include <optional>
#include <string>

namespace gpucost {

#define GPUCOST_RECORDS "gpucost/Core/Model/Schedule.def"
#include "gpucost/Core/Support/DefineRecords.inc"

/// Search criteria of `ScheduleModel::top`.
struct ScheduleGoal {
  Objective objective = Objective::Time;
  /// Longer schedules are excluded; nullopt: no limit.
  std::optional<Seconds> timeLimit;
};

/// "tile_m=128 tile_n=64 tile_k=32 warps=4": the set fields, in the syntax of
/// kernel queries.
std::string describeSchedule(const Schedule &schedule);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_SCHEDULEFIELDS_H
