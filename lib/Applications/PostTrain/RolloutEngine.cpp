//===- RolloutEngine.cpp - An engine that generates answers ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RolloutEngine.h"
#include "gpucost/Applications/Serve/ServingHosts.h"
#include "gpucost/Compiler/Session/QuietModel.h"
#include "gpucost/Compiler/Support/CheckScenario.h"

using namespace gpucost;
using namespace gpucost::posttrain;

llvm::Expected<std::unique_ptr<RolloutEngine>>
RolloutEngine::create(const std::string &model, const Scenario &stated) {
  std::unique_ptr<RolloutEngine> engine(new RolloutEngine());
  sweep::Outcome<sweep::TargetModel> target = sweep::resolveTarget(stated);
  if (!target.value)
    return llvm::createStringError(target.reason);
  engine->target = target.value;
  Scenario scenario = serve::serveScenario(stated);
  if (llvm::Error error = validate(scenario, target.value->facts))
    return std::move(error);
  QuietModel loaded;
  auto refuse = [&](const char *otherwise) {
    return llvm::createStringError(loaded.error.empty() ? otherwise
                                                        : loaded.error);
  };
  if (!loaded.load(model))
    return refuse("the file cannot be read");
  if (llvm::Error error = loaded.check(scenario))
    return std::move(error);
  mlir::FailureOr<serve::ServiceShapes> service =
      serve::learnService(loaded.session(), scenario, {});
  if (mlir::failed(service))
    return refuse("the model cannot be served");
  engine->service = std::move(*service);
  auto settings =
      deploy::settingsOn(engine->service, scenario, *engine->target);
  if (!settings)
    return llvm::createStringError(settings.error().message);
  engine->settings = std::move(*settings);
  engine->gpus = engine->settings.gpus;
  engine->ranks = std::max<int64_t>(engine->settings.plan().data, 1);
  const CostModel &costs = engine->target->costModel;
  engine->idlePower =
      costs.idlePower(engine->settings.clock.value_or(costs.gpu().maxClock));
  // (V12) The host of the stack; no server receives requests.
  serve::HostTimes host = serve::hostTimesOf(
      costs.coefficients(), engine->settings, /*request=*/std::nullopt);
  engine->steps = std::make_unique<deploy::ModelSteps>(
      engine->service, costs, engine->settings, host.promptLaunch);
  if (Error error = engine->findMemory(); !error.message.empty())
    return llvm::createStringError(error.message);
  return std::move(engine);
}

Error RolloutEngine::findMemory() {
  // Memory is linear in the answers and in their tokens.
  constexpr int64_t few = 2, more = 10, mostTokens = 1024;
  int64_t length = std::clamp<int64_t>(limits().past / 2, 1, mostTokens);
  MemoryPlan two = steps->memoryAt({few, 1, length}),
             ten = steps->memoryAt({more, 1, length});
  if (two.usable == 0 || ten.usable == 0)
    return {"the model has no decode step of several sequences"};
  bytesPerToken = steps->cacheBytesPerToken();
  auto tokens = static_cast<double>(length);
  double each = static_cast<double>(ten.device - two.device) / (more - few);
  bytesPerAnswer = std::max(each - bytesPerToken * tokens, 0.0);
  fixedBytes = static_cast<double>(two.device) -
               few * (bytesPerAnswer + bytesPerToken * tokens);
  usable = two.usable;
  weights = steps->ownWeights(/*sharesWords=*/false);
  return {};
}

Expected<StepPart> RolloutEngine::step(int64_t decodes, int64_t context,
                                       const PromptPart &prompts) {
  return steps->step({decodes, 1, context},
                     {prompts.query, prompts.past, prompts.count});
}

Expected<StepPart> RolloutEngine::decodeAlone(int64_t context, int64_t count) {
  return sumDecodes(
      [this](int64_t decodes, int64_t tokens, const PromptPart &prompts) {
        return step(decodes, tokens, prompts);
      },
      /*decodes=*/1, context, count);
}

std::optional<RolloutEngine::Decode>
RolloutEngine::describe(int64_t decodes, int64_t context) const {
  std::shared_ptr<PreparedModel> prepared =
      steps->modelAt({decodes, 1, context});
  if (!prepared)
    return std::nullopt;
  auto placed = PlacedModel::create(prepared, target->costModel);
  if (!placed)
    return std::nullopt;
  IterationSummary summary = placed->summarize(settings);
  return Decode{summary.errors.bars, placed->boundOf(summary.totals),
                placed->isLowerBound(),
                placed->notes(settings, summary.totals)};
}
