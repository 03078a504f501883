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
  int64_t all = saturatingProduct(tokens, layer.shards);
  use.pairs = layer.worst && layer.shards > 1
                  ? saturatingProduct(all, here)
                  : saturatingProduct(tokens, layer.chosen);
  use.active = countActive(layer, all, here);
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

int64_t gpucost::readBytes(const ExpertLayer &layer, const ExpertUse &use,
                           int64_t bytes) {
  auto local =
      static_cast<double>(std::max<int64_t>(layer.experts / layer.shards, 1));
  return std::min(
      static_cast<int64_t>(static_cast<double>(bytes) * (use.active / local)),
      bytes);
}
