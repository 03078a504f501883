//===- Engine.cpp - One replica of a service ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engine.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::deploy;

/// Batches at which steps are evaluated, beyond the powers of two.
static constexpr double betweenPowers = 1.5;
/// Steps between those of `promptBatches`.
static constexpr int64_t promptGrowth = 4;
/// More lengths share the costs of the last chunk.
static constexpr size_t fewLengths = 4;
/// The last chunk is interpolated between 1/8, 1/4, ... of a chunk.
static constexpr int64_t partsOfChunk = 8;

/// Learns the steps of an engine.
class Engine::Tabulator {
public:
  Tabulator(Engine &engine, const LearnedSteps &steps, const Traffic &traffic)
      : engine(engine), traffic(traffic), techniques(traffic.techniques),
        model(steps.model, engine.target->costModel, engine.settings),
        context(std::max<int64_t>(std::llround(traffic.meanContext()), 1)) {
    if (steps.draft)
      draft.emplace(*steps.draft, engine.target->costModel,
                    engine.draftSettings);
  }

  Error findMemory();
  void findCache();
  Error addDecodes();
  /// Fills the table of prompts in chunks of `chunk` tokens.
  void addPrompts(int64_t chunk, PromptTable &table);
  void addBars(int64_t chunk);

private:
  /// The largest of the last full chunk of a prompt and the rest after it.
  MemoryPlan memoryOfPrompt(int64_t chunk) const;
  MemoryPlan memoryOfChunk(int64_t query, int64_t past) const;
  /// The most sequences, with the memory of `first` for the first one.
  int64_t mostSequences(const MemoryPlan &first) const;
  bool decodeFits(int64_t batch) const;
  /// The longest context of a decode step.
  int64_t end() const { return std::max<int64_t>(traffic.length() - 1, 1); }
  std::optional<IterationErrorBars> barsAt(const StepShape &shape) const;
  Expected<StepPart> step(int64_t decodes, int64_t query, int64_t past);
  /// What a chunk adds to a step with `decodes`.
  Expected<StepPart> added(int64_t decodes, int64_t query, int64_t past);
  Error addRow(int64_t chunk, int64_t decodes, std::vector<PromptClass> &row);

  Engine &engine;
  const Traffic &traffic;
  const serve::Techniques &techniques;
  ModelSteps model;
  std::optional<ModelSteps> draft;
  const int64_t context;
  /// Cache of a token on one GPU, without that of the draft model.
  double cacheOfToken = 0;
  /// (V10) Cache of the prefix on one GPU, stored once for all sequences.
  double sharedBytes = 0;
  /// (V11) The weights of the draft model on one GPU; its cache of a whole
  /// sequence, and the activations of the draft tokens.
  double draftWeights = 0, draftCache = 0;
};

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

static constexpr const char *noRoom =
    "the cache of this many sequences does not fit";

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

/// a + (b - a) x.
static StepPart between(const StepPart &a, const StepPart &b, double x) {
  return {a.time + (b.time - a.time) * x, a.energy + (b.energy - a.energy) * x};
}

static void addTimes(StepPart &sum, const StepPart &part, double count) {
  sum.time += part.time * count;
  sum.energy += part.energy * count;
}

/// (V11) The draft model runs a step for each draft token, and the prompts.
Expected<StepPart> Engine::Tabulator::step(int64_t decodes, int64_t query,
                                           int64_t past) {
  auto all =
      model.step({decodes, techniques.verified(), context}, {query, past});
  if (!all || !draft)
    return all;
  auto add = [&](const DecodeShape &decode, const ChunkShape &chunk,
                 int64_t count) -> Error {
    auto part = draft->step(decode, chunk);
    if (!part)
      return part.error();
    addTimes(*all, *part, static_cast<double>(count));
    return {};
  };
  if (decodes > 0)
    if (Error error = add({decodes, 1, context}, {}, techniques.draftTokens);
        !error.message.empty())
      return fail(error);
  if (query > 0)
    if (Error error = add({}, {query, past}, 1); !error.message.empty())
      return fail(error);
  return all;
}

Expected<StepPart> Engine::Tabulator::added(int64_t decodes, int64_t query,
                                            int64_t past) {
  auto all = step(decodes, query, past);
  if (!all || decodes == 0)
    return all;
  auto without = step(decodes, 0, 0);
  if (!without)
    return without;
  return StepPart{all->time - without->time, all->energy - without->energy};
}

Error Engine::Tabulator::addDecodes() {
  std::vector<double> &batches = engine.decodeBatches;
  auto most = static_cast<double>(engine.largestBatch);
  std::vector<double> planned;
  for (double power = 1; power < most; power *= 2) {
    planned.push_back(power);
    if (double middle = power * betweenPowers;
        middle == std::floor(middle) && middle < most)
      planned.push_back(middle);
  }
  planned.push_back(most);
  for (double batch : planned) {
    auto part = step(static_cast<int64_t>(batch), 0, 0);
    if (!part && batches.empty())
      return part.error();
    if (!part) {
      // Smaller batches remain.
      engine.largestBatch = static_cast<int64_t>(batches.back());
      engine.batchFault = part.error().message;
      break;
    }
    batches.push_back(batch);
    engine.decodes.push_back(*part);
  }
  // The parts of a prompt are more sequences of the step.
  int64_t last = std::clamp<int64_t>(
      model.limits().batch - ShapeRange::leastBatches, 1, engine.largestBatch);
  engine.promptBatches.push_back(0);
  for (int64_t batch = 1; batch < last; batch *= promptGrowth)
    engine.promptBatches.push_back(static_cast<double>(batch));
  engine.promptBatches.push_back(static_cast<double>(last));
  return {};
}

Error Engine::Tabulator::addRow(int64_t chunk, int64_t decodes,
                                std::vector<PromptClass> &row) {
  int64_t cachedOfLongest = techniques.cachedOf(traffic.longestInput());
  StepPart first, slope;
  int64_t lastFull = traffic.longestComputed() / chunk - 1;
  if (lastFull >= 0) {
    auto begin = added(decodes, chunk, 0);
    if (!begin)
      return begin.error();
    first = *begin;
    // The time of a chunk is linear in the tokens before it.
    if (int64_t past = cachedOfLongest + lastFull * chunk; past > 0) {
      auto end = added(decodes, chunk, past);
      if (!end)
        return end.error();
      double steps = static_cast<double>(chunk) / static_cast<double>(past);
      slope = {(end->time - first.time) * steps,
               (end->energy - first.energy) * steps};
    }
  }
  // Parts of a chunk are evaluated after the prefix of a mean prompt.
  std::vector<StepPart> parts;
  int64_t partPast = traffic.cachedInput();
  if (traffic.input.size() > fewLengths)
    for (int64_t share = partsOfChunk; share >= 1; share /= 2) {
      auto part = added(decodes, std::max<int64_t>(chunk / share, 1), partPast);
      if (!part)
        return part.error();
      parts.push_back(*part);
    }
  for (const LengthShare &each : traffic.input) {
    // (V10) Only the tokens after the cached prefix are computed.
    int64_t cached = techniques.cachedOf(each.tokens);
    int64_t computed = each.tokens - cached;
    int64_t full = computed / chunk, rest = computed % chunk;
    PromptClass prompt;
    prompt.share = each.share;
    prompt.steps = static_cast<double>(full + (rest > 0));
    auto count = static_cast<double>(full);
    addTimes(prompt.added, first, count);
    double chunksBefore =
        static_cast<double>(cached) / static_cast<double>(chunk);
    addTimes(prompt.added, slope, count * (chunksBefore + (count - 1) / 2));
    if (rest > 0 && parts.empty()) {
      auto last = added(decodes, rest, cached + full * chunk);
      if (!last)
        return last.error();
      addTimes(prompt.added, *last, 1);
    } else if (rest > 0) {
      double share = static_cast<double>(rest) / static_cast<double>(chunk);
      // 1/8, 1/4, 1/2, 1 are log2(share * 8) = 0, 1, 2, 3; below, the first.
      size_t low = 0;
      double from = 1.0 / partsOfChunk;
      while (low + 2 < parts.size() && share > 2 * from) {
        from *= 2;
        ++low;
      }
      addTimes(
          prompt.added,
          between(parts[low], parts[low + 1], std::max(share / from - 1, 0.0)),
          1);
      double later = static_cast<double>(cached + full * chunk - partPast) /
                     static_cast<double>(chunk);
      addTimes(prompt.added, slope, later * share);
    }
    row.push_back(prompt);
  }
  return {};
}

void Engine::Tabulator::addPrompts(int64_t chunk, PromptTable &table) {
  // Families have prompts of at least so many sequences.
  int64_t most = model.limits().query * ShapeRange::leastBatches;
  if (std::min(chunk, traffic.longestComputed()) > most) {
    table.fault =
        "a step takes at most " + std::to_string(most) + " tokens of a prompt";
    return;
  }
  int64_t fitting = mostSequences(memoryOfPrompt(chunk));
  table.most = std::min(fitting, engine.largestBatch);
  table.fault = fitting < engine.largestBatch ? noRoom : engine.batchFault;
  if (table.most == 0)
    table.fault = "a prompt in chunks of this many tokens does not fit";
  for (double decodes : engine.promptBatches) {
    std::vector<PromptClass> row;
    Error error = addRow(chunk, static_cast<int64_t>(decodes), row);
    if (error.message.empty()) {
      table.rows.push_back(std::move(row));
      continue;
    }
    // Smaller batches remain, if there is one for a line.
    size_t known = table.rows.size();
    table.most =
        known > 1
            ? std::min(table.most,
                       static_cast<int64_t>(engine.promptBatches[known - 1]))
            : 0;
    table.fault = error.message;
    return;
  }
}

bool Engine::accepts(const LearnedSteps &steps) {
  auto restateOne = [&](const serve::ServiceShapes &service, Settings &result) {
    auto found = settingsOn(service, scenario, *target);
    if (found)
      result = std::move(*found);
    else
      reason = found.error().message;
    return found.has_value();
  };
  if (!restateOne(steps.model, settings) ||
      (steps.draft && !restateOne(*steps.draft, draftSettings)))
    return false;
  gpus = settings.gpus;
  ranks = std::max<int64_t>(settings.plan().data, 1);
  const CostModel &costs = target->costModel;
  idlePower = costs.idlePower(settings.clock.value_or(costs.gpu().maxClock));
  return true;
}

void Engine::tabulate(const LearnedSteps &steps, const Traffic &traffic,
                      const std::vector<int64_t> &chunks) {
  Tabulator tabulator(*this, steps, traffic);
  Error error = tabulator.findMemory();
  if (error.message.empty() && largestBatch == 0)
    error.message = "the model with one sequence does not fit";
  if (error.message.empty())
    error = tabulator.addDecodes();
  if (error.message.empty()) {
    tabulator.addBars(chunks.front());
    tables.resize(chunks.size());
    for (auto [chunk, table] : llvm::zip(chunks, tables))
      tabulator.addPrompts(chunk, table);
  }
  reason = error.message;
}

/// The index of the grid's interval that contains `x`, and the position in it.
static std::pair<size_t, double> locate(llvm::ArrayRef<double> grid, double x) {
  if (grid.size() == 1 || x <= grid.front())
    return {0, 0};
  const double *it = std::upper_bound(grid.begin(), grid.end(), x);
  size_t low = static_cast<size_t>(it - grid.begin()) - 1;
  low = std::min(low, grid.size() - 2);
  return {low, (x - grid[low]) / (grid[low + 1] - grid[low])};
}

StepPart Engine::decodeAt(double batch) const {
  auto [low, x] = locate(decodeBatches, batch);
  return between(decodes[low], decodes[std::min(low + 1, decodes.size() - 1)],
                 x);
}

std::vector<PromptClass> Engine::promptsAt(size_t index, double batch) const {
  const auto &rows = tables[index].rows;
  auto [low, x] =
      locate(llvm::ArrayRef(promptBatches).take_front(rows.size()), batch);
  std::vector<PromptClass> prompts = rows[low];
  const auto &next = rows[std::min(low + 1, rows.size() - 1)];
  for (size_t i = 0; i < prompts.size(); ++i)
    prompts[i].added = between(prompts[i].added, next[i].added, x);
  return prompts;
}

StepCosts Engine::costs(size_t index) const {
  return {[this](double batch) { return decodeAt(batch); },
          [this, index](double batch) { return promptsAt(index, batch); }};
}

int64_t Engine::deviceBytes(int64_t batch) const {
  return std::llround(firstBytes +
                      bytesPerSequence * static_cast<double>(batch - 1));
}
