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

#include "LaunchRanges.h"
#include "gpucost/Core/Iteration/PlacedModel.h"

using namespace gpucost;

namespace {

/// For each touch of an iteration, the bytes that L2 must contain for a hit.
class ReuseDistances {
public:
  /// `launchBytes`: bytes that each launch touches.
  ReuseDistances(const PreparedModel &model,
                 const std::vector<double> &launchBytes)
      : distances(model.touches.size()) {
    uint32_t tensors = countTensors(model.touches);
    // For each tensor, the end of the last launch that touched it; 0: none yet.
    std::vector<double> last(tensors);
    double all = forEachLaunch<&Launch::touchesEnd>(
        model, launchBytes,
        [&](size_t, uint32_t begin, uint32_t end, double now) {
          for (uint32_t touch = begin; touch < end; ++touch) {
            double &before = last[model.touches[touch].tensor];
            distances[touch] = now - before;
            before = now;
          }
        });
    std::vector<uint32_t> first = keepWrites(model, all, tensors);
    // Iterations are consecutive: the first touch follows the last touch in the
    // previous iteration.
    for (uint32_t tensor = 0; tensor < tensors; ++tensor)
      if (uint32_t own = first[tensor];
          own != none && !model.touches[own].written)
        distances[own] -= last[tensor] - all;
  }

  double of(uint32_t touch) const { return distances[touch]; }

private:
  static constexpr uint32_t none = ~uint32_t(0);

  /// A result stays in L2 if all its reads hit. Results that are not read leave
  /// L2 by the end of the iteration. Returns the first touch of each tensor.
  std::vector<uint32_t> keepWrites(const PreparedModel &model, double all,
                                   uint32_t tensors) {
    constexpr double unread = -1;
    std::vector<double> longest(tensors, unread);
    std::vector<uint32_t> first(tensors, none);
    for (size_t touch = distances.size(); touch-- > 0;) {
      const TensorTouch &each = model.touches[touch];
      first[each.tensor] = static_cast<uint32_t>(touch);
      double &later = longest[each.tensor];
      if (!each.written) {
        later = std::max(later, distances[touch]);
        continue;
      }
      distances[touch] = later == unread ? all : later;
      later = unread;
    }
    return first;
  }

  std::vector<double> distances;
};

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
                                     : works[i].terms.compulsoryBytes;
    // Only the times of memory-bound kernels depend on it.
    if (work.isTiled())
      continue;
    touched[i].own = count.compulsoryBytes();
    touched[i].keptAlone = costModel.keptShare(touched[i].own);
  }
  std::vector<double> launchBytes;
  launchBytes.reserve(source->launches.size());
  for (const Launch &launch : source->launches)
    launchBytes.push_back(touched[launch.work].launchBytes *
                          static_cast<double>(launch.count) /
                          static_cast<double>(launch.passes));
  ReuseDistances distances(*source, launchBytes);
  auto addHits = [&](size_t index, uint32_t begin, uint32_t end, double) {
    const Launch &launch = source->launches[index];
    TouchedWork &work = touched[launch.work];
    if (work.own <= 0)
      return;
    // A loop repeats its kernels consecutively.
    bool repeats = launch.count != launch.passes;
    double rest = work.own, hit = 0;
    for (uint32_t i = begin; i < end && !repeats; ++i) {
      auto bytes = static_cast<double>(source->touches[i].bytes);
      double distance = distances.of(i);
      hit += bytes * (distance > work.own ? costModel.keptShare(distance)
                                          : work.keptAlone);
      rest -= bytes;
    }
    hit += std::max(rest, 0.0) * work.keptAlone;
    auto n = static_cast<double>(launch.count);
    work.kept += n * hit / work.own;
    work.count += n;
  };
  forEachLaunch<&Launch::touchesEnd>(*source, launchBytes, addHits);
  for (size_t i = 0; i < works.size(); ++i) {
    PlacedWork &work = works[i];
    if (touched[i].count == 0 || !(work.kernel.schedule == Schedule()))
      continue;
    KernelQuery query;
    query.keptShare = std::min(touched[i].kept / touched[i].count, 1.0);
    if (auto terms = costModel.launchTerms(work.kernel.work, work.kernel.tiling,
                                           query)) {
      work.terms = *terms;
      work.events = terms->events;
      work.keptShare = query.keptShare;
    }
  }
}
