//===- Engine.cpp - One replica of a service ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tabulator.h"
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
/// Prompts of a step at which their costs are evaluated, at most.
static constexpr int64_t mostTogether = 8;

double deploy::promptsOfStep(const PromptPlan &plan, const Traffic &traffic) {
  double count = static_cast<double>(plan.chunk) / traffic.computedInput();
  return plan.scheduler.divides ? count : std::floor(count);
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
Expected<StepPart> Engine::Tabulator::step(int64_t decodes,
                                           const ChunkShape &chunk) {
  auto all = model.step({decodes, techniques.verified(), context}, chunk);
  if (!all || !draft)
    return all;
  auto add = [&](const DecodeShape &decode, const ChunkShape &own,
                 int64_t count) -> Error {
    auto part = draft->step(decode, own);
    if (!part)
      return part.error();
    addTimes(*all, *part, static_cast<double>(count));
    return {};
  };
  if (decodes > 0)
    if (Error error = add({decodes, 1, context}, {}, techniques.draftTokens);
        !error.message.empty())
      return fail(error);
  if (chunk.query > 0)
    if (Error error = add({}, chunk, 1); !error.message.empty())
      return fail(error);
  return all;
}

Expected<StepPart> Engine::Tabulator::added(int64_t decodes,
                                            const ChunkShape &chunk) {
  auto all = step(decodes, chunk);
  if (!all || decodes == 0)
    return all;
  auto without = step(decodes, {});
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
    auto part = step(static_cast<int64_t>(batch), {});
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
    auto begin = added(decodes, {chunk});
    if (!begin)
      return begin.error();
    first = *begin;
    // The time of a chunk is linear in the tokens before it.
    if (int64_t past = cachedOfLongest + lastFull * chunk; past > 0) {
      auto end = added(decodes, {chunk, past});
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
      auto part =
          added(decodes, {std::max<int64_t>(chunk / share, 1), partPast});
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
      auto last = added(decodes, {rest, cached + full * chunk});
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

Error Engine::Tabulator::addFurther(const PromptPlan &plan, int64_t decodes,
                                    std::vector<PromptClass> &row) {
  double fitting = promptsOfStep(plan, traffic);
  if (fitting < 2)
    return {};
  // Of prompts of the mean length, relative to one alone.
  ChunkShape chunk = {std::llround(traffic.computedInput()),
                      traffic.cachedInput()};
  auto first = added(decodes, chunk);
  if (!first)
    return first.error();
  chunk.prompts = static_cast<int64_t>(
      std::min(fitting, static_cast<double>(mostTogether)));
  auto all = added(decodes, chunk);
  if (!all)
    return all.error();
  auto others = static_cast<double>(chunk.prompts - 1);
  auto shareOf = [&](double all, double first) {
    return first > 0 ? std::max(all / first - 1, 0.0) / others : 1;
  };
  double time = shareOf(all->time.value(), first->time.value());
  double energy = shareOf(all->energy.value(), first->energy.value());
  for (PromptClass &prompt : row)
    prompt.further = {prompt.added.time * time, prompt.added.energy * energy};
  return {};
}

void Engine::Tabulator::addPrompts(const PromptPlan &plan, PromptTable &table) {
  bool divides = plan.scheduler.divides;
  if (!divides && traffic.longestComputed() > plan.chunk) {
    table.fault = "a step of at most " + std::to_string(plan.chunk) +
                  " prompt tokens has no place for a whole prompt of " +
                  std::to_string(traffic.longestComputed());
    return;
  }
  int64_t chunk = divides ? plan.chunk : traffic.longestComputed();
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
    // Prompts before decodes do not depend on their number.
    if (!plan.scheduler.mixes && decodes > 0)
      return;
    std::vector<PromptClass> row;
    auto count = static_cast<int64_t>(decodes);
    Error error = addRow(chunk, count, row);
    if (error.message.empty())
      error = addFurther(plan, count, row);
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

bool Engine::accepts(const LearnedSteps &steps, const Traffic &traffic) {
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
  const auto &layers = steps.model.shapes->mixed().base().experts;
  experts = layers.empty() ? 0 : layers.front().layer.experts;
  host =
      serve::hostTimesOf(costs.coefficients(), settings, traffic.requestTime);
  idlePower = costs.idlePower(settings.clock.value_or(costs.gpu().maxClock));
  return true;
}

void Engine::tabulate(const LearnedSteps &steps, const Traffic &traffic,
                      std::vector<PromptPlan> stated) {
  plans = std::move(stated);
  Tabulator tabulator(*this, steps, traffic);
  Error error = tabulator.findMemory();
  if (error.message.empty() && largestBatch == 0)
    error.message = "the model with one sequence does not fit";
  if (error.message.empty())
    error = tabulator.addDecodes();
  if (error.message.empty()) {
    tabulator.addBars(plans.front().chunk);
    tables.resize(plans.size());
    for (auto [plan, table] : llvm::zip(plans, tables))
      tabulator.addPrompts(plan, table);
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
  for (size_t i = 0; i < prompts.size(); ++i) {
    prompts[i].added = between(prompts[i].added, next[i].added, x);
    prompts[i].further = between(prompts[i].further, next[i].further, x);
  }
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
