//===- Engines.cpp - The replicas among which deploy chooses --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engines.h"
#include "gpucost/Applications/Sweep/Optimize.h"
#include "gpucost/Compiler/Session/QuietModel.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>
#include <map>
#include <thread>

using namespace gpucost;
using namespace gpucost::deploy;
using namespace gpucost::sweep;

void deploy::inThreads(size_t count, unsigned jobs,
                       llvm::function_ref<void(size_t)> work) {
  std::atomic<size_t> next = 0;
  auto run = [&] {
    for (size_t i = next++; i < count; i = next++)
      work(i);
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min<size_t>(jobs, count); ++i)
    threads.emplace_back(run);
  run();
  for (std::thread &thread : threads)
    thread.join();
}

int64_t deploy::gpusPerNode(const Engine &engine) {
  return engine.target->facts.gpusPerNode.value_or(usualNode);
}

Scenario deploy::withoutDefaults(Scenario scenario) {
  const Scenario defaults = serve::serveScenario({});
  forEachSetting([&](const auto &row) {
    auto &value = scenario.*row.stated;
    const auto &initial = defaults.*row.stated;
    if (value && initial &&
        toText(*value, row.spec) == toText(*initial, row.spec))
      value.reset();
  });
  return scenario;
}

namespace {

/// Engines with the same kernels.
struct Group {
  std::vector<std::shared_ptr<Engine>> engines;
};

class Builder {
public:
  Builder(const Space &space, const DeployQuestion &question)
      : space(space), question(question) {}
  llvm::Expected<Engines> build();

private:
  llvm::Error addPoint(const Scenario &point);
  llvm::Error addEngine(Scenario scenario);
  std::optional<std::string> limitNode(const Engine &engine,
                                       Scenario &scenario) const;
  void prepare(Group &group) const;
  std::vector<PromptPlan> plansOf(const Engine &engine) const;
  /// The draft model of a question with draft tokens.
  bool loadDraft(QuietModel &draft) const;
  std::optional<LearnedSteps> learn(const Scenario &scenario,
                                    std::string &reason) const;

  const Space &space;
  const DeployQuestion &question;
  std::vector<std::shared_ptr<Engine>> engines;
  std::map<std::string, Group> groups;
};

} // namespace

/// The settings that choose kernels, as text.
static std::string kernelsText(const Scenario &scenario) {
  Scenario kernels = scenario;
  forEachSetting([&](const auto &row) {
    if (row.affects != SettingEffect::Kernels)
      (kernels.*row.stated).reset();
  });
  return flagsOf(kernels);
}

/// The power limit of each board for which a node with all its GPUs stays
/// within the limit of the question; a text says why there is none.
std::optional<std::string> Builder::limitNode(const Engine &engine,
                                              Scenario &scenario) const {
  if (!question.nodeLimit)
    return std::nullopt;
  Settings settings = resolve(scenario, engine.target->facts);
  Watts rest = *question.nodeLimit - settings.nodeWatts;
  Watts each = rest / static_cast<double>(gpusPerNode(engine));
  if (each <= Watts(0))
    return "--node-limit is not more than --node-watts";
  const CostModel &costs = engine.target->costModel;
  Watts stated = scenario.powerLimit.value_or(costs.gpu().powerLimit);
  if (each >= stated)
    return std::nullopt;
  scenario.powerLimit = each;
  std::string fault = costs.refusePowerLimit(each);
  return fault.empty() ? std::nullopt : std::optional("--node-limit: " + fault);
}

llvm::Error Builder::addEngine(Scenario scenario) {
  auto engine = std::make_shared<Engine>();
  Outcome<TargetModel> target = resolveTarget(scenario);
  engine->target = target.value;
  if (!target.value) {
    engine->reason = target.reason;
  } else {
    if (std::optional<std::string> fault = limitNode(*engine, scenario))
      engine->reason = *fault;
    else if (llvm::Error error = validate(scenario, target.value->facts))
      engine->reason = llvm::toString(std::move(error));
    else if (scenario.powerLimit)
      engine->reason =
          target.value->costModel.refusePowerLimit(*scenario.powerLimit);
  }
  engine->scenario = std::move(scenario);
  engines.push_back(engine);
  if (engine->reason.empty()) {
    const ScenarioTarget &facts = engine->target->facts;
    std::string key = kernelsText(engine->scenario) + " " +
                      std::string(stringifyEnum(facts.format));
    groups[key].engines.push_back(engine);
  }
  return llvm::Error::success();
}

/// Whether the target of `gpu`, "a100-fp8-block", is known without its format.
static bool lacksFormat(const Scenario &gpu) {
  std::string_view text = gpu.target ? std::string_view(*gpu.target) : "";
  for (size_t dash = text.find('-'); dash != text.npos;
       dash = text.find('-', dash + 1))
    if (symbolizeEnum<NumericFormat>(text.substr(dash + 1)))
      return bool(chooseTarget(text.substr(0, dash)));
  return false;
}

llvm::Error Builder::addPoint(const Scenario &point) {
  // A misspelt name is a mistake, not a candidate.
  Scenario gpu = withoutChangesOfGpu(point);
  if (!gpu.target && !gpu.targetFile)
    return llvm::createStringError("no GPU; give one or several with --target");
  Expected<TargetChoice> choice = chooseTarget(gpu);
  if (!choice && question.triesFormats && lacksFormat(gpu)) {
    auto engine = std::make_shared<Engine>();
    engine->scenario = serve::serveScenario(point);
    engine->reason = choice.error().message;
    engines.push_back(engine);
    return llvm::Error::success();
  }
  if (!choice)
    return toLLVMError(choice.error());
  Scenario scenario = serve::serveScenario(point);
  if (scenario.parallel || scenario.gpus)
    return addEngine(std::move(scenario));
  std::vector<int64_t> sizes = question.tensor;
  if (sizes.empty())
    for (int64_t size = 1;
         size <= choice->target.gpu.gpusPerNode.value_or(usualNode); size *= 2)
      sizes.push_back(size);
  for (int64_t size : sizes) {
    Scenario one = scenario;
    if (size > 1) {
      one.parallel = Parallelism{size, 1, 0};
      one.gpus = size;
    }
    if (llvm::Error error = addEngine(std::move(one)))
      return error;
  }
  return llvm::Error::success();
}

bool Builder::loadDraft(QuietModel &draft) const {
  const std::string &path = question.traffic.techniques.draft;
  if (!path.empty())
    return draft.load(path);
  llvm::Error error = draft.loadPredictor(space.models().front());
  if (!error)
    return true;
  draft.error = llvm::toString(std::move(error));
  return false;
}

std::optional<LearnedSteps> Builder::learn(const Scenario &scenario,
                                           std::string &reason) const {
  auto learnOne = [&](QuietModel &model, bool isLoaded,
                      const serve::ServeQuestion &asked)
      -> std::optional<serve::ServiceShapes> {
    if (!isLoaded) {
      reason = model.error;
      return std::nullopt;
    }
    if (llvm::Error error = model.check(scenario)) {
      reason = llvm::toString(std::move(error));
      return std::nullopt;
    }
    mlir::FailureOr<serve::ServiceShapes> service =
        serve::learnService(model.session(), scenario, asked);
    if (mlir::failed(service)) {
      reason = model.error.empty() ? "the model cannot be served" : model.error;
      return std::nullopt;
    }
    serve::ServiceShapes shapes = std::move(*service);
    return shapes;
  };
  LearnedSteps steps;
  serve::ServeQuestion asked;
  asked.techniques = question.traffic.techniques;
  QuietModel model;
  auto own = learnOne(model, model.load(space.models().front()), asked);
  if (!own)
    return std::nullopt;
  steps.model = std::move(*own);
  if (asked.techniques.draftTokens > 0) {
    QuietModel draft;
    steps.draft = learnOne(draft, loadDraft(draft), {});
    if (!steps.draft)
      return std::nullopt;
  }
  return steps;
}

std::vector<PromptPlan> Builder::plansOf(const Engine &engine) const {
  std::vector<serve::Scheduler> schedulers = question.promptSteps;
  if (schedulers.empty()) {
    schedulers = {serve::schedulerOf(engine.settings.software)};
    if (!(schedulers.front() == serve::Scheduler()))
      schedulers.push_back({});
  }
  std::vector<PromptPlan> plans;
  for (const serve::Scheduler &scheduler : schedulers)
    for (int64_t chunk : question.chunks)
      plans.push_back({scheduler, chunk});
  return plans;
}

void Builder::prepare(Group &group) const {
  std::optional<LearnedSteps> shared;
  for (const std::shared_ptr<Engine> &engine : group.engines) {
    std::optional<LearnedSteps> own;
    const Traffic &traffic = question.traffic;
    if (!shared || !engine->accepts(*shared, traffic)) {
      engine->reason.clear();
      own = learn(engine->scenario, engine->reason);
      if (!own || !engine->accepts(*own, traffic))
        continue;
      if (!shared)
        shared = own;
    }
    engine->tabulate(own ? *own : *shared, traffic, plansOf(*engine));
  }
}

llvm::Expected<Engines> Builder::build() {
  if (space.models().size() != 1)
    return llvm::createStringError("a deployment is for one model, but got " +
                                   llvm::Twine(space.models().size()));
  for (int64_t point = 0; point < space.size(); ++point)
    if (llvm::Error error = addPoint(space.scenarioOf(point)))
      return std::move(error);
  // A missing or broken file is one mistake, not one for each candidate.
  QuietModel model;
  if (const std::string &path = space.models().front(); !model.load(path))
    return llvm::createStringError(
        (llvm::StringRef(model.error).starts_with(path) ? "" : path + ": ") +
        model.error);
  if (question.traffic.techniques.draftTokens > 0) {
    QuietModel draft;
    if (!loadDraft(draft))
      return llvm::createStringError(draft.error);
  }
  std::vector<Group *> all;
  for (auto &[key, group] : groups)
    all.push_back(&group);
  inThreads(all.size(), question.jobs, [&](size_t i) { prepare(*all[i]); });
  return Engines(engines.begin(), engines.end());
}

llvm::Expected<Engines> deploy::createEngines(const Space &space,
                                              const DeployQuestion &question) {
  return Builder(space, question).build();
}
