//===- Evaluator.cpp - Points of a space, sharing their work --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/Evaluator.h"
#include "OnceCache.h"
#include "StepFamilies.h"
#include "gpucost/Applications/Sweep/ModelPool.h"
#include "gpucost/Applications/Sweep/TargetModel.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Core/Iteration/Restate.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>

using namespace gpucost;
using namespace gpucost::sweep;

namespace {

using TargetOutcome = Outcome<TargetModel>;
using PreparedOutcome = Outcome<PreparedModel>;
using PlacedOutcome = Outcome<PlacedModel>;

} // namespace

struct Evaluator::Impl {
  Impl(const Space &space, unsigned threads)
      : space(space), families(space), prepared(8 + 2 * threads),
        placed(2 + 2 * threads) {}

  /// Names the GPU of `scenario`, its links and whose kernels it runs.
  static std::string targetKey(const Scenario &scenario);
  /// Names the kernels for `settings`.
  static std::string kernelKey(size_t model, const Settings &settings,
                               const ScenarioTarget &gpu);

  /// Names the family of shapes that has them; empty where there is none.
  std::string familyName(size_t model, const Settings &settings,
                         const ScenarioTarget &gpu) const {
    return families.nameOf(settings, [&](const Settings &others) {
      return kernelKey(model, others, gpu);
    });
  }

  std::shared_ptr<const TargetOutcome> targetOf(const Scenario &scenario);
  std::shared_ptr<const PreparedOutcome>
  prepare(size_t model, const Scenario &scenario, const ScenarioTarget &gpu);
  PreparedOutcome prepareAlone(size_t model, const Scenario &scenario);
  PlacedOutcome place(int64_t block, const Scenario &scenario,
                      const TargetModel &target);
  /// Places a block; the GPU is known.
  std::shared_ptr<const PlacedOutcome> placeOnce(int64_t block,
                                                 const Scenario &scenario,
                                                 const TargetModel &target) {
    return placed.get(block, [&] { return place(block, scenario, target); });
  }
  /// The settings that all points of a block state, and the model's settings.
  Scenario scenarioOf(int64_t block) const {
    return stateOn(stated[space.modelOf(block)], space.scenarioOfBlock(block));
  }
  PointResult evaluate(int64_t point, const PlacedModel &model,
                       const Settings &settings, bool unfitNumbers = true);

  const Space space;
  StepFamilies families;
  std::vector<std::unique_ptr<ModelPool>> pools;
  std::atomic<int64_t> preparations = 0;
  /// The settings of each module.
  std::vector<Scenario> stated;
  /// Targets are data files that MLIR parses: one thread at a time.
  OnceCache<std::string, TargetOutcome> targets{64};
  OnceCache<std::string, PreparedOutcome> prepared;
  OnceCache<int64_t, PlacedOutcome> placed;
};

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

std::string Evaluator::Impl::targetKey(const Scenario &scenario) {
  std::string key;
  forEachSetting([&](const auto &row) {
    if (const auto &value = scenario.*row.stated;
        value && row.affects == SettingEffect::Placement)
      key += std::string(row.flag) + "=" + toText(*value, row.spec) + "\n";
  });
  // They choose kernels and their coefficients.
  KernelChoice kernels = resolve(scenario, std::nullopt).kernels();
  key += stringifySoftware(kernels.software);
  key += kernels.isGenerated() ? " generated " : " ";
  key += stringifyAttentionMode(kernels.attention);
  return key;
}

std::shared_ptr<const TargetOutcome>
Evaluator::Impl::targetOf(const Scenario &scenario) {
  return targets.get(targetKey(scenario),
                     [&] { return resolveTarget(scenario); });
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

std::string Evaluator::Impl::kernelKey(size_t model, const Settings &settings,
                                       const ScenarioTarget &gpu) {
  std::string key = std::to_string(model);
  KernelUnits units = kernelUnits(gpu);
  key +=
      "\n" + std::to_string(units.formats.bits) + (units.bf16 ? "\nbf16" : "");
  if (settings.format)
    key += "\n" + std::string(stringifyNumericFormat(*settings.format));
  forEachSetting([&](const auto &row) {
    if (row.affects != SettingEffect::Kernels)
      return;
    key += "\n";
    if (const auto *value = row.valueIn(settings))
      key += "=" + toText(*value, row.spec);
  });
  return key;
}

PreparedOutcome Evaluator::Impl::prepareAlone(size_t model,
                                              const Scenario &scenario) {
  ++preparations;
  auto kernels = pools[model]->prepare(scenario);
  if (!kernels)
    return {nullptr, kernels.error().message};
  return {*kernels, "", PointStatus::Ok};
}

std::shared_ptr<const PreparedOutcome>
Evaluator::Impl::prepare(size_t model, const Scenario &scenario,
                         const ScenarioTarget &gpu) {
  Settings settings = resolve(scenario, gpu);
  return prepared.get(
      kernelKey(model, settings, gpu), [&]() -> PreparedOutcome {
        auto prepareShape =
            [&](const StepShape &shape) -> Expected<StepFamilies::Model> {
          PreparedOutcome outcome =
              prepareAlone(model, StepFamilies::stating(scenario, shape));
          if (outcome.value)
            return outcome.value;
          return fail(outcome.reason);
        };
        // Families of shapes have no stages.
        if (settings.plan().pipeline > 1)
          return prepareAlone(model, scenario);
        if (StepFamilies::Model step = families.find(
                familyName(model, settings, gpu), settings, prepareShape))
          return {step, "", PointStatus::Ok};
        return prepareAlone(model, scenario);
      });
}

PlacedOutcome Evaluator::Impl::place(int64_t block, const Scenario &scenario,
                                     const TargetModel &target) {
  std::shared_ptr<const PreparedOutcome> kernels =
      prepare(space.modelOf(block), scenario, target.facts);
  if (!kernels->value)
    return {nullptr, kernels->reason, kernels->status};
  std::vector<PlacedKernel> tilings = target.memo->placeAll(*kernels->value);
  Expected<PlacedModel> placed =
      PlacedModel::create(kernels->value, target.costModel, &tilings);
  if (!placed)
    return {nullptr, placed.error().message};
  return {std::make_shared<const PlacedModel>(std::move(*placed)), "",
          PointStatus::Ok};
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

PointResult Evaluator::Impl::evaluate(int64_t point, const PlacedModel &model,
                                      const Settings &settings,
                                      bool unfitNumbers) {
  PointResult result;
  result.point = point;
  const Gpu &gpu = model.model().gpu();
  result.gpu = gpu.name;
  result.format = model.prepared().format;
  const MemoryPlan &memory = model.memoryPlan();
  if (model.isUnknown()) {
    result.status = PointStatus::Unknown;
    result.reason = "the kernels of all ops are unknown";
    return result;
  }
  bool isRejected =
      settings.powerLimit &&
      !model.model().refusePowerLimit(*settings.powerLimit).empty();
  setMemory(result, memory, gpu, isRejected);
  if (result.status == PointStatus::DoesNotFit && !unfitNumbers)
    return result;
  IterationSummary summary = model.summarize(settings);
  const IterationTotals &totals = summary.totals;
  setTotals(result,
            {totals.time, totals.energy, totals.point, summary.errors.bars,
             summary.mfu},
            model.model(), settings);
  result.isLowerBound = model.isLowerBound();
  result.samples = model.prepared().samples;
  result.tokens = model.prepared().tokens;
  result.iterations = iterationsOfRun(settings, result.samples, result.tokens);
  if (std::string why = model.describeBrokenLimit(settings, totals);
      !why.empty()) {
    result.status = PointStatus::Refused;
    result.reason = why;
  }
  return result;
}

std::vector<PointResult> Evaluator::evaluate(int64_t block,
                                             llvm::ArrayRef<int64_t> operations,
                                             bool unfitNumbers) const {
  std::vector<PointResult> results;
  results.reserve(operations.size());
  Scenario common = impl->scenarioOf(block);
  std::shared_ptr<const TargetOutcome> target = impl->targetOf(common);
  for (int64_t operation : operations) {
    int64_t point = block * impl->space.blockSize() + operation;
    auto reject = [&](PointStatus status, std::string reason) {
      PointResult result;
      result.point = point;
      result.status = status;
      result.reason = std::move(reason);
      results.push_back(std::move(result));
    };
    if (!target->value) {
      reject(target->status, target->reason);
      continue;
    }
    Scenario scenario = common;
    impl->space.stateOperation(scenario, operation);
    if (llvm::Error error = validate(scenario, target->value->facts)) {
      reject(PointStatus::Refused, llvm::toString(std::move(error)));
      continue;
    }
    std::shared_ptr<const PlacedOutcome> placed =
        impl->placeOnce(block, scenario, *target->value);
    if (!placed->value) {
      reject(placed->status, placed->reason);
      continue;
    }
    results.push_back(impl->evaluate(point, *placed->value,
                                     resolve(scenario, target->value->facts),
                                     unfitNumbers));
  }
  return results;
}

std::string Evaluator::preparationOf(int64_t block) const {
  Scenario scenario = impl->scenarioOf(block);
  std::shared_ptr<const TargetOutcome> target = impl->targetOf(scenario);
  if (!target->value)
    return "";
  const ScenarioTarget &gpu = target->value->facts;
  impl->space.stateOperation(scenario, 0);
  // Points that are refused need no settings.
  if (llvm::Error error = validate(scenario, gpu)) {
    llvm::consumeError(std::move(error));
    return "";
  }
  Settings settings = resolve(scenario, gpu);
  size_t model = impl->space.modelOf(block);
  std::string family = impl->familyName(model, settings, gpu);
  return family.empty() ? Impl::kernelKey(model, settings, gpu) : family;
}

int64_t Evaluator::preparations() const { return impl->preparations; }

Scenario Evaluator::scenarioOf(int64_t block) const {
  return impl->scenarioOf(block);
}

std::shared_ptr<const Outcome<TargetModel>>
Evaluator::targetOf(const Scenario &scenario) const {
  return impl->targetOf(scenario);
}

ModelPool &Evaluator::poolOf(size_t model) const { return *impl->pools[model]; }

PointResult Evaluator::evaluateAtDefault(int64_t point) const {
  PointResult result;
  result.point = point;
  llvm::Expected<Placed> placed = place(point);
  if (!placed) {
    result.status = PointStatus::Error;
    result.reason = llvm::toString(placed.takeError());
    return result;
  }
  placed->settings.clock.reset();
  placed->settings.powerLimit.reset();
  return impl->evaluate(point, *placed->model, placed->settings);
}

llvm::Expected<Evaluator::Placed> Evaluator::place(int64_t point) const {
  int64_t block = point / impl->space.blockSize();
  Scenario scenario = impl->scenarioOf(block);
  std::shared_ptr<const TargetOutcome> target = impl->targetOf(scenario);
  if (!target->value)
    return llvm::createStringError(target->reason);
  impl->space.stateOperation(scenario, point % impl->space.blockSize());
  if (llvm::Error error = validate(scenario, target->value->facts))
    return std::move(error);
  std::shared_ptr<const PlacedOutcome> placed =
      impl->placeOnce(block, scenario, *target->value);
  if (!placed->value)
    return llvm::createStringError(placed->reason);
  return Placed{placed->value, resolve(scenario, target->value->facts)};
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

Evaluator::Evaluator() = default;
Evaluator::~Evaluator() = default;
const Space &Evaluator::space() const { return impl->space; }

llvm::Expected<std::unique_ptr<Evaluator>> Evaluator::create(const Space &space,
                                                             unsigned threads) {
  std::unique_ptr<Evaluator> evaluator(new Evaluator());
  evaluator->impl = std::make_unique<Impl>(space, threads);
  Impl &impl = *evaluator->impl;
  for (const std::string &file : space.models()) {
    if (file == "-")
      return llvm::createStringError(
          "a sweep reads its models more than once: give files");
    impl.pools.push_back(std::make_unique<ModelPool>(file));
    llvm::Expected<std::unique_ptr<ImportedModel>> model =
        impl.pools.back()->take();
    if (!model) {
      // Most importers name the file.
      std::string why = llvm::toString(model.takeError());
      return llvm::createStringError(
          llvm::StringRef(why).contains(file) ? why : file + ": " + why);
    }
    impl.stated.push_back((*model)->stated());
    impl.pools.back()->giveBack(std::move(*model));
  }
  // A misspelt target is a mistake, not ten thousand results.
  std::vector<Scenario> gpus{space.common()};
  for (const Axis &axis : space.axes())
    if (axis.affects == SettingEffect::Placement)
      for (size_t i = 0; i < axis.values.size(); ++i)
        gpus.push_back(space.scenarioOf(space.firstWith(axis, i)));
  for (const Scenario &gpu : gpus) {
    if (!gpu.target && !gpu.targetFile)
      continue;
    std::shared_ptr<const TargetOutcome> target =
        impl.targetOf(withoutChangesOfGpu(gpu));
    if (!target->value)
      return llvm::createStringError(target->reason);
  }
  for (const Scenario &own : impl.stated) {
    Scenario scenario = own;
    stateAll(scenario, space.common());
    if (!scenario.target && !scenario.targetFile &&
        llvm::none_of(gpus, [](const Scenario &gpu) {
          return gpu.target || gpu.targetFile;
        }))
      return llvm::createStringError("no GPU; give one with --target=a100-bf16 "
                                     "(--list-targets shows all)");
  }
  return evaluator;
}
