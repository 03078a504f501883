//===- ServeSteps.cpp - Steps of a service --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ServeSteps.h"
#include "Servable.h"
#include "gpucost/Applications/Serve/ServiceShapes.h"
#include <cmath>
#include <utility>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::serve;

/// Largest shapes in families; beyond them each shape is prepared separately.
static constexpr int64_t farBatch = 4096, farContext = int64_t(1) << 21;
/// A mask grows by one integer per token, keys and values of a layer by more.
static constexpr int64_t integerBytes = 8;
/// Chunks of a prompt that are prepared one by one.
static constexpr int64_t fewChunks = 6;

//===----------------------------------------------------------------------===//
// Cache and floors
//===----------------------------------------------------------------------===//

LogicalResult ServeSteps::findCaches(int64_t batch) {
  int64_t context = question.inputTokens;
  StepModels::Model model = models.prepare({batch, 1, context}),
                    longer = models.prepare({batch, 1, context + 1});
  if (!model || !longer)
    return failure();
  // Beyond a window, its cache does not grow.
  StepModels::Model few = model, more = longer;
  if (!windowsOf(*model).empty()) {
    few = models.prepare({batch, 1, 1});
    more = models.prepare({batch, 1, 2});
  }
  if (!few || !more)
    return failure();
  auto growth = [&](const PreparedModel &model, const PreparedModel &longer) {
    std::vector<int64_t> before = persistentSizes(model),
                         after = persistentSizes(longer);
    std::vector<int64_t> each(before.size());
    for (size_t i = 0; i < std::min(before.size(), after.size()); ++i)
      each[i] = (after[i] - before[i]) / batch;
    return each;
  };
  std::vector<int64_t> first = growth(*few, *more),
                       each = growth(*model, *longer);
  isCache.assign(each.size(), false);
  cachePerToken = 0;
  for (size_t i = 0; i < std::min(first.size(), each.size()); ++i) {
    isCache[i] = first[i] > integerBytes;
    if (isCache[i])
      cachePerToken += each[i];
  }
  if (!llvm::is_contained(isCache, true))
    return session.model().emitError(
        "no input that a kernel reads grows with the context: this is not "
        "a decoder with a KV cache");
  StepModels::Model last = models.prepare({batch, 1, question.length()});
  if (!last)
    return failure();
  std::vector<int64_t> sizes = persistentSizes(*last);
  cachePerSequence = 0;
  for (size_t i = 0; i < std::min(sizes.size(), isCache.size()); ++i)
    if (isCache[i])
      cachePerSequence += sizes[i] / batch;
  sharedPrefix = 0;
  if (int64_t cached = question.cachedTokens(); cached > 0) {
    StepModels::Model prefix = models.prepare({batch, 1, cached});
    if (!prefix)
      return failure();
    std::vector<int64_t> prefixSizes = persistentSizes(*prefix);
    // A window moves out of the prefix: its cache is not shared.
    for (size_t i = 0; i < std::min(prefixSizes.size(), isCache.size()); ++i)
      if (isCache[i] && each[i] > 0)
        sharedPrefix += prefixSizes[i] / batch;
  }
  weights =
      ownWeights(*model, sharesWords ? countWordElements(session.model()) : 0);
  if (draft && failed(draft->findCaches(batch)))
    return failure();
  return question.hasEncoder ? findEncoderBytes(batch) : success();
}

void ServeSteps::addDraft(ServeSteps &steps, bool shares) {
  draft = &steps;
  draft->sharesWords = shares;
  newTokens = question.techniques.verified();
}

FailureOr<int64_t> ServeSteps::bytesAt(int64_t batch, int64_t context) {
  StepModels::Model model = models.prepare({batch, 1, context});
  if (!model)
    return failure();
  std::vector<int64_t> sizes = persistentSizes(*model);
  int64_t sum = weights;
  for (size_t i = 0; i < std::min(sizes.size(), isCache.size()); ++i)
    if (isCache[i])
      sum = saturatingSum(sum, sizes[i]);
  return sum - std::min(sum, saturatingProduct(batch - 1, sharedPrefix));
}

/// Bytes that each sequence has separately and that depend on neither the cache
/// nor the new tokens, such as embeddings.
LogicalResult ServeSteps::findEncoderBytes(int64_t batch) {
  int64_t context = question.inputTokens;
  // The graph for one sequence has views instead of copies, and a different
  // order of tensors.
  int64_t several = std::max<int64_t>(batch, 2);
  StepModels::Model own = models.prepare({batch, 1, context}),
                    model = models.prepare({several, 1, context}),
                    larger = models.prepare({several + 1, 1, context}),
                    wider = models.prepare({several, 2, context}),
                    longer = models.prepare({several, 1, context + 1});
  if (!own || !model || !larger || !wider || !longer)
    return failure();
  std::vector<int64_t> sizes = persistentSizes(*own),
                       before = persistentSizes(*model),
                       after = persistentSizes(*larger);
  auto stays = [&](const std::vector<int64_t> &other, size_t i) {
    return other.size() != before.size() || other[i] == before[i];
  };
  std::vector<int64_t> more = persistentSizes(*wider),
                       later = persistentSizes(*longer);
  encoderPerSequence = 0;
  for (size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    int64_t each = after[i] - before[i];
    if (each <= integerBytes || before[i] != each * several ||
        !stays(more, i) || !stays(later, i))
      continue;
    encoderPerSequence += each;
    for (size_t k = 0; k < sizes.size(); ++k)
      if (!isCache[k] && sizes[k] == each * batch) {
        isCache[k] = true;
        break;
      }
  }
  return success();
}

ServeFloor ServeSteps::floorOf(const PlacedModel &placed,
                               const IterationSummary &summary,
                               bool hasPast) const {
  const PreparedModel &model = placed.prepared();
  std::vector<int64_t> read, all = persistentSizes(model);
  read.resize(all.size());
  for (const PersistentRead &each : model.persistentReads)
    read[each.tensor] =
        std::min(saturatingSum(read[each.tensor], each.bytes), each.allBytes);
  ServeFloor floor;
  for (size_t i = 0; i < read.size(); ++i)
    (hasPast && i < isCache.size() && isCache[i] ? floor.cache
                                                 : floor.weights) +=
        Bytes(static_cast<double>(read[i]));
  floor.memory =
      (floor.weights + floor.cache) / placed.model().gpu().dramBandwidth;
  floor.compute = summary.totals.time * summary.mfu;
  const PhaseTotals &links =
      summary.totals.phases[static_cast<size_t>(Phase::Communication)];
  // With --moe-overlap, only what computation does not hide.
  floor.communication = model.settings.moeOverlap ? links.time : links.gpuBusy;
  floor.collectives = links.kernels;
  return floor;
}

void ServeSteps::learn(int64_t batch) {
  int64_t first = question.inputTokens;
  int64_t last = std::max(question.lastContext(), first) + farContext;
  int64_t most = std::max(farBatch, batch);
  if (draft)
    draft->learn(batch);
  // If there is no family for all batches, there may be one for this batch.
  if (!models.learn({{2, newTokens, first}, {most, newTokens, last}}) &&
      batch > 1)
    models.learn({{batch, newTokens, first}, {batch, newTokens, last}});
  // A single sequence uses other kernels; searches for time limits begin with
  // it.
  if (batch == 1 || question.tpot)
    models.learn({{1, newTokens, first}, {1, newTokens, last}});
}

void ServeSteps::learnPrompts(const StepShape &prompts) {
  // Limits need prompts of every batch.
  if (question.prefillBatch || prompts.batch < 2)
    return;
  int64_t longest = std::max(prompts.query, question.encoderTokens);
  int64_t words = countWords(session.model()) / models.tensorParallel();
  int64_t few = words > 0 ? words / longest : farBatch;
  bool isFew = prompts.batch <= few;
  bool &known = isFew ? hasFewPrompts : hasManyPrompts;
  if (std::exchange(known, true))
    return;
  StepShape low = prompts, high = prompts;
  low.batch = isFew ? 2 : few + 1;
  high.batch = isFew ? few : few + farBatch;
  if (high.batch - low.batch >= ShapeRange::leastBatches)
    models.learn({low, high});
}

//===----------------------------------------------------------------------===//
// Prefill
//===----------------------------------------------------------------------===//

std::vector<StepShape> ServeSteps::chunksOf(int64_t prompts) const {
  int64_t chunk = question.chunk();
  std::vector<StepShape> chunks;
  for (int64_t past = question.cachedTokens(); past < question.inputTokens;
       past += chunk)
    chunks.push_back(
        {prompts, std::min(chunk, question.inputTokens - past), past});
  return chunks;
}

/// Adds the shares of the GPU's time that a step spends at each bound.
static void addBounds(std::vector<std::pair<Bound, double>> &sums,
                      const IterationReport &report) {
  for (const auto &[bound, fraction] : report.boundFractions) {
    auto it =
        llvm::find_if(sums, [b = bound](auto &sum) { return sum.first == b; });
    double time = fraction * report.gpuBusy.value();
    if (it == sums.end())
      sums.emplace_back(bound, time);
    else
      it->second += time;
  }
}

/// Adds `count` steps of a draft model; the clock and the interval remain those
/// of the model.
static void addSteps(ServePhase &phase, const ServePhase &draft, double count) {
  double before = phase.time.value();
  phase.time += draft.time * count;
  phase.energy += draft.energy * count;
  double share = before / phase.time.value();
  for (auto &[bound, fraction] : phase.boundFractions)
    fraction *= share;
  for (const auto &[bound, fraction] : draft.boundFractions) {
    auto it = llvm::find_if(phase.boundFractions, [b = bound](auto &each) {
      return each.first == b;
    });
    double more = fraction * (1 - share);
    if (it == phase.boundFractions.end())
      phase.boundFractions.emplace_back(bound, more);
    else
      it->second += more;
  }
  ServeFloor &floor = phase.floor;
  const ServeFloor &added = draft.floor;
  floor.weights += added.weights * count;
  floor.cache += added.cache * count;
  floor.memory += added.memory * count;
  floor.compute += added.compute * count;
  floor.communication += added.communication * count;
  floor.collectives += added.collectives * static_cast<int64_t>(count);
  phase.throttled |= draft.throttled;
  phase.limitUnreachable |= draft.limitUnreachable;
  phase.isLowerBound |= draft.isLowerBound;
  for (const std::string &note : draft.notes)
    if (!llvm::is_contained(phase.notes, note))
      phase.notes.push_back(note);
}

static void finishBounds(ServePhase &phase, bool hostBound) {
  double sum = 0;
  for (const auto &[bound, time] : phase.boundFractions)
    sum += time;
  for (auto &[bound, time] : phase.boundFractions)
    time = sum > 0 ? time / sum : 0;
  llvm::sort(phase.boundFractions, [](const auto &a, const auto &b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (hostBound)
    phase.bound = Bound::Host;
  else if (!phase.boundFractions.empty())
    phase.bound = phase.boundFractions.front().first;
}

void ServeSteps::addModelNotes(const StepShape &shape, ServePhase &phase) {
  // The notes of a family are those of another shape.
  if (StepModels::Model own = models.prepareQuietly(shape))
    phase.notes.insert(phase.notes.begin(), own->notes.begin(),
                       own->notes.end());
}

LogicalResult ServeSteps::addStep(const StepShape &shape, ServePhase &phase,
                                  Seconds &host, Seconds &busy) {
  FailureOr<PlacedModel> placed = models.place(shape);
  if (failed(placed))
    return failure();
  const Settings &settings = placed->prepared().settings;
  IterationSummary summary = placed->summarize(settings);
  IterationReport report = placed->report(summary, settings);
  phase.time += report.time;
  phase.energy += report.energy;
  phase.tokens += report.tokens;
  ServeFloor floor = floorOf(*placed, summary, shape.past > 0);
  phase.floor.weights += floor.weights;
  phase.floor.cache += floor.cache;
  phase.floor.memory += floor.memory;
  phase.floor.compute += floor.compute;
  phase.floor.communication += floor.communication;
  phase.floor.collectives += floor.collectives;
  phase.errorBars = report.errorBars;
  phase.clock = report.clock;
  phase.throttled |= report.throttled;
  phase.limitUnreachable |= report.limitUnreachable;
  phase.isLowerBound |= report.isLowerBound();
  for (std::string &note : placed->notes(settings, summary.totals))
    if (!llvm::is_contained(phase.notes, note))
      phase.notes.push_back(std::move(note));
  if (phase.brokenLimit.empty())
    phase.brokenLimit = placed->describeBrokenLimit(settings, summary.totals);
  host += report.host;
  busy += report.gpuBusy;
  addBounds(phase.boundFractions, report);
  return success();
}

FailureOr<ServePhase> ServeSteps::prefill(int64_t prompts) {
  std::vector<StepShape> chunks = chunksOf(prompts);
  // All except the first and the last differ only in the past.
  if (static_cast<int64_t>(chunks.size()) > fewChunks)
    models.learn({chunks[1], {prompts, chunks[1].query, question.inputTokens}});
  ServePhase phase;
  Seconds host, busy;
  for (const StepShape &chunk : chunks)
    if (failed(addStep(chunk, phase, host, busy)))
      return failure();
  addModelNotes(chunks.back(), phase);
  finishBounds(phase, host > busy);
  if (draft) {
    FailureOr<ServePhase> prompt = draft->prefill(prompts);
    if (failed(prompt))
      return failure();
    addSteps(phase, *prompt, 1);
  }
  return phase;
}

//===----------------------------------------------------------------------===//
// Decode
//===----------------------------------------------------------------------===//

FailureOr<ServeStep> ServeSteps::step(int64_t batch, int64_t context) {
  FailureOr<ServeStep> all = verifyStep(batch, context);
  if (failed(all) || !draft)
    return all;
  FailureOr<ServeStep> one = draft->step(batch, context);
  if (failed(one))
    return failure();
  auto count = static_cast<double>(question.techniques.draftTokens);
  all->time += one->time * count;
  all->energy += one->energy * count;
  return all;
}

FailureOr<ServeStep> ServeSteps::verifyStep(int64_t batch, int64_t context) {
  FailureOr<PlacedModel> placed = models.place({batch, newTokens, context});
  if (failed(placed))
    return failure();
  IterationTotals totals = placed->solve(placed->prepared().settings);
  return ServeStep{context, totals.time, totals.energy};
}

FailureOr<ServeStep> ServeSteps::meanStep(int64_t batch, int64_t contexts) {
  int64_t steps = question.steps();
  int64_t points = std::min(std::max<int64_t>(contexts, 2), steps);
  ServeStep sum, before;
  for (int64_t i = 0; i < points; ++i) {
    int64_t offset = points > 1 ? i * (steps - 1) / (points - 1) : 0;
    FailureOr<ServeStep> next = step(batch, question.inputTokens + offset);
    if (failed(next))
      return failure();
    // The steps between the previous point and this one, interpolated linearly.
    if (i > 0) {
      auto count = static_cast<double>(next->context - before.context);
      sum.time +=
          before.time * count + (next->time - before.time) * ((count - 1) / 2);
      sum.energy += before.energy * count +
                    (next->energy - before.energy) * ((count - 1) / 2);
    }
    before = *next;
  }
  sum.time += before.time;
  sum.energy += before.energy;
  sum.context = question.inputTokens + (steps - 1) / 2;
  sum.time = sum.time / static_cast<double>(steps);
  sum.energy = sum.energy / static_cast<double>(steps);
  return sum;
}

FailureOr<ServePhase> ServeSteps::decode(int64_t batch) {
  FailureOr<ServeStep> mean = meanStep(batch, question.contexts);
  if (failed(mean))
    return failure();
  ServePhase phase;
  Seconds host, busy;
  StepShape shape = {batch, newTokens, mean->context};
  if (failed(addStep(shape, phase, host, busy)))
    return failure();
  addModelNotes(shape, phase);
  finishBounds(phase, host > busy);
  if (draft) {
    FailureOr<ServePhase> one = draft->decode(batch);
    if (failed(one))
      return failure();
    addSteps(phase, *one, static_cast<double>(question.techniques.draftTokens));
  }
  phase.time = mean->time;
  phase.energy = mean->energy;
  return phase;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

FailureOr<MemoryPlan> ServeSteps::prefillNeed(int64_t batch) {
  int64_t prompts = promptsOf(batch);
  StepShape last = chunksOf(prompts).back();
  learnPrompts(last);
  FailureOr<MemoryPlan> plan = models.memory(last);
  if (failed(plan))
    return failure();
  // The other sequences already have their caches.
  int64_t others = saturatingProduct(
      batch - prompts, saturatingSum(cachePerSequence, encoderPerSequence));
  return withTechniques(*plan, others, batch, question.length());
}

FailureOr<MemoryPlan> ServeSteps::decodeNeed(int64_t batch, int64_t context) {
  FailureOr<MemoryPlan> plan = models.memory({batch, newTokens, context});
  if (failed(plan))
    return failure();
  return withTechniques(*plan, 0, batch, context);
}

FailureOr<MemoryPlan> ServeSteps::withTechniques(MemoryPlan plan, int64_t more,
                                                 int64_t batch,
                                                 int64_t context) {
  if (draft) {
    FailureOr<int64_t> ofDraft = draft->bytesAt(batch, context);
    if (failed(ofDraft))
      return failure();
    more = saturatingSum(more, *ofDraft);
  }
  int64_t saved = saturatingProduct(batch - 1, sharedPrefix);
  for (int64_t *bytes : {&plan.device, &plan.deviceLow, &plan.deviceHigh}) {
    *bytes = saturatingSum(*bytes, more);
    *bytes -= std::min(*bytes, saved);
  }
  plan.fits = plan.device <= plan.usable;
  return plan;
}
