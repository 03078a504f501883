//===- ScheduleSetup.cpp - A problem prepared for schedules ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Families/Attention.h"
#include "../Families/TensorGemm.h"
#include "Candidates.h"
#include "StreamClocks.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::detail;

ScheduleFit ScheduleSetup::fit(const Schedule &s,
                               const TensorTile &tile) const {
  if (isStream)
    return fitStream(device, elementBytes(), s);
  if (attention)
    return fitAttention(device, *tensor, *attention, s);
  ScheduleFit fit = tensor ? fitTensor(device, *tensor, tile, s)
                           : fitSimt(device, *simt, product.inputBytes, s);
  if (fit && s.splitK > product.k)
    fit.fault = ScheduleFault::SplitK;
  return fit;
}

double ScheduleSetup::partialsTime(const Schedule &s) const {
  return s.splitK > 1 ? splitTime + partialBytes * product.batch * product.m *
                                        product.n * s.splitK / partialRate
                      : 0;
}

ScheduleTime ScheduleSetup::time(const Schedule &s, TensorTile &tile,
                                 SimtPipes &pipes, const ScheduleFit &fit,
                                 double giveUp) const {
  if (isStream) {
    ScheduleTime t;
    t.total = timeAt(streamTerms(s, fit), 1.0).value();
    return t;
  }
  if (attention) {
    ScheduleTime t;
    auto terms = attentionTerms(s, tilingOf(*this, s, fit));
    t.total = terms ? timeAt(*terms, 1.0).value()
                    : std::numeric_limits<double>::infinity();
    return t;
  }
  double partials = partialsTime(s);
  double enough = (giveUp - launchTime) / level - partials;
  ScheduleTime t =
      tensor ? tensorTime(device, *tensor, product, tile, s, fit, enough)
             : simtTime(device, *simt, product, s, fit, pipes, enough);
  // (V1) The calibrated model determines the level.
  t.total = (t.total + partials) * level + launchTime;
  t.fixed = (t.fixed + partials) * level + launchTime;
  t.cycles *= level;
  t.dram *= level;
  return t;
}

double ScheduleSetup::leastTime(const Schedule &s, TensorTile &tile,
                                SimtPipes &pipes, const ScheduleFit &fit,
                                int32_t mostStages) const {
  if (isStream || attention)
    return time(s, tile, pipes, fit).total;
  if (simt && !pipes.isCounted())
    pipes = countPipes(device, *simt, s, fit);
  double least = tensor ? leastTensorTime(device, *tensor, product, tile, s,
                                          fit, std::max(mostStages, s.stages))
                        : leastSimtTime(device, *simt, product, s, pipes);
  return (least + partialsTime(s)) * level + launchTime;
}

double TileMemory::leastTime(const Schedule &s) {
  if (setup.isStream || setup.attention)
    return 0;
  const ScheduledProduct &product = setup.product;
  if (!setup.tensor)
    return loop.leastTime(setup.device, *setup.simt, product, s) * setup.level +
           setup.launchTime;
  // Tiles are copied at first use.
  if (setup.tiles && (known.empty() || !known[last].isOf(s))) {
    if (!lastShared || !lastShared->isOf(s))
      lastShared = setup.tiles->find(s);
    if (lastShared && lastShared->knownLeastTime() >= 0)
      return lastShared->knownLeastTime() * setup.level;
  }
  TensorTile &tile = of(s);
  return tile.m > 0
             ? leastTensorTileTime(setup.device, *setup.tensor, product, tile) *
                   setup.level
             : 0;
}

LaunchTerms ScheduleSetup::streamTerms(const Schedule &s,
                                       const ScheduleFit &fit) const {
  LaunchTerms t = stream;
  double slow = streamSlowdown(device, memoryLatency, elementBytes(),
                               streamInputs, s, fit);
  // The same loads pass through L2.
  t.dram = t.dram * slow;
  t.l2 = t.l2 * slow;
  t.serialDram = t.serialDram * slow;
  t.inCalibratedDomain = false;
  return t;
}

Expected<LaunchTerms>
ScheduleSetup::attentionTerms(const Schedule &s, const Tiling &tiling) const {
  auto terms = model->launchTerms(work, tiling, query);
  if (!terms)
    return terms;
  // The slower of compute and feed paces the blocks.
  double slowdown = blockSlowdown(device, *tensor, *attention, s);
  terms->compute = terms->compute * slowdown;
  terms->l2 = terms->l2 * slowdown;
  for (Seconds *part : {&terms->compute, &terms->l2, &terms->dram,
                        &terms->exposedL2, &terms->exposedDram,
                        &terms->serialIssue, &terms->serialDram, &terms->fixed})
    *part = *part * level;
  return terms;
}

/// (Y13) The query tiles of each head of the cache, times the split.
static double countDecodeCtas(const ScheduleSetup &setup, const Schedule &s) {
  const auto &p = setup.work.as<AttentionProblem>();
  double group = static_cast<double>(p.heads) / static_cast<double>(p.kvHeads);
  double tiles =
      setup.attention->separatesHeads ? group : roundUp(group / s.tileM);
  return static_cast<double>(p.batch * p.kvHeads) * tiles * s.splitK;
}

Tiling detail::tilingOf(const ScheduleSetup &setup, const Schedule &s,
                        const ScheduleFit &fit) {
  Tiling tiling;
  if (setup.isStream)
    return tiling;
  tiling.tile.m = s.tileM;
  tiling.tile.n = s.tileN;
  tiling.tile.warps = s.warps;
  tiling.tile.ctasPerSm = static_cast<int32_t>(fit.ctasPerSm);
  tiling.splitK = s.splitK;
  if (setup.attention) {
    tiling.implementation = setup.attention->implementation;
    tiling.variant = setup.attention->variant;
    if (setup.attention->decodes) {
      countWaves(tiling, countDecodeCtas(setup, s), setup.model->gpu().smCount);
      return tiling;
    }
    auto own = tileAttentionAs(*setup.model, setup.work, tiling.implementation,
                               tiling.tile);
    double ctas =
        own ? static_cast<double>(own->ctas) / own->splitK * s.splitK : 0;
    countWaves(tiling, ctas, setup.model->gpu().smCount);
    return tiling;
  }
  countWaves(tiling, countCtas(setup.product, s), setup.model->gpu().smCount);
  return tiling;
}

Expected<LaunchTerms> ScheduleSetup::terms(const Schedule &s,
                                           const ScheduleFit &fit,
                                           const Tiling &tiling,
                                           const ScheduleTime &time) const {
  if (isStream)
    return streamTerms(s, fit);
  if (attention) {
    auto t = attentionTerms(s, tiling);
    if (t)
      t->inCalibratedDomain = false;
    return t;
  }
  // (Y10) The tile determines events and energies.
  auto t = model->launchTerms(work, tiling, query);
  if (!t)
    return t;
  // The report (W1) combines with a 4-norm the terms that the schedule combines
  // with a different norm.
  auto pow4 = [](double x) { return (x * x) * (x * x); };
  double joined = std::sqrt(std::sqrt(pow4(time.cycles) + pow4(time.dram)));
  double scale = time.total / (joined + time.fixed);
  t->compute = t->l2 = t->issue = t->rows = t->exposedL2 = t->exposedDram =
      Seconds(0);
  Seconds cycles(time.cycles * scale * (1 + fusedProducts));
  if (time.bound == Bound::L2)
    t->l2 = cycles;
  else if (time.bound == Bound::Issue)
    t->issue = cycles;
  else
    t->compute = cycles;
  t->computeBound = time.bound;
  t->dram = Seconds(time.dram * scale);
  t->fixed = Seconds(time.fixed * scale);
  t->serialIssue = Seconds(fusedIssue);
  t->serialDram = Seconds(fusedDram);
  // Order and ratio of schedules are validated, but not their times.
  t->inCalibratedDomain = false;
  return t;
}
