//===- StageLibrary.h - Stages of plans that differ in sizes ----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thousands of plans consist of few different kernels. A library prepares
// stages with two small numbers of layers and of data-parallel GPUs, and
// derives all others: the cost of a stage is linear in its layers, and
// data-parallel GPUs divide sizes (Iteration/ReplicaFamily.h).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_PLAN_STAGELIBRARY_H
#define GPUCOST_LIB_APPLICATIONS_PLAN_STAGELIBRARY_H

#include "gpucost/Applications/Sweep/ModelPool.h"
#include "gpucost/Applications/Sweep/TargetModel.h"
#include "gpucost/Core/Iteration/FoldedLaunches.h"
#include "gpucost/Core/Iteration/ReplicaFamily.h"
#include "gpucost/Core/Scenario/LayerBalance.h"
#include <array>
#include <map>
#include <mutex>

namespace gpucost::plan {

/// Position of a stage in its pipeline; `Whole`: the only stage.
enum class StagePlace : uint8_t { First, Middle, Last, Whole };
inline constexpr size_t stagePlaces = 4;

/// A stage of some layers on one GPU.
struct StageSample {
  StageRun run;
  /// The most that a board consumes while it runs the stage.
  Joules mostEnergy;
  StageMemory memory;
  /// Of one micro-batch, without communication.
  Seconds computation;
  Seconds ideal;
  /// Times to the next and the previous stage: [0] inside a node, [1] to
  /// another one.
  std::array<Seconds, 2> sendForward, sendBackward;
  IterationErrors errors;
  /// Of an iteration on all GPUs.
  int64_t samples = 0, tokens = 0;
  bool throttled = false, isLowerBound = false, hasLevel = false;

  /// The stage with `layers` layers, given two with `few` and `many`.
  static StageSample between(const StageSample &a, int64_t few,
                             const StageSample &b, int64_t many,
                             int64_t layers);
};

/// The layers of a model, equal ones.
struct ModelLayers {
  LayerWork work;
  /// The configuration to shorten; nullopt: stages are cut out of all layers.
  std::optional<std::string> configuration;
  int64_t count() const { return static_cast<int64_t>(work.layers.size()); }
};

/// Stages of one model on one GPU. Thread-safe.
class StageLibrary {
public:
  /// `model` and `target` must outlive the library.
  StageLibrary(sweep::ModelPool &model, const ModelLayers &layers,
               const sweep::TargetModel &target)
      : model(model), layers(layers), target(target) {}

  /// Stages for plans that differ only in the numbers of stages and
  /// data-parallel GPUs, in the schedule and the split into layers.
  class Shelf;
  /// Equal for settings that can share a shelf.
  static std::string shelfKey(const Settings &settings);
  ScheduleMemo &schedules() { return memo; }

private:
  friend class Shelf;
  /// The model with `count` layers, or the whole model if it has no
  /// configuration.
  sweep::ModelPool &poolOf(int64_t count);

  sweep::ModelPool &model;
  const ModelLayers &layers;
  const sweep::TargetModel &target;
  ScheduleMemo memo;
  std::mutex mutex;
  std::map<int64_t, std::unique_ptr<sweep::ModelPool>> shorter;
};

/// Belongs to one thread.
class StageLibrary::Shelf {
public:
  Shelf(StageLibrary &library, const Scenario &scenario)
      : library(library), scenario(scenario) {}

  /// The stage with `layers` layers for these settings of a plan; `operation`
  /// numbers the settings that affect only the evaluation.
  Expected<StageSample> sample(StagePlace place, int64_t layers,
                               const Settings &settings, int64_t operation);

private:
  struct Family {
    std::optional<ReplicaFamily> replicas;
    std::string fault;
  };
  /// By number of layers, then by place.
  using Stages = std::array<Family, stagePlaces>;

  const Family &familyOf(StagePlace place, int64_t layers,
                         const Settings &settings);
  Stages prepareStages(int64_t layers, bool isWhole, const Settings &settings);
  Expected<StageSample> place(StagePlace place, int64_t layers,
                              const Settings &settings, int64_t operation);

  StageLibrary &library;
  const Scenario scenario;
  std::map<std::tuple<int64_t, bool, bool, bool>, Stages> families;
  std::map<std::tuple<StagePlace, int64_t, int64_t, int64_t, int64_t, int64_t>,
           Expected<StageSample>>
      samples;
  /// By place, layers, data-parallel GPUs, whether passes are accumulated, and
  /// operation: no other setting changes these parts of a stage.
  struct FixedPart {
    StageMemory memory;
    std::shared_ptr<const FoldedLaunches> folded;
  };
  std::map<std::tuple<StagePlace, int64_t, int64_t, bool, int64_t>, FixedPart>
      fixed;
  /// The clocks of the last samples, by place and layers.
  std::map<std::pair<StagePlace, int64_t>, ClockGuess> clocks;
};

} // namespace gpucost::plan

#endif // GPUCOST_LIB_APPLICATIONS_PLAN_STAGELIBRARY_H
