//===- PlacedModel.h - A prepared model on one GPU --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the tilings of a prepared model for one GPU and predicts time, power
// and energy of the iteration at any clock, power limit and host: equations
// (H*), (N2) and (P*) of docs/CostModel.md. Reports, attributes in the IR and
// analyses all use this class. It does not depend on the IR.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_PLACEDMODEL_H
#define GPUCOST_CORE_ITERATION_PLACEDMODEL_H

#include "gpucost/Core/Iteration/MemoryPlan.h"
#include "gpucost/Core/Iteration/StageCost.h"
#include "gpucost/Core/Model/CostModel.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/OperatingPoint.h"
#include "gpucost/Core/Report/IterationReport.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace gpucost {

/// (P8) Power of a board limited to `limit` while a kernel runs whose power
/// would be different in isolation.
struct PowerShare {
  Watts limit = Watts(std::numeric_limits<double>::infinity());
  double scale = 1; ///< at least 1; infinite: the limit all the time

  Watts of(Watts alone) const {
    return std::isinf(scale) ? limit : std::min(limit, alone * scale);
  }
};

class FoldedLaunches;
struct PipelineRun;

/// Where a solver of the clock begins: steps below the highest clock, and the
/// power that one step saves.
struct ClockGuess {
  int64_t step = 0;
  Watts perStep;
};

/// Totals of the iteration at one operating point.
struct IterationTotals {
  OperatingPoint point;
  Seconds time, busy, host;
  Joules energy;
  Watts power() const { return time > Seconds(0) ? energy / time : Watts(0); }
  std::array<PhaseTotals, getMaxEnumValForPhase() + 1> phases;
  PowerShare share;
  /// The passes of all ranks; only if the model has a pipeline.
  std::shared_ptr<const PipelineRun> pipeline;
};

/// Uncertainty of totals.
struct IterationErrors {
  /// 80 % half-width of the GPU's busy time; nullopt: unknown.
  std::optional<double> busy;
  /// nullopt: unknown, or the totals are lower bounds.
  std::optional<IterationErrorBars> bars;
  /// Fraction of the busy time inside the calibrated domain, 0..1.
  double calibratedFraction = 1;
};

/// Totals and errors of the iteration at one operating point, without a report.
struct IterationSummary {
  IterationTotals totals;
  IterationErrors errors;
  /// (Q5) Matrix FLOPs over dense peak x time.
  double mfu = 0;
};

/// One launch at one operating point.
struct LaunchCost {
  KernelTime time;
  Joules energy;
  Watts power() const {
    return time.total > Seconds(0) ? energy / time.total : Watts(0);
  }
};

/// A kernel on one GPU.
struct PlacedKernel {
  /// The costed work: the kernel, or only its bytes.
  KernelWork work;
  Tiling tiling;
  /// Why only the bytes are costed, as a lower bound; "" for a modelled kernel.
  std::string reason;
  /// The requested schedule; `tiling` is the result.
  Schedule schedule;
  /// Why `tiling` is the model's choice despite `schedule`; printed as a note.
  std::string note;
  /// The terms computed during placement, if any, so that callers need not
  /// compute them again.
  std::optional<LaunchTerms> terms;
};

/// Chooses the tiling fields of `work` that `schedule` leaves open. If the GPU
/// or the coefficients lack required facts, or if the schedule cannot run, the
/// result is costed by its bytes, never as zero.
PlacedKernel placeKernel(const CostModel &model, const KernelWork &work,
                         const Schedule &schedule = {});

class PlacedModel {
public:
  /// Places every kernel, or uses `kernels` (one per element of
  /// `PreparedModel::works`). Fails without power or runtime coefficients, or
  /// if one of `kernels` has no cost; `failed` is then set to its index.
  /// `folded` are the launches of `prepared`, if they are known.
  static Expected<PlacedModel>
  create(std::shared_ptr<const PreparedModel> prepared, const CostModel &model,
         const std::vector<PlacedKernel> *kernels = nullptr,
         size_t *failed = nullptr,
         std::shared_ptr<const FoldedLaunches> folded = nullptr);

  using Place = std::function<void(const KernelWork &, PlacedKernel &)>;
  /// Predicts the model again after its sizes have changed, but not its
  /// launches or those of its sizes that are equal. `place` places the works
  /// that differ, without a schedule. The memory plan is unchanged.
  Expected<void> resize(const Place &place);

  const PreparedModel &prepared() const { return *source; }
  const std::shared_ptr<const PreparedModel> &sharedModel() const {
    return source;
  }
  const CostModel &model() const { return costModel; }
  const PlacedKernel &kernel(size_t work) const { return works[work].kernel; }
  /// Events per launch of `work`, averaged over the iteration.
  const KernelEvents &eventsOf(size_t work) const { return works[work].events; }
  /// Terms per launch of `work`, including L2 hits on its tensors (M12).
  const LaunchTerms &launchTerms(size_t work) const {
    return works[work].terms;
  }
  /// Reports the equations of these terms.
  void explainTerms(size_t work, Steps &steps) const;
  /// Whether `work` is inside the calibrated domain.
  bool isValidated(size_t work) const {
    return works[work].terms.inCalibratedDomain;
  }
  /// The groups of coefficients that the terms depend on.
  GroupSet groups() const {
    GroupSet all;
    for (const PlacedWork &work : works)
      all |= work.terms.groups;
    return all;
  }
  /// The memory plan, computed at the first call; of a pipeline, that of its
  /// fullest rank.
  const MemoryPlan &memoryPlan() const { return memory().plan; }
  /// (X16) The ranks of a pipeline; empty without one.
  const std::vector<RankMemory> &rankMemory() const { return memory().ranks; }
  /// Number of kernels that the host launches, excluding layout conversions
  /// inside library calls.
  int64_t hostLaunches() const;
  /// (H10) Time in which the GPU waits for the next iteration.
  Seconds stepGap(const Settings &settings) const;
  /// Duration and reason of this wait as text; "" without one.
  std::string describeStepGap(const Settings &settings) const;

  /// Time and energy per launch of `work` in isolation, without an error bar.
  LaunchCost launchCost(size_t work, Hertz clock) const;
  /// Time and energy per launch of `work` inside an iteration.
  LaunchCost launchCost(size_t work, const IterationTotals &totals) const;
  /// The iteration at `clock`, ignoring the power limit.
  IterationTotals totalsAt(Hertz clock, const Settings &settings) const;
  /// (P6) The iteration at the highest clock that stays within the power limit.
  IterationTotals solve(const Settings &settings) const {
    ClockGuess highest;
    return solve(settings, highest);
  }
  /// Faster if `guess` contains a nearby result; changes it to this one.
  IterationTotals solve(const Settings &settings, ClockGuess &guess) const;
  /// `solve` with intervals. Much faster than a report; sweeps use it.
  IterationSummary summarize(const Settings &settings) const;
  /// The bound with the largest part of the busy time, or the host if the GPU
  /// waits for it.
  Bound boundOf(const IterationTotals &totals) const;
  /// (U4) What the energy consists of, and how a board's limit moves the time.
  void addPowerShares(const IterationTotals &totals, const Settings &settings,
                      IterationErrorTerms &shares) const;
  IterationErrors errorsOf(const IterationTotals &totals,
                           const Settings &settings) const;
  /// (H9) Host cost of a launch in `phase`, and the norm that combines it with
  /// the GPU's time.
  RuntimeCoefficients hostOf(Phase phase, const Settings &settings) const;
  /// (H8) Gap between two kernels.
  Seconds gapAt(Hertz clock, const Settings &settings) const;
  /// Some op is missing from the totals, or only its bytes are included.
  bool isLowerBound() const { return lowerBound; }
  /// None of the kernels is known.
  bool isUnknown() const;
  /// Why the power limit of `settings` is not kept; "" if it is
  /// (CostModel::describeBrokenLimit).
  std::string describeBrokenLimit(const Settings &settings,
                                  const IterationTotals &totals) const {
    return costModel.describeBrokenLimit(settings.powerLimit, totals.point,
                                         totals.power());
  }
  /// Assumptions and warnings on GPU, kernels, links, clock and power limit,
  /// in addition to those of the prepared model.
  std::vector<std::string> notes(const Settings &settings,
                                 const IterationTotals &totals) const;
  /// The full report at the operating point that `solve` finds.
  IterationReport evaluate(const Settings &settings) const;
  /// The report with the settings that the model was prepared with.
  IterationReport evaluate() const { return evaluate(prepared().settings); }
  /// The report of totals that are already computed.
  IterationReport report(const IterationSummary &summary,
                         const Settings &settings) const;
  /// Replaces the totals in a report of this model by the totals at another
  /// operating point; kernels, time shares and notes are unchanged.
  void restateTotals(IterationReport &report, const IterationSummary &summary,
                     const Settings &settings) const;

  /// This model as a stage of a pipeline. (Pipeline.cpp)
  StageRun runStage(const IterationTotals &totals,
                    const Settings &settings) const;
  /// Whether a fitted level of the training stack applies (X19).
  bool hasLevel() const { return trainingLevel() != nullptr; }
  /// Matrix FLOPs divided by the peaks of their formats.
  Seconds ideal() const;
  /// Stages and ranks of a pipeline; nullopt without one. (Pipeline.cpp)
  std::optional<PipelineReport>
  pipelineReport(const IterationTotals &totals) const;
  /// Whether `launch` sends a result to another stage of a pipeline.
  bool isTransfer(const Launch &launch) const {
    return isCollective(launch, CollectiveKind::SendRecv) &&
           source->kinds[launch.kind].origin != ringStepOrigin;
  }

private:
  bool isCollective(const Launch &launch, CollectiveKind kind) const {
    const auto *p = source->works[launch.work].getIf<CollectiveProblem>();
    return p && p->kind == kind;
  }
  struct PlacedWork {
    PlacedKernel kernel;
    /// The terms without and with L2 hits on tensors.
    LaunchTerms alone, terms;
    /// Events per launch after L2, including cold reads (P7).
    KernelEvents events;
    /// As in KernelQuery (M12).
    std::optional<double> keptShare;
  };
  /// Launches between two points where the host waits for the GPU.
  struct Segment {
    /// Index into `works` and number of launches.
    std::vector<std::pair<uint32_t, double>> launches;
    int64_t hostLaunches = 0, libraryLaunches = 0;
    /// Number of host waits at its end.
    int64_t synchronizations = 0;
  };
  /// Clock-independent sums over all launches of one phase.
  struct PhaseWork {
    /// Segments of the phase in program order.
    std::vector<Segment> segments;
    /// Calls `visit(index into works, number of launches)`.
    template <typename Visit> void forEach(Visit visit) const {
      for (const Segment &segment : segments)
        for (const auto &[work, count] : segment.launches)
          visit(work, count);
    }
    /// Index into `works` and number of launches in all segments.
    std::vector<std::pair<uint32_t, int64_t>> counts;
    int64_t hostLaunches = 0, kernels = 0;
    /// These depend on the sizes of the works.
    KernelEvents events;
    int64_t flops = 0, bytes = 0;
  };

  PlacedModel(std::shared_ptr<const PreparedModel> prepared,
              const CostModel &model);
  /// Computes everything that depends on the terms of the works.
  Expected<void> finish();
  void addColdReads();
  /// (M12) Applies L2 hits on tensors to the times of memory-bound kernels.
  void followTensors();
  /// Counts the launches of phases and kinds, which do not depend on sizes.
  void countLaunches();
  void sumPhases();
  /// Whether the launches of some kind are a lower bound. (Summary.cpp)
  void findLowerBounds();
  /// Busy, host and wall time of one segment.
  PhaseTotals totalsOf(const Segment &segment,
                       const std::vector<Seconds> &times,
                       const RuntimeCoefficients &host, Seconds gap,
                       bool graph) const;
  /// Spreads the power of single kernels above `limit` (P8). (PowerShare.cpp)
  void sharePower(IterationTotals &totals, Watts limit) const;
  using PhaseFactors = std::array<double, getMaxEnumValForPhase() + 1>;
  /// (N8) Fraction of the SMs that collectives occupy.
  double channelShare() const;
  /// (X19) The level of the stack that trains; null if it has none.
  const TrainingLevel *trainingLevel() const;
  /// Communication time that delays the forward pass, the backward pass, and
  /// the whole micro-batch with the update.
  struct PassExposure {
    double forward = 0, backward = 0, total = 0;
    /// All-to-alls of experts in the forward and in the backward pass.
    double forwardExchanges = 0, backwardExchanges = 0;
  };
  class Streams;
  /// (N3) Communication time not hidden by the computation of one micro-batch:
  /// the last one, or an earlier one.
  PassExposure exposedIn(bool lastPass, const std::vector<Seconds> &times,
                         Seconds gap, const PhaseFactors &stretch) const;
  /// If the host delays a phase, the phase and its kernels are stretched.
  static PhaseFactors stretchOf(const IterationTotals &totals);
  /// Time of each work at `clock`.
  std::vector<Seconds> timesAt(Hertz clock) const;
  /// Places the stages of a pipeline. (Pipeline.cpp)
  Expected<void> placeStages();
  /// (X15) All ranks of a pipeline; only if the plan has one.
  PipelineRun runPipeline(const Settings &settings) const;
  IterationTotals solvePipeline(const Settings &settings) const;
  /// Times of one micro-batch of a stage with these totals.
  StageTimes stageTimes(const IterationTotals &totals,
                        const Settings &settings) const;
  /// Adds time and energy of the collectives to `totals`, which contains the
  /// computation. (Overlap.cpp)
  void addCommunication(IterationTotals &totals,
                        const std::vector<Seconds> &times, Seconds gap,
                        const Settings &settings) const;
  /// (X25) Adds the time for which all `passes` micro-batches wait for the host
  /// of their expert layers; `each` is one of them.
  void addExpertHost(IterationTotals &totals, const PassExposure &each,
                     int64_t passes, const Settings &settings) const;

  /// The totals at the highest clock at which a board with `power` times the
  /// mean power above idle stays within `limit`.
  IterationTotals solveBoard(const Settings &settings, Watts limit,
                             double power, ClockGuess &guess) const;

  struct LazyMemory {
    std::once_flag once;
    std::vector<RankMemory> ranks;
    MemoryPlan plan;
  };
  const LazyMemory &memory() const;

  std::shared_ptr<const PreparedModel> source;
  std::shared_ptr<const FoldedLaunches> folded;
  CostModel costModel;
  /// (P10) Power of the board with the highest one, relative to the mean.
  double hungriest = 1;
  /// The works that `resize` has placed.
  std::vector<std::optional<KernelWork>> placedFor;
  std::shared_ptr<LazyMemory> lazyMemory = std::make_shared<LazyMemory>();
  std::vector<PlacedWork> works;
  std::array<PhaseWork, getMaxEnumValForPhase() + 1> phases;
  /// Number of launches per kind in an iteration.
  std::vector<int64_t> kindCounts;
  /// Of a pipeline: PreparedPipeline::models, and the mean of `ideal` over
  /// the ranks.
  std::vector<std::shared_ptr<const PlacedModel>> stageModels;
  Seconds pipelineIdealTime;
  bool lowerBound = false;
};

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_PLACEDMODEL_H
