//===- DeployText.cpp - Deployments for people ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engines.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Applications/Sweep/Optimize.h"
#include "llvm/ADT/STLExtras.h"
#include <fmt/format.h>

using namespace gpucost;
using namespace gpucost::deploy;
using namespace gpucost::sweep;

static constexpr Per per = Per::OutputToken;

static std::string textOfMetric(const Deployment &d, Metric metric) {
  std::optional<double> value = deploy::valueOf(d, metric);
  return value ? textOf(metric, *value, per) : unknownText.str();
}

/// "8 replicas of 4 h100-sxm-80gb, tp4 bf16".
static std::string replicasText(const Deployment &d) {
  std::string gpu = fmt::format("{} {}", d.gpuName(), d.formatName());
  auto kind = [&](int64_t count, const Engine &engine, const std::string &plan,
                  const char *what) {
    return fmt::format("{} of {} ({}){}", countText(count, "replica"),
                       countText(engine.gpus, "GPU"), plan, what);
  };
  if (!d.prompts)
    return gpu + ": " + kind(d.replicas, *d.engine, d.planText(), "");
  return gpu + ": " +
         kind(d.promptReplicas, *d.prompts, d.promptPlanText(),
              " for prompts, ") +
         kind(d.replicas, *d.engine, d.planText(), " that decode");
}

static std::string intervalOf(Seconds value, std::optional<double> width) {
  return width ? "; 80 % PI " + intervalText(value.value(), *width, "s") : "";
}

static std::string stepsText(const Deployment &d) {
  if (d.prompts)
    return "";
  if (!d.scheduler.mixes)
    return ", before decodes";
  return d.scheduler.divides ? " with decodes" : " with decodes, whole prompts";
}

static void printChoice(const DeployResult &result, const Deployment &d,
                        llvm::raw_ostream &os) {
  const SteadyState &state = d.state;
  printText(os, "choice", replicasText(d));
  printText(os, "",
            fmt::format("at most {} sequences of a replica (of {} that fit), "
                        "{} prompt tokens of a step{}",
                        d.batchLimit, d.largestBatch, d.chunk, stepsText(d)));
  printLine(os, "gpus", {std::to_string(d.gpus()), ""},
            fmt::format("{:.4g} requests/s, {} of a GPU", d.requests,
                        textOf(Metric::Throughput, d.gpuRate(), per)));
  printLine(os, "first", formatSi(state.ttft().value(), "s"),
            "to the first token" + intervalOf(state.ttft(), d.promptWidth()));
  printText(
      os, "",
      fmt::format("prompt {}, waiting {}, host {}{}", siText(state.prefill),
                  siText(state.residual + state.wait + state.slotWait),
                  siText(state.request + state.answer),
                  d.hasQuantiles ? fmt::format("; 90 % of requests {}, 99 % {}",
                                               siText(state.ttftQuantile(0.9)),
                                               siText(state.ttftQuantile(0.99)))
                                 : ""));
  printLine(os, "next", formatSi(state.tpot().value(), "s"),
            fmt::format("per output token, {} for each user{}",
                        textOf(Metric::Throughput, d.userRate(), per),
                        intervalOf(state.tpot(), d.decodeWidth())));
  printLine(os, "answer", formatSi(state.latency().value(), "s"),
            fmt::format("{:.3g} sequences decode on a replica",
                        d.runningPerReplica()));
  printLine(os, "energy", formatSi(d.energyPerToken().value(), "J"),
            "per output token, nodes and PUE included");
  std::string idle = formatPercent(state.idleShare);
  printLine(os, "power", formatSi(d.power.value(), "W"),
            fmt::format("of a GPU, {} of the time idle; {} of all", idle,
                        siText(d.totalPower())));
  if (d.costPerMillion())
    printText(os, "cost", textOfMetric(d, Metric::Cost));
  if (d.carbonPerMillion())
    printText(os, "carbon", textOfMetric(d, Metric::Carbon));
}

static std::string propertyText(const std::string &property,
                                const Deployment &d) {
  const Settings &settings = d.engine->settings;
  if (property == "target")
    return d.gpuName();
  if (property == "format") {
    std::string text = d.formatName();
    if (settings.weights != StorageFormat::AsIs)
      text += ", weights " + std::string(stringifyEnum(settings.weights));
    if (settings.kv != StorageFormat::AsIs)
      text += ", cache " + std::string(stringifyEnum(settings.kv));
    return text;
  }
  if (property == "parallel")
    return d.prompts ? d.promptPlanText() + " + " + d.planText() : d.planText();
  if (property == "kind")
    return d.kind();
  if (property == "software")
    return std::string(stringifyEnum(settings.software));
  if (property == "power limit")
    return d.powerLimit() ? siText(*d.powerLimit()) : "default";
  if (property == "prompt steps")
    return d.promptSteps();
  return std::to_string(property == "batch limit" ? d.batchLimit : d.chunk);
}

static void printRivals(const DeployResult &result, llvm::raw_ostream &os) {
  if (result.rivals.empty())
    return;
  os << "\n  the best without one property of the choice\n";
  const Deployment &best = *result.chosen();
  auto metric = std::string(stringifyMetric(result.question.goal.metric));
  TextTable table({TextTable::left("choice"), TextTable::left("instead"),
                   TextTable::right(metric), TextTable::left("80 % PI"),
                   TextTable::left("deployment", 20)});
  for (const Rival &rival : result.rivals) {
    const Deployment &other = result.candidates[rival.index];
    auto change = [](double ratio) {
      std::string text = fmt::format("{:+.1f} %", 100 * (ratio - 1));
      return text == "+0.0 %" || text == "-0.0 %" ? "equal" : text;
    };
    std::string interval =
        rival.low ? change(*rival.low) + " to " + change(*rival.high)
                  : unknownText.str();
    table.addRow({rival.property + " " + propertyText(rival.property, best),
                  propertyText(rival.property, other), change(rival.ratio),
                  interval, replicasText(other)});
  }
  table.print(os, 2);
}

static void printDeployments(const DeployResult &result,
                             llvm::ArrayRef<size_t> some,
                             llvm::raw_ostream &os) {
  bool hasCost = llvm::any_of(some, [&](size_t i) {
    return result.candidates[i].costPerMillion().has_value();
  });
  TextTable table({TextTable::right("user"), TextTable::right("GPU"),
                   TextTable::right("GPUs"), TextTable::left("deployment", 20),
                   TextTable::right("batch"), TextTable::right("chunk"),
                   TextTable::right("first"), TextTable::right("energy"),
                   TextTable::right("cost/M").when(hasCost)});
  for (size_t i : some) {
    const Deployment &d = result.candidates[i];
    table.addRow({fmt::format("{:.1f}", d.userRate()),
                  fmt::format("{:.1f}", d.gpuRate()), d.gpus(), replicasText(d),
                  d.batchLimit, d.chunk, siText(d.state.ttft()),
                  siText(d.energyPerToken()),
                  formatSignificant(d.costPerMillion().value_or(0))});
  }
  table.print(os, 2);
}

/// At most `most` of the points, evenly spaced.
static std::vector<size_t> thinned(const std::vector<size_t> &points,
                                   size_t most) {
  if (points.size() <= most || most < 2)
    return {points.begin(), points.begin() + static_cast<ptrdiff_t>(std::min(
                                                 points.size(), most))};
  std::vector<size_t> some;
  for (size_t i = 0; i < most; ++i)
    some.push_back(points[i * (points.size() - 1) / (most - 1)]);
  return some;
}

static void printHours(const DeployResult &result, llvm::raw_ostream &os) {
  if (result.hours.empty())
    return;
  os << "\n  the load of a day on the choice, and the fewest GPUs for it\n";
  TextTable table({TextTable::right("hour"), TextTable::right("requests/s"),
                   TextTable::numbers("first", "s"),
                   TextTable::numbers("next", "s"),
                   TextTable::numbers("power", "W"),
                   TextTable::numbers("energy/request", "J"),
                   TextTable::right("GPUs needed"),
                   TextTable::numbers("their power", "W")});
  auto cell = [](const auto &value) {
    return value ? TextTable::Cell(*value) : TextTable::Cell("-");
  };
  for (const HourPlan &hour : result.hours)
    table.addRow(
        {fmt::format("{:g}", hour.hour), fmt::format("{:.4g}", hour.requests),
         cell(hour.ttft), cell(hour.tpot), cell(hour.totalPower),
         cell(hour.energyPerRequest),
         hour.gpus ? TextTable::Cell(*hour.gpus) : TextTable::Cell("-"),
         cell(hour.neededPower)});
  table.print(os, 2);
}

static std::string trafficText(const Traffic &traffic) {
  std::string text = fmt::format("{:.4g} input and {:.4g} output tokens",
                                 traffic.meanInput(), traffic.meanOutput());
  if (traffic.input.size() > 1 || traffic.output.size() > 1)
    text += " on average";
  if (double share = traffic.techniques.prefixHit.value_or(0); share > 0)
    text +=
        fmt::format(", {:.4g} % of the input in the prefix cache", 100 * share);
  if (const serve::Techniques &t = traffic.techniques; t.draftTokens > 0)
    text += fmt::format(", {} ({:.2f} tokens per step)",
                        countText(t.draftTokens, "draft"), t.tokensPerStep());
  if (traffic.requestsPerSecond)
    return fmt::format("{:.4g} requests/s of {}", *traffic.requestsPerSecond,
                       text);
  return traffic.users ? fmt::format("{:.4g} users, {}", *traffic.users, text)
                       : text;
}

std::string deploy::describeNoDeployment(const DeployResult &result) {
  std::string text = "no deployment is possible";
  constexpr size_t few = 3;
  for (auto [i, each] : llvm::enumerate(result.rejections)) {
    if (i == few)
      return text + "; ...";
    text += fmt::format("{} {} of {} candidates: {}", i == 0 ? ":" : ";",
                        each.count, result.candidates.size(), each.reason);
  }
  return text;
}

void deploy::printDeploy(const DeployResult &result, size_t top,
                         llvm::raw_ostream &os) {
  const Goal &goal = result.question.goal;
  os << fmt::format("least {} of {}: {}\n", stringifyMetric(goal.metric),
                    result.model, trafficText(result.question.traffic));
  os << fmt::format("{} candidates; {} meet all bounds\n\n",
                    result.candidates.size(), result.choice.ranking.size());
  if (const Deployment *chosen = result.chosen()) {
    printChoice(result, *chosen, os);
    if (!result.choice.ties.empty())
      printText(
          os, "ties",
          fmt::format("{} in the 80 % intervals of its value",
                      countText(static_cast<int64_t>(result.choice.ties.size()),
                                "other candidate")));
    if (const Deployment &few = result.candidates[*result.fewestGpus];
        few.gpus() < chosen->gpus())
      printText(os, "fewest",
                fmt::format("{}: {}", countText(few.gpus(), "GPU"),
                            replicasText(few)));
    printRivals(result, os);
    os << "\n  Pareto front of output tokens per second of a user and of a "
          "GPU\n";
    printDeployments(result, thinned(result.front, top), os);
    printHours(result, os);
  }
  if (!result.rejections.empty()) {
    os << "\n  not possible\n";
    TextTable table({TextTable::right("candidates"), TextTable::left("why")});
    for (const Rejection &each : result.rejections)
      table.addRow({each.count, each.reason});
    table.print(os, 2);
  }
  if (const Deployment *chosen = result.chosen()) {
    DeployCommands commands = commandsOf(result, *chosen);
    os << "\n  commands\n";
    for (const auto *some : {&commands.serve, &commands.vllm, &commands.sglang,
                             &commands.tensorrtLlm})
      for (const std::string &command : *some)
        os << "  " << command << '\n';
  }
  os << '\n';
  for (const std::string &note : result.notes) {
    os << "  - ";
    printWrapped(os, note, 4, 4);
  }
}
