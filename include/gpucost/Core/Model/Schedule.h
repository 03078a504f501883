//===- Schedule.h - Costs of explicit schedules -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiler chooses tiles, warps and stages; a report predicts what a library
// chooses. `ScheduleModel` answers the compiler: it is made once for a product
// on a GPU, then each schedule costs a fraction of a microsecond. Order and
// ratio of schedules come from equations (F*), (I*), (Y*) and (Z*) of
// docs/CostModel.md, the level from the calibrated model (V1).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_SCHEDULE_H
#define GPUCOST_CORE_MODEL_SCHEDULE_H

#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Support/Span.h"
#include <memory>
#include <vector>

namespace gpucost {

#define GPUCOST_RECORDS "gpucost/Core/Model/Schedule.def"
#include "gpucost/Core/Support/DefineRecords.inc"

/// Why a schedule cannot run.
enum class ScheduleFault : uint8_t {
  None,
  Unknown,        ///< a field that the model cannot choose is 0
  TileShape,      ///< not what the hardware or the thread grid can divide
  ThreadGrid,     ///< thread tile, warps and tile contradict each other
  Vector,         ///< loads wider than a thread's elements
  Copy,           ///< no layout of the threads that stage an operand
  Threads,        ///< of a CTA
  Registers,      ///< of a thread
  SharedMemory,   ///< of a CTA
  CtasPerSm,      ///< more than fit
  Cluster,        ///< larger than the hardware's
  SplitK,         ///< parts without a K element
  NotOfStreams,   ///< a memory-bound kernel has vector_m, warps, ctas_per_sm
  NotOfAttention, ///< attention has a tile, stages, warps, split_k, ctas_per_sm
};

/// What a schedule takes of an SM (F1)-(F3), or why it cannot run.
struct ScheduleFit {
  ScheduleFault fault = ScheduleFault::None;
  double threads = 0;     ///< of a CTA
  double registers = 0;   ///< of a thread, as allocated
  double spilled = 0;     ///< registers of a thread that live in memory
  double sharedBytes = 0; ///< of a CTA
  double ctasPerSm = 0;   ///< resident at a time
  explicit operator bool() const { return fault == ScheduleFault::None; }
};

/// One launch with a schedule, before anybody has chosen a clock.
struct ScheduledLaunch {
  Schedule schedule; ///< complete: no field is left to the model
  ScheduleFit fit;
  Tiling tiling; ///< as reports state it
  LaunchTerms terms;
};

/// One schedule and what it costs.
struct ScheduledCost {
  Schedule schedule; ///< complete: no field is left to the model
  ScheduleFit fit;
  KernelCost cost;
};

/// What `ScheduleModel::top` looks for.
struct ScheduleGoal {
  Objective objective = Objective::Time;
  /// Schedules that take longer do not count; nullopt: none.
  std::optional<Seconds> timeLimit;
};

namespace detail {
struct ScheduleSetup;
} // namespace detail

/// Schedules of one product, attention or memory-bound kernel on one GPU. Const
/// methods are thread-safe.
class ScheduleModel {
public:
  /// An error when `work` has no schedules (convolutions, decoding, gradients
  /// of attention), is empty, or the GPU lacks the facts or the coefficients.
  /// `model` must outlive the result.
  static Expected<ScheduleModel> create(const CostModel &model,
                                        const KernelWork &work,
                                        const KernelQuery &query = {});
  ScheduleModel(ScheduleModel &&);
  ScheduleModel &operator=(ScheduleModel &&);
  ~ScheduleModel();

  /// `schedule` with the fastest choice for each field that is 0. When nothing
  /// fits, the fault is that of the candidate that the model looked at first.
  Schedule complete(const Schedule &schedule) const;
  /// Resources of a complete schedule. Does not allocate.
  ScheduleFit check(const Schedule &schedule) const;
  /// Time of one launch of a complete schedule at the GPU's maximum clock;
  /// infinite when it cannot run. Does not allocate.
  Seconds timeOf(const Schedule &schedule) const;
  /// The launch as time terms and events, which sum up to an iteration; errors
  /// as of `estimate`.
  Expected<ScheduledLaunch> launch(const Schedule &schedule) const;
  /// Time, power and energy at the operating point; an error that begins with
  /// "infeasible schedule" says why it cannot run.
  Expected<ScheduledCost> estimate(const Schedule &schedule) const;
  /// Why `fit` of `schedule` cannot run, in words; empty when it can.
  std::string describeFault(const Schedule &schedule,
                            const ScheduleFit &fit) const;

  /// Candidates for the fields of `fixed` that are 0, in a fixed order.
  std::vector<Schedule> candidates(const Schedule &fixed = {}) const;
  /// The best `count` of `space`, best first; those that cannot run do not
  /// count. Of equally good ones the first in `space` comes first.
  std::vector<ScheduledCost> top(Span<Schedule> space, size_t count,
                                 const ScheduleGoal &goal = {}) const;

  /// Measured schedules of this kind of kernel and architecture confirm the
  /// order.
  bool isValidated() const;

private:
  explicit ScheduleModel(std::unique_ptr<detail::ScheduleSetup> setup);
  std::unique_ptr<detail::ScheduleSetup> setup;
};

/// "tile_m=128 tile_n=64 tile_k=32 warps=4": the fields that are set, as a
/// kernel query takes them.
std::string describeSchedule(const Schedule &schedule);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_SCHEDULE_H
