//===- PostTrain.cpp - A round of post-training ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Round.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Core/Report/RunCost.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpucost;
using namespace gpucost::posttrain;
using deploy::Traffic;

namespace {

class Round {
public:
  explicit Round(const PostTrainQuestion &question) : question(question) {}
  llvm::Expected<PostTrainReport> predict();

private:
  llvm::Error createTrainers();
  llvm::Expected<Trainer> createTrainer(const std::string &model) const;
  llvm::Error addRollout();
  void addReward();
  void addForward(const std::string &name, const Trainer &trainer,
                  double rounds);
  void addUpdates(const std::string &name, const Trainer &trainer);
  void addOffload();
  llvm::Error addSync();
  /// (V17) Time, waiting and intervals.
  void join();
  void addCosts();
  void addNotes();
  void note(const std::string &text) {
    if (!llvm::is_contained(report.notes, text))
      report.notes.push_back(text);
  }
  /// Bytes of an engine on one GPU that stay during the training.
  int64_t engineBytes() const;
  const Trainer &criticTrainer() const { return critic ? *critic : *policy; }
  bool hasCritic() const { return question.algorithm == PostTraining::Ppo; }

  const PostTrainQuestion &question;
  PostTrainReport report;
  EqualSequences equal; ///< of a round
  std::optional<Trainer> policy, critic, rewardModel;
  std::unique_ptr<RolloutEngine> engine;
  ResidentState resident;
  double engineFixed = 0;
};

} // namespace

static llvm::Error inPhase(const char *phase, llvm::Error error) {
  return llvm::createStringError(std::string(phase) + ": " +
                                 llvm::toString(std::move(error)));
}

llvm::Expected<Trainer> Round::createTrainer(const std::string &model) const {
  TrainQuestion asked;
  asked.model = model;
  asked.stated = question.common;
  stateAll(asked.stated, question.train);
  asked.stated.gpus = question.trainGpus;
  // The other models have the plan of the policy.
  if (policy) {
    asked.stated.parallel = policy->scenario.parallel;
    asked.stated.batch = policy->scenario.batch;
    asked.stated.recompute = policy->scenario.recompute;
  }
  double all = static_cast<double>(question.sequences());
  double share =
      question.miniBatch ? static_cast<double>(question.miniBatch) / all : 1.0;
  asked.update = {equal.tokens, equal.count * share};
  asked.passTokens = question.passTokens ? question.passTokens
                                         : question.input.back().tokens +
                                               question.output.back().tokens;
  asked.jobs = question.jobs;
  return Trainer::create(asked);
}

llvm::Error Round::createTrainers() {
  equal = equalSequencesOf(question);
  auto add = [&](std::optional<Trainer> &trainer, const std::string &model,
                 const char *phase) -> llvm::Error {
    auto created = createTrainer(model);
    if (!created)
      return inPhase(phase, created.takeError());
    trainer = std::move(*created);
    for (const std::string &text : trainer->report.notes)
      note(std::string(phase) + ": " + text);
    return llvm::Error::success();
  };
  if (llvm::Error error = add(policy, question.model, "training"))
    return error;
  if (!question.critic.empty())
    if (llvm::Error error = add(critic, question.critic, "critic"))
      return error;
  if (!question.rewardModel.empty())
    if (llvm::Error error =
            add(rewardModel, question.rewardModel, "reward model"))
      return error;
  resident.parameters = policy->parameters();
  resident.optimizer = policy->optimizer();
  if (hasCritic()) {
    resident.parameters += criticTrainer().parameters();
    resident.optimizer += criticTrainer().optimizer();
  }
  if (question.hasReference)
    resident.frozen += policy->parameters();
  if (rewardModel)
    resident.frozen += rewardModel->parameters();
  return llvm::Error::success();
}

llvm::Error Round::addRollout() {
  Scenario stated = question.common;
  stated.software = Software::Vllm;
  stateAll(stated, question.rollout);
  auto created = RolloutEngine::create(question.model, stated);
  if (!created)
    return inPhase("rollout", created.takeError());
  engine = std::move(*created);
  auto result =
      predictRollout(question, *engine,
                     question.isShared ? resident.during(question.offload) : 0);
  if (!result)
    return inPhase("rollout", result.takeError());
  engineFixed = result->fixedBytes;
  report.rollout = std::move(result->report);
  report.phases.push_back(std::move(result->phase));
  for (const std::string &text : result->notes)
    note(llvm::StringRef(text).starts_with("rollout: ") ? text
                                                        : "rollout: " + text);
  return llvm::Error::success();
}

void Round::addReward() {
  if (question.rewardTime <= Seconds(0))
    return;
  RoundPhase phase;
  phase.name = "reward";
  phase.onEngines = true;
  phase.gpus = question.isShared ? question.trainGpus : question.rolloutGpus;
  phase.time = question.rewardTime;
  phase.energy =
      engine->idlePower * phase.time * static_cast<double>(phase.gpus);
  phase.bars = IterationErrorBars();
  phase.limit = "host";
  report.phases.push_back(std::move(phase));
}

void Round::addForward(const std::string &name, const Trainer &trainer,
                       double rounds) {
  StepPart one = trainer.forward(equal.count);
  RoundPhase phase;
  phase.name = name;
  phase.gpus = question.trainGpus;
  phase.time = one.time * rounds;
  phase.energy = one.energy * rounds * static_cast<double>(phase.gpus);
  phase.tokens = equal.count * static_cast<double>(equal.tokens) * rounds;
  phase.bars = trainer.report.errorBars;
  phase.limit = stringifyEnum(trainer.report.bound);
  phase.isLowerBound = trainer.report.isLowerBound();
  report.phases.push_back(std::move(phase));
}

int64_t Round::engineBytes() const {
  if (!engine || !question.isShared || question.sleep == EngineSleep::All)
    return 0;
  auto fixed = static_cast<int64_t>(engineFixed);
  return question.sleep == EngineSleep::Cache ? fixed
                                              : fixed + report.rollout->cache;
}

void Round::addUpdates(const std::string &name, const Trainer &trainer) {
  StepPart one = trainer.update();
  auto updates = static_cast<double>(report.update.updates);
  RoundPhase phase;
  phase.name = name;
  phase.gpus = question.trainGpus;
  phase.time = one.time * updates;
  phase.energy = one.energy * updates * static_cast<double>(phase.gpus);
  phase.tokens = equal.count * static_cast<double>(equal.tokens) *
                 static_cast<double>(question.epochs);
  phase.bars = trainer.report.errorBars;
  phase.limit = stringifyEnum(trainer.report.bound);
  phase.isLowerBound = trainer.report.isLowerBound();
  // All other models of the training, and what the engines keep.
  int64_t others = resident.during(question.offload) + engineBytes();
  if (question.offload < HostOffload::Optimizer)
    others -= trainer.optimizer();
  if (question.offload < HostOffload::All)
    others -= trainer.parameters();
  phase.memory = trainer.report.deviceBytes + others;
  phase.usable = static_cast<int64_t>(trainer.report.memoryUsable.value());
  report.phases.push_back(std::move(phase));
}

void Round::addOffload() {
  report.offloadBytes = static_cast<double>(
      resident.moved(question.offload, question.isShared && engine));
  if (report.offloadBytes == 0 || !question.hostLink)
    return;
  RoundPhase phase;
  phase.name = "offload";
  phase.gpus = question.trainGpus;
  phase.time = Bytes(report.offloadBytes) / *question.hostLink;
  phase.energy =
      policy->idlePower * phase.time * static_cast<double>(phase.gpus);
  phase.bars = IterationErrorBars();
  phase.limit = "host link";
  report.phases.push_back(std::move(phase));
}

llvm::Error Round::addSync() {
  auto cost = predictSync(question, *policy, *engine);
  if (!cost)
    return cost.takeError();
  RoundPhase phase;
  phase.name = "weights";
  phase.gpus = report.gpus;
  phase.time = cost->time;
  phase.energy = cost->energy * static_cast<double>(phase.gpus);
  phase.limit = "network";
  int64_t gpusOfCopy = engine->gpus / engine->ranks;
  report.syncBytes =
      static_cast<double>(engine->weights) * static_cast<double>(gpusOfCopy);
  report.phases.push_back(std::move(phase));
  return llvm::Error::success();
}

void Round::join() {
  using Parts = std::vector<std::pair<double, std::optional<double>>>;
  bool overlaps = engine && !question.isShared && question.lag > 0;
  Seconds engines, training, after;
  Parts engineParts, trainParts, energies;
  for (const RoundPhase &phase : report.phases) {
    bool isAfter = phase.name == "weights";
    Seconds &sum = isAfter ? after : phase.onEngines ? engines : training;
    sum += phase.time;
    Parts &parts = phase.onEngines ? engineParts : trainParts;
    // The error of the weights is unknown; they are left out.
    if (isAfter)
      continue;
    parts.emplace_back(phase.time.value(), phase.timeWidth());
    energies.emplace_back(phase.energy.value(),
                          partOf(phase.bars, &IterationErrorBars::energy));
  }
  bool longerEngines = engines > training;
  if (overlaps) {
    report.time = std::max(engines, training) + after;
    report.limit = longerEngines ? "rollout" : "training";
  } else {
    report.time = engines + training + after;
    auto longest =
        std::max_element(report.phases.begin(), report.phases.end(),
                         [](const RoundPhase &a, const RoundPhase &b) {
                           return a.time < b.time;
                         });
    report.limit = longest->name;
  }
  if (!question.isShared && engine) {
    Seconds most = std::max(engines, training);
    Seconds enginesWait = overlaps ? most - engines : training,
            trainingWaits = overlaps ? most - training : engines;
    report.waiting = engine->idlePower * enginesWait *
                         static_cast<double>(question.rolloutGpus) +
                     policy->idlePower * trainingWaits *
                         static_cast<double>(question.trainGpus);
  }
  Parts times;
  if (!overlaps || longerEngines)
    llvm::append_range(times, engineParts);
  if (!overlaps || !longerEngines)
    llvm::append_range(times, trainParts);
  energies.emplace_back(report.waiting.value(), 0.0);
  auto time = widthOfSum(times, policy->correlation),
       energy = widthOfSum(energies, policy->correlation);
  if (time && energy && !report.isLowerBound()) {
    report.bars.emplace();
    report.bars->time = *time;
    report.bars->energy = *energy;
  }
}

void Round::addCosts() {
  Settings settings = policy->settings;
  settings.gpus = report.gpus;
  int64_t node = policy->costModel().gpu().gpusPerNode.value_or(report.gpus);
  settings.nodes = (report.gpus + node - 1) / node;
  RunCost cost =
      costOfIteration(report.time,
                      report.energy() / static_cast<double>(report.gpus),
                      std::nullopt, settings, report.target)
          .expected;
  report.siteEnergy = cost.energy;
  report.money = cost.money;
  report.carbon = cost.carbon;
}

void Round::addNotes() {
  if (engine && question.rewardModel.empty())
    note(question.rewardTime > Seconds(0)
             ? "reward: by rules on the host, while the GPUs wait"
             : "reward: by rules on the host, which takes no time of the round "
               "(--reward-ms)");
  if (hasCritic() || rewardModel)
    note("critic and reward model have the head of their file; one with a "
         "head of one number needs less");
  if (report.offloadBytes > 0 && !question.hostLink)
    note("offload: moving " + siText(Bytes(report.offloadBytes)) +
         " between each GPU and host memory takes time that is not included; "
         "state --host-link");
  if (engine)
    note("weights: tensors are sent one after another at the rate of a large "
         "message; the host's work for each tensor is not included");
  note("unseen: no measured round of post-training is part of the "
       "calibration (docs/PostTraining.md)");
}

llvm::Expected<PostTrainReport> Round::predict() {
  report.model = question.model;
  report.algorithm = question.algorithm;
  report.prompts = question.prompts;
  report.samples = question.samples;
  report.inputTokens = Traffic::meanOf(question.input);
  report.outputTokens = Traffic::meanOf(question.output);
  report.longestOutput = longestOutput(question);
  report.trainGpus = question.trainGpus;
  report.isShared = question.isShared;
  report.lag = question.lag;
  report.gpus = question.gpus();
  if (llvm::Error error = createTrainers())
    return std::move(error);
  report.target = policy->costModel().gpu().name;
  UpdateReport &update = report.update;
  update.parallel = toText(policy->settings.plan());
  update.isChosen = policy->isChosen;
  update.software = policy->settings.software;
  update.recompute = toText(policy->settings.recompute);
  int64_t miniBatch =
      question.miniBatch ? question.miniBatch : question.sequences();
  update.updates = question.sequences() / miniBatch * question.epochs;
  update.sequence = equal.tokens;
  update.batch = *policy->settings.batch;
  update.passes = policy->settings.microBatches();
  update.time = policy->report.time;
  update.mfu = policy->report.mfu;
  if (question.hasRollout()) {
    report.rolloutGpus =
        question.isShared ? question.trainGpus : question.rolloutGpus;
    if (llvm::Error error = addRollout())
      return std::move(error);
    addReward();
  }
  if (rewardModel)
    addForward("reward model", *rewardModel, 1);
  if (question.recomputesLogProbs && engine)
    addForward("old log-probs", *policy, 1);
  if (question.hasReference)
    addForward("reference", *policy,
               engine ? 1 : static_cast<double>(question.epochs));
  if (hasCritic())
    addForward("values", criticTrainer(), 1);
  addUpdates("policy update", *policy);
  if (hasCritic())
    addUpdates("critic update", criticTrainer());
  addOffload();
  if (engine)
    if (llvm::Error error = addSync())
      return std::move(error);
  join();
  addCosts();
  addNotes();
  return std::move(report);
}

llvm::Expected<PostTrainReport>
posttrain::predictRound(const PostTrainQuestion &question) {
  return Round(question).predict();
}
