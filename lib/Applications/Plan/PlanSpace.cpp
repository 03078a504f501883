//===- PlanSpace.cpp - The plans among which a search chooses -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSearch.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Iteration/Restate.h"
#include "gpucost/Core/Scenario/AutomaticRecomputation.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpucost;
using namespace gpucost::plan;
using namespace gpucost::sweep;

/// Sizes that a search tries by default.
static constexpr int64_t mostContext = 16, mostStages = 64, mostMicroBatch = 8,
                         mostVirtualStages = 16;
/// A GPU of a context-parallel group has at least this many tokens of a
/// sequence by default.
static constexpr int64_t fewestTokens = 4096;

static std::vector<int64_t> powersOfTwo(int64_t most) {
  std::vector<int64_t> powers;
  for (int64_t power = 1; power <= most; power *= 2)
    powers.push_back(power);
  return powers;
}

static std::vector<int64_t> divisorsOf(int64_t number, int64_t most) {
  std::vector<int64_t> divisors;
  for (int64_t i = 1; i <= std::min(number, most); ++i)
    if (number % i == 0)
      divisors.push_back(i);
  return divisors;
}

static std::vector<std::string> textsOf(const std::vector<int64_t> &numbers) {
  std::vector<std::string> texts;
  for (int64_t number : numbers)
    texts.push_back(std::to_string(number));
  return texts;
}

/// The kinds of data parallelism that the stack is used with.
static std::vector<std::string> dataKindsOf(const Settings &settings) {
  std::optional<TrainingStack> stack = trainingStack(settings.software);
  if (!stack)
    return {"zero1", "fsdp"};
  return {stack->shardsParameters ? "fsdp" : "zero1"};
}

/// The plans for all numbers of GPUs in `gpus`; the data-parallel GPUs are the
/// remaining ones.
static std::vector<std::string> parallelTexts(const PlanChoices &choices,
                                              const std::vector<int64_t> &gpus,
                                              const Settings &settings,
                                              int64_t node) {
  int64_t most = *llvm::max_element(gpus);
  std::vector<int64_t> tensor = choices.tensor, context = choices.context,
                       pipeline = choices.pipeline;
  std::vector<std::string> kinds = choices.data;
  if (tensor.empty())
    tensor = powersOfTwo(std::min(node, most));
  if (context.empty())
    context = powersOfTwo(std::clamp<int64_t>(
        settings.seq.value_or(1) / fewestTokens, 1, mostContext));
  if (pipeline.empty())
    for (int64_t count : gpus)
      for (int64_t stages : divisorsOf(count, mostStages))
        if (!llvm::is_contained(pipeline, stages))
          pipeline.push_back(stages);
  llvm::sort(pipeline);
  if (kinds.empty())
    kinds = dataKindsOf(settings);
  std::vector<std::string> texts;
  std::vector<int64_t> experts = choices.experts;
  if (experts.empty())
    experts = {1};
  auto add = [&](int64_t t, int64_t c, int64_t p, int64_t e,
                 const std::string &stated) {
    // (X31) A node has a copy of the shards.
    bool isHybrid = stated == hybridSharding;
    int64_t shards = isHybrid && node % (t * c) == 0 ? node / (t * c) : 1;
    if (isHybrid && (shards == 1 || node % e))
      return;
    std::string kind =
        isHybrid ? "fsdp" + std::to_string(shards) + ".dp" : stated;
    bool divides = llvm::any_of(gpus, [&](int64_t count) {
      return count % (t * c * p * shards) == 0 && count / (t * p) % e == 0 &&
             (!isHybrid || count > t * c * p * shards);
    });
    if (!divides)
      return;
    std::string text = "tp" + std::to_string(t) + ".cp" + std::to_string(c) +
                       ".pp" + std::to_string(p) +
                       (e > 1 ? ".ep" + std::to_string(e) : "") + "." + kind;
    if (auto plan = parseParallelism(text))
      texts.push_back(toText(*plan));
  };
  for (int64_t t : tensor)
    for (int64_t c : context)
      for (int64_t p : pipeline)
        for (int64_t e : experts)
          for (const std::string &kind : kinds)
            add(t, c, p, e, kind);
  return texts;
}

llvm::Expected<bool>
plan::takeAutomaticRecomputation(std::vector<AxisText> &texts) {
  auto it = llvm::find_if(
      texts, [](const AxisText &text) { return text.flag == "recompute"; });
  if (it == texts.end() ||
      !llvm::is_contained(it->texts, automaticRecomputation))
    return false;
  if (it->texts.size() > 1)
    return llvm::createStringError(
        "--recompute=auto chooses " +
        listAlternatives(
            {recomputationChoices.begin(), recomputationChoices.end()}) +
        "; do not state others");
  texts.erase(it);
  return true;
}

llvm::Error plan::takeAutomaticOffload(std::vector<AxisText> &texts) {
  auto stated = [&](llvm::StringRef flag) {
    return llvm::find_if(
        texts, [&](const AxisText &text) { return text.flag == flag; });
  };
  auto it = stated("offload-activations");
  if (it == texts.end() || !llvm::is_contained(it->texts, "auto"))
    return llvm::Error::success();
  if (it->texts.size() > 1)
    return llvm::createStringError("--offload-activations=auto tries false and "
                                   "true; do not state them");
  if (stated("host-link") == texts.end())
    return llvm::createStringError(
        "--offload-activations=auto needs --host-link=GB/s, the bandwidth "
        "between a GPU and host memory in one direction");
  it->texts = {"false", "true"};
  return llvm::Error::success();
}

llvm::Expected<ClockChoice>
plan::takeAutomaticClocks(std::vector<AxisText> &texts) {
  auto it = llvm::find_if(
      texts, [](const AxisText &text) { return text.flag == "stage-clocks"; });
  if (it == texts.end())
    return ClockChoice::None;
  std::vector<std::string> values = std::move(it->texts);
  texts.erase(it);
  if (values.size() == 1 && values.front() == "auto")
    return ClockChoice::Ranks;
  if (values.size() == 1 && values.front() == "auto-passes")
    return ClockChoice::Passes;
  return llvm::createStringError(
      "plan chooses clocks: --stage-clocks expects auto or auto-passes");
}

/// Adds a global batch for each number of GPUs in proportion to it; the stated
/// one is that of the fewest GPUs.
static llvm::Error addScaledBatches(std::vector<AxisText> &texts,
                                    const Space &given,
                                    std::vector<int64_t> gpus) {
  llvm::sort(gpus);
  gpus.erase(llvm::unique(gpus), gpus.end());
  if (gpus.size() < 2)
    return llvm::createStringError(
        "--weak-scaling needs several numbers of GPUs: --gpus=64,128,256");
  if (given.findAxis("global-batch"))
    return llvm::createStringError(
        "--weak-scaling needs one --global-batch, that of the fewest GPUs");
  auto text = llvm::find_if(
      texts, [](const AxisText &each) { return each.flag == "global-batch"; });
  int64_t fewest = *given.common().globalBatch;
  for (int64_t count : llvm::drop_begin(gpus)) {
    std::optional<int64_t> batch = scaledBatch(fewest, gpus.front(), count);
    if (!batch)
      return llvm::createStringError(
          "--weak-scaling: --global-batch=" + llvm::Twine(fewest) + " on " +
          llvm::Twine(gpus.front()) +
          " GPUs is not a whole number of samples on " + llvm::Twine(count));
    text->texts.push_back(std::to_string(*batch));
  }
  return llvm::Error::success();
}

std::optional<int64_t> plan::scaledBatch(int64_t batch, int64_t fewest,
                                         int64_t gpus) {
  std::optional<int64_t> product = checkedProduct({batch, gpus});
  if (!product || *product % fewest)
    return std::nullopt;
  return *product / fewest;
}

llvm::Expected<Space>
plan::createPlanSpace(const std::vector<std::string> &models,
                      std::vector<AxisText> texts, const PlanChoices &choices) {
  if (models.size() != 1)
    return llvm::createStringError("a plan is for one model, but got " +
                                   llvm::Twine(models.size()));
  llvm::Expected<Space> given = Space::create(models, texts);
  if (!given)
    return given;
  auto isStated = [&](llvm::StringRef flag) {
    return llvm::any_of(
        texts, [&](const AxisText &text) { return text.flag == flag; });
  };
  for (llvm::StringRef flag : {"nodes", "grad-accum", "select-stage", "stages"})
    if (isStated(flag))
      return llvm::createStringError("plan chooses --" + flag +
                                     "; do not state it");
  if (!isStated("global-batch"))
    return llvm::createStringError(
        "plan needs --global-batch, the samples of an iteration on all GPUs");
  if (!isStated("gpus"))
    return llvm::createStringError(
        "plan needs --gpus, a number or several: --gpus=256,512");
  Scenario common = given->scenarioOf(0);
  if (common.mode.value_or(IterationMode::Training) != IterationMode::Training)
    return llvm::createStringError(
        "plan is for --mode=training; for inference use serve or optimize");
  std::vector<int64_t> gpus;
  if (const Axis *axis = given->findAxis("gpus"))
    for (const Scenario &value : axis->values)
      gpus.push_back(value.gpus.value_or(1));
  else
    gpus.push_back(*common.gpus);
  Expected<TargetChoice> target = chooseTarget(common);
  if (!target)
    return toLLVMError(target.error());
  common.mode = IterationMode::Training;
  Settings settings = resolve(common, std::nullopt);
  int64_t most = *llvm::max_element(gpus);
  ScenarioTarget facts = getScenarioTarget(
      target->target.gpu, target->coefficients, target->target.format);
  int64_t node = facts.gpusPerNode.value_or(most);
  if (most > node && !common.network)
    return llvm::createStringError(llvm::Twine(most) +
                                   " GPUs need several nodes: give --network "
                                   "(--list-networks shows all)");

  auto add = [&](llvm::StringRef flag, std::vector<std::string> values) {
    if (!isStated(flag))
      texts.push_back({flag.str(), std::move(values)});
  };
  bool hasPlans = isStated("parallel");
  if (hasPlans && (!choices.data.empty() || !choices.tensor.empty() ||
                   !choices.context.empty() || !choices.pipeline.empty() ||
                   !choices.experts.empty()))
    return llvm::createStringError(
        "--parallel states whole plans; give it, or --data, --tp, --cp, --pp, "
        "--ep");
  if (choices.scalesBatch)
    if (llvm::Error error = addScaledBatches(texts, *given, gpus))
      return std::move(error);
  add("mode", {"training"});
  if (!hasPlans)
    add("parallel", parallelTexts(choices, gpus, settings, node));
  if (!isStated("micro-batch"))
    add("batch", textsOf(powersOfTwo(mostMicroBatch)));
  add("recompute", {recomputationChoices.begin(), recomputationChoices.end()});
  if (!isStated("schedule")) {
    std::vector<std::string> stages{"default"};
    for (int64_t count = 2; count <= mostVirtualStages; ++count)
      stages.push_back(std::to_string(count));
    add("virtual-stages", stages);
    add("schedule", {"default", "interleaved"});
  }
  return Space::create(models, texts);
}
