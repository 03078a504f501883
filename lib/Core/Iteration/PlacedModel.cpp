//===- PlacedModel.cpp - Totals of one iteration --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/PlacedModel.h"
#include "CheckCounts.h"
#include "NearbyClock.h"
#include "gpucost/Core/Iteration/FoldedLaunches.h"
#include "gpucost/Core/Model/Composition.h"
#include "gpucost/Core/Model/Steps.h"
#include <cmath>

using namespace gpucost;

/// The terms of `kernel`, from its schedule, which then determines its tiling,
/// or from its tiling. If schedules are not supported for the kernel, it keeps
/// its tiling, with a note.
static Expected<LaunchTerms> termsOf(const CostModel &model,
                                     PlacedKernel &kernel) {
  if (!(kernel.schedule == Schedule())) {
    auto schedules = ScheduleModel::create(model, kernel.work);
    if (schedules) {
      auto launch = schedules->launch(kernel.schedule);
      if (!launch)
        return fail(launch.error());
      // The schedule replaces the tiling of the library's kernel.
      ImplementationKind replaced = kernel.tiling.implementation;
      kernel.tiling = launch->tiling;
      kernel.tiling.implementation = replaced;
      return launch->terms;
    }
    kernel.note =
        "the schedule of a kernel is not used: " + schedules.error().message;
    kernel.schedule = {};
  }
  // A tiling from IR may name no kernel.
  ImplementationKind &kind = kernel.tiling.implementation;
  if (kind == ImplementationKind::None)
    if (auto row = findImplementation(model, kernel.work, kernel.tiling, {}))
      kind = (*row)->kind;
  return model.launchTerms(kernel.work, kernel.tiling);
}

PlacedKernel gpucost::placeKernel(const CostModel &model,
                                  const KernelWork &work,
                                  const Schedule &schedule) {
  auto bytesAlone = [&](const Error &error) {
    Tiling none;
    none.implementation = ImplementationKind::BytesOnly;
    return PlacedKernel{asOpaque(work), none, error.message, {}, "", {}};
  };
  Expected<Tiling> tiling = model.selectTiling(work);
  if (!tiling)
    return bytesAlone(tiling.error());
  PlacedKernel kernel{work, *tiling, "", schedule, "", {}};
  auto terms = termsOf(model, kernel);
  if (!terms)
    return bytesAlone(terms.error());
  kernel.terms = *terms;
  return kernel;
}

/// (P10) Expected maximum of the dynamic power over `boards` boards of one
/// model, relative to their mean; `deviation` is their relative standard
/// deviation.
static double hungriestOf(int64_t boards, double deviation) {
  if (boards <= 1)
    return 1;
  // The expected maximum of n samples (Blom 1958), found by bisection.
  auto n = static_cast<double>(boards);
  constexpr double blomAlpha = 0.375, blomBeta = 0.25, mostDeviations = 8;
  constexpr int halvings = 40;
  double upper = 1 - (n - blomAlpha) / (n + blomBeta); // quantile of the
                                                       // distribution
  double low = 0, high = mostDeviations;
  for (int i = 0; i < halvings; ++i) {
    double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) / 2 > upper ? low : high) = middle;
  }
  return 1 + deviation * low;
}

PlacedModel::PlacedModel(std::shared_ptr<const PreparedModel> prepared,
                         const CostModel &model)
    : source(std::move(prepared)), costModel(model) {
  // (P10) The boards of a step wait for the slowest one.
  const auto &boards = costModel.coefficients().boards;
  hungriest = hungriestOf(source->settings.coupledGpus(),
                          boards ? boards->deviation : 0);
}

/// (B13) A copy to or from host memory takes its bytes over the link.
static void addHostLink(const KernelWork &work, const Settings &settings,
                        LaunchTerms &terms) {
  const auto *copy = work.getIf<CollectiveProblem>();
  if (copy && isHostCopy(copy->kind) && settings.hostLink)
    terms.fixed = Bytes(static_cast<double>(copy->bytes)) / *settings.hostLink;
}

Expected<PlacedModel>
PlacedModel::create(std::shared_ptr<const PreparedModel> prepared,
                    const CostModel &model,
                    const std::vector<PlacedKernel> *kernels, size_t *failed,
                    std::shared_ptr<const FoldedLaunches> folded) {
  const Coefficients &fitted = model.coefficients();
  if (!fitted.power || !fitted.runtime)
    return fail(std::string("no ") + (fitted.power ? "runtime" : "power") +
                " coefficients for " + model.gpu().name);
  if (!folded)
    folded = std::make_shared<const FoldedLaunches>(*prepared);
  if (std::optional<Error> error = findSaturatedCount(*prepared, *folded))
    return fail(std::move(*error));
  PlacedModel placed(std::move(prepared), model);
  placed.folded = std::move(folded);
  placed.works.reserve(placed.source->works.size());
  for (size_t i = 0; i < placed.source->works.size(); ++i) {
    PlacedWork work;
    auto decided = placed.source->schedules.find(i);
    work.kernel = kernels
                      ? (*kernels)[i]
                      : placeKernel(model, placed.source->works[i],
                                    decided == placed.source->schedules.end()
                                        ? Schedule()
                                        : decided->second);
    Expected<LaunchTerms> terms = work.kernel.terms
                                      ? std::move(*work.kernel.terms)
                                      : termsOf(model, work.kernel);
    work.kernel.terms.reset();
    if (!terms) {
      if (failed)
        *failed = i;
      return fail(terms.error());
    }
    work.terms = work.alone = *terms;
    placed.works.push_back(std::move(work));
  }
  placed.countLaunches();
  if (auto done = placed.finish(); !done)
    return fail(done.error());
  return placed;
}

Expected<void> PlacedModel::finish() {
  followTensors();
  for (PlacedWork &work : works) {
    for (LaunchTerms *terms : {&work.terms, &work.alone})
      addHostLink(work.kernel.work, source->settings, *terms);
    work.events = work.terms.events;
  }
  addColdReads();
  sumPhases();
  findLowerBounds();
  return placeStages();
}

Expected<void> PlacedModel::resize(const Place &place) {
  if (std::optional<Error> error = findSaturatedCount(*source, *folded))
    return fail(std::move(*error));
  placedFor.resize(works.size());
  for (size_t i = 0; i < works.size(); ++i) {
    const KernelWork &work = source->works[i];
    if (placedFor[i] && *placedFor[i] == work)
      continue;
    placedFor[i] = work;
    PlacedWork &own = works[i];
    place(work, own.kernel);
    if (!own.kernel.terms) {
      Expected<LaunchTerms> terms = termsOf(costModel, own.kernel);
      if (!terms)
        return fail(terms.error());
      own.kernel.terms = *terms;
    }
    own.terms = own.alone = *own.kernel.terms;
    own.kernel.terms.reset();
    own.keptShare.reset();
  }
  return finish();
}

void PlacedModel::explainTerms(size_t work, Steps &steps) const {
  const PlacedWork &placed = works[work];
  if (!(placed.kernel.schedule == Schedule())) {
    steps.note("the terms are those of a schedule (V1), which has no steps");
    return;
  }
  KernelQuery query;
  query.keptShare = placed.keptShare;
  query.steps = &steps;
  // The same query succeeded when the kernel was placed.
  (void)costModel.launchTerms(placed.kernel.work, placed.kernel.tiling, query);
}

void PlacedModel::countLaunches() {
  // Launches of each work per phase: in the last segment, and in total.
  std::array<std::vector<double>, getMaxEnumValForPhase() + 1> counts;
  std::array<std::vector<int64_t>, getMaxEnumValForPhase() + 1> all;
  kindCounts.assign(source->kinds.size(), 0);
  auto close = [&](size_t index) {
    Segment &segment = phases[index].segments.back();
    for (size_t work = 0; work < counts[index].size(); ++work)
      if (counts[index][work] > 0)
        segment.launches.emplace_back(static_cast<uint32_t>(work),
                                      counts[index][work]);
    counts[index].assign(works.size(), 0);
  };
  for (PhaseWork &phase : phases)
    phase.segments.emplace_back();
  for (const FoldedLaunches::Entry &entry : folded->entries()) {
    const Launch &launch = source->launches[entry.launch];
    auto index = static_cast<size_t>(source->kinds[launch.kind].phase);
    int64_t times = saturatingProduct(launch.count, entry.repetitions);
    if (all[index].empty()) {
      all[index].resize(works.size());
      counts[index].resize(works.size());
    }
    addSaturating(kindCounts[launch.kind], launch.count, entry.repetitions);
    addSaturating(all[index][launch.work], times, 1);
    counts[index][launch.work] += static_cast<double>(times);
    Segment &segment = phases[index].segments.back();
    addSaturating(segment.hostLaunches, times, launch.hostLaunches);
    if (launch.library)
      addSaturating(segment.libraryLaunches, times, launch.hostLaunches);
    if (launch.synchronizes && launch.count > 0) {
      segment.synchronizations = launch.count;
      close(index);
      phases[index].segments.emplace_back();
    }
  }
  for (size_t i = 0; i < phases.size(); ++i) {
    PhaseWork &phase = phases[i];
    close(i);
    for (const Segment &segment : phase.segments)
      addSaturating(phase.hostLaunches, segment.hostLaunches, 1);
    for (size_t work = 0; work < all[i].size(); ++work) {
      addSaturating(phase.kernels, all[i][work], 1);
      if (all[i][work] > 0)
        phase.counts.emplace_back(static_cast<uint32_t>(work), all[i][work]);
    }
  }
}

void PlacedModel::sumPhases() {
  for (PhaseWork &phase : phases) {
    phase.events = KernelEvents();
    phase.flops = phase.bytes = 0;
    for (auto [work, times] : phase.counts) {
      const WorkCount &count = source->works[work].count;
      addSaturating(phase.flops, times, count.tensorFlops);
      addSaturating(phase.flops, times, count.fp32Flops);
      addSaturating(phase.bytes, times, count.bytesRead);
      addSaturating(phase.bytes, times, count.bytesWritten);
    }
  }
  for (const FoldedLaunches::Entry &entry : folded->entries()) {
    const Launch &launch = source->launches[entry.launch];
    int64_t times = saturatingProduct(launch.count, entry.repetitions);
    phases[static_cast<size_t>(entry.phase)].events +=
        works[launch.work].events * static_cast<double>(times);
  }
}

/// (H3) At the end of a segment the host waits until the GPU has copied a size
/// to it, and then the GPU waits for the next launch, (H12) the first one of
/// the optimizer.
PhaseTotals PlacedModel::totalsOf(const Segment &segment,
                                  const std::vector<Seconds> &times,
                                  const RuntimeCoefficients &host, Seconds gap,
                                  bool graph) const {
  PhaseTotals totals;
  for (const auto &[index, count] : segment.launches) {
    totals.kernelTime += times[index] * count;
    totals.gpuBusy += (times[index] + gap) * count;
  }
  totals.host = hostTime(host, segment.hostLaunches, segment.libraryLaunches);
  if (graph || segment.synchronizations == 0) {
    totals.time = phaseTime(host, totals.gpuBusy, totals.host);
    return totals;
  }
  auto waits = static_cast<double>(segment.synchronizations);
  const auto &streaming = costModel.coefficients().streaming;
  Seconds copy = streaming ? streaming->latency : Seconds(0);
  totals.gpuBusy += (copy + gap) * waits;
  totals.host += host.hostLaunch * waits;
  totals.time = phaseTime(host, totals.gpuBusy, totals.host) +
                (host.hostLaunch + host.optimizerStart) * waits;
  return totals;
}

int64_t PlacedModel::hostLaunches() const {
  int64_t sum = 0;
  for (const PhaseWork &phase : phases)
    sum = saturatingSum(sum, phase.hostLaunches);
  return sum;
}

LaunchCost PlacedModel::launchCost(size_t work, Hertz clock) const {
  const PlacedWork &placed = works[work];
  LaunchCost cost;
  cost.time = explainTimeAt(placed.terms, clock / costModel.gpu().maxClock);
  cost.time.clock = clock;
  cost.energy =
      costModel.energy(placed.events, cost.time.total, cost.time.total, clock);
  return cost;
}

LaunchCost PlacedModel::launchCost(size_t work,
                                   const IterationTotals &totals) const {
  LaunchCost cost = launchCost(work, totals.point.clock);
  cost.energy = totals.share.of(cost.power()) * cost.time.total;
  return cost;
}

/// (H8) The gap between kernels is a fixed number of SM cycles.
Seconds PlacedModel::gapAt(Hertz clock, const Settings &settings) const {
  return settings.runtime == Runtime::CudaGraph
             ? Seconds(0)
             : Seconds(costModel.coefficients().runtime->kernelGapCycles /
                       clock.value());
}

/// (H9) autograd launches the backward pass from C++.
RuntimeCoefficients PlacedModel::hostOf(Phase phase,
                                        const Settings &settings) const {
  RuntimeCoefficients host = *costModel.coefficients().runtime;
  if (settings.hostLaunch)
    host.hostLaunch = *settings.hostLaunch;
  if (settings.runtime == Runtime::CudaGraph)
    host.hostLaunch = Seconds(0);
  if (phase == Phase::Backward)
    host.hostLaunch *= host.backwardLaunch;
  // (O16) LBFGS waits for its own numbers.
  if (phase != Phase::Optimizer || settings.hostLaunch == Seconds(0) ||
      settings.optimizer == OptimizerKind::LBFGS)
    host.optimizerStart = Seconds(0);
  return host;
}

Seconds PlacedModel::stepGap(const Settings &settings) const {
  if (settings.stepGap)
    return *settings.stepGap;
  if (source->settings.trains() || source->launches.empty())
    return Seconds(0);
  // Each copy of the model has a loop for its share of the samples.
  int64_t sequences = source->samples / source->settings.plan().data;
  const Coefficients &set = costModel.coefficients();
  return loopTime(*set.runtime, costModel.software(),
                  std::max<int64_t>(sequences, 1)) +
         chunkTime(set, costModel.software(), source->works);
}

std::string PlacedModel::describeStepGap(const Settings &settings) const {
  Seconds gap = stepGap(settings);
  if (gap <= Seconds(0))
    return "";
  std::string text = "the GPU waits " +
                     std::to_string(std::llround(gap.value() * 1e6)) +
                     " us for the host between two steps";
  if (settings.stepGap)
    return text;
  bool hasChunks = chunkTime(costModel.coefficients(), costModel.software(),
                             source->works) > Seconds(0);
  return text + ": the serving loop of " +
         std::string(stringifySoftware(costModel.software())) +
         (hasChunks ? ", and the chunks of attention" : "") +
         "; set --step-gap-us for yours";
}

std::vector<Seconds> PlacedModel::timesAt(Hertz clock) const {
  std::vector<Seconds> times(works.size());
  double ratio = clock / costModel.gpu().maxClock;
  for (size_t i = 0; i < works.size(); ++i)
    times[i] = timeAt(works[i].terms, ratio);
  return times;
}

IterationTotals PlacedModel::totalsAt(Hertz clock,
                                      const Settings &settings) const {
  IterationTotals totals;
  totals.point.clock = clock;
  std::vector<Seconds> times = timesAt(clock);
  Seconds gap = gapAt(clock, settings);
  const TrainingLevel *level = trainingLevel();

  // Communication is not a phase of the compute stream; it adds only the time
  // that computation does not hide.
  constexpr auto communication = static_cast<size_t>(Phase::Communication);
  for (size_t i = 0; i < phases.size(); ++i) {
    const PhaseWork &work = phases[i];
    PhaseTotals &phase = totals.phases[i];
    phase.phase = static_cast<Phase>(i);
    phase.kernels = work.kernels;
    phase.flops = work.flops;
    phase.bytes = work.bytes;
    if (work.kernels == 0)
      continue;
    RuntimeCoefficients host = hostOf(static_cast<Phase>(i), settings);
    for (const Segment &segment : work.segments) {
      PhaseTotals part = totalsOf(segment, times, host, gap,
                                  settings.runtime == Runtime::CudaGraph);
      phase.kernelTime += part.kernelTime;
      phase.gpuBusy += part.gpuBusy;
      phase.host += part.host;
      phase.time += part.time;
    }
    if (i == communication) {
      phase.host = phase.time = Seconds(0);
      continue;
    }
    if (level)
      phase.time *= level->slowdown;
    // (P5) SMs are busy for at most the duration of the phase; idle power
    // applies always.
    phase.energy = costModel.energy(work.events, phase.time,
                                    std::min(phase.gpuBusy, phase.time), clock);
    totals.time += phase.time;
    totals.busy += phase.gpuBusy;
    totals.host += phase.host;
    totals.energy += phase.energy;
  }
  if (totals.phases[communication].gpuBusy > Seconds(0))
    addCommunication(totals, times, gap, settings);
  if (Seconds wait = stepGap(settings); wait > Seconds(0)) {
    PhaseTotals &forward = totals.phases[static_cast<size_t>(Phase::Forward)];
    Joules idle = costModel.idlePower(clock) * wait;
    forward.time += wait;
    forward.energy += idle;
    totals.time += wait;
    totals.energy += idle;
  }
  return totals;
}

const PlacedModel::LazyMemory &PlacedModel::memory() const {
  std::call_once(lazyMemory->once, [&] {
    const Gpu &gpu = costModel.gpu();
    const Coefficients &coefficients = costModel.coefficients();
    if (source->pipeline) {
      lazyMemory->ranks = planRanks(*source, gpu, coefficients);
      lazyMemory->plan = fullestOf(lazyMemory->ranks).plan;
      return;
    }
    lazyMemory->plan = planMemory(*source, gpu, coefficients);
  });
  return *lazyMemory;
}

IterationTotals PlacedModel::solveBoard(const Settings &settings, Watts limit,
                                        double power, ClockGuess &guess) const {
  const Gpu &gpu = costModel.gpu();
  // The last clock that the solver tries often exceeds the limit.
  IterationTotals totals, within;
  OperatingPoint point = solveNearbyClock(
      gpu, settableClock(gpu, settings.clock.value_or(gpu.maxClock)), limit,
      guess, [&](Hertz clock) {
        totals = totalsAt(clock, settings);
        Watts idle = costModel.idlePower(clock);
        Watts board = idle + (totals.power() - idle) * power;
        if (!(board > limit))
          within = totals;
        return board;
      });
  if (!point.limitUnreachable)
    totals = std::move(within);
  totals.point = point;
  return totals;
}

IterationTotals PlacedModel::solve(const Settings &settings,
                                   ClockGuess &guess) const {
  if (source->pipeline)
    return solvePipeline(settings);
  Watts limit = costModel.regulatedPower(
      settings.powerLimit.value_or(costModel.gpu().powerLimit));
  IterationTotals totals = solveBoard(settings, limit, hungriest, guess);
  if (hungriest > 1 && totals.point.throttled) {
    // (P10) The mean board ends each phase sooner, at its own clock, and waits.
    ClockGuess nearby = guess;
    IterationTotals mean = solveBoard(settings, limit, /*power=*/1, nearby);
    Watts idle = costModel.idlePower(mean.point.clock);
    totals.energy = Joules(0);
    for (size_t i = 0; i < phases.size(); ++i) {
      PhaseTotals &phase = totals.phases[i];
      phase.energy =
          mean.phases[i].energy + idle * (phase.time - mean.phases[i].time);
      totals.energy += phase.energy;
    }
  }
  sharePower(totals, limit);
  return totals;
}
