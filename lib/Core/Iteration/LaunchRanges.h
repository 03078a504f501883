//===- LaunchRanges.h - Tensor accesses by launch ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Iterates over the launches of an iteration with their ranges in a list of
// touched tensors and the bytes touched up to their end, for L2 hits (M12) and
// cold reads (P7).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_ITERATION_LAUNCHRANGES_H
#define GPUCOST_LIB_CORE_ITERATION_LAUNCHRANGES_H

#include "gpucost/Core/Iteration/PreparedModel.h"
#include <algorithm>
#include <utility>

namespace gpucost {

/// Calls `visit(launch, begin, end, now)` for each launch in order with its
/// index, its range in the list of `rangeEnd`, and the bytes touched up to its
/// end. `launchBytes` are the bytes per launch. Returns the sum of all bytes.
template <uint32_t Launch::*rangeEnd, typename Visit>
double forEachLaunch(const PreparedModel &model,
                     const std::vector<double> &launchBytes, Visit visit) {
  double now = 0;
  uint32_t at = 0;
  for (size_t i = 0; i < model.launches.size(); ++i) {
    now += launchBytes[i];
    uint32_t begin = std::exchange(at, model.launches[i].*rangeEnd);
    visit(i, begin, at, now);
  }
  return now;
}

/// One more than the largest tensor number in `touches`; 0 for none.
template <typename Touch>
uint32_t countTensors(const std::vector<Touch> &touches) {
  uint32_t tensors = 0;
  for (const Touch &touch : touches)
    tensors = std::max(tensors, touch.tensor + 1);
  return tensors;
}

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_ITERATION_LAUNCHRANGES_H
