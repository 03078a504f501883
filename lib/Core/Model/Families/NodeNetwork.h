//===- NodeNetwork.h - The network of a node --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_MODEL_FAMILIES_NODENETWORK_H
#define GPUCOST_MODEL_FAMILIES_NODENETWORK_H

#include "gpucost/Core/Model/CostModel.h"
#include <algorithm>
#include <cmath>

namespace gpucost {

/// The network between `nodes` nodes, or the error that there is none.
inline Expected<const Network *> networkOf(const CostModel &model,
                                           int64_t nodes) {
  const auto &set = model.coefficients().collectives;
  if (set && set->network)
    return &*set->network;
  return fail("no network between " + std::to_string(nodes) +
              " nodes; state it with --network=NAME or GB/s:us");
}

/// Expected number of different ones among `all` that `choices` choose.
inline double distinct(double all, double choices) {
  return all * (1 - std::pow(1 - 1 / all, choices));
}

/// (N6), (N13) Nodes that hold experts of a token.
struct ReachedNodes {
  explicit ReachedNodes(const CollectiveProblem &p)
      : limit(static_cast<double>(p.nodeLimit > 0 ? p.nodeLimit : p.nodes)),
        count(std::min(distinct(static_cast<double>(p.nodes),
                                static_cast<double>(p.choices)),
                       limit)) {}
  double limit, count;
};

/// Adapters of a named system that `gpus` GPUs of a node use: those next to
/// them, at least one.
inline double usedAdapters(const Network &network, double gpus) {
  auto adapters = static_cast<double>(network.adapters);
  if (network.gpus <= 0)
    return adapters;
  return std::clamp(adapters * gpus / static_cast<double>(network.gpus), 1.0,
                    adapters);
}

} // namespace gpucost

#endif // GPUCOST_MODEL_FAMILIES_NODENETWORK_H
