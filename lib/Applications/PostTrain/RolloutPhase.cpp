//===- RolloutPhase.cpp - The rollout of all engines ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Round.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Serve/ClosedLoop.h"

using namespace gpucost;
using namespace gpucost::posttrain;

/// Irrational numbers that order the lengths of prompts and answers.
static constexpr double inputSpread = 0.6180339887498949,
                        outputSpread = 0.4142135623730951;
/// Answers of one engine that are played.
static constexpr int64_t mostAnswers = 1 << 17;

static LengthShares sharesOf(const std::vector<deploy::LengthShare> &lengths) {
  LengthShares shares;
  for (const deploy::LengthShare &each : lengths)
    shares.emplace_back(each.tokens, each.share);
  return shares;
}

int64_t posttrain::longestOutput(const PostTrainQuestion &question) {
  return drawLengths(sharesOf(question.output), 1, question.sequences(),
                     outputSpread)
      .front();
}

namespace {

class Rollout {
public:
  Rollout(const PostTrainQuestion &question, RolloutEngine &engine,
          int64_t resident)
      : question(question), engine(engine), resident(resident),
        output(sharesOf(question.output)) {}
  llvm::Expected<RolloutResult> predict();

private:
  llvm::Error findRoom();
  /// Answers of one engine, of all `all` of the round.
  Expected<RolloutRun> play(int64_t all);
  std::string limitOf(const RolloutRun &run, Bound bound) const;

  const PostTrainQuestion &question;
  RolloutEngine &engine;
  const int64_t resident;
  const LengthShares output;
  RolloutTraffic traffic;
  int64_t engines = 1; ///< groups of GPUs with separate answers
  int64_t answers = 1; ///< of one
  int64_t usable = 0;
};

} // namespace

llvm::Error Rollout::findRoom() {
  int64_t gpus = question.isShared ? question.trainGpus : question.rolloutGpus;
  if (gpus % engine.gpus != 0)
    return llvm::createStringError(countText(gpus, "GPU") +
                                   " cannot be divided into engines of " +
                                   std::to_string(engine.gpus));
  engines = gpus / engine.gpus * engine.ranks;
  answers = (question.sequences() + engines - 1) / engines;
  if (answers > mostAnswers)
    return llvm::createStringError(
        "an engine has " + std::to_string(answers) + " answers, but at most " +
        std::to_string(mostAnswers) + " can be played; use more engines");
  int64_t longest =
      question.input.back().tokens + question.output.back().tokens;
  if (longest > engine.limits().past)
    return llvm::createStringError(
        "sequences of " + std::to_string(longest) +
        " tokens are longer than the model's positions");
  // The training keeps its part of the memory.
  auto total = static_cast<int64_t>(
      engine.target->costModel.gpu().totalMemory().value());
  usable = std::min(engine.usable, total - resident);
  traffic.samples = question.samples;
  traffic.sharesPrompts = question.sharesPrompts && question.samples > 1;
  constexpr int64_t most = StepLimits::mostSequences;
  traffic.slots = std::min(
      {question.slots ? question.slots : most, engine.limits().batch, answers});
  traffic.stepTokens = question.stepTokens;
  traffic.bytesPerToken = engine.bytesPerToken;
  traffic.bytesPerAnswer = engine.bytesPerAnswer;
  traffic.cacheBytes = static_cast<double>(usable) - engine.fixedBytes;
  traffic.mixes = serve::schedulerOf(engine.settings.software).mixes;
  if (traffic.cacheBytes > 0)
    return llvm::Error::success();
  return llvm::createStringError(
      "an engine needs " + siText(Bytes(engine.fixedBytes)) +
      " without its cache, but may use " +
      siText(Bytes(static_cast<double>(usable))) +
      (resident > 0
           ? " beside " + siText(Bytes(static_cast<double>(resident))) +
                 " of the training (--offload)"
           : std::string()));
}

Expected<RolloutRun> Rollout::play(int64_t all) {
  int64_t prompts = (answers + question.samples - 1) / question.samples;
  traffic.outputs = drawLengths(output, answers, all, outputSpread);
  traffic.inputs =
      drawLengths(sharesOf(question.input), prompts, prompts, inputSpread);
  return playRollout(
      traffic, [&](int64_t decodes, int64_t context, const PromptPart &part) {
        return engine.step(decodes, context, part);
      });
}

std::string Rollout::limitOf(const RolloutRun &run, Bound bound) const {
  if (run.tail > run.all.time * 0.5)
    return "the longest answer";
  if (run.mostRunning < answers)
    return run.mostRunning == traffic.slots ? "slots" : "cache";
  return std::string(stringifyEnum(bound));
}

llvm::Expected<RolloutResult> Rollout::predict() {
  if (llvm::Error error = findRoom())
    return std::move(error);
  auto longest = play(question.sequences()), typical = play(answers);
  if (!longest || !typical)
    return llvm::createStringError(
        (!longest ? longest : typical).error().message);
  RolloutResult result;
  RoundPhase &phase = result.phase;
  phase.name = "rollout";
  phase.onEngines = true;
  phase.gpus = engine.gpus * (engines / engine.ranks);
  phase.time = std::max(longest->all.time, typical->all.time);
  // (V14) Engines that are done wait at idle power.
  auto gpusOfGroup =
      static_cast<double>(engine.gpus) / static_cast<double>(engine.ranks);
  auto energyOf = [&](const RolloutRun &run) {
    return (run.all.energy + engine.idlePower * (phase.time - run.all.time)) *
           gpusOfGroup;
  };
  phase.energy = energyOf(*longest) +
                 energyOf(*typical) * static_cast<double>(engines - 1);
  phase.tokens = static_cast<double>(question.sequences()) *
                 deploy::Traffic::meanOf(question.output);
  phase.usable = usable + resident;
  phase.memory =
      resident + std::llround(engine.fixedBytes +
                              std::max(longest->mostBytes, typical->mostBytes));
  int64_t context = std::llround(deploy::Traffic::meanOf(question.input) +
                                 deploy::Traffic::meanOf(question.output) / 2);
  Bound bound = Bound::Unknown;
  if (auto decode = engine.describe(longest->mostRunning,
                                    std::max<int64_t>(context, 1))) {
    phase.bars = decode->bars;
    phase.isLowerBound = decode->isLowerBound;
    bound = decode->bound;
    result.notes = decode->notes;
  }
  phase.limit = limitOf(*longest, bound);
  RolloutReport &report = result.report;
  report.parallel = engine.gpus > 1 ? toText(engine.settings.plan()) : "tp1";
  report.software = engine.settings.software;
  report.format = stringifyEnum(engine.target->facts.format);
  report.engines = engines;
  report.sequences = answers;
  report.slots = traffic.slots;
  report.running = longest->mostRunning;
  report.steps = longest->steps;
  report.promptTokens = longest->promptTokens;
  report.tail = longest->tail;
  report.typical = typical->all.time;
  auto floor = engine.decodeAlone(question.input.front().tokens,
                                  longestOutput(question) - 1);
  if (!floor)
    return llvm::createStringError(floor.error().message);
  report.floor = floor->time;
  report.weights = engine.weights;
  report.cache = std::llround(longest->mostBytes);
  result.fixedBytes = engine.fixedBytes;
  if (longest->mostBytes > traffic.cacheBytes)
    result.notes.push_back(
        "rollout: the answers that run together become longer than the cache "
        "holds, " +
        siText(Bytes(longest->mostBytes)) + " of " +
        siText(Bytes(traffic.cacheBytes)) +
        "; engines then preempt some of them, which is not modelled");
  return result;
}

llvm::Expected<RolloutResult>
posttrain::predictRollout(const PostTrainQuestion &question,
                          RolloutEngine &engine, int64_t resident) {
  return Rollout(question, engine, resident).predict();
}
