//===- Engine.cpp - One replica of a service ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engine.h"
#include "gpucost/Core/Iteration/Restate.h"
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
  Tabulator(Engine &engine, const serve::ServiceShapes &service,
            const Traffic &traffic)
      : engine(engine), shapes(*service.shapes), traffic(traffic),
        oracle(service.shapes, engine.target->costModel, engine.settings),
        context(std::max<int64_t>(std::llround(traffic.meanContext()), 1)) {}

  Error findMemory();
  void findCache();
  Error addDecodes();
  /// Fills the table of prompts in chunks of `chunk` tokens.
  void addPrompts(int64_t chunk, PromptTable &table);
  void addBars(int64_t chunk);

private:
  std::shared_ptr<PreparedModel> modelAt(const StepShape &shape) const;
  MemoryPlan memoryAt(const StepShape &shape) const;
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
  const StepShapes &shapes;
  const Traffic &traffic;
  StepOracle oracle;
  const int64_t context;
  /// (V10) Cache of the prefix on one GPU, stored once for all sequences.
  double sharedBytes = 0;
  /// Prompt tokens of one sequence of a step.
  const int64_t longestPart = shapes.limits().query;
  std::vector<StepSequence> sequences;
};

std::shared_ptr<PreparedModel>
Engine::Tabulator::modelAt(const StepShape &shape) const {
  if (const ShapeFamily *family = shapes.find(shape))
    return family->at(shape);
  // No family for a single sequence: two are the least.
  StepShape several = shape;
  several.batch = std::max<int64_t>(several.batch, 2);
  if (const ShapeFamily *family = shapes.find(several))
    return family->at(several);
  several.query = std::max<int64_t>(several.query, 2);
  several.past = std::max<int64_t>(several.past, 1);
  const ShapeFamily &mixed = shapes.mixed();
  return mixed.range().contains(several) ? mixed.at(several) : nullptr;
}

MemoryPlan Engine::Tabulator::memoryAt(const StepShape &shape) const {
  std::shared_ptr<PreparedModel> model = modelAt(shape);
  if (!model) {
    MemoryPlan none;
    none.fits = false;
    return none;
  }
  const CostModel &costs = engine.target->costModel;
  return planMemory(*model, costs.gpu(), costs.coefficients());
}

MemoryPlan Engine::Tabulator::memoryOfChunk(int64_t query, int64_t past) const {
  if (query <= longestPart)
    return memoryAt({1, query, past});
  // As many tokens in several sequences with an empty cache.
  int64_t parts = (query + longestPart - 1) / longestPart;
  MemoryPlan plan = memoryAt({parts, (query + parts - 1) / parts, 0});
  plan.device += std::llround(engine.cacheBytesPerToken *
                              static_cast<double>(past * engine.ranks) /
                              static_cast<double>(engine.gpus));
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
  return most;
}

int64_t Engine::Tabulator::mostSequences(const MemoryPlan &first) const {
  int64_t most = shapes.limits().batch;
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
  MemoryPlan plan = memoryAt({batch, 1, end()});
  return static_cast<double>(plan.device) -
             static_cast<double>(batch - 1) * sharedBytes <=
         static_cast<double>(plan.usable);
}

static constexpr const char *noRoom =
    "the cache of this many sequences does not fit";

Error Engine::Tabulator::findMemory() {
  if (std::max(traffic.length(), traffic.longestInput()) > shapes.limits().past)
    return {"sequences of " + std::to_string(traffic.length()) +
            " tokens are longer than the model's positions"};
  constexpr int64_t few = 8;
  MemoryPlan two = memoryAt({2, 1, end()}),
             more = memoryAt({2 + few, 1, end()});
  findCache();
  double whole = static_cast<double>(more.device - two.device) / few;
  engine.firstBytes = static_cast<double>(two.device) - whole;
  engine.bytesPerSequence = std::max(whole - sharedBytes, 0.0);
  MemoryPlan one = two;
  one.device = std::llround(engine.firstBytes);
  int64_t batch = mostSequences(one);
  // Near the largest batch, every number is tried.
  while (batch > 0 && !decodeFits(batch))
    --batch;
  engine.largestBatch = batch;
  engine.batchFault =
      batch < shapes.limits().batch
          ? noRoom
          : "a step has at most " + std::to_string(batch) + " sequences";
  return {};
}

void Engine::Tabulator::findCache() {
  constexpr int64_t tokens = 1024;
  auto cacheOf = [](const PreparedModel &model) {
    std::vector<int64_t> sizes;
    for (const PersistentRead &read : model.persistentReads) {
      sizes.resize(std::max<size_t>(sizes.size(), read.tensor + 1));
      sizes[read.tensor] = std::max(sizes[read.tensor], read.allBytes);
    }
    int64_t sum = 0;
    for (int64_t size : sizes)
      sum += size;
    return static_cast<double>(sum);
  };
  auto shorter = modelAt({2, 1, tokens}), longer = modelAt({2, 1, 2 * tokens});
  if (shorter && longer)
    engine.cacheBytesPerToken = (cacheOf(*longer) - cacheOf(*shorter)) /
                                (2 * tokens) *
                                static_cast<double>(engine.gpus / engine.ranks);
  sharedBytes = engine.cacheBytesPerToken *
                static_cast<double>(traffic.cachedInput() * engine.ranks) /
                static_cast<double>(engine.gpus);
}

std::optional<IterationErrorBars>
Engine::Tabulator::barsAt(const StepShape &shape) const {
  std::shared_ptr<PreparedModel> model = modelAt(shape);
  if (!model)
    return std::nullopt;
  auto placed = PlacedModel::create(model, engine.target->costModel);
  if (!placed)
    return std::nullopt;
  return placed->summarize(engine.settings).errors.bars;
}

void Engine::Tabulator::addBars(int64_t chunk) {
  int64_t batch = std::clamp<int64_t>(
      engine.largestBatch / 2, 1, std::max<int64_t>(engine.largestBatch, 1));
  engine.decodeBars = barsAt({batch, 1, context});
  engine.promptBars =
      barsAt({1, std::min(chunk, traffic.longestComputed()),
              traffic.techniques.cachedOf(traffic.longestInput())});
  if (const auto &bars = engine.target->costModel.coefficients().errorBars)
    engine.correlation = bars->correlation;
}

Expected<StepPart> Engine::Tabulator::step(int64_t decodes, int64_t query,
                                           int64_t past) {
  sequences.assign(static_cast<size_t>(decodes), {1, context});
  // Of a chunk beyond the limit of the oracle, each part attends to the parts
  // before it: the same products, in several attention kernels.
  for (int64_t done = 0; done < query; done += longestPart)
    // One new token would be a decode step.
    sequences.push_back(
        {std::clamp<int64_t>(query - done, 2, longestPart), past + done});
  auto cost = oracle.step(sequences.data(), sequences.size());
  if (!cost)
    return fail(cost.error());
  return StepPart{cost->time, cost->energy};
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
      shapes.limits().batch - ShapeRange::leastBatches, 1, engine.largestBatch);
  engine.promptBatches.push_back(0);
  for (int64_t batch = 1; batch < last; batch *= promptGrowth)
    engine.promptBatches.push_back(static_cast<double>(batch));
  engine.promptBatches.push_back(static_cast<double>(last));
  return {};
}

/// a + (b - a) x.
static StepPart between(const StepPart &a, const StepPart &b, double x) {
  return {a.time + (b.time - a.time) * x, a.energy + (b.energy - a.energy) * x};
}

static void addTimes(StepPart &sum, const StepPart &part, double count) {
  sum.time += part.time * count;
  sum.energy += part.energy * count;
}

Error Engine::Tabulator::addRow(int64_t chunk, int64_t decodes,
                                std::vector<PromptClass> &row) {
  const serve::Techniques &techniques = traffic.techniques;
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
  int64_t most = longestPart * ShapeRange::leastBatches;
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

bool Engine::accepts(const serve::ServiceShapes &service) {
  // The device of the scenario replaces the one of the preparation.
  PreparedModel base = service.shapes->mixed().base();
  base.given.targetFile.reset();
  base.given.coefficients.reset();
  base.given.interconnect.reset();
  base.given.network.reset();
  // Steps state their batch.
  Scenario changes = scenario;
  changes.batch.reset();
  auto changed = restate(base, service.target, changes, target->facts);
  if (!changed) {
    reason = changed.error().message;
    return false;
  }
  settings = (*changed)->settings;
  gpus = settings.gpus;
  ranks = std::max<int64_t>(settings.plan().data, 1);
  const CostModel &costs = target->costModel;
  idlePower = costs.idlePower(settings.clock.value_or(costs.gpu().maxClock));
  return true;
}

void Engine::tabulate(const serve::ServiceShapes &service,
                      const Traffic &traffic,
                      const std::vector<int64_t> &chunks) {
  Tabulator tabulator(*this, service, traffic);
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
