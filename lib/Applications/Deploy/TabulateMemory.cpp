//===- TabulateMemory.cpp - Memory of an engine ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tabulator.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;
using namespace gpucost::deploy;

MemoryPlan Engine::Tabulator::memoryOfChunk(int64_t query, int64_t past) const {
  int64_t longestPart = model.limits().query;
  if (query <= longestPart)
    return model.memoryAt({1, query, past});
  // As many tokens in several sequences with an empty cache.
  int64_t parts = (query + longestPart - 1) / longestPart;
  MemoryPlan plan = model.memoryAt({parts, (query + parts - 1) / parts, 0});
  plan.device += std::llround(cacheOfToken * static_cast<double>(past));
  return plan;
}

MemoryPlan Engine::Tabulator::memoryOfPrompt(int64_t chunk) const {
  int64_t longest = traffic.longestComputed();
  int64_t cached = traffic.longestInput() - longest;
  int64_t full = longest / chunk, rest = longest % chunk;
  MemoryPlan most;
  most.fits = false;
  if (full > 0)
    most = memoryOfChunk(chunk, cached + (full - 1) * chunk);
  if (rest > 0)
    if (MemoryPlan last = memoryOfChunk(rest, cached + full * chunk);
        full == 0 || last.device > most.device)
      most = last;
  most.device += std::llround(draftWeights + draftCache);
  return most;
}

int64_t Engine::Tabulator::mostSequences(const MemoryPlan &first) const {
  int64_t most = model.limits().batch;
  double room =
      static_cast<double>(first.usable) - static_cast<double>(first.device);
  if (room < 0)
    return 0;
  if (engine.bytesPerSequence <= 0)
    return most;
  return 1 + static_cast<int64_t>(std::min(room / engine.bytesPerSequence,
                                           static_cast<double>(most - 1)));
}

bool Engine::Tabulator::decodeFits(int64_t batch) const {
  MemoryPlan plan = model.memoryAt({batch, 1, end()});
  auto sequences = static_cast<double>(batch);
  return static_cast<double>(plan.device) + draftWeights +
             sequences * draftCache - (sequences - 1) * sharedBytes <=
         static_cast<double>(plan.usable);
}

Error Engine::Tabulator::findMemory() {
  if (std::max(traffic.length() + techniques.draftTokens,
               traffic.longestInput()) > model.limits().past)
    return {"sequences of " + std::to_string(traffic.length()) +
            " tokens are longer than the model's positions"};
  if (draft && std::max(end() + techniques.verified(), traffic.longestInput()) >
                   draft->limits().past)
    return {"sequences of " + std::to_string(traffic.length()) +
            " tokens are longer than the draft model's positions"};
  constexpr int64_t few = 8;
  MemoryPlan two = model.memoryAt({2, 1, end()}),
             more = model.memoryAt({2 + few, 1, end()});
  findCache();
  if (draft) {
    // Families of several new tokens have few sequences.
    MemoryPlan verify = model.memoryAt({2 + few, techniques.verified(), end()});
    draftCache += std::max(
        static_cast<double>(verify.device - more.device) / (2 + few), 0.0);
  }
  double whole = static_cast<double>(more.device - two.device) / few;
  engine.firstBytes =
      static_cast<double>(two.device) - whole + draftWeights + draftCache;
  engine.bytesPerSequence = std::max(whole + draftCache - sharedBytes, 0.0);
  MemoryPlan one = two;
  one.device = std::llround(engine.firstBytes);
  int64_t batch = mostSequences(one);
  // Near the largest batch, every number is tried.
  while (batch > 0 && !decodeFits(batch))
    --batch;
  engine.largestBatch = batch;
  engine.batchFault =
      batch < model.limits().batch
          ? noRoom
          : "a step has at most " + std::to_string(batch) + " sequences";
  return {};
}

void Engine::Tabulator::findCache() {
  cacheOfToken = model.cacheBytesPerToken();
  double ofAll = cacheOfToken;
  if (draft) {
    double ofDraft = draft->cacheBytesPerToken();
    ofAll += ofDraft;
    draftCache = ofDraft * static_cast<double>(end());
    draftWeights =
        static_cast<double>(draft->ownWeights(techniques.draft.empty()));
  }
  int64_t gpusOfRank = engine.gpus / engine.ranks;
  engine.cacheBytesPerToken = ofAll * static_cast<double>(gpusOfRank);
  sharedBytes = ofAll * static_cast<double>(traffic.cachedInput());
}

std::optional<IterationErrorBars>
Engine::Tabulator::barsAt(const StepShape &shape) const {
  std::shared_ptr<PreparedModel> prepared = model.modelAt(shape);
  if (!prepared)
    return std::nullopt;
  auto placed = PlacedModel::create(prepared, engine.target->costModel);
  if (!placed)
    return std::nullopt;
  return placed->summarize(engine.settings).errors.bars;
}

void Engine::Tabulator::addBars(int64_t chunk) {
  int64_t batch = std::clamp<int64_t>(
      engine.largestBatch / 2, 1, std::max<int64_t>(engine.largestBatch, 1));
  engine.decodeBars = barsAt({batch, techniques.verified(), context});
  // Families of several new tokens have few sequences.
  if (!engine.decodeBars)
    engine.decodeBars = barsAt({batch, 1, context});
  engine.promptBars = barsAt({1, std::min(chunk, traffic.longestComputed()),
                              techniques.cachedOf(traffic.longestInput())});
  if (const auto &bars = engine.target->costModel.coefficients().errorBars)
    engine.correlation = bars->correlation;
}
