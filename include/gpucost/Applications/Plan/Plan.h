//===- Plan.h - The best plan of a training run -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How to train a model on many GPUs: tensor, context, pipeline and data
// parallelism, micro-batch, schedule and recomputation. A plan is a point of a
// space (Sweep/Space.h). The search composes every plan from stages of few
// layers, and analyzes the best ones in full.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_PLAN_PLAN_H
#define GPUCOST_APPLICATIONS_PLAN_PLAN_H

#include "gpucost/Applications/Sweep/Optimize.h"
#include "gpucost/Core/Iteration/StageClocks.h"
#include <memory>

namespace gpucost::plan {

/// A kind of data parallelism in addition to `dataParallelKinds`: fsdp in each
/// node, and as many copies as there are nodes for it (X31).
inline constexpr std::string_view hybridSharding = "hsdp";

/// The kinds of data parallelism, and sizes of the other kinds, among which a
/// plan is chosen. Empty: the default of the model, the GPUs and the stack.
struct PlanChoices {
  std::vector<std::string> data; ///< "ddp", "zero1", "hsdp"
  std::vector<int64_t> tensor, context, pipeline, experts;
  /// Plans with a global batch in proportion to the GPUs, too.
  bool scalesBatch = false;
};

/// What the time of a plan consists of, on its busiest rank.
struct PlanTerms {
  Seconds computation;
  Seconds communication; ///< that computation does not hide
  Seconds waiting;       ///< for other ranks
  Seconds transfers;     ///< between stages, that stop the rank
  Seconds update;        ///< optimizer and last collectives

  /// A part, its name in JSON and in comparisons, and the name in a sentence.
  struct Part {
    Seconds PlanTerms::*member;
    const char *name, *phrase;
  };
  static llvm::ArrayRef<Part> parts();
};

/// The best plan without one property of the chosen plan.
struct Alternative {
  std::string property;        ///< "tp", "recompute", ...
  std::string chosen, other;   ///< its values
  std::optional<size_t> index; ///< into the results; nullopt: no plan fits
  std::string reason;          ///< why it is worse, or why none fits
};

/// The best plan on some number of GPUs.
struct ScalingPoint {
  sweep::PointResult plan;
  /// Throughput per GPU divided by that with the fewest GPUs.
  double efficiency = 1;
};

/// Whose clocks a search chooses.
enum class ClockChoice : uint8_t {
  None,
  Ranks, ///< one of each rank
  Passes ///< those of forward and backward passes of each rank
};

struct PlanResult {
  sweep::Optimum optimum;
  /// Of each result; zero for results without numbers.
  std::vector<PlanTerms> terms;
  /// Plans that the choices allow, those whose memory excludes them, and those
  /// that were analyzed in full.
  int64_t plans = 0, unfit = 0, analyzed = 0;
  /// Largest difference between a composed and an analyzed time; 0..1.
  double difference = 0;
  /// Why plans were not composed of stages; "" if they were.
  std::string exactReason;
  std::vector<Alternative> alternatives;
  /// With the same global batch for all numbers of GPUs (strong scaling), and
  /// with one in proportion to them (weak scaling); empty for one number.
  std::vector<ScalingPoint> scaling, weakScaling;
  /// The plan that the user states, analyzed in full.
  std::optional<sweep::PointResult> stated;
  std::string statedText;
  /// Clocks of the choice; nullopt if they are not requested, or if it has no
  /// stages.
  std::optional<StageClockChoice> clocks;
  ClockChoice clockChoice = ClockChoice::None;
};

/// The settings of a search: those that are given, and the default values of
/// settings that a plan chooses.
llvm::Expected<sweep::Space>
createPlanSpace(const std::vector<std::string> &models,
                std::vector<sweep::AxisText> texts, const PlanChoices &choices);

/// Whether `texts` have `--recompute=auto`, which is removed: each plan gets
/// the best recomputation that fits and keeps the bounds. Fails if it has other
/// values, too.
llvm::Expected<bool>
takeAutomaticRecomputation(std::vector<sweep::AxisText> &texts);

/// Replaces `--offload-activations=auto` by plans with and without it.
llvm::Error takeAutomaticOffload(std::vector<sweep::AxisText> &texts);

/// The value of `--stage-clocks` in `texts`, "auto" or "auto-passes", which is
/// removed. Fails for others.
llvm::Expected<ClockChoice>
takeAutomaticClocks(std::vector<sweep::AxisText> &texts);

/// A part of the plans of a search, from 1.
struct PlanPart {
  int64_t index = 1, count = 1;
};

struct PlanOptions {
  unsigned jobs = 1; ///< threads
  /// What `composePart` returned for all parts; empty: the search composes the
  /// plans.
  std::vector<std::string> parts;
  /// Choose clocks of the ranks of the best plan that keep the bounds of its
  /// time, or else its time.
  ClockChoice clocks = ClockChoice::None;
  /// Of plans that differ only in recomputation, keep the best that fits and
  /// keeps the bounds.
  bool choosesRecomputation = false;
  /// The space has global batches in proportion to the GPUs
  /// (PlanChoices::scalesBatch): adds the weak scaling.
  bool scalesBatch = false;
  /// Flags of a plan to compare with, such as "--parallel=tp8.pp4.zero1".
  std::vector<sweep::AxisText> stated;
  std::string statedText;
};

/// Fails if a price, a grid or the size of a run is missing, or if no plan can
/// be evaluated.
llvm::Expected<PlanResult> searchPlans(const sweep::Space &space,
                                       const sweep::Goal &goal,
                                       const PlanOptions &options);

/// The plans of a part of a search as text, before the best ones are analyzed:
/// several machines compose them, and a search joins them.
llvm::Expected<std::string> composePart(const sweep::Space &space,
                                        const PlanOptions &options,
                                        const PlanPart &part);

/// Frameworks whose arguments `launchArguments` writes.
std::vector<std::string_view> launchers();
/// The arguments of `launcher` that start the plan of `settings`, one per
/// element.
std::vector<std::string> launchArguments(llvm::StringRef launcher,
                                         const Settings &settings);

/// Prints the result with `top` plans of its ranking.
void printPlan(const PlanResult &result, const sweep::Space &space, size_t top,
               llvm::StringRef launcher, llvm::raw_ostream &os);
void printPlanJson(const PlanResult &result, const sweep::Space &space,
                   size_t top, llvm::StringRef version, llvm::raw_ostream &os,
                   bool everyPoint = false);

} // namespace gpucost::plan

#endif // GPUCOST_APPLICATIONS_PLAN_PLAN_H
