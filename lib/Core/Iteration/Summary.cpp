//===- Summary.cpp - Totals with intervals --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/FoldedLaunches.h"
#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Model/ErrorBars.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

Seconds PlacedModel::ideal() const {
  Seconds sum;
  for (const FoldedLaunches::Entry &entry : folded->entries()) {
    const Launch &launch = source->launches[entry.launch];
    const KernelWork &work = source->works[launch.work];
    // (Q5) Each kernel is compared with the peak of its format; matmuls of an
    // optimizer are not work of the model.
    FlopsPerSecond peak = costModel.gpu().peak(work.format);
    bool isUpdate = source->kinds[launch.kind].phase == Phase::Optimizer;
    if (peak > FlopsPerSecond(0) && !launch.recomputes && !isUpdate)
      sum += Seconds(static_cast<double>(work.count.tensorFlops) *
                     static_cast<double>(launch.count) *
                     static_cast<double>(entry.repetitions) / peak.value());
  }
  return sum;
}

void PlacedModel::findLowerBounds() {
  lowerBound = false;
  for (size_t i = 0; i < kindCounts.size(); ++i) {
    const KernelKind &kind = source->kinds[i];
    lowerBound |=
        kindCounts[i] > 0 && (kind.coverage != Coverage::Modelled ||
                              !works[kind.work].kernel.reason.empty());
  }
  for (const CoverageNote &note : source->unmodelled)
    lowerBound |= note.count > 0;
}

bool PlacedModel::isUnknown() const {
  return source->kinds.empty() &&
         std::any_of(source->unmodelled.begin(), source->unmodelled.end(),
                     [](const CoverageNote &note) { return note.count > 0; });
}

Bound PlacedModel::boundOf(const IterationTotals &totals) const {
  if (totals.host > totals.busy)
    return Bound::Host;
  double ratio = totals.point.clock / costModel.gpu().maxClock;
  std::array<double, getMaxEnumValForBound() + 1> busy{};
  Bound most = Bound::Unknown;
  for (size_t i = 0; i < kindCounts.size(); ++i) {
    KernelTime time = explainTimeAt(works[source->kinds[i].work].terms, ratio);
    busy[static_cast<size_t>(time.bound)] +=
        time.total.value() * static_cast<double>(kindCounts[i]);
    most = std::max(most, time.bound);
  }
  for (size_t i = busy.size(); i-- > 0;)
    if (busy[i] >= busy[static_cast<size_t>(most)])
      most = static_cast<Bound>(i);
  return most;
}

void PlacedModel::addPowerShares(const IterationTotals &totals,
                                 const Settings &settings,
                                 IterationErrorTerms &shares) const {
  if (totals.energy <= Joules(0))
    return;
  Hertz clock = totals.point.clock;
  KernelEvents memory;
  for (const PhaseWork &phase : phases)
    memory.dramBytes += phase.events.dramBytes;
  shares.idleFraction =
      costModel.idlePower(clock) * totals.time / totals.energy;
  double dram =
      costModel.dynamicEnergy(memory, Seconds(0), clock) / totals.energy;
  shares.coreFraction = std::max(1 - shares.idleFraction - dram, 0.0);
  shares.voltage = costModel.voltageDeviation(clock);
  shares.gpus = source->settings.coupledGpus();
  if (!totals.point.throttled || source->pipeline)
    return;
  // A board that takes more power meets the limit at a lower clock.
  constexpr double steps = 4;
  Hertz lower = std::max(costModel.gpu().minClock,
                         clock - costModel.gpu().clockStep * steps);
  IterationTotals slower = totalsAt(lower, settings);
  double saved = std::log(totals.power() / slower.power());
  if (saved > 0)
    shares.limitedTime = std::log(slower.time / totals.time) / saved;
}

IterationErrors PlacedModel::errorsOf(const IterationTotals &totals,
                                      const Settings &settings) const {
  const Coefficients &fitted = costModel.coefficients();
  ErrorSum sum(fitted);
  const PhaseTotals &links =
      totals.phases[static_cast<size_t>(Phase::Communication)];
  double exposed =
      links.gpuBusy > Seconds(0) ? links.time / links.gpuBusy : 0.0;
  double ratio = totals.point.clock / costModel.gpu().maxClock;
  for (size_t i = 0; i < kindCounts.size(); ++i) {
    const KernelKind &kind = source->kinds[i];
    const PlacedWork &placed = works[kind.work];
    KernelTime time;
    time.total = timeAt(placed.terms, ratio);
    // The width applies to the whole launch, even if computation hides a part
    // of it.
    addErrorBar(costModel, placed.kernel.work, placed.kernel.tiling,
                isValidated(kind.work), time);
    if (kind.phase == Phase::Communication)
      time.total = time.total * exposed;
    sum.add(errorClassOf(placed.kernel.work, placed.kernel.tiling), time,
            kindCounts[i]);
  }
  IterationErrors errors;
  errors.calibratedFraction = sum.calibratedFraction();
  errors.busy = sum.halfWidth();
  // A lower bound is not a prediction.
  const TrainingLevel *level = trainingLevel();
  bool isKnown = level || (errors.busy && !source->pipeline);
  if (!isKnown || lowerBound || totals.point.limitUnreachable)
    return errors;
  IterationErrorTerms shares;
  shares.busy = errors.busy.value_or(0);
  const auto &experts = fitted.trainingExperts;
  bool hasExperts = experts && source->settings.plan().experts;
  if (level) {
    shares.levelWidth = hasExperts ? experts->timeWidth : level->timeWidth;
    if (source->settings.trainable)
      shares.levelWidth =
          std::max(shares.levelWidth, fitted.trainingLevels->frozenWidth);
  }
  shares.time = totals.time;
  shares.busyTime = totals.busy;
  shares.hostTime = totals.host;
  shares.exposedTime = links.time;
  shares.gapTime = stepGap(settings);
  shares.gapStated = settings.stepGap.has_value();
  shares.training =
      totals.phases[static_cast<size_t>(Phase::Backward)].kernels > 0;
  shares.hostStated = settings.hostLaunch.has_value();
  shares.throttled = totals.point.throttled;
  addPowerShares(totals, settings, shares);
  errors.bars = iterationErrorBars(fitted, shares);
  return errors;
}

IterationSummary PlacedModel::summarize(const Settings &settings) const {
  IterationSummary summary;
  summary.totals = solve(settings);
  summary.errors = errorsOf(summary.totals, settings);
  if (summary.totals.time > Seconds(0))
    summary.mfu =
        (source->pipeline ? pipelineIdealTime : ideal()) / summary.totals.time;
  return summary;
}
