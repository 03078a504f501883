//===- Overlap.cpp - Overlap of communication -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Collectives run on a separate stream, in program order, as soon as their
// inputs are ready; computation that reads their results waits. (N3)

#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include <algorithm>
#include <utility>

using namespace gpucost;

PlacedModel::PassExposure
PlacedModel::exposedIn(bool lastPass, const std::vector<Seconds> &times,
                       Seconds gap, const PhaseFactors &stretch) const {
  PassExposure exposure;
  bool isForward = true;
  double compute = 0, link = 0, computation = 0, kernels = 0, transfer = 0;
  std::vector<double> end(source->launches.size()), starts(end.size());
  std::vector<bool> rings(end.size());
  const TrainingLevel *level = trainingLevel();
  uint32_t read = 0;
  for (size_t i = 0; i < source->launches.size(); ++i) {
    const Launch &launch = source->launches[i];
    Phase phase = source->kinds[launch.kind].phase;
    if (!lastPass && launch.passes == 1) {
      // The launch is not part of this pass, so readers of its result do not
      // wait.
      read = launch.readsEnd;
      continue;
    }
    // Transfers between the stages of a pipeline are part of its schedule.
    if (isTransfer(launch)) {
      read = launch.readsEnd;
      continue;
    }
    if (phase == Phase::Backward && std::exchange(isForward, false))
      exposure.forward = std::max(compute - computation, 0.0);
    // The optimizer waits for the last collective.
    if (phase == Phase::Optimizer)
      compute = std::max(compute, link);
    double duration = times[launch.work].value();
    if (phase == Phase::Communication) {
      transfer += duration;
    } else {
      kernels += duration * static_cast<double>(launch.count) /
                 static_cast<double>(launch.passes);
      // The launches per pass.
      duration = (duration + gap.value()) * static_cast<double>(launch.count) /
                 static_cast<double>(launch.passes) *
                 stretch[static_cast<size_t>(phase)];
      computation += duration;
    }
    // (X19) Matmuls work on the parts of a collective that have arrived.
    double wait = duration;
    if (phase == Phase::Communication && level && level->tensorWait < 1 &&
        source->kinds[launch.kind].origin == sequenceParallelOrigin)
      wait *= level->tensorWait;
    double &stream = phase == Phase::Communication ? link : compute;
    // (X20) Rings run beside the attention that reads or writes their parts.
    double start = stream, ring = 0;
    bool isRing = phase == Phase::Communication &&
                  source->kinds[launch.kind].origin == contextParallelOrigin;
    bool scatters =
        isRing && isCollective(launch, CollectiveKind::ReduceScatter);
    for (; read < launch.readsEnd; ++read) {
      uint32_t maker = source->reads[read];
      if (scatters || rings[maker])
        ring = std::max(ring, end[maker]);
      if (!rings[maker])
        start = std::max(start, scatters ? starts[maker] : end[maker]);
    }
    stream = std::max(start + duration, ring);
    end[i] = std::max(start + wait, ring);
    starts[i] = start;
    rings[i] = isRing && !scatters;
    if (phase == Phase::Backward)
      exposure.backward =
          std::max(compute - computation - exposure.forward, 0.0);
  }
  double exposed = std::max(std::max(compute, link) - computation, 0.0);
  // (N8) The channels of a collective occupy SMs that concurrent kernels cannot
  // use.
  double beside = std::max(transfer - exposed, 0.0);
  double running = computation > 0 ? std::min(kernels / computation, 1.0) : 0.0;
  exposure.total = exposed + channelShare() * running * beside;
  if (isForward)
    exposure.forward = exposure.total;
  return exposure;
}

PlacedModel::PhaseFactors
PlacedModel::stretchOf(const IterationTotals &totals) {
  PhaseFactors stretch;
  for (size_t i = 0; i < stretch.size(); ++i) {
    const PhaseTotals &phase = totals.phases[i];
    stretch[i] = phase.gpuBusy > Seconds(0) ? phase.time / phase.gpuBusy : 1.0;
  }
  return stretch;
}

const TrainingLevel *PlacedModel::trainingLevel() const {
  const auto &levels = costModel.coefficients().trainingLevels;
  if (!levels || !source->settings.trains())
    return nullptr;
  for (const TrainingLevel &level : levels->stacks)
    if (level.software == source->settings.software)
      return &level;
  return nullptr;
}

double PlacedModel::channelShare() const {
  const auto &links = costModel.coefficients().collectives;
  double sms = static_cast<double>(costModel.gpu().smCount);
  return links ? std::min(links->busySms / sms, 1.0) : 0.0;
}

void PlacedModel::addCommunication(IterationTotals &totals,
                                   const std::vector<Seconds> &times,
                                   Seconds gap) const {
  constexpr auto communication = static_cast<size_t>(Phase::Communication);
  PhaseFactors stretch = stretchOf(totals);
  // Micro-batches are equal, except for the launches that run only in the last
  // one.
  int64_t passes = 1;
  for (const Launch &launch : source->launches)
    passes = std::max(passes, launch.passes);
  double exposed = exposedIn(/*lastPass=*/true, times, gap, stretch).total;
  if (passes > 1)
    exposed += exposedIn(/*lastPass=*/false, times, gap, stretch).total *
               static_cast<double>(passes - 1);

  PhaseTotals &phase = totals.phases[communication];
  phase.time = Seconds(exposed);
  // (N2) While only links are active, the board consumes a fraction of its busy
  // power.
  Hertz clock = totals.point.clock;
  Watts idle = costModel.idlePower(clock);
  Watts busy =
      totals.time > Seconds(0) ? totals.energy / totals.time - idle : Watts(0);
  const auto &links = costModel.coefficients().collectives;
  double share = links ? links->powerFraction : 0.0;
  phase.energy =
      (idle + std::max(busy, Watts(0)) * share) * phase.time +
      costModel.dynamicEnergy(phases[communication].events, Seconds(0), clock);
  totals.time += phase.time;
  totals.energy += phase.energy;
}
