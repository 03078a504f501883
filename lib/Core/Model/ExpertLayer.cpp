//===- ExpertLayer.cpp - Experts read by a step ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/ExpertLayer.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// Columns of a grouped GEMM are multiples of this.
static constexpr int64_t columnStep = 64;

/// The expected maximum of `count` independent normal variables with mean 0 and
/// variance 1: the quantile of Blom's plotting position, with Tukey's form of
/// the normal distribution.
static double expectedMaximum(double count) {
  constexpr double offset = 0.375, scale = 4.91, shape = 0.14;
  double below = (count - offset) / (count + 1 - 2 * offset);
  return scale * (std::pow(below, shape) - std::pow(1 - below, shape));
}

/// (X28) The expected maximum over the GPUs of a number with this mean and
/// variance on each, at most `most`.
static double busiest(const ExpertLayer &layer, double mean, double variance,
                      double most) {
  double above = expectedMaximum(static_cast<double>(layer.shards));
  return std::clamp(mean + above * std::sqrt(variance), mean,
                    std::max(mean, most));
}

namespace {
/// Choices of a token that are experts of one GPU: a hypergeometric
/// distribution.
struct Choices {
  explicit Choices(const ExpertLayer &layer) {
    auto all = static_cast<double>(layer.experts);
    double share = 1 / static_cast<double>(layer.shards);
    double chosen = std::min(static_cast<double>(layer.chosen), all);
    mean = chosen * share;
    variance = mean * (1 - share) * (all - chosen) / std::max(all - 1, 1.0);
    most = std::min(chosen, all * share);
  }
  double mean, variance, most;
};
} // namespace

/// Pairs of the busiest GPU.
static int64_t countBusiestPairs(const ExpertLayer &layer, int64_t tokens) {
  Choices choices(layer);
  auto count = static_cast<double>(tokens);
  return static_cast<int64_t>(
      std::ceil(busiest(layer, count * choices.mean, count * choices.variance,
                        count * choices.most) -
                1e-6));
}

/// Experts of the busiest GPU that the tokens read: each of them with the same
/// probability.
static double countBusiestActive(const ExpertLayer &layer, int64_t tokens,
                                 int64_t pairs) {
  auto all = static_cast<double>(layer.experts);
  double here = all / static_cast<double>(layer.shards);
  double chosen = std::min(static_cast<double>(layer.chosen), all);
  double read = 1 - std::pow(1 - chosen / all, static_cast<double>(tokens));
  return busiest(layer, here * read, here * read * (1 - read),
                 std::min(here, static_cast<double>(pairs)));
}

static double countActive(const ExpertLayer &layer, int64_t tokens,
                          int64_t chosenHere) {
  auto all = static_cast<double>(layer.experts);
  auto shards = static_cast<double>(layer.shards);
  double chosen = std::min(static_cast<double>(layer.chosen), all);
  double most = std::min(all, static_cast<double>(tokens) * chosen);
  if (layer.active)
    return std::clamp(static_cast<double>(layer.active), chosen, most) / shards;
  if (layer.worst && layer.shards > 1)
    return std::min(all / shards, static_cast<double>(tokens) *
                                      static_cast<double>(chosenHere));
  if (layer.worst)
    return most;
  return all * (1 - std::pow(1 - chosen / all, static_cast<double>(tokens))) /
         shards;
}

ExpertUse gpucost::useOf(const ExpertLayer &layer, int64_t tokens) {
  ExpertUse use;
  int64_t local = std::max<int64_t>(layer.experts / layer.shards, 1);
  int64_t here = std::min(layer.chosen, local);
  bool isBusiest = layer.shared && !layer.worst;
  int64_t all = layer.shared ? tokens : saturatingProduct(tokens, layer.shards);
  use.pairs = isBusiest ? countBusiestPairs(layer, tokens)
              : layer.worst && layer.shards > 1
                  ? saturatingProduct(all, here)
                  : saturatingProduct(tokens, layer.chosen);
  use.active = isBusiest && !layer.active
                   ? countBusiestActive(layer, tokens, use.pairs)
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
  // pairs = t*mean + z*sqrt(t*variance), a quadratic equation of sqrt(t).
  Choices choices(layer);
  double above = expectedMaximum(static_cast<double>(layer.shards));
  double half = above * std::sqrt(choices.variance) / (2 * choices.mean);
  double root = std::sqrt(half * half + pairs / choices.mean) - half;
  MeanUse use;
  use.tokens = std::max({root * root, pairs / choices.most, 1.0});
  use.pairs = use.tokens * choices.mean;
  auto all = static_cast<double>(layer.experts);
  double chosen = std::min(static_cast<double>(layer.chosen), all);
  use.active = all * (1 - std::pow(1 - chosen / all, use.tokens)) /
               static_cast<double>(layer.shards);
  return use;
}

int64_t gpucost::readBytes(const ExpertLayer &layer, const ExpertUse &use,
                           int64_t bytes) {
  auto local =
      static_cast<double>(std::max<int64_t>(layer.experts / layer.shards, 1));
  return std::min(
      static_cast<int64_t>(static_cast<double>(bytes) * (use.active / local)),
      bytes);
}
