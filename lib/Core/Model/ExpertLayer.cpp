//===- ExpertLayer.cpp - Experts read by a step ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/ExpertLayer.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Support/NormalScores.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// Columns of a grouped GEMM are multiples of this.
static constexpr int64_t columnStep = 64;

/// (X28) The expected maximum over the GPUs of a number with this mean and
/// variance on each, at most `most`; `excess` is that of a known difference
/// between the GPUs, relative to the mean (X29).
static double busiest(const ExpertLayer &layer, double mean, double variance,
                      double most, double excess = 0) {
  double above = expectedMaximum(static_cast<double>(layer.shards));
  return std::clamp(mean +
                        std::hypot(above * std::sqrt(variance), mean * excess),
                    mean, std::max(mean, most));
}

static double chosenOf(const ExpertLayer &layer) {
  return static_cast<double>(std::min(layer.chosen, layer.experts));
}

namespace {
/// Choices of a token that are experts of one GPU: a hypergeometric
/// distribution.
struct Choices {
  explicit Choices(const ExpertLayer &layer) {
    auto all = static_cast<double>(layer.experts);
    double share = 1 / static_cast<double>(layer.shards);
    double chosen = chosenOf(layer);
    mean = chosen * share;
    variance = mean * (1 - share) * (all - chosen) / std::max(all - 1, 1.0);
    most = std::min(chosen, static_cast<double>(layer.local()));
  }
  double mean, variance, most;
};
} // namespace

/// Pairs of the busiest GPU, of `tokens` on all GPUs.
static int64_t countBusiestPairs(const ExpertLayer &layer, int64_t tokens) {
  Choices choices(layer);
  auto count = static_cast<double>(tokens);
  return static_cast<int64_t>(
      std::ceil(busiest(layer, count * choices.mean, count * choices.variance,
                        count * choices.most, layer.loads.excess) -
                1e-6));
}

namespace {
/// Whether a copy of an expert is read: the mean over the copies.
struct Reading {
  double probability = 0, variance = 0;
};
} // namespace

static Reading readingOf(const ExpertLayer &layer, double tokens) {
  double share = chosenOf(layer) / static_cast<double>(layer.experts);
  auto probabilityOf = [&](double load) {
    return 1 - std::pow(1 - std::min(share * load, 1.0), tokens);
  };
  if (layer.loads.isEven()) {
    double read = probabilityOf(1);
    return {read, read * (1 - read)};
  }
  Reading mean;
  for (double load : layer.loads.copies) {
    double read = probabilityOf(load);
    mean.probability += read / ExpertLoads::classes;
    mean.variance += read * (1 - read) / ExpertLoads::classes;
  }
  return mean;
}

/// Copies of experts of the busiest GPU that the tokens read.
static double countBusiestActive(const ExpertLayer &layer, int64_t tokens,
                                 int64_t pairs) {
  auto here = static_cast<double>(layer.experts + layer.redundant) /
              static_cast<double>(layer.shards);
  Reading read = readingOf(layer, static_cast<double>(tokens));
  return busiest(layer, here * read.probability, here * read.variance,
                 std::min(here, static_cast<double>(pairs)));
}

static double countActive(const ExpertLayer &layer, int64_t tokens,
                          int64_t chosenHere) {
  auto all = static_cast<double>(layer.experts);
  auto shards = static_cast<double>(layer.shards);
  double chosen = chosenOf(layer);
  double most = std::min(all, static_cast<double>(tokens) * chosen);
  if (layer.active)
    return std::clamp(static_cast<double>(layer.active), chosen, most) / shards;
  if (layer.worst && layer.shards > 1)
    return std::min(all / shards, static_cast<double>(tokens) *
                                      static_cast<double>(chosenHere));
  if (layer.worst)
    return most;
  return static_cast<double>(layer.experts + layer.redundant) *
         readingOf(layer, static_cast<double>(tokens)).probability / shards;
}

ExpertUse gpucost::useOf(const ExpertLayer &layer, int64_t tokens) {
  ExpertUse use;
  int64_t local = layer.local();
  int64_t here = std::min(layer.chosen, local);
  bool isBusiest = layer.busiest && !layer.worst;
  int64_t all = layer.shared ? tokens : saturatingProduct(tokens, layer.shards);
  use.pairs = isBusiest ? countBusiestPairs(layer, all)
              : layer.worst && layer.shards > 1
                  ? saturatingProduct(all, here)
                  : saturatingProduct(tokens, layer.chosen);
  use.active = isBusiest && !layer.active
                   ? countBusiestActive(layer, all, use.pairs)
                   : countActive(layer, all, here);
  use.items =
      std::max<int64_t>(static_cast<int64_t>(std::ceil(use.active - 1e-6)), 1);
  use.rows = saturatingSum(use.pairs, use.items - 1) / use.items;
  // The mean number of experts may be fractional; columns are scaled to it.
  auto share =
      static_cast<int64_t>(static_cast<double>(layer.columns) * use.active /
                           static_cast<double>(use.items));
  use.columns = std::min<int64_t>(layer.columns, (share + columnStep - 1) /
                                                     columnStep * columnStep);
  use.unread = static_cast<int64_t>(
      static_cast<double>(layer.bytes) *
      std::max(static_cast<double>(local) - use.active, 0.0));
  return use;
}

MeanUse gpucost::meanOf(const ExpertLayer &layer, double pairs) {
  // pairs = t*mean + (z^2*t*variance + (t*mean*excess)^2)^0.5, a quadratic
  // equation of t; `half` of its linear term.
  Choices choices(layer);
  double above = expectedMaximum(static_cast<double>(layer.shards));
  double half = pairs * choices.mean + above * above * choices.variance / 2;
  double square = choices.mean * choices.mean *
                  (1 - layer.loads.excess * layer.loads.excess);
  double root = std::sqrt(std::max(half * half - square * pairs * pairs, 0.0));
  MeanUse use;
  use.tokens =
      std::max({pairs * pairs / (half + root), pairs / choices.most, 1.0});
  use.pairs = use.tokens * choices.mean;
  use.active = static_cast<double>(layer.experts + layer.redundant) *
               readingOf(layer, use.tokens).probability /
               static_cast<double>(layer.shards);
  return use;
}

int64_t gpucost::readBytes(const ExpertLayer &layer, const ExpertUse &use,
                           int64_t bytes) {
  auto local = static_cast<double>(layer.local());
  return std::min(
      static_cast<int64_t>(static_cast<double>(bytes) * (use.active / local)),
      bytes);
}
