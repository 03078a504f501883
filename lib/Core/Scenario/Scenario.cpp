//===- Scenario.cpp - Merging and resolving settings ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/Scenario.h"
#include "gpucost/Core/Scenario/FrameworkRules.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Scenario/TrainingRecipe.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include "gpucost/Core/Support/Hashing.h"

using namespace gpucost;

bool Scenario::operator==(const Scenario &other) const {
  bool equal = true;
  forEachSetting([&](const auto &row) {
    equal &= this->*row.stated == other.*row.stated;
  });
  return equal;
}

size_t gpucost::hash_value(const Scenario &scenario) {
  size_t hash = 0;
  forEachSetting([&](const auto &row) {
    if (const auto &value = scenario.*row.stated) {
      hash = combineHashes(hash, hashText(row.flag));
      hash = combineHashes(hash, hashText(toText(*value, row.spec)));
    }
  });
  return hash;
}

void gpucost::stateAll(Scenario &scenario, const Scenario &other) {
  // Both settings together name one GPU.
  if (other.target || other.targetFile) {
    scenario.target.reset();
    scenario.targetFile.reset();
  }
  forEachSetting([&](const auto &row) {
    if (other.*row.stated)
      scenario.*row.stated = other.*row.stated;
  });
}

bool Settings::usesDeepEp() const {
  return moeDispatch == MoeDispatch::DeepEp &&
         moeBalance == MoeBalance::Uniform &&
         !isOf(software, Software::PyTorch);
}

bool Settings::fusesDecoderLayers() const {
  return !trains() && runtime != Runtime::AsWritten &&
         frameworkRules(software).fusesDecoderLayers;
}

void gpucost::apply(const Scenario &changes, Settings &settings) {
  forEachSetting([&](const auto &row) {
    if (const auto &value = changes.*row.stated)
      settings.*row.resolved = *value;
  });
}

/// Whether every GPU with `format` also multiplies `stored`, at its rate.
static bool isVariantOf(StorageFormat stored, NumericFormat format) {
  std::optional<NumericFormat> own = formatOf(stored);
  return own && infoOf(*own).rate == format &&
         infoOf(*own).since <= infoOf(format).since;
}

Settings gpucost::resolve(const Scenario &scenario,
                          const std::optional<ScenarioTarget> &target) {
  Settings settings;
  apply(scenario, settings);
  if (!scenario.gpus)
    settings.gpus = settings.parallel.gpus().value_or(settings.gpus);
  if (!scenario.batch && settings.microBatch)
    settings.batch = settings.microBatch;
  if (!scenario.gradAccum && settings.globalBatch && settings.trains() &&
      settings.batch)
    settings.gradAccum = settings.passesOfGlobalBatch();
  bool hasTwoStages =
      settings.pipelineSchedule == PipelineSchedule::Interleaved ||
      settings.pipelineSchedule == PipelineSchedule::ZeroBubbleV;
  if (!scenario.virtualStages && hasTwoStages)
    settings.virtualStages = 2;
  // Independent copies in inference: their number is part of the plan.
  if (scenario.parallel && !settings.trains())
    if (auto plan = settings.parallel.on(settings.gpus);
        plan && !settings.parallel.data && !settings.parallel.experts)
      settings.parallel = *plan;
  if (!scenario.masterWeights && settings.mainGrads == StateFormat::FP32)
    settings.masterWeights = StateFormat::FP32;
  auto stack = settings.trains() ? trainingStack(settings.software)
                                 : std::optional<TrainingStack>();
  if (stack) {
    if (!scenario.mainGrads)
      settings.mainGrads = settings.masterWeights = StateFormat::FP32;
    if (!scenario.optimizerVariant)
      settings.optimizerVariant = OptimizerVariant::Fused;
    if (!scenario.lossVariant)
      settings.lossVariant =
          stack->fusesLayers ? LossVariant::Fused : LossVariant::InPlace;
  }
  if (stack && stack->fusesLayers && !scenario.runtime)
    settings.runtime = Runtime::Compiled;
  if (stack && stack->balancesWork && !scenario.stageSlots)
    settings.stageSlots = StageSlots::Work;
  if (stack && !scenario.sequenceParallel)
    settings.sequenceParallel =
        stack->dividesTokens && settings.plan().tensor > 1;
  FrameworkRules rules = frameworkRules(settings.software);
  if (!scenario.optimizerVariant && !stack)
    settings.optimizerVariant = rules.optimizerVariant;
  if (!scenario.zeroGrad)
    settings.zeroGrad = rules.zeroGrad;
  if (!scenario.attention)
    settings.attention = rules.attention;
  if (!scenario.windowCache)
    settings.windowCache = rules.windowCache;
  if (!scenario.memoryFraction)
    settings.memoryFraction = Scalar(rules.memoryFraction);
  if (!target)
    return settings;
  if (!scenario.nodes && target->gpusPerNode &&
      (!target->network.empty() ||
       (scenario.network && settings.gpus > *target->gpusPerNode)))
    settings.nodes = nodesFor(settings, *target->gpusPerNode);
  NumericFormat format = target->format;
  settings.format = format;
  bool isHalf = format == NumericFormat::FP16 || format == NumericFormat::BF16;
  // Frozen weights below adapters keep the format of the file.
  if (!scenario.precisionMode && settings.trains() && isHalf && !stack &&
      !scenario.loraRank)
    settings.precisionMode = PrecisionMode::Amp;
  if (stack && !scenario.mainGrads &&
      ((stack->keepsFp16Gradients && format == NumericFormat::FP16) ||
       (stack->keepsBf16Gradients && format == NumericFormat::BF16)))
    settings.mainGrads = StateFormat::AsIs;
  if (settings.trains()) {
    if (!scenario.recipe)
      settings.recipe = recipeOf(format).value_or(Recipe::None);
  } else if (hasFewBits(format) &&
             settings.precisionMode != PrecisionMode::AsIs) {
    StorageFormat stored = storedAs(format);
    if (!scenario.weights)
      settings.weights = stored;
    if (!scenario.activations && bitsOf(settings.weights) <= 8)
      settings.activations =
          isVariantOf(settings.weights, format) ? settings.weights : stored;
  }
  if (!scenario.tf32 && format == NumericFormat::TF32)
    settings.tf32 = Tf32Mode::On;
  return settings;
}
