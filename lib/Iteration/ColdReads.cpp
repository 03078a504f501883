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
  explicit TouchedBytes(const PreparedModel &model) : model(model) {}

  /// Calls `visit(launch, reads, touched)` for each launch in order, where
  /// `touched(read)` are the bytes that have been touched since the tensor of
  /// `read` was, those of this launch included.
  template <typename BytesOf, typename Visit>
  void forEach(BytesOf bytesOf, Visit visit) {
    std::vector<double> last = lastTouches(bytesOf);
    double now = 0;
    uint32_t read = 0;
    for (const Launch &launch : model.launches) {
      now += bytesOf(launch);
      uint32_t begin = read;
      read = launch.persistentReadsEnd;
      if (begin == read)
        continue;
      visit(launch, begin, read, [&](const PersistentRead &each) {
        return now - last[each.tensor];
      });
      for (; begin < read; ++begin)
        last[model.persistentReads[begin].tensor] = now;
    }
  }

private:
  /// Of each tensor in the iteration before, which ended at 0.
  template <typename BytesOf>
  std::vector<double> lastTouches(BytesOf bytesOf) const {
    std::vector<double> last;
    double now = 0;
    uint32_t read = 0;
    for (const Launch &launch : model.launches) {
      now += bytesOf(launch);
      for (; read < launch.persistentReadsEnd; ++read) {
        uint32_t tensor = model.persistentReads[read].tensor;
        if (tensor >= last.size())
          last.resize(tensor + 1);
        last[tensor] = now;
      }
    }
    for (double &position : last)
      position -= now;
    return last;
  }

  const PreparedModel &model;
};

} // namespace

void PlacedModel::addColdReads() {
  if (source->persistentReads.empty())
    return;
  // Accumulated passes repeat the launches, the rest of a count is a loop that
  // finds in L2 what its own footprint leaves there (P2).
  auto repeats = [](const Launch &launch) {
    return static_cast<double>(launch.count) /
           static_cast<double>(launch.passes);
  };
  auto bytesOf = [&](const Launch &launch) {
    return works[launch.work].terms.compulsoryBytes * repeats(launch);
  };
  std::vector<double> coldBytes(works.size()), counts(works.size());
  for (const Launch &launch : source->launches)
    counts[launch.work] += static_cast<double>(launch.count);
  TouchedBytes touched(*source);
  touched.forEach(bytesOf, [&](const Launch &launch, uint32_t begin,
                               uint32_t end, auto touchedSince) {
    double warm =
        costModel.missFraction(works[launch.work].terms.compulsoryBytes);
    double distinct = 0, cold = 0;
    for (uint32_t i = begin; i < end; ++i) {
      const PersistentRead &read = source->persistentReads[i];
      // A loop over slices reads each once, else the same bytes every time.
      double bytes = std::min(static_cast<double>(read.bytes) * repeats(launch),
                              static_cast<double>(read.allBytes));
      distinct += bytes;
      cold +=
          bytes * std::max(costModel.missFraction(touchedSince(read)), warm);
    }
    // The events have counted what L2 loses of their own bytes.
    cold -= warm * std::min(distinct, bytesOf(launch));
    coldBytes[launch.work] += cold * static_cast<double>(launch.passes);
  });
  for (size_t work = 0; work < works.size(); ++work)
    if (counts[work] > 0)
      works[work].events.dramBytes += coldBytes[work] / counts[work];
}
