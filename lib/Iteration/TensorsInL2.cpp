//===- TensorsInL2.cpp - What L2 holds between two kernels ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (M12) A memory-bound kernel finds a tensor in L2 when the iteration has
// touched little since the tensor was, and leaves its result there when little
// is touched before the result is read. Activations that wait for the backward
// pass come from DRAM, however small the kernel is.

#include "gpucost/Iteration/PlacedModel.h"
#include <algorithm>

using namespace gpucost;

namespace {

/// Of each touch of an iteration the bytes that L2 must hold for it to hit.
class ReuseDistances {
public:
  ReuseDistances(const PreparedModel &model,
                 const std::vector<double> &launchBytes)
      : distances(model.touches.size()) {
    // The end of each launch, and of a tensor the launch that touched it last.
    // Iterations follow each other: the first touch follows the last one of the
    // iteration before.
    std::vector<double> last;
    double now = 0;
    forEach(model, launchBytes, now, [&](uint32_t touch) {
      uint32_t tensor = model.touches[touch].tensor;
      if (tensor >= last.size())
        last.resize(tensor + 1);
      last[tensor] = now;
    });
    for (double &position : last)
      position -= now;
    now = 0;
    forEach(model, launchBytes, now, [&](uint32_t touch) {
      double &before = last[model.touches[touch].tensor];
      distances[touch] = now - before;
      before = now;
    });
    keepWrites(model, now);
  }

  double of(uint32_t touch) const { return distances[touch]; }

private:
  template <typename Visit>
  static void forEach(const PreparedModel &model,
                      const std::vector<double> &launchBytes, double &now,
                      Visit visit) {
    uint32_t touch = 0;
    for (size_t i = 0; i < model.launches.size(); ++i) {
      now += launchBytes[i];
      for (; touch < model.launches[i].touchesEnd; ++touch)
        visit(touch);
    }
  }

  /// A result stays in L2 if each of its reads finds it there. What nobody
  /// reads leaves it by the end of the iteration.
  void keepWrites(const PreparedModel &model, double all) {
    constexpr double unread = -1;
    std::vector<double> longest;
    for (size_t touch = distances.size(); touch-- > 0;) {
      const TensorTouch &each = model.touches[touch];
      if (longest.size() <= each.tensor)
        longest.resize(each.tensor + 1, unread);
      double &later = longest[each.tensor];
      if (!each.written) {
        later = std::max(later, distances[touch]);
        continue;
      }
      distances[touch] = later == unread ? all : later;
      later = unread;
    }
  }

  std::vector<double> distances;
};

} // namespace

void PlacedModel::followTensors() {
  const auto &streaming = costModel.coefficients().streaming;
  if (source->touches.empty() || !streaming)
    return;
  // A collective touches its message, however often parts of it pass through.
  std::vector<double> launchBytes;
  for (const Launch &launch : source->launches) {
    const PlacedWork &work = works[launch.work];
    double bytes = work.terms.compulsoryBytes;
    if (work.kernel.work.is<CollectiveProblem>())
      bytes =
          static_cast<double>(work.kernel.work.as<CollectiveProblem>().bytes);
    launchBytes.push_back(bytes * static_cast<double>(launch.count) /
                          static_cast<double>(launch.passes));
  }
  ReuseDistances distances(*source, launchBytes);
  std::vector<double> kept(works.size()), counts(works.size());
  uint32_t touch = 0;
  for (const Launch &launch : source->launches) {
    uint32_t begin = std::exchange(touch, launch.touchesEnd);
    const WorkCount &count = source->works[launch.work].count;
    double own = static_cast<double>(count.bytesRead) +
                 static_cast<double>(count.bytesWritten);
    // Only memory-bound kernels are timed by it.
    if (own <= 0 || works[launch.work].kernel.work.isTiled())
      continue;
    // A loop repeats its kernels one after another.
    bool repeats = launch.count != launch.passes;
    double rest = own, hit = 0;
    for (uint32_t i = begin; i < touch && !repeats; ++i) {
      auto bytes = static_cast<double>(source->touches[i].bytes);
      hit += bytes * costModel.keptShare(std::max(distances.of(i), own));
      rest -= bytes;
    }
    hit += std::max(rest, 0.0) * costModel.keptShare(own);
    auto n = static_cast<double>(launch.count);
    kept[launch.work] += n * hit / own;
    counts[launch.work] += n;
  }
  for (size_t i = 0; i < works.size(); ++i) {
    PlacedWork &work = works[i];
    if (counts[i] == 0 || work.kernel.work.isTiled() ||
        !(work.kernel.schedule == Schedule()))
      continue;
    KernelQuery query;
    query.keptShare = std::min(kept[i] / counts[i], 1.0);
    if (auto terms = costModel.launchTerms(work.kernel.work, work.kernel.tiling,
                                           query)) {
      work.terms = *terms;
      work.events = terms->events;
    }
  }
}
