//===- LayerBalance.cpp - Layers of each stage ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/LayerBalance.h"
#include <algorithm>
#include <limits>
#include <numeric>

using namespace gpucost;

/// Items of each stage if all have the same work.
static std::vector<int64_t> splitEvenly(int64_t items, int64_t stages) {
  std::vector<int64_t> counts;
  auto boundary = [&](int64_t stage) {
    return (stage * items + stages - 1) / stages;
  };
  for (int64_t stage = 0; stage < stages; ++stage)
    counts.push_back(boundary(stage + 1) - boundary(stage));
  return counts;
}

/// Items of each stage with the least work in the fullest stage.
static std::vector<int64_t> splitByWork(const std::vector<double> &work,
                                        int64_t stages) {
  size_t n = work.size(), s = static_cast<size_t>(stages);
  std::vector<double> before(n + 1, 0);
  for (size_t i = 0; i < n; ++i)
    before[i + 1] = before[i] + work[i];
  constexpr double infinite = std::numeric_limits<double>::infinity();
  // best[k][i]: the fullest of k stages that contain the first i items.
  std::vector<std::vector<double>> best(s + 1,
                                        std::vector<double>(n + 1, infinite));
  std::vector<std::vector<size_t>> from(s + 1, std::vector<size_t>(n + 1, 0));
  best[0][0] = 0;
  for (size_t k = 1; k <= s; ++k)
    for (size_t i = k; i <= n; ++i)
      for (size_t j = k - 1; j < i; ++j) {
        double fullest = std::max(best[k - 1][j], before[i] - before[j]);
        if (fullest <= best[k][i]) {
          best[k][i] = fullest;
          from[k][i] = j;
        }
      }
  std::vector<int64_t> counts(s);
  for (size_t k = s, i = n; k > 0; --k) {
    counts[k - 1] = static_cast<int64_t>(i - from[k][i]);
    i = from[k][i];
  }
  return counts;
}

/// Items of each stage if a stage ends with the item that exceeds its share of
/// the work; the last item is the head.
static std::vector<int64_t> splitInOrder(const LayerWork &work,
                                         int64_t stages) {
  std::vector<double> items = work.layers;
  double mean = std::accumulate(items.begin(), items.end(), 0.0) /
                static_cast<double>(items.size());
  items.push_back(work.head * mean);
  double share = std::accumulate(items.begin(), items.end(), 0.0) /
                 static_cast<double>(stages);
  std::vector<int64_t> counts(1, 0);
  double sum = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    ++counts.back();
    sum += items[i];
    if (i + 1 < items.size() &&
        sum > share * static_cast<double>(counts.size()))
      counts.push_back(0);
  }
  if (counts.size() != static_cast<size_t>(stages))
    return {};
  --counts.back();
  return counts;
}

EndSlots gpucost::endSlotsOf(StageSlots slots) {
  bool isBoth = slots == StageSlots::Both;
  return {isBoth || slots == StageSlots::Embedding,
          isBoth || slots == StageSlots::Head};
}

bool gpucost::areEqualLayers(const std::vector<double> &work) {
  constexpr double equal = 1.01;
  auto [least, most] = std::minmax_element(work.begin(), work.end());
  return work.empty() || *most <= *least * equal;
}

std::vector<int64_t> gpucost::balanceLayers(const LayerWork &model,
                                            int64_t stages, StageSlots slots) {
  const std::vector<double> &work = model.layers;
  auto [embedding, head] = endSlotsOf(slots);
  int64_t items = static_cast<int64_t>(work.size()) + embedding + head;
  if (work.empty() || items < stages)
    return {};
  if (slots == StageSlots::Work)
    return splitInOrder(model, stages);
  std::vector<int64_t> counts;
  if (areEqualLayers(work)) {
    counts = splitEvenly(items, stages);
  } else {
    std::vector<double> all = work;
    double mean = std::accumulate(work.begin(), work.end(), 0.0) /
                  static_cast<double>(work.size());
    if (embedding)
      all.insert(all.begin(), mean);
    if (head)
      all.push_back(mean);
    counts = splitByWork(all, stages);
  }
  counts.front() -= embedding;
  counts.back() -= head;
  return counts;
}
