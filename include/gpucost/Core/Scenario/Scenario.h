//===- Scenario.h - Stated and resolved settings ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `Scenario` contains the stated settings, `Settings` the value of every
// setting. Settings.def declares them; only `resolve` chooses defaults and only
// `validate` (CheckScenario.h) rejects combinations. Independent of MLIR:
// `#gpucost.scenario` wraps a `Scenario`.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_SCENARIO_H
#define GPUCOST_CORE_SCENARIO_SCENARIO_H

#include "gpucost/Core/Scenario/ContextPlan.h"
#include "gpucost/Core/Scenario/OptimizerKind.h"
#include "gpucost/Core/Scenario/Parallelism.h"
#include "gpucost/Core/Scenario/Recomputation.h"
#include "gpucost/Core/Support/Quantity.h"
#include "gpucost/Core/Vocabulary/Formats.h"
#include "gpucost/Core/Vocabulary/KernelChoice.h"
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace gpucost {

/// Numbers by name, `*` for all other names: "batch:16,seq:128".
using NamedValues = std::map<std::string, int64_t>;

/// The part of the result that depends on a setting and is recomputed when it
/// changes.
enum class SettingEffect {
  Kernels,   ///< the list of kernels: only the model file is reused
  Placement, ///< the GPU and its coefficients: kernels are reused
  Evaluation ///< clock, power limit, host, prices: placed kernels are reused
};

/// The stated settings; quantities in SI units.
struct Scenario {
#define GPUCOST_SETTING(type, field, initial, flag, group, affects, spec,      \
                        help)                                                  \
  std::optional<type> field;
#define GPUCOST_OPTIONAL_SETTING(type, field, flag, group, affects, spec,      \
                                 help)                                         \
  std::optional<type> field;
#include "gpucost/Core/Scenario/Settings.def"

  bool operator==(const Scenario &other) const;
  bool operator!=(const Scenario &other) const { return !(*this == other); }
  /// Whether no setting is stated.
  bool empty() const { return *this == Scenario(); }
};

size_t hash_value(const Scenario &scenario);

/// Every setting with its value: the stated one or the default.
struct Settings {
#define GPUCOST_SETTING(type, field, initial, flag, group, affects, spec,      \
                        help)                                                  \
  type field = initial;
#define GPUCOST_OPTIONAL_SETTING(type, field, flag, group, affects, spec,      \
                                 help)                                         \
  std::optional<type> field;
#include "gpucost/Core/Scenario/Settings.def"

  /// The target's number format; nullopt without a target.
  std::optional<NumericFormat> format;

  bool trains() const { return mode == IterationMode::Training; }
  KernelChoice kernels() const { return {software, runtime, attention}; }
  /// Whether decoder layers run the fused kernels of a serving stack.
  bool fusesDecoderLayers() const;
  /// (N15) Whether a serving stack exchanges the rows of experts with DeepEP.
  bool usesDeepEp() const;
  /// The complete plan of `parallel` on `gpus` GPUs; one GPU of each kind if
  /// the plan requires a different number, which `validate` rejects.
  Parallelism plan() const {
    return parallel.on(gpus).value_or(Parallelism{1, 1, 0});
  }
  /// The complete plan of `context`, likewise.
  ContextPlan contextPlan() const;
  /// GPUs that wait for each other in a step: copies in inference do not.
  int64_t coupledGpus() const {
    bool isCopies = !trains() && !parallel.experts && parallel.data > 1;
    return isCopies ? plan().tensor * plan().pipeline : gpus;
  }
  /// Passes of an iteration, each with `batch` samples per GPU.
  int64_t microBatches() const;
  /// Samples of one pass on all data-parallel GPUs; 0 without a batch.
  int64_t samplesOfPass() const;
  /// Passes that --global-batch requires; 1 without it.
  int64_t passesOfGlobalBatch() const;
};

/// Properties of a scenario's GPU that settings depend on.
struct ScenarioTarget {
  std::string gpu; ///< name, for messages
  NumericFormat format = NumericFormat::FP32;
  Hertz minClock, maxClock;
  FormatSet formats; ///< formats that it computes in
  std::optional<double> computeCapability = std::nullopt;
  /// GPUs per node: of the named network, else of the GPU; nullopt: unknown.
  std::optional<int64_t> gpusPerNode = std::nullopt;
  /// Name of the network between nodes; "" if --network does not name one.
  std::string network = "";
};

/// Applies the settings that `other` states. If it names a GPU by target or by
/// file, that replaces both settings.
void stateAll(Scenario &scenario, const Scenario &other);

/// Replaces the settings that `changes` states.
void apply(const Scenario &changes, Settings &settings);

/// The value of every setting. Without a target, target-dependent settings have
/// the defaults of Settings.def.
Settings resolve(const Scenario &scenario,
                 const std::optional<ScenarioTarget> &target);

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_SCENARIO_H
