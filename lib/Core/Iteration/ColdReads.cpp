//===- ColdReads.cpp - Cold reads after L2 eviction -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (P7) Whether L2 still contains a kernel's weights depends on the bytes that
// the iteration has touched since their last read, not only on the bytes of the
// kernel. Iterations are consecutive, so the first read of a tensor follows its
// last read in the previous iteration.

#include "LaunchRanges.h"
#include "gpucost/Core/Iteration/PlacedModel.h"

using namespace gpucost;

/// Position of each tensor's last read in the previous iteration, relative to
/// its end: minus the bytes touched since.
static std::vector<double> lastReads(const PreparedModel &model,
                                     const std::vector<double> &launchBytes) {
  std::vector<double> last(countTensors(model.persistentReads));
  double all = forEachLaunch<&Launch::persistentReadsEnd>(
      model, launchBytes,
      [&](size_t, uint32_t begin, uint32_t end, double now) {
        for (; begin < end; ++begin)
          last[model.persistentReads[begin].tensor] = now;
      });
  for (double &position : last)
    position -= all;
  return last;
}

void PlacedModel::addColdReads() {
  if (source->persistentReads.empty())
    return;
  // Micro-batches repeat the launches; the remaining factor of a count is a
  // loop, whose L2 hits depend on its footprint (P2).
  std::vector<double> coldBytes(works.size()), counts(works.size()),
      warm(works.size());
  for (size_t i = 0; i < works.size(); ++i)
    warm[i] = costModel.missFraction(works[i].terms.compulsoryBytes);
  std::vector<double> repeats, launchBytes;
  repeats.reserve(source->launches.size());
  launchBytes.reserve(source->launches.size());
  for (const Launch &launch : source->launches) {
    auto n = static_cast<double>(launch.count);
    counts[launch.work] += n;
    repeats.push_back(n / static_cast<double>(launch.passes));
    launchBytes.push_back(works[launch.work].terms.compulsoryBytes *
                          repeats.back());
  }
  std::vector<double> last = lastReads(*source, launchBytes);
  auto addCold = [&](size_t index, uint32_t begin, uint32_t end, double now) {
    if (begin == end)
      return;
    const Launch &launch = source->launches[index];
    double distinct = 0, cold = 0;
    for (uint32_t i = begin; i < end; ++i) {
      const PersistentRead &read = source->persistentReads[i];
      // A loop over slices reads each slice once; other loops read the same
      // bytes every time.
      double bytes = std::min(static_cast<double>(read.bytes) * repeats[index],
                              static_cast<double>(read.allBytes));
      distinct += bytes;
      cold += bytes * std::max(costModel.missFraction(now - last[read.tensor]),
                               warm[launch.work]);
    }
    // The events already include the bytes that L2 loses within the kernel.
    cold -= warm[launch.work] * std::min(distinct, launchBytes[index]);
    coldBytes[launch.work] += cold * static_cast<double>(launch.passes);
    for (; begin < end; ++begin)
      last[source->persistentReads[begin].tensor] = now;
  };
  forEachLaunch<&Launch::persistentReadsEnd>(*source, launchBytes, addCold);
  for (size_t work = 0; work < works.size(); ++work)
    if (counts[work] > 0)
      works[work].events.dramBytes += coldBytes[work] / counts[work];
}
