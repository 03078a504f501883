//===- ExpertLoads.cpp - Tokens of experts and of their GPUs --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/ExpertLoads.h"
#include "gpucost/Core/Support/NormalScores.h"
#include <cmath>
#include <numeric>
#include <queue>
#include <random>

using namespace gpucost;

/// Halvings of the parameter of a distribution, to the precision of a double.
static constexpr int halvings = 60;
/// Of the logarithms of loads; larger ones overflow.
static constexpr double mostDeviation = 64;
/// Placements of experts in a random order, for the mean of their largest load.
static constexpr int placements = 256;

double gpucost::largestSkew(int64_t experts, int64_t chosen) {
  double share = static_cast<double>(std::min(chosen, experts)) /
                 static_cast<double>(experts);
  return std::sqrt(std::max(1 / share - 1, 0.0));
}

/// Scales descending `loads` to a mean of 1, with at most `most` each.
static void limitLoads(std::vector<double> &loads, double most) {
  auto count = static_cast<double>(loads.size());
  double rest = std::accumulate(loads.begin(), loads.end(), 0.0);
  for (size_t i = 0; i < loads.size(); ++i) {
    // The first i loads are the largest possible.
    double left = std::max(count - static_cast<double>(i) * most, 0.0);
    double scale = rest > 0 ? left / rest : 0;
    if (loads[i] * scale <= most) {
      for (size_t j = i; j < loads.size(); ++j)
        loads[j] *= scale;
      return;
    }
    rest -= loads[i];
    loads[i] = most;
  }
}

std::vector<double> gpucost::skewedLoads(int64_t experts, int64_t chosen,
                                         double skew) {
  auto count = static_cast<size_t>(experts);
  double most = static_cast<double>(experts) /
                static_cast<double>(std::min(chosen, experts));
  std::vector<double> loads(count, 1), scores(count);
  if (skew <= 0)
    return loads;
  for (size_t i = 0; i < count; ++i)
    scores[i] = normalScore(1 - static_cast<double>(2 * i + 1) /
                                    static_cast<double>(2 * count));
  auto spread = [&](double deviation) {
    for (size_t i = 0; i < count; ++i)
      loads[i] = std::exp(deviation * scores[i]);
    limitLoads(loads, most);
  };
  auto skewOf = [&] {
    double square = 0;
    for (double load : loads)
      square += (load - 1) * (load - 1);
    return std::sqrt(square / static_cast<double>(count));
  };
  double low = 0, high = mostDeviation;
  for (int i = 0; i < halvings; ++i) {
    double middle = (low + high) / 2;
    spread(middle);
    (skewOf() < skew ? low : high) = middle;
  }
  spread(low);
  return loads;
}

/// The loads of `extra` copies and the originals: each copy is one of the
/// expert whose copies have the largest load. Descending.
static std::vector<double> copyExperts(const std::vector<double> &loads,
                                       int64_t extra) {
  using Copied = std::pair<double, size_t>; // load of a copy, expert
  std::priority_queue<Copied> queue;
  std::vector<int64_t> counts(loads.size(), 1);
  for (size_t i = 0; i < loads.size(); ++i)
    queue.emplace(loads[i], i);
  for (int64_t i = 0; i < extra; ++i) {
    size_t expert = queue.top().second;
    queue.pop();
    ++counts[expert];
    queue.emplace(loads[expert] / static_cast<double>(counts[expert]), expert);
  }
  std::vector<double> copies;
  for (size_t i = 0; i < loads.size(); ++i)
    copies.insert(copies.end(), static_cast<size_t>(counts[i]),
                  loads[i] / static_cast<double>(counts[i]));
  std::sort(copies.begin(), copies.end(), std::greater<>());
  return copies;
}

/// The largest load of a GPU, if each copy in descending order goes to the GPU
/// with the smallest load that has room.
static double packCopies(const std::vector<double> &copies, size_t gpus) {
  using Gpu = std::pair<double, size_t>; // load, number
  std::priority_queue<Gpu, std::vector<Gpu>, std::greater<>> queue;
  for (size_t i = 0; i < gpus; ++i)
    queue.emplace(0, i);
  std::vector<size_t> counts(gpus);
  size_t room = copies.size() / gpus;
  double largest = 0;
  for (double copy : copies) {
    auto [load, gpu] = queue.top();
    queue.pop();
    largest = std::max(largest, load + copy);
    if (++counts[gpu] < room)
      queue.emplace(load + copy, gpu);
  }
  return largest;
}

/// The mean over random orders of the largest load of a GPU.
static double placeAtRandom(std::vector<double> loads, size_t gpus) {
  // The same orders each time.
  std::mt19937_64 generator(loads.size());
  size_t room = loads.size() / gpus;
  double sum = 0;
  for (int i = 0; i < placements; ++i) {
    for (size_t j = loads.size() - 1; j > 0; --j)
      std::swap(loads[j], loads[generator() % (j + 1)]);
    double largest = 0;
    for (size_t gpu = 0; gpu < gpus; ++gpu) {
      auto first = loads.begin() + static_cast<ptrdiff_t>(gpu * room);
      largest = std::max(
          largest,
          std::accumulate(first, first + static_cast<ptrdiff_t>(room), 0.0));
    }
    sum += largest;
  }
  return sum / placements;
}

/// The means of classes with equally many of `copies`, which may divide one.
static std::array<double, ExpertLoads::classes>
classesOf(const std::vector<double> &copies) {
  std::array<double, ExpertLoads::classes> means{};
  double size = static_cast<double>(copies.size()) / ExpertLoads::classes;
  for (size_t i = 0; i < means.size(); ++i) {
    double from = static_cast<double>(i) * size, to = from + size;
    for (auto j = static_cast<size_t>(from); j < copies.size(); ++j) {
      auto start = static_cast<double>(j);
      double part = std::min(to, start + 1) - std::max(from, start);
      if (part <= 0)
        break;
      means[i] += copies[j] * part / size;
    }
  }
  return means;
}

ExpertLoads gpucost::placeExperts(const ExpertPlacement &placement,
                                  double skew) {
  ExpertLoads result;
  if (skew <= 0 && !placement.redundant)
    return result;
  std::vector<double> loads =
      skewedLoads(placement.experts, placement.chosen, skew);
  auto gpus = static_cast<size_t>(placement.gpus);
  double mean = static_cast<double>(placement.experts) /
                static_cast<double>(placement.gpus);
  double largest = mean;
  if (placement.redundant) {
    loads = copyExperts(loads, *placement.redundant);
    largest = packCopies(loads, gpus);
  } else if (gpus > 1) {
    largest = placeAtRandom(loads, gpus);
  }
  result.copies = classesOf(loads);
  constexpr double rounding = 1e-12;
  double excess = largest / mean - 1;
  result.excess = excess > rounding ? excess : 0;
  return result;
}
