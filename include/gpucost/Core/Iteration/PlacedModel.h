//===- PlacedModel.h - A prepared model on one GPU --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tilings of a prepared model on one GPU, and from them time, power and
// energy of the iteration at any clock, power limit and host: equations (H*),
// (N2) and (P*) of docs/CostModel.md. The report, the attributes in the IR and
// the analyses all come from here. No IR.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_PLACEDMODEL_H
#define GPUCOST_CORE_ITERATION_PLACEDMODEL_H

#include "gpucost/Core/Iteration/MemoryPlan.h"
#include "gpucost/Core/Model/CostModel.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/OperatingPoint.h"
#include "gpucost/Core/Report/IterationReport.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace gpucost {

/// How the iteration is run.
struct IterationOptions {
  Runtime runtime = Runtime::Eager;
  /// Host cost of one launch (c_h); nullopt = the coefficients' default. CUDA
  /// graphs have no host cost.
  std::optional<Seconds> hostLaunch;
  /// (H10) Between two iterations; nullopt = that of the software's loop.
  std::optional<Seconds> stepGap;
  /// SM clock that is asked for; nullopt = the GPU's maximum.
  std::optional<Hertz> clock;
  /// Board power limit; nullopt = the GPU's.
  std::optional<Watts> powerLimit;

  /// Those that `settings` state, or `changes` instead.
  static IterationOptions of(const Settings &settings,
                             const Scenario &changes = {});
};

/// (P8) What a board that draws at most `limit` draws while a kernel runs that
/// would draw another power alone.
struct PowerShare {
  Watts limit = Watts(std::numeric_limits<double>::infinity());
  double scale = 1; ///< at least 1; infinite: the limit all the time

  Watts of(Watts alone) const {
    return std::isinf(scale) ? limit : std::min(limit, alone * scale);
  }
};

/// The iteration at one operating point.
struct IterationTotals {
  OperatingPoint point;
  Seconds time, busy, host;
  Joules energy;
  Watts power() const { return time > Seconds(0) ? energy / time : Watts(0); }
  std::array<PhaseTotals, getMaxEnumValForPhase() + 1> phases;
  PowerShare share;
};

/// What measurements say about totals.
struct IterationErrors {
  /// 80 % half-width of the GPU's busy time; nullopt: not known.
  std::optional<double> busy;
  /// nullopt: not known, or the totals are lower bounds.
  std::optional<IterationErrorBars> bars;
  /// Fraction of the busy time within what measurements have confirmed, 0..1.
  double calibratedFraction = 1;
};

/// The iteration at one operating point, without a report.
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
  /// What is costed: the kernel, or its bytes alone.
  KernelWork work;
  Tiling tiling;
  /// Why only the bytes are costed, a lower bound; "" for a modelled kernel.
  std::string reason;
  /// What was decided about it, with `tiling` after it.
  Schedule schedule;
  /// Why `tiling` is the model's choice nevertheless, which reports note.
  std::string note;
  /// Those that placing it found, for whoever needs them next; or none.
  std::optional<LaunchTerms> terms;
};

/// Chooses what `schedule` leaves open of the tiling of `work`. Where the GPU
/// or the coefficients lack what it needs, or where the schedule cannot run,
/// its bytes are left: never a silent zero.
PlacedKernel placeKernel(const CostModel &model, const KernelWork &work,
                         const Schedule &schedule = {});

class PlacedModel {
public:
  /// Places every kernel, or takes those of `kernels` (one for each of
  /// `PreparedModel::works`). Fails without power or runtime coefficients, and
  /// when one of `kernels` has no cost; `failed` is its index then.
  static Expected<PlacedModel>
  create(std::shared_ptr<const PreparedModel> prepared, const CostModel &model,
         const std::vector<PlacedKernel> *kernels = nullptr,
         size_t *failed = nullptr);

  const PreparedModel &prepared() const { return *source; }
  const std::shared_ptr<const PreparedModel> &sharedModel() const {
    return source;
  }
  const CostModel &model() const { return costModel; }
  const PlacedKernel &kernel(size_t work) const { return works[work].kernel; }
  /// Of one launch of `work`, on average over the iteration.
  const KernelEvents &eventsOf(size_t work) const { return works[work].events; }
  /// Of one launch of `work`, what L2 holds of its tensors included (M12).
  const LaunchTerms &launchTerms(size_t work) const {
    return works[work].terms;
  }
  /// False: outside of what measurements have confirmed.
  bool isValidated(size_t work) const {
    return works[work].terms.inCalibratedDomain;
  }
  /// The refinements of single kernels that the terms depend on.
  GroupSet refinements() const {
    GroupSet all;
    for (const PlacedWork &work : works)
      all |= work.terms.refinements;
    return all;
  }
  /// Memory, replayed when somebody first asks.
  const MemoryPlan &memoryPlan() const {
    std::call_once(lazyMemory->once, [&] {
      lazyMemory->plan =
          planMemory(prepared(), costModel.gpu(), costModel.coefficients());
    });
    return lazyMemory->plan;
  }
  /// Kernels that the host launches, layout conversions inside library calls
  /// not counted.
  int64_t hostLaunches() const;
  /// (H10) In which the GPU waits for the next iteration.
  Seconds stepGap(const IterationOptions &options) const;
  /// How long and why, for people; "" without such a wait.
  std::string describeStepGap(const IterationOptions &options) const;

  /// Time and energy of one launch of `work` alone, without an error bar.
  LaunchCost launchCost(size_t work, Hertz clock) const;
  /// The same as a part of an iteration.
  LaunchCost launchCost(size_t work, const IterationTotals &totals) const;
  /// The iteration at `clock`, whatever it draws.
  IterationTotals totalsAt(Hertz clock, const IterationOptions &options) const;
  /// (P6) The highest clock that keeps the power limit, and the iteration
  /// there.
  IterationTotals solve(const IterationOptions &options) const;
  /// The same with intervals: what a sweep needs of a point, in a fraction of
  /// the time of a report.
  IterationSummary summarize(const IterationOptions &options) const;
  /// What most of the busy time is bound by; the host, where the GPU waits
  /// for it.
  Bound boundOf(const IterationTotals &totals) const;
  IterationErrors errorsOf(const IterationTotals &totals,
                           const IterationOptions &options) const;
  /// (H9) Host cost of a launch in `phase`, and how it joins the GPU's time.
  RuntimeCoefficients hostOf(Phase phase,
                             const IterationOptions &options) const;
  /// (H8) Between two kernels.
  Seconds gapAt(Hertz clock, const IterationOptions &options) const;
  /// Something is not in the totals, or its bytes alone are.
  bool isLowerBound() const { return lowerBound; }
  /// Nothing is known of what the iteration launches.
  bool isUnknown() const;
  /// Why drivers do not set `limit` on such a board; "" when they do.
  std::string refusePowerLimit(Watts limit) const;
  /// The full report at the operating point that `solve` finds.
  IterationReport evaluate(const IterationOptions &options) const;
  /// The same with the settings that the model was prepared with.
  IterationReport evaluate() const {
    return evaluate(IterationOptions::of(prepared().settings));
  }
  /// The same from totals that are already known.
  IterationReport report(const IterationSummary &summary,
                         const IterationOptions &options) const;
  /// Gives a report of this model the totals of another operating point; its
  /// kernels, shares of time and notes stay those of its own.
  void restateTotals(IterationReport &report, const IterationSummary &summary,
                     const IterationOptions &options) const;

private:
  struct PlacedWork {
    PlacedKernel kernel;
    LaunchTerms terms;
    /// After L2, of one launch; cold reads included (P7).
    KernelEvents events;
  };
  /// Launches between two points where the host waits for the GPU.
  struct Segment {
    /// Index into `works` and number of launches.
    std::vector<std::pair<uint32_t, double>> launches;
    int64_t hostLaunches = 0, libraryLaunches = 0;
    /// How often the host waits at its end.
    int64_t synchronizations = 0;
  };
  /// What all launches of one phase share; independent of the clock.
  struct PhaseWork {
    /// Where `Segment`s of the phase begin and end, in program order.
    std::vector<Segment> segments;
    /// Calls `visit(index into works, number of launches)`.
    template <typename Visit> void forEach(Visit visit) const {
      for (const Segment &segment : segments)
        for (const auto &[work, count] : segment.launches)
          visit(work, count);
    }
    KernelEvents events;
    int64_t hostLaunches = 0;
    int64_t kernels = 0, flops = 0, bytes = 0;
  };

  PlacedModel(std::shared_ptr<const PreparedModel> prepared,
              const CostModel &model)
      : source(std::move(prepared)), costModel(model) {}
  void addColdReads();
  /// (M12) Times memory-bound kernels by what L2 holds of their tensors.
  void followTensors();
  void sumPhases();
  /// What all reports and summaries share. (Summary.cpp)
  void sumKinds();
  /// Busy, host and wall time of one segment.
  PhaseTotals totalsOf(const Segment &segment,
                       const std::vector<Seconds> &times,
                       const RuntimeCoefficients &host, Seconds gap,
                       bool graph) const;
  /// Spreads what single kernels draw above `limit` (P8). (PowerShare.cpp)
  void sharePower(IterationTotals &totals, Watts limit) const;
  using PhaseFactors = std::array<double, getMaxEnumValForPhase() + 1>;
  /// (N8) Of the multiprocessors, what collectives keep.
  double channelShare() const;
  /// (N3) What the collectives add to the computation of one accumulated pass:
  /// the last one, or one before it.
  double exposedIn(bool lastPass, const std::vector<Seconds> &times,
                   Seconds gap, const PhaseFactors &stretch) const;
  /// Adds time and energy of the collectives to the computation in `totals`.
  /// (Overlap.cpp)
  void addCommunication(IterationTotals &totals,
                        const std::vector<Seconds> &times, Seconds gap) const;

  struct LazyMemory {
    std::once_flag once;
    MemoryPlan plan;
  };

  std::shared_ptr<const PreparedModel> source;
  CostModel costModel;
  std::shared_ptr<LazyMemory> lazyMemory = std::make_shared<LazyMemory>();
  std::vector<PlacedWork> works;
  std::array<PhaseWork, getMaxEnumValForPhase() + 1> phases;
  /// Launches of each kind in an iteration.
  std::vector<int64_t> kindCounts;
  /// Matrix FLOPs over the peaks of their formats.
  Seconds idealTime;
  bool lowerBound = false;
};

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_PLACEDMODEL_H
