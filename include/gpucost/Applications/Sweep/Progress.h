//===- Progress.h - Progress of a sweep -------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SWEEP_PROGRESS_H
#define GPUCOST_APPLICATIONS_SWEEP_PROGRESS_H

#include "gpucost/Applications/Sweep/PointResult.h"
#include "gpucost/Applications/Sweep/Space.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

namespace gpucost::sweep {

/// A repeatedly rewritten line on a terminal: points, points per second, time
/// left, the best point so far (most samples per second, or the shortest
/// iteration). Prints nothing if `os` is not a terminal.
class Progress {
public:
  /// `points` to evaluate.
  Progress(const Space &space, int64_t points, llvm::raw_ostream &os);
  /// Called by one thread at a time.
  void add(llvm::ArrayRef<PointResult> results);
  /// Ends the line.
  void finish();

private:
  using Clock = std::chrono::steady_clock;
  void print();

  const Space &space;
  llvm::raw_ostream &os;
  const bool shown;
  const int64_t points;
  int64_t done = 0;
  double bestSpeed = 0;
  std::string best;
  size_t width = 0;
  Clock::time_point begin = Clock::now(), last = begin;
};

} // namespace gpucost::sweep

#endif // GPUCOST_APPLICATIONS_SWEEP_PROGRESS_H
