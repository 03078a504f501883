//===- Schedule.h - Costs of explicit schedules -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiler chooses tiles, warps and stages; a report predicts the choice of a
// library. `ScheduleModel` serves compilers: it is created once per problem and
// GPU, then evaluating a schedule takes a fraction of a microsecond. Order and
// ratio of schedules come from equations (F*), (I*), (Y*) and (Z*) of
// docs/CostModel.md, the absolute level from the calibrated model (V1).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_SCHEDULE_H
#define GPUCOST_CORE_MODEL_SCHEDULE_H

#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/ScheduleFields.h"
#include "gpucost/Core/Support/Span.h"
#include <memory>
#include <vector>

namespace gpucost {

/// Why a schedule cannot run.
enum class ScheduleFault : uint8_t {
  None,
  Unknown,        ///< a field that the model cannot choose is 0
  TileShape,      ///< not divisible by the hardware or the thread grid
  ThreadGrid,     ///< thread tile, warps and tile contradict each other
  Vector,         ///< loads wider than the elements per thread
  Copy,           ///< invalid layout of the threads that stage an operand
  Threads,        ///< per CTA
  Registers,      ///< per thread
  SharedMemory,   ///< per CTA
  CtasPerSm,      ///< more CTAs than fit
  Cluster,        ///< larger than the hardware supports
  SplitK,         ///< some splits have no K element
  NotOfStreams,   ///< memory-bound kernels have only vector_m, warps,
                  ///< ctas_per_sm
  NotOfAttention, ///< attention has only a tile, stages, warps, split_k,
                  ///< ctas_per_sm
};

/// SM resources that a schedule uses (F1)-(F3), or why it cannot run.
struct ScheduleFit {
  ScheduleFault fault = ScheduleFault::None;
  double threads = 0;     ///< per CTA
  double registers = 0;   ///< per thread, as allocated
  double spilled = 0;     ///< registers per thread that live in memory
  double sharedBytes = 0; ///< per CTA
  double ctasPerSm = 0;   ///< resident CTAs
  explicit operator bool() const { return fault == ScheduleFault::None; }
};

/// One launch with a schedule, before a clock is chosen.
struct ScheduledLaunch {
  Schedule schedule; ///< complete: all fields are set
  ScheduleFit fit;
  Tiling tiling; ///< as printed in reports
  LaunchTerms terms;
};

/// One schedule and its cost.
struct ScheduledCost {
  Schedule schedule; ///< complete: all fields are set
  ScheduleFit fit;
  KernelCost cost;
};

namespace detail {
struct ScheduleSetup;
} // namespace detail

/// Evaluates schedules of one matmul, convolution, attention or memory-bound
/// kernel on one GPU. Const methods are thread-safe.
class ScheduleModel {
public:
  /// Fails if schedules are not supported for `work` (collectives, depthwise
  /// convolutions, gradients of attention), if it is empty, or if the GPU lacks
  /// the facts or the coefficients. `model` must outlive the result.
  static Expected<ScheduleModel> create(const CostModel &model,
                                        const KernelWork &work,
                                        const KernelQuery &query = {});
  ScheduleModel(ScheduleModel &&) noexcept;
  ScheduleModel &operator=(ScheduleModel &&) noexcept;
  ~ScheduleModel();

  /// `schedule` with the fastest choice for each field that is 0, among the
  /// values that libraries use (V2): on tensor cores 4 or 8 warps. Other values
  /// may be predicted to be faster, but must be stated. If no candidate fits,
  /// the result is the fault of the first candidate.
  Schedule complete(const Schedule &schedule) const;
  /// Resources of a complete schedule. Does not allocate.
  ScheduleFit check(const Schedule &schedule) const;
  /// Time per launch with a complete schedule at the GPU's maximum clock;
  /// infinite if it cannot run. Does not allocate.
  Seconds timeOf(const Schedule &schedule) const;
  /// The launch as time terms and events, which can be summed over an
  /// iteration; fails like `estimate`.
  Expected<ScheduledLaunch> launch(const Schedule &schedule) const;
  /// Time, power and energy at the operating point. If the schedule cannot run,
  /// the error begins with "infeasible schedule" and states the reason.
  Expected<ScheduledCost> estimate(const Schedule &schedule) const;
  /// Message for the fault in `fit` of `schedule`; empty if it can run.
  std::string describeFault(const Schedule &schedule,
                            const ScheduleFit &fit) const;

  /// Candidates for the fields of `fixed` that are 0, in a fixed order.
  std::vector<Schedule> candidates(const Schedule &fixed = {}) const;
  /// The `count` best schedules in `space` that can run, best first. Ties keep
  /// the order of `space`.
  std::vector<ScheduledCost> top(Span<Schedule> space, size_t count,
                                 const ScheduleGoal &goal = {}) const;

  /// The cost of the library's kernel, in place of a schedule.
  Expected<KernelCost> library() const;
  /// A remark on a schedule: the choice of the library that makes it over 5 %
  /// faster than the library's kernel, which takes `libraryTime`, the kernel
  /// that makes it slower, or a number of warps that libraries do not use; ""
  /// if there is none.
  std::string remarkOn(const ScheduledCost &cost, Seconds libraryTime) const;

  /// Whether measured schedules for this kind of kernel and architecture
  /// validate the order.
  bool isValidated() const;
  /// In addition, whether `schedule` has a number of warps that libraries use
  /// (V2); schedules with fewer warps were not measured.
  bool isValidated(const Schedule &schedule) const;

private:
  explicit ScheduleModel(std::unique_ptr<detail::ScheduleSetup> setup);
  std::unique_ptr<detail::ScheduleSetup> setup;
};

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_SCHEDULE_H
