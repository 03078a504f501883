//===- Composition.cpp - From kernels to an iteration (H*) ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/Composition.h"
#include "gpucost/Core/Model/Software.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

Seconds gpucost::hostTime(const RuntimeCoefficients &c, int64_t launches,
                          int64_t libraryLaunches) {
  // (H1) t_host = c_h * (n + w * n_lib)
  return c.hostLaunch *
         (static_cast<double>(launches) +
          c.libraryWeight * static_cast<double>(libraryLaunches));
}

Seconds gpucost::loopTime(const RuntimeCoefficients &c, Software software,
                          int64_t sequences) {
  // (H10) Scheduling, sampling and output processing per sequence.
  if (!isOf(software, Software::Vllm))
    return Seconds(0);
  return c.loopStep + c.loopSequence * static_cast<double>(sequences);
}

Seconds gpucost::chunkTime(const Coefficients &set, Software software,
                           const std::vector<KernelWork> &works) {
  const ServingHost *host = findServingHost(set, software);
  bool hasChunks =
      host && std::any_of(works.begin(), works.end(), [](const KernelWork &w) {
        const auto *attention = w.getIf<AttentionProblem>();
        return attention && attention->chunked;
      });
  return hasChunks ? host->chunkStep : Seconds(0);
}

Seconds gpucost::phaseTime(const RuntimeCoefficients &c, Seconds busy,
                           Seconds host) {
  // (H2) (busy^p + host^p)^(1/p), scaled by the larger to avoid underflow.
  Seconds larger = std::max(busy, host), smaller = std::min(busy, host);
  if (larger <= Seconds(0))
    return larger;
  double ratio = smaller / larger;
  return larger * std::pow(1 + std::pow(ratio, c.hostNorm), 1 / c.hostNorm);
}
