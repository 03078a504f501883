//===- ServeLoop.cpp - A closed loop of users of a service ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ServeLoop.h"
#include "gpucost/Applications/Serve/ServingHosts.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::serve;

/// The step of this part of a prompt is evaluated: a fourth.
static constexpr int64_t partsOfPrompt = 4;

/// Times at ascending numbers of tokens or sequences; linear between them.
static Seconds lookUp(const std::vector<std::pair<int64_t, Seconds>> &table,
                      int64_t at) {
  size_t next = 1;
  while (next + 1 < table.size() && table[next].first < at)
    ++next;
  const auto &[x0, y0] = table[next - 1];
  const auto &[x1, y1] = table[next];
  return y0 + (y1 - y0) *
                  (static_cast<double>(at - x0) / static_cast<double>(x1 - x0));
}

static bool divides(const ServeQuestion &question, Software software) {
  return schedulerOf(software).divides &&
         question.computedTokens() > question.loop.stepTokens;
}

void serve::restateLoop(Scenario &scenario, ServeQuestion &question) {
  const Loop &loop = question.loop;
  if (loop.users == 0)
    return;
  scenario.batch = loop.running();
  if (!question.prefillBatch)
    question.prefillBatch =
        std::max<int64_t>(loop.stepTokens / question.computedTokens(), 1);
  if (!question.prefillChunk &&
      divides(question, scenario.software.value_or(Software::PyTorch)))
    question.prefillChunk = loop.stepTokens;
}

namespace {
using Table = std::vector<std::pair<int64_t, Seconds>>;

/// Evaluates the steps of a loop.
class LoopSteps {
public:
  LoopSteps(ServeSteps &steps, const ServeReport &report)
      : steps(steps), question(report.question),
        software(report.settings.software) {}

  LogicalResult addDecodes();
  LogicalResult addPrompts(std::optional<Seconds> launch);

  Table decodes, prompts;

private:
  LogicalResult add(Table &table, int64_t at, FailureOr<ServeStep> step);

  ServeSteps &steps;
  const ServeQuestion &question;
  Software software;
};
} // namespace

LogicalResult LoopSteps::add(Table &table, int64_t at,
                             FailureOr<ServeStep> step) {
  if (failed(step))
    return failure();
  table.emplace_back(at, step->time);
  return success();
}

LogicalResult LoopSteps::addDecodes() {
  int64_t context = question.inputTokens + question.steps() / 2;
  int64_t most = question.loop.running();
  for (int64_t batch = 1; batch < most; batch *= 2)
    if (failed(add(decodes, batch, steps.step(batch, context))))
      return failure();
  if (failed(add(decodes, most, steps.step(most, context))))
    return failure();
  if (decodes.size() < 2)
    decodes.emplace_back(most + 1, decodes.front().second);
  return success();
}

LogicalResult LoopSteps::addPrompts(std::optional<Seconds> launch) {
  const Loop &loop = question.loop;
  int64_t tokens = question.computedTokens();
  prompts.emplace_back(0, Seconds(0));
  bool isDivided = divides(question, software);
  if (int64_t part = tokens / partsOfPrompt;
      part > 0 && !isDivided && schedulerOf(software).divides)
    if (failed(add(prompts, part, steps.promptPart(part, launch))))
      return failure();
  int64_t most =
      std::clamp<int64_t>(loop.stepTokens / tokens, 1, loop.running());
  for (int64_t count = 1; count < most; count *= 2)
    if (failed(
            add(prompts, count * tokens, steps.prefillTotals(count, launch))))
      return failure();
  return add(prompts, most * tokens, steps.prefillTotals(most, launch));
}

FailureOr<ServeLoop> serve::playLoop(ServeSteps &steps,
                                     const ServeReport &report) {
  const ServeQuestion &question = report.question;
  const Loop &loop = question.loop;
  const CostModel &costs = steps.steps().costModel();
  HostTimes host =
      hostTimesOf(costs.coefficients(), report.settings, loop.requestTime);
  LoopSteps evaluated(steps, report);
  if ((report.decode && failed(evaluated.addDecodes())) ||
      failed(evaluated.addPrompts(host.promptLaunch)))
    return failure();
  LoopTimes times;
  times.decode = [&](int64_t batch) {
    return lookUp(evaluated.decodes, batch);
  };
  times.prompt = [&](int64_t tokens) {
    return lookUp(evaluated.prompts, tokens);
  };
  if (report.decode)
    times.shared = report.decode->floor.weights / costs.gpu().dramBandwidth;
  times.request = host.request;
  LoopTraffic traffic{question.computedTokens(), question.meanSteps()};
  LoopResult result =
      play(loop, schedulerOf(report.settings.software), traffic, times);

  ServeLoop found;
  found.users = loop.users;
  found.requests = loop.allRequests();
  found.slots = loop.running();
  found.stepTokens = loop.stepTokens;
  found.request = times.request;
  found.first = result.meanFirst();
  constexpr double median = 0.5, late = 0.99;
  found.median = result.quantileOfFirst(median);
  found.late = result.quantileOfFirst(late);
  if (report.decode)
    found.perToken = result.perToken / question.techniques.tokensPerStep();
  found.latency = result.latency;
  found.duration = result.end;
  double replicas =
      static_cast<double>(report.sequences) / static_cast<double>(report.batch);
  found.tokensPerSecond = result.outputs *
                          static_cast<double>(question.outputTokens) *
                          replicas / result.end.value();
  return found;
}

std::string serve::describeLoop(const Coefficients &coefficients,
                                const ServeReport &report) {
  std::string text = describeHost(coefficients, report.settings,
                                  report.question.loop.requestTime);
  return text.empty() ? text : "loop: " + text;
}
