//===- TensorsInL2.cpp - L2 hits between kernels --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (M12) A memory-bound kernel reads a tensor from L2 if the iteration has
// touched few bytes since the tensor was last touched, and its result stays in
// L2 if few bytes are touched before the result is read. Activations that are
// kept for the backward pass come from DRAM even if the kernel is small.

#include "gpucost/Core/Iteration/FoldedLaunches.h"
#include "gpucost/Core/Iteration/PlacedModel.h"
#include <algorithm>

using namespace gpucost;

namespace {

/// For each touch of an iteration, the bytes that L2 must contain for a hit.
std::vector<double> reuseDistances(const FoldedLaunches &folded,
                                   const TouchedBytes &touched) {
  std::vector<double> distances;
  distances.reserve(folded.touches().size());
  uint32_t number = 0;
  for (const FoldedLaunches::Entry &entry : folded.entries()) {
    while (distances.size() < entry.touchesEnd)
      distances.push_back(
          touched.since(folded.touches()[distances.size()], number));
    ++number;
  }
  return distances;
}

/// Sums over the launches of one work.
struct TouchedWork {
  double launchBytes = 0; ///< of all its launches that count as one
  double own = 0;         ///< bytes per launch; 0: its time does not depend on
                          ///< them
  double keptAlone = 0;   ///< share kept by L2 with only its bytes touched
  double kept = 0, count = 0;
};

} // namespace

void PlacedModel::followTensors() {
  const auto &streaming = costModel.coefficients().streaming;
  if (source->touches.empty() || !streaming)
    return;
  std::vector<TouchedWork> touched(works.size());
  for (size_t i = 0; i < works.size(); ++i) {
    const KernelWork &work = works[i].kernel.work;
    const WorkCount &count = source->works[i].count;
    // A collective touches its message once, even if parts of it are
    // transferred several times.
    const auto *message = work.getIf<CollectiveProblem>();
    touched[i].launchBytes = message ? static_cast<double>(message->bytes)
                                     : works[i].alone.compulsoryBytes;
    // Only the times of memory-bound kernels depend on it.
    if (work.isTiled())
      continue;
    touched[i].own = count.compulsoryBytes();
    touched[i].keptAlone = costModel.keptShare(touched[i].own);
  }
  TouchedBytes bytes(*folded);
  bytes.add([&](const FoldedLaunches::Entry &entry) {
    const Launch &launch = source->launches[entry.launch];
    return touched[launch.work].launchBytes *
           static_cast<double>(launch.count) /
           static_cast<double>(launch.passes);
  });
  std::vector<double> distances = reuseDistances(*folded, bytes);
  // A result stays in L2 if all its reads hit. Results that are not read leave
  // L2 by the end of the iteration.
  auto distanceOf = [&](uint32_t touch) {
    const FoldedLaunches::Access &access = folded->touches()[touch];
    if (!source->touches[access.source].written)
      return distances[touch];
    if (access.readersBegin == access.readersEnd)
      return bytes.all();
    double longest = 0;
    for (uint32_t i = access.readersBegin; i < access.readersEnd; ++i)
      longest = std::max(longest, distances[folded->readers()[i]]);
    return longest;
  };
  uint32_t begin = 0;
  for (const FoldedLaunches::Entry &entry : folded->entries()) {
    const Launch &launch = source->launches[entry.launch];
    TouchedWork &work = touched[launch.work];
    uint32_t first = std::exchange(begin, entry.touchesEnd);
    if (work.own <= 0)
      continue;
    // A loop repeats its kernels consecutively.
    bool repeats = launch.count != launch.passes;
    double rest = work.own, hit = 0;
    for (uint32_t i = first; i < entry.touchesEnd && !repeats; ++i) {
      auto size = static_cast<double>(
          source->touches[folded->touches()[i].source].bytes);
      double distance = distanceOf(i);
      hit += size * (distance > work.own ? costModel.keptShare(distance)
                                         : work.keptAlone);
      rest -= size;
    }
    hit += std::max(rest, 0.0) * work.keptAlone;
    double n = static_cast<double>(launch.count) *
               static_cast<double>(entry.repetitions);
    work.kept += n * hit / work.own;
    work.count += n;
  }
  for (size_t i = 0; i < works.size(); ++i) {
    PlacedWork &work = works[i];
    if (touched[i].count == 0 || !(work.kernel.schedule == Schedule()))
      continue;
    KernelQuery query;
    query.keptShare = std::min(touched[i].kept / touched[i].count, 1.0);
    if (work.keptShare == query.keptShare)
      continue;
    auto terms =
        costModel.launchTerms(work.kernel.work, work.kernel.tiling, query);
    work.terms = terms ? *terms : work.alone;
    work.keptShare = terms ? query.keptShare : std::nullopt;
  }
}
