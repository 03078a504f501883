//===- Decode.cpp - Decode attention equations (D*) -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "TensorGemm.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// KV rows that one step of a CTA covers.
static constexpr double blockRows = 64;
/// Head dimension that the cycles of a step are stated for.
static constexpr double referenceHeadDim = 128;
/// Largest KV split.
static constexpr double largestSplit = 64;

namespace {
struct Shape {
  double units;     ///< independent (sequence, KV head) pairs
  double blocks;    ///< KV steps of a unit
  double groupSize; ///< query heads of a KV head
  double headDim;
  double cacheBytes, queryBytes;
  double scores; ///< of all heads
};
} // namespace

static Shape describe(const KernelWork &work) {
  const AttentionProblem &p = work.as<AttentionProblem>();
  double keys = p.window > 0 ? std::min(p.kvLength, p.window) : p.kvLength;
  Shape s;
  s.units = static_cast<double>(p.batch) * p.kvHeads;
  s.blocks = std::ceil(keys / blockRows);
  s.groupSize = static_cast<double>(p.heads) / p.kvHeads;
  s.headDim = p.headDim;
  s.cacheBytes = 2 * s.units * keys * s.headDim * work.inputBits / 8.0;
  s.queryBytes = 2.0 * p.batch * p.heads * s.headDim * work.outputBits / 8.0;
  s.scores = static_cast<double>(p.batch) * p.heads * keys;
  return s;
}

static Expected<const DecodeCoefficients *>
decodeCoefficients(const CostModel &model) {
  if (const auto &set = model.coefficients().decode)
    return &*set;
  return fail("'" + model.gpu().name +
              "' has no decode attention coefficients");
}

Expected<Tiling> gpucost::selectDecodeTiling(const CostModel &model,
                                             const KernelWork &work) {
  auto set = decodeCoefficients(model);
  if (!set)
    return fail(set.error());
  Shape s = describe(work);
  Tiling tiling;
  if (s.units == 0 || s.blocks == 0)
    return tiling;
  // (D1) Split the KV range until the SMs are full, two steps per part at
  // least.
  double slots = (*set)->ctasPerSm * model.gpu().smCount;
  double split =
      std::min(std::floor(slots / s.units), std::floor(s.blocks / 2));
  tiling.splitK = static_cast<int32_t>(std::clamp(split, 1.0, largestSplit));
  countWaves(tiling, s.units * tiling.splitK, model.gpu().smCount);
  return tiling;
}

Expected<LaunchTerms> gpucost::decodeTerms(const CostModel &model,
                                           const KernelWork &work,
                                           const Tiling &tiling,
                                           const KernelQuery &query) {
  auto set = decodeCoefficients(model);
  if (!set)
    return fail(set.error());
  const DecodeCoefficients &c = **set;
  const Gpu &gpu = model.gpu();
  Shape s = describe(work);
  LaunchTerms t;
  t.computeBound = Bound::Latency;
  t.fixed = c.fixedTime;
  if (s.units == 0 || s.blocks == 0)
    return t;
  double clock = gpu.maxClock.value(), smCount = gpu.smCount;
  double split = std::max(tiling.splitK, 1);
  double ctas = s.units * split;
  // (D2) The KV cache, unless what was touched since its last use left it in
  // L2.
  double hit =
      cubicHit(query.reuseBytesB, c.l2Fraction * gpu.l2Capacity.value());
  t.dram = Seconds((s.cacheBytes * (1 - hit) + s.queryBytes) /
                   (gpu.dramBandwidth.value() * c.dramEfficiency));
  double feed =
      s.cacheBytes / (std::min(ctas, smCount) * c.l2BytesPerClock * clock);
  // (D3) Rounds of CTAs; one CTA is a prologue and a chain of KV steps.
  double rounds = std::ceil(ctas / (smCount * c.ctasPerSm));
  double step = c.blockCycles + c.groupCycles *
                                    std::ceil(s.groupSize / c.groupTile) *
                                    s.headDim / referenceHeadDim;
  double cta = (c.prologueCycles + std::ceil(s.blocks / split) * step) / clock;
  // The slower of the two paces the kernel: they do not add in the norm.
  (rounds * cta >= feed ? t.compute : t.l2) =
      Seconds(std::max(rounds * cta, feed));
  if (split > 1)
    t.fixed += c.splitTime;

  t.events.tensorFlops =
      4 * s.scores * s.headDim * tensorEnergyFactor(model, work.format);
  if (const auto &counts = model.coefficients().instructions)
    t.events.instructions = counts->attentionScore * s.scores;
  t.events.dramBytes = s.cacheBytes + s.queryBytes;
  t.events.l2Bytes = s.cacheBytes;
  return t;
}
