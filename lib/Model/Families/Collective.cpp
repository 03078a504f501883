//===- Collective.cpp - Communication between GPUs ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Ring and tree collectives inside one node: latency per step, a root term for
// the changes of protocol and pipelining, bandwidth. Independent of the clock.

#include "gpucost/Model/KernelFamily.h"
#include <cmath>

using namespace gpucost;

static Expected<const CollectiveFit *> fitFor(const CostModel &model,
                                              const CollectiveProblem &p) {
  const auto &set = model.coefficients().collectives;
  const CollectiveFit *any = nullptr, *nearest = nullptr;
  if (set)
    for (const CollectiveFit &fit : set->fits) {
      if (fit.kind != p.kind)
        continue;
      if (fit.worldSize == p.worldSize)
        return &fit;
      if (fit.worldSize == 0)
        any = &fit;
      else if (!nearest || std::abs(fit.worldSize - p.worldSize) <
                               std::abs(nearest->worldSize - p.worldSize))
        nearest = &fit;
    }
  if (any || nearest)
    return any ? any : nearest;
  return fail("'" + model.gpu().name + "' has no coefficients for '" +
              std::string(stringifyCollectiveKind(p.kind)) + "'");
}

static Expected<void> check(const CollectiveProblem &p) {
  if (p.bytes >= 0 && p.worldSize >= 1)
    return {};
  return fail("expected a collective of at least one GPU and 0 bytes");
}

static Expected<Tiling> tileCollective(const CostModel &model,
                                       const KernelWork &work,
                                       const KernelQuery &) {
  if (auto valid = check(work.as<CollectiveProblem>()); !valid)
    return fail(valid.error());
  auto fit = fitFor(model, work.as<CollectiveProblem>());
  if (!fit)
    return fail(fit.error());
  return Tiling();
}

/// (N1) t = a0 + a1 steps + c sqrt(V) + V / (B (1 - b / n)).
static Expected<LaunchTerms> collectiveTerms(const CostModel &model,
                                             const KernelWork &work,
                                             const Tiling &,
                                             const KernelQuery &) {
  const CollectiveProblem &p = work.as<CollectiveProblem>();
  if (auto valid = check(p); !valid)
    return fail(valid.error());
  auto found = fitFor(model, p);
  if (!found)
    return fail(found.error());
  const CollectiveFit &fit = **found;
  LaunchTerms t;
  t.inCalibratedDomain = fit.worldSize == 0 || fit.worldSize == p.worldSize;
  if (p.worldSize == 1)
    return t;
  double n = static_cast<double>(p.worldSize);
  double passes = p.kind == CollectiveKind::AllReduce ? 2 : 1;
  double volume = passes * static_cast<double>(p.bytes) * (n - 1) / n;
  double steps = fit.worldSize == 0 ? passes * (n - 1) : 0;
  t.fixed = fit.base + fit.step * steps +
            Seconds(fit.root.value() * std::sqrt(volume) +
                    volume / (fit.bandwidth.value() * (1 - fit.ramp / n)));
  // (N2) What a GPU reads to send and writes on receipt.
  t.events.dramBytes = 2 * volume;
  return t;
}

namespace gpucost {
extern const KernelFamilyModel collectiveFamily;
const KernelFamilyModel collectiveFamily = {tileCollective, collectiveTerms};
} // namespace gpucost
