//===- Balance.cpp - Layers of each stage ---------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Balance.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <vector>

using namespace gpucost;

/// Items of each stage if all have the same work.
static llvm::SmallVector<int64_t> splitEvenly(int64_t items, int64_t stages) {
  llvm::SmallVector<int64_t> counts;
  auto boundary = [&](int64_t stage) {
    return (stage * items + stages - 1) / stages;
  };
  for (int64_t stage = 0; stage < stages; ++stage)
    counts.push_back(boundary(stage + 1) - boundary(stage));
  return counts;
}

/// Items of each stage with the least work in the fullest stage.
static llvm::SmallVector<int64_t> splitByWork(llvm::ArrayRef<double> work,
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
  llvm::SmallVector<int64_t> counts(s);
  for (size_t k = s, i = n; k > 0; --k) {
    counts[k - 1] = static_cast<int64_t>(i - from[k][i]);
    i = from[k][i];
  }
  return counts;
}

llvm::SmallVector<int64_t>
gpucost::stages::balanceLayers(llvm::ArrayRef<double> work, int64_t stages,
                               StageSlots slots) {
  bool embedding = slots == StageSlots::Embedding || slots == StageSlots::Both;
  bool head = slots == StageSlots::Head || slots == StageSlots::Both;
  double sum = 0, most = 0, least = std::numeric_limits<double>::infinity();
  for (double each : work) {
    sum += each;
    most = std::max(most, each);
    least = std::min(least, each);
  }
  int64_t items = static_cast<int64_t>(work.size()) + embedding + head;
  if (work.empty() || items < stages)
    return {};
  constexpr double equal = 1.01;
  llvm::SmallVector<int64_t> counts;
  if (most <= least * equal) {
    counts = splitEvenly(items, stages);
  } else {
    llvm::SmallVector<double> all(work);
    double mean = sum / static_cast<double>(work.size());
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
