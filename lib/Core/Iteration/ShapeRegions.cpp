//===- ShapeRegions.cpp - Regions that sliding windows create -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeRegions.h"
#include <algorithm>
#include <limits>

using namespace gpucost;

int64_t gpucost::longestQuery(const StepShape &low, int64_t window) {
  return std::max(low.query, window - 1 - low.past);
}

namespace {
/// The shapes of one region: limits of the past and of the length of a
/// sequence.
struct RegionLimits {
  int64_t leastPast = 0, mostPast = std::numeric_limits<int64_t>::max();
  int64_t leastLength = 0, mostLength = std::numeric_limits<int64_t>::max();

  void add(WindowRegion own, int64_t window) {
    if (own == WindowRegion::Before)
      mostLength = std::min(mostLength, window);
    else
      leastLength = std::max(leastLength, window + 1);
    if (own == WindowRegion::Across)
      mostPast = std::min(mostPast, window - 2);
    if (own == WindowRegion::After)
      leastPast = std::max(leastPast, window - 1);
  }
  /// The least past that fills the caches of all windows before it.
  int64_t filledPast() const { return leastPast > 0 ? leastPast + 1 : 0; }
  bool isBounded() const {
    return mostLength < std::numeric_limits<int64_t>::max();
  }
};
} // namespace

/// Whether a shape of `range` is within `limits`.
static bool hasShapes(const ShapeRange &range, const RegionLimits &limits) {
  const StepShape &low = range.low, &high = range.high;
  int64_t least = std::max(low.past, limits.leastPast),
          most = std::min(high.past, limits.mostPast);
  return least <= most && limits.leastLength <= limits.mostLength &&
         high.query + most >= limits.leastLength &&
         low.query + least <= limits.mostLength;
}

/// A box that is large enough for the probes, if the region is.
static ShapeRange boxOf(const ShapeRange &range, const RegionLimits &limits) {
  const StepShape &low = range.low, &high = range.high;
  ShapeRange box = range;
  box.high.past = std::min(high.past, limits.mostPast);
  if (limits.isBounded())
    box.high.past = std::min(box.high.past, limits.mostLength - low.query);
  int64_t span = low.past == high.past ? 0 : ShapeRange::leastSpan;
  box.low.past = std::max(
      {low.past, limits.filledPast(),
       std::min(limits.leastLength - low.query, box.high.past - span)});
  box.low.query = std::max(low.query, limits.leastLength - box.low.past);
  if (!limits.isBounded())
    return box;
  int64_t slack = limits.mostLength - box.low.query - box.low.past;
  bool both = low.query != high.query && low.past != high.past;
  box.high.query =
      std::min(high.query, box.low.query + (both ? slack / 2 : slack));
  box.high.past = std::min(box.high.past, limits.mostLength - box.high.query);
  return box;
}

static RegionShapes shapesOf(const ShapeRange &range,
                             const RegionLimits &limits, size_t number) {
  ShapeRange box = boxOf(range, limits);
  if (!limits.isBounded()) {
    StepShape far = range.high;
    // Long prompts are beyond a window, and their past is not.
    if (limits.mostPast < std::numeric_limits<int64_t>::max())
      far.past = std::max({range.low.past, limits.filledPast(),
                           limits.leastLength - range.high.query});
    return {number, box, far, far};
  }
  StepShape widest = range.high;
  widest.past = limits.leastPast > 0 ? box.low.past : range.low.past;
  widest.query =
      std::min(range.high.query,
               longestQuery({range.low.batch, range.low.query, widest.past},
                            limits.mostLength));
  return {number, box, box.high, widest};
}

std::vector<RegionShapes> gpucost::regionsOf(const ShapeRange &range,
                                             const Windows &windows) {
  if (windows.empty())
    return {{0, range, range.high, range.high}};
  size_t count = 1;
  for (size_t i = 0; i < windows.size(); ++i)
    count *= regionsOfWindow;
  std::vector<RegionShapes> regions;
  for (size_t number = 0; number < count; ++number) {
    RegionLimits limits;
    limits.leastLength = range.leastLength;
    limits.mostLength = range.mostLength;
    size_t rest = number;
    for (size_t i = windows.size(); i-- > 0; rest /= regionsOfWindow)
      limits.add(static_cast<WindowRegion>(rest % regionsOfWindow), windows[i]);
    if (hasShapes(range, limits))
      regions.push_back(shapesOf(range, limits, number));
  }
  return regions;
}
