//===- Sweep.h - Points in several threads ----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SWEEP_SWEEP_H
#define GPUCOST_APPLICATIONS_SWEEP_SWEEP_H

#include "gpucost/Applications/Sweep/Evaluator.h"
#include <functional>

namespace gpucost::sweep {

/// Parts that a sweep may have.
inline constexpr int64_t mostShards = 1'000'000;

struct SweepOptions {
  unsigned jobs = 1; ///< threads
  /// Deliver results in point order instead of as they finish.
  bool ordered = true;
  /// Evaluate also points that do not fit in memory.
  bool unfitNumbers = true;
  /// The `shard`-th of `shards` parts, from 1, each of adjacent points.
  int64_t shard = 1, shards = 1;
};

/// The points of a part: from `first` to before `end`.
struct PointRange {
  int64_t first = 0, end = 0;
};
PointRange rangeOfShard(int64_t points, const SweepOptions &options);

/// Adjacent points evaluated by one thread.
struct PointBatch {
  std::vector<PointResult> results;
  /// Result of `finish`.
  std::string text;
};

/// Evaluates all points of the part except those that `isDone`. `finish` runs
/// in the thread that has evaluated a batch; `deliver` runs in one thread at a
/// time and ends the sweep by returning false. Few batches exist at a time, so
/// memory stays bounded.
void runSweep(const Evaluator &evaluator, const SweepOptions &options,
              const std::function<bool(int64_t)> &isDone,
              const std::function<void(PointBatch &)> &finish,
              const std::function<bool(PointBatch &)> &deliver);

/// The same for all points of the part, without `finish`.
void runSweep(const Evaluator &evaluator, const SweepOptions &options,
              const std::function<bool(PointBatch &)> &deliver);

} // namespace gpucost::sweep

#endif // GPUCOST_APPLICATIONS_SWEEP_SWEEP_H
