//===- Overlap.cpp - Overlap of communication -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Collectives run on a separate stream, in program order, as soon as their
// inputs are ready; computation that reads their results waits. (N3)

#include "gpucost/Core/Iteration/FoldedLaunches.h"
#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Model/Software.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include <algorithm>
#include <limits>
#include <utility>

using namespace gpucost;

/// The streams of one GPU during one micro-batch: kernels, collectives,
/// all-reduces of copies of shards (X31), and copies to and from host memory.
class PlacedModel::Streams {
public:
  Streams(const PlacedModel &model, bool lastPass,
          const std::vector<Seconds> &times, Seconds gap,
          const PhaseFactors &stretch)
      : model(model), folded(*model.folded), level(model.trainingLevel()),
        lastPass(lastPass), times(times), gap(gap), stretch(stretch),
        end(folded.entries().size(), -std::numeric_limits<double>::infinity()),
        starts(end.size()) {}

  PassExposure run();

private:
  /// The launches that are not part of this pass, whose readers do not wait.
  bool isLeftOut(const FoldedLaunches::Entry &entry) const {
    return (!lastPass && entry.isLast) || entry.isTransfer;
  }
  void launch(uint32_t number, bool isFirst);
  void repeat(const FoldedLaunches::Block &block);
  void enter(Phase phase) {
    if (phase == Phase::Backward && std::exchange(isForward, false))
      exposure.forward = std::max(compute - computation, 0.0);
  }
  void leave(Phase phase) {
    if (phase == Phase::Backward)
      exposure.backward =
          std::max(compute - computation - exposure.forward, 0.0);
  }

  const PlacedModel &model;
  const FoldedLaunches &folded;
  const TrainingLevel *level;
  bool lastPass;
  const std::vector<Seconds> &times;
  Seconds gap;
  const PhaseFactors &stretch;
  PassExposure exposure;
  bool isForward = true;
  double compute = 0, link = 0, copies = 0, host = 0, computation = 0,
         kernels = 0, transfer = 0;
  std::vector<double> end, starts; ///< of entries
};

void PlacedModel::Streams::launch(uint32_t number, bool isFirst) {
  const FoldedLaunches::Entry &entry = folded.entries()[number];
  if (isLeftOut(entry))
    return;
  bool communicates = entry.phase == Phase::Communication;
  bool isHostCopy = entry.isToHost || entry.isFromHost;
  // The optimizer waits for the last collective.
  if (entry.phase == Phase::Optimizer)
    compute = std::max({compute, link, copies});
  double duration = times[entry.work].value();
  if (communicates) {
    // (X19) The rest of the collective runs beside the matmul that makes or
    // reads its parts; copy engines move it, which occupy no SM (N8).
    if (entry.isSequence && level)
      duration *= level->tensorWait;
    // Copy engines occupy no SM (N8).
    transfer += isHostCopy ? 0 : duration;
    if (entry.isExchange)
      (isForward ? exposure.forwardExchanges : exposure.backwardExchanges) += 1;
  } else {
    kernels += duration * entry.launchesPerPass;
    duration = (duration + gap.value()) * entry.launchesPerPass *
               stretch[static_cast<size_t>(entry.phase)];
    computation += duration;
  }
  double &stream = isHostCopy         ? host
                   : entry.isOfCopies ? copies
                   : communicates     ? link
                                      : compute;
  // (X20) Rings run beside the attention that reads or writes their parts.
  double start = stream, ring = 0;
  // (B13) A tensor returns to memory that computation has freed.
  if (entry.isFromHost)
    start = std::max(start, compute);
  uint32_t begin = number == 0 ? 0 : folded.entries()[number - 1].waitsEnd;
  for (; begin < entry.waitsEnd; ++begin) {
    const FoldedLaunches::Wait &each = folded.waits()[begin];
    uint32_t maker = isFirst ? each.first : each.later;
    bool isRing = folded.entries()[maker].isRing;
    if (entry.scatters || isRing)
      ring = std::max(ring, end[maker]);
    if (!isRing)
      start = std::max(start, entry.scatters ? starts[maker] : end[maker]);
  }
  stream = start + duration;
  // (X26) Computation of another micro-batch runs beside an all-to-all.
  bool isHidden = entry.isExchange && model.source->settings.moeOverlap;
  end[number] = isHidden ? start : stream;
  starts[number] = start;
  // (B13) What follows needs the memory that a copy to the host frees.
  if (entry.isToHost)
    compute = std::max(compute, stream);
  if (ring > 0) {
    stream = std::max(stream, ring);
    end[number] = std::max(end[number], ring);
  }
}

/// Repeats a block in coordinates in which computation ends at 0 before each
/// repetition. Once a repetition begins with the same state as the one before,
/// all others take the same time.
void PlacedModel::Streams::repeat(const FoldedLaunches::Block &block) {
  std::vector<double> before;
  for (uint32_t input : block.inputs)
    before.push_back(std::exchange(end[input], end[input] - compute));
  link -= compute;
  copies -= compute;
  host -= compute;
  double base = std::exchange(compute, 0), sum = std::exchange(computation, 0),
         busy = std::exchange(kernels, 0), links = std::exchange(transfer, 0);
  double &exchanges =
      isForward ? exposure.forwardExchanges : exposure.backwardExchanges;
  double exchanged = std::exchange(exchanges, 0);
  std::vector<double> state, last;
  for (int64_t i = 0; i < block.repetitions; ++i) {
    for (uint32_t entry = block.begin; entry < block.end; ++entry)
      launch(entry, i == 0);
    double step = std::exchange(compute, 0);
    link -= step;
    copies -= step;
    host -= step;
    state = {step, link, copies, host};
    for (uint32_t entry : block.awaited)
      state.push_back(end[entry] -= step);
    int64_t same = state == last ? block.repetitions - i : 1;
    auto times = static_cast<double>(same);
    base += step * times;
    sum += std::exchange(computation, 0) * times;
    busy += std::exchange(kernels, 0) * times;
    links += std::exchange(transfer, 0) * times;
    exchanged += std::exchange(exchanges, 0) * times;
    i += same - 1;
    std::swap(state, last);
  }
  compute = base;
  computation = sum;
  kernels = busy;
  transfer = links;
  exchanges = exchanged;
  link += base;
  copies += base;
  host += base;
  for (uint32_t entry : block.awaited)
    end[entry] += base;
  for (size_t i = 0; i < before.size(); ++i)
    end[block.inputs[i]] = before[i];
}

PlacedModel::PassExposure PlacedModel::Streams::run() {
  for (uint32_t number = 0; number < folded.entries().size(); ++number) {
    const FoldedLaunches::Entry &entry = folded.entries()[number];
    if (entry.block != FoldedLaunches::none) {
      const FoldedLaunches::Block &block = folded.blocks()[entry.block];
      bool computes = false;
      for (uint32_t i = block.begin; i < block.end; ++i)
        computes |= folded.entries()[i].phase == block.phase &&
                    !isLeftOut(folded.entries()[i]);
      if (computes)
        enter(block.phase);
      repeat(block);
      if (computes)
        leave(block.phase);
      number = block.end - 1;
      continue;
    }
    if (isLeftOut(entry))
      continue;
    enter(entry.phase);
    launch(number, /*isFirst=*/true);
    leave(entry.phase);
  }
  double exposed =
      std::max(std::max({compute, link, copies}) - computation, 0.0);
  // (N8) The channels of a collective occupy SMs that concurrent kernels cannot
  // use.
  double beside = std::max(transfer - exposed, 0.0);
  double running = computation > 0 ? std::min(kernels / computation, 1.0) : 0.0;
  exposure.total = exposed + model.channelShare() * running * beside;
  if (isForward)
    exposure.forward = exposure.total;
  return exposure;
}

PlacedModel::PassExposure
PlacedModel::exposedIn(bool lastPass, const std::vector<Seconds> &times,
                       Seconds gap, const PhaseFactors &stretch) const {
  return Streams(*this, lastPass, times, gap, stretch).run();
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
  const Settings &settings = source->settings;
  return settings.trains()
             ? findTrainingLevel(costModel.coefficients(), settings.software,
                                 costModel.gpu().architecture)
             : nullptr;
}

double PlacedModel::channelShare() const {
  const auto &links = costModel.coefficients().collectives;
  double sms = static_cast<double>(costModel.gpu().smCount);
  return links ? std::min(links->busySms / sms, 1.0) : 0.0;
}

void PlacedModel::addExpertHost(IterationTotals &totals,
                                const PassExposure &each, int64_t passes,
                                const Settings &settings) const {
  const auto &experts = costModel.coefficients().trainingExperts;
  auto stack = trainingStack(source->settings.software);
  if (!experts || !stack || !stack->launchesExperts ||
      !source->settings.trains())
    return;
  // Each layer has two all-to-alls in each direction. For each product of the
  // forward pass the backward pass has two.
  double forward = each.forwardExchanges / 2;
  double backward = each.backwardExchanges / 2 + forward;
  auto times = static_cast<double>(passes);
  auto wait = [&](Phase name, double layers, double exposed) {
    PhaseTotals &phase = totals.phases[static_cast<size_t>(name)];
    Seconds host = hostOf(name, settings).hostLaunch *
                   (experts->launches * layers * times);
    phase.host += host;
    totals.host += host;
    Seconds late = host - phase.time - Seconds(exposed * times);
    if (late <= Seconds(0))
      return;
    Joules idle = costModel.idlePower(totals.point.clock) * late;
    phase.time += late;
    phase.energy += idle;
    totals.time += late;
    totals.energy += idle;
  };
  wait(Phase::Forward, forward, each.forward);
  wait(Phase::Backward, backward, each.total - each.forward);
}

void PlacedModel::addCommunication(IterationTotals &totals,
                                   const std::vector<Seconds> &times,
                                   Seconds gap,
                                   const Settings &settings) const {
  constexpr auto communication = static_cast<size_t>(Phase::Communication);
  PhaseFactors stretch = stretchOf(totals);
  // Micro-batches are equal, except for the launches that run only in the last
  // one.
  int64_t passes = 1;
  for (const FoldedLaunches::Entry &entry : folded->entries())
    passes = std::max(passes, source->launches[entry.launch].passes);
  PassExposure each = exposedIn(/*lastPass=*/true, times, gap, stretch);
  double exposed = each.total;
  if (passes > 1) {
    each = exposedIn(/*lastPass=*/false, times, gap, stretch);
    exposed += each.total * static_cast<double>(passes - 1);
  }

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
  addExpertHost(totals, each, passes, settings);
}
