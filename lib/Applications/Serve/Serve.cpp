//===- Serve.cpp - A language model as a service --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Serve/Serve.h"
#include "Limits.h"
#include "Servable.h"
#include "ServeLoop.h"
#include "gpucost/Applications/Report/NumberText.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::serve;

Scenario serve::serveScenario(const Scenario &stated) {
  Scenario scenario;
  scenario.runtime = Runtime::CudaGraph;
  // Do not report errors of training settings in addition.
  if (stated.mode != IterationMode::Training)
    scenario.kvCache = KvCacheMode::InPlace;
  scenario.batch = 1;
  stateAll(scenario, stated);
  return scenario;
}

std::optional<Seconds> ServeReport::timePerToken() const {
  if (!decode)
    return std::nullopt;
  return decode->time / question.techniques.tokensPerStep();
}

int64_t ServeReport::prefills() const {
  int64_t together =
      question.prefillBatch ? std::min(question.prefillBatch, batch) : batch;
  return (batch + together - 1) / together;
}

Seconds ServeReport::total() const {
  Seconds time = prefill.time * static_cast<double>(prefills());
  return decode ? time + decode->time * question.meanSteps() : time;
}

Joules ServeReport::totalEnergy() const {
  Joules energy = prefill.energy * static_cast<double>(prefills());
  if (decode)
    energy += decode->energy * question.meanSteps();
  return energy * static_cast<double>(gpus);
}

double ServeReport::tokensPerSecond() const {
  return allOutputTokens() / total().value();
}

double ServeReport::tokensPerSecondPerUser() const {
  return decode ? 1 / timePerToken()->value() : 0;
}

Joules ServeReport::joulesPerToken() const {
  return totalEnergy() / allOutputTokens();
}

/// Cost of all prefills and decode steps of a batch.
static RunCost costOfBatch(const ServeReport &r) {
  return costOfIteration(r.total(),
                         r.totalEnergy() / static_cast<double>(r.gpus),
                         std::nullopt, r.settings, r.target)
      .expected;
}

RunCost ServeReport::perToken() const {
  return costOfBatch(*this) * (1 / allOutputTokens());
}

std::optional<RunCost> ServeReport::run() const {
  std::optional<double> batches = iterationsOfRun(
      settings, sequences, static_cast<int64_t>(allOutputTokens()));
  return batches ? std::optional(costOfBatch(*this) * *batches) : std::nullopt;
}

namespace {

/// Fills a report step by step.
class Answer {
public:
  Answer(ServeSteps &steps, const Scenario &scenario, ServeReport &report)
      : steps(steps), module(steps.owner().model()), scenario(scenario),
        report(report), question(steps.asked()) {}

  LogicalResult check();
  LogicalResult addModel();
  LogicalResult addLimits();
  LogicalResult addPhases();
  LogicalResult addSpeculation();
  LogicalResult addLoop();
  /// Fills in the results of the largest allowed batch; all other fields must
  /// be set.
  LogicalResult addAllowed();

private:
  ServeSteps &steps;
  ModuleOp module;
  const Scenario &scenario;
  ServeReport &report;
  const ServeQuestion &question;
};

} // namespace

/// What to do about short tables of positions.
static constexpr const char *wayOut =
    "; export the model with longer tables (models/export_decoders.py: "
    "--context), or state fewer tokens";

LogicalResult Answer::check() {
  if (failed(checkServable(module, scenario)))
    return failure();
  if (question.hasEncoder && question.techniques.prefixHit > 0)
    return module.emitError("--prefix-hit is not supported for models with an "
                            "encoder: its input has no prefix to share");
  if (question.loop.users > 0 &&
      !question.loop.isShort({question.computedTokens(), question.meanSteps()}))
    return module.emitError("--users and --requests have too many steps to "
                            "play; state fewer requests");
  if (question.hasEncoder && question.loop.users > 0)
    return module.emitError("--users is not supported for models with an "
                            "encoder");
  if (question.hasEncoder && question.techniques.draftTokens > 0)
    return module.emitError("--draft-tokens is not supported for models with "
                            "an encoder");
  PositionRows rows = countPositions(module);
  report.positions = rows.least();
  int64_t drafts = question.techniques.draftTokens;
  if (int64_t length = question.length() + drafts;
      report.positions && length > *report.positions)
    return module.emitError()
           << (drafts > 0 ? "input, output and draft tokens together have "
                          : "input and output together have ")
           << length << " positions, but the tables of the file "
           << *report.positions << wayOut;
  if (rows.encoder && question.encoderTokens > *rows.encoder)
    return module.emitError()
           << "the encoder's input has " << question.encoderTokens
           << " positions, but the tables of the file " << *rows.encoder
           << wayOut;
  return success();
}

LogicalResult Answer::addModel() {
  report.batch = *scenario.batch;
  steps.learn(report.batch);
  StepModels::Model model =
      steps.steps().prepare({report.batch, 1, question.inputTokens});
  if (!model)
    return failure();
  if (failed(steps.findCaches(report.batch)))
    return failure();
  const Gpu &gpu = steps.steps().costModel().gpu();
  report.target = gpu.name;
  report.question = question;
  report.given = model->given;
  report.settings = model->settings;
  // Lengths come from the question.
  report.given.seq = report.given.past = std::nullopt;
  report.settings.seq = report.settings.past = std::nullopt;
  report.precision = model->precision;
  report.format = model->format;
  report.gpus = model->settings.gpus;
  report.sequences = report.batch * model->settings.plan().data;
  report.memory.cachePerToken = steps.cacheBytesPerToken();
  report.memory.cachePerSequence = steps.cacheBytesPerSequence();
  if (question.hasEncoder)
    report.memory.encoderCache = steps.encoderBytes();
  if (question.cachedTokens() > 0)
    report.memory.sharedPrefix = steps.prefixBytes();
  report.memory.parameters = model->memory.parameterBytes;
  return success();
}

LogicalResult Answer::addLimits() {
  FailureOr<ServeLimit> batch = findLargestBatch(steps, report.batch);
  if (failed(batch))
    return failure();
  report.largestBatch = *batch;
  if (batch->value < report.batch) {
    auto error = module.emitError() << "does not fit: ";
    if (batch->value == 0)
      return error << batch->reason
                   << "; more GPUs (--parallel=tp) or fewer bits (--weights, "
                      "--kv) need less on each";
    return error << "the largest batch that fits is " << batch->value << "; "
                 << batch->reason;
  }
  FailureOr<ServeLimit> context =
      findLongestContext(steps, report.batch, report.positions);
  if (failed(context))
    return failure();
  report.longestContext = *context;
  FailureOr<MemoryPlan> start = steps.prefillNeed(report.batch),
                        end = steps.decodeNeed(
                            report.batch,
                            std::max<int64_t>(question.lastContext(), 1));
  if (failed(start) || failed(end))
    return failure();
  report.memory.prefill = start->device;
  report.memory.decode = end->device;
  report.memory.capacity = end->nominal;
  report.memory.total = end->total;
  report.memory.usable = Bytes(static_cast<double>(end->usable));
  report.memory.verdict = std::max(start->verdict(), end->verdict());
  if (!question.ttft && !question.tpot)
    return success();
  FailureOr<ServeLimit> allowed =
      findLargestAllowed(steps, report.batch, batch->value);
  if (failed(allowed))
    return failure();
  report.largestAllowed = {allowed->value, allowed->reason, {}, {}};
  return success();
}

LogicalResult Answer::addPhases() {
  FailureOr<ServePhase> prefill = steps.prefill(steps.promptsOf(report.batch));
  if (failed(prefill))
    return failure();
  report.prefill = *prefill;
  report.prefill.setEnergyPerToken(report.gpus);
  if (question.steps() == 0)
    return success();
  FailureOr<ServePhase> decode = steps.decode(report.batch);
  FailureOr<ServeStep> first = steps.step(report.batch, question.inputTokens),
                       last = steps.step(report.batch, question.lastContext());
  if (failed(decode) || failed(first) || failed(last))
    return failure();
  report.decode = *decode;
  report.decode->setEnergyPerToken(report.gpus);
  report.decode->first = *first;
  report.decode->last = *last;
  return question.techniques.draftTokens > 0 ? addSpeculation() : success();
}

LogicalResult Answer::addSpeculation() {
  const Techniques &techniques = question.techniques;
  double tokens = techniques.tokensPerStep();
  FailureOr<ServeStep> verify =
      steps.verifyStep(report.batch, report.decode->first->context);
  if (failed(verify))
    return failure();
  report.decode->energyPerToken =
      report.decode->energy * static_cast<double>(report.gpus) /
      (static_cast<double>(report.sequences) * tokens);
  report.speculation = {
      techniques.draft,       techniques.draftTokens,
      *techniques.acceptance, tokens,
      verify->time,           report.decode->first->time - verify->time,
      steps.draftBytes()};
  return success();
}

LogicalResult Answer::addLoop() {
  if (question.loop.users == 0)
    return success();
  FailureOr<ServeLoop> loop = playLoop(steps, report);
  if (failed(loop))
    return failure();
  report.loop = *loop;
  if (std::string text =
          describeLoop(steps.steps().costModel().coefficients(), report);
      !text.empty())
    report.notes.push_back(std::move(text));
  return success();
}

LogicalResult Answer::addAllowed() {
  if (!report.largestAllowed || report.largestAllowed->value == 0)
    return success();
  ServeReport other = report;
  other.batch = report.largestAllowed->value;
  other.sequences = report.sequences / report.batch * other.batch;
  if (failed(Answer(steps, scenario, other).addPhases()))
    return failure();
  report.largestAllowed->tokensPerSecond = other.tokensPerSecond();
  report.largestAllowed->energyPerToken = other.joulesPerToken();
  return success();
}

/// A note on only one of the phases names it.
static void addPhaseNotes(ServeReport &report) {
  if (!report.decode) {
    llvm::append_range(report.notes, report.prefill.notes);
    return;
  }
  const auto &prefill = report.prefill.notes, &decode = report.decode->notes;
  for (const std::string &note : prefill)
    report.notes.push_back(
        (llvm::is_contained(decode, note) ? "" : "prefill: ") + note);
  for (const std::string &note : decode)
    if (!llvm::is_contained(prefill, note))
      report.notes.push_back("decode: " + note);
}

/// Assumptions about the model.
static void addNotes(ServeReport &report, bool allLogits) {
  const ServeQuestion &question = report.question;
  addPhaseNotes(report);
  if (allLogits)
    report.notes.push_back(
        question.allLogits
            ? "the prefill computes the logits of all positions"
            : "no product makes an output of logits: the prefill is that of "
              "the file");
  if (question.hasEncoder && !question.encoderTokens)
    report.notes.push_back("the file fixes the encoder input: "
                           "--input-tokens is not used");
}

FailureOr<ServeReport> serve::predictService(Session &session,
                                             const Scenario &stated,
                                             const ServeQuestion &asked,
                                             Session *draft) {
  ServeReport report;
  Scenario scenario = stated;
  ServeQuestion question = asked;
  if (failed(useCache(session.model())) ||
      failed(nameEncoder(session.model(), scenario, question)))
    return failure();
  restateLoop(scenario, question);
  ServeSteps steps(session, scenario, question);
  std::optional<ServeSteps> draftSteps;
  if (draft) {
    if (failed(useCache(draft->model())) ||
        failed(checkServable(draft->model(), scenario)))
      return failure();
    keepLastLogits(draft->model());
    draftSteps.emplace(*draft, scenario, question);
    steps.addDraft(*draftSteps, question.techniques.draft.empty());
  }
  Answer answer(steps, scenario, report);
  if (failed(answer.check()))
    return failure();
  bool allLogits =
      question.allLogits ||
      !keepLastLogits(session.model(), question.techniques.verified());
  if (failed(answer.addModel()) || failed(answer.addLimits()) ||
      failed(answer.addPhases()) || failed(answer.addLoop()) ||
      failed(answer.addAllowed()))
    return failure();
  addNotes(report, allLogits);
  return report;
}
