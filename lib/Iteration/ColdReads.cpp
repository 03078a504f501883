//===- ColdReads.cpp - Parameters and caches that L2 has lost -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (P7) The bytes that a kernel touches itself do not tell whether L2 still
// holds its weights: what the iteration has touched since they were last read
// does. Iterations follow each other, so that the first read of a tensor
// follows the last one of the iteration before.

#include "gpucost/Iteration/PlacedModel.h"
#include <algorithm>

using namespace gpucost;

namespace {

/// The launches of an iteration on a line: bytes touched by the end of each.
class TouchedBytes {
public:
  /// `launchBytes`: what each launch touches.
  TouchedBytes(const PreparedModel &model,
               const std::vector<double> &launchBytes)
      : model(model), launchBytes(launchBytes) {}

  /// Calls `visit(launch, reads, touched)` for each launch in order, where
  /// `touched(read)` are the bytes that have been touched since the tensor of
  /// `read` was, those of this launch included.
  template <typename Visit> void forEach(Visit visit) {
    std::vector<double> last = lastTouches();
    double now = 0;
    uint32_t read = 0;
    for (size_t i = 0; i < model.launches.size(); ++i) {
      const Launch &launch = model.launches[i];
      now += launchBytes[i];
      uint32_t begin = read;
      read = launch.persistentReadsEnd;
      if (begin == read)
        continue;
      visit(i, begin, read, [&](const PersistentRead &each) {
        return now - last[each.tensor];
      });
      for (; begin < read; ++begin)
        last[model.persistentReads[begin].tensor] = now;
    }
  }

private:
  /// Of each tensor in the iteration before, which ended at 0.
  std::vector<double> lastTouches() const {
    uint32_t tensors = 0;
    for (const PersistentRead &read : model.persistentReads)
      tensors = std::max(tensors, read.tensor + 1);
    std::vector<double> last(tensors);
    double now = 0;
    uint32_t read = 0;
    for (size_t i = 0; i < model.launches.size(); ++i) {
      now += launchBytes[i];
      for (; read < model.launches[i].persistentReadsEnd; ++read)
        last[model.persistentReads[read].tensor] = now;
    }
    for (double &position : last)
      position -= now;
    return last;
  }

  const PreparedModel &model;
  const std::vector<double> &launchBytes;
};

} // namespace

void PlacedModel::addColdReads() {
  if (source->persistentReads.empty())
    return;
  // Accumulated passes repeat the launches, the rest of a count is a loop that
  // finds in L2 what its own footprint leaves there (P2).
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
  TouchedBytes touched(*source, launchBytes);
  touched.forEach([&](size_t index, uint32_t begin, uint32_t end,
                      auto touchedSince) {
    const Launch &launch = source->launches[index];
    double distinct = 0, cold = 0;
    for (uint32_t i = begin; i < end; ++i) {
      const PersistentRead &read = source->persistentReads[i];
      // A loop over slices reads each once, else the same bytes every time.
      double bytes = std::min(static_cast<double>(read.bytes) * repeats[index],
                              static_cast<double>(read.allBytes));
      distinct += bytes;
      cold += bytes * std::max(costModel.missFraction(touchedSince(read)),
                               warm[launch.work]);
    }
    // The events have counted what L2 loses of their own bytes.
    cold -= warm[launch.work] * std::min(distinct, launchBytes[index]);
    coldBytes[launch.work] += cold * static_cast<double>(launch.passes);
  });
  for (size_t work = 0; work < works.size(); ++work)
    if (counts[work] > 0)
      works[work].events.dramBytes += coldBytes[work] / counts[work];
}
