//===- DeployCommand.cpp - gpu-cost-opt deploy ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChoiceOutput.h"
#include "SpaceFlags.h"
#include "Subcommands.h"
#include "TechniqueFlags.h"
#include "Version.h"
#include "gpucost/Applications/Deploy/Deploy.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::StringRef;

static constexpr StringRef usage =
    "usage: gpu-cost-opt deploy MODEL --target=GPU,... [--users=N | "
    "--requests-per-second=R]\n"
    "       [--subject-to='ttft<=500ms, tpot<=30ms, ...'] "
    "[--SETTING=VALUES]...\n\n"
    "Chooses how a language model is served: GPUs, tensor parallelism, "
    "formats,\n"
    "batch limit, prompt chunks, and prompts on separate GPUs. Every candidate "
    "is a\n"
    "steady state of its step oracle. Settings that are stated are not chosen; "
    "a\n"
    "list is a choice. docs/Deploy.md explains the output.\n";

static constexpr SearchSubject subject = SearchSubject::Deployments;
static constexpr int64_t mostChunk = 1 << 20;

llvm::ArrayRef<OwnFlag> gpucost::deployFlags() {
  static const std::string metrics = joinNames(minimizedMetrics(subject), "|");
  static const OwnFlag flags[] = {
      {"input-tokens", "n or file.csv",
       "length of the prompts: a number, or a file with the columns tokens and "
       "requests (default: 2048)"},
      {"output-tokens", "n or file.csv",
       "length of the answers (default: 512)"},
      {"requests-per-second", "r",
       "requests that arrive at random, on all GPUs"},
      {"users", "n",
       "requests at the same time, on all GPUs: each answer is followed by the "
       "next prompt. Without both flags, each replica runs as many requests as "
       "its batch limit allows"},
      {"load", "day or file.csv",
       "rates over a day, for the energy and the GPUs of each hour: columns "
       "hour and requests_per_s; day: a built-in curve whose largest rate is "
       "--requests-per-second"},
      {"minimize", metrics,
       "metric that the choice minimizes (default: cost with --price, else "
       "energy)"},
      {"subject-to", "bounds",
       "such as 'ttft<=500ms, ttft_p99<=2s, tpot<=30ms, power<=500W, gpus<=64, "
       "cost<=2'; cost and carbon are those of a million output tokens, energy "
       "that of one"},
      {"tp", "n,...",
       "sizes of tensor parallelism to try (default: powers of two up to the "
       "GPUs of a node); --parallel and --gpus state whole plans"},
      {"precision", "format,...",
       "number formats to try for each --target: bf16,fp8"},
      {"batch-limit", "n,...",
       "largest numbers of sequences of a replica to try (default: powers of "
       "two, and the most that fit)"},
      {"prefill-chunk", "n,...",
       "largest numbers of prompt tokens of a step to try (default: "
       "512,1024,2048,4096)"},
      {"prompt-steps", "mixed,separate,whole",
       "how prompts form steps: chunks in steps with decodes, chunks in steps "
       "before decodes, or undivided prompts in steps with decodes (default: "
       "as --software does, and mixed)"},
      {"kind", "aggregated|disaggregated",
       "only this one; disaggregated: prompts on other GPUs than decode steps "
       "(default: both)"},
#define LOOP_TIME(field, flag, help) {flag, "ms", help},
#include "gpucost/Applications/Serve/LoopFlags.def"
#define TECHNIQUE_SHARE(field, flag, help) {flag, "share", help},
#define TECHNIQUE_COUNT(field, flag, most, help) {flag, "n", help},
#define TECHNIQUE_TEXT(field, flag, placeholder, help)                         \
  {flag, placeholder, help},
#include "gpucost/Applications/Serve/TechniqueFlags.def"
      {"node-limit", "W",
       "power limit of a node with all its GPUs and --node-watts; lowers the "
       "power limit of its boards"},
      {"top", "n", "lines of the Pareto front (default: 10)", false, 1000},
      {"space", "file.json",
       "models and settings of a file; flags override them"},
      {"report", "table|json|csv|html",
       "format (default: table, or html by the file's name); csv has all "
       "candidates; html is one page of at most 20000 candidates"},
      {"o", "file", "write to a file"},
      {"jobs", "n", "threads (default: one for each core)", false, 1024}};
  return flags;
}

static llvm::Expected<std::optional<double>>
readPositive(const CommandFlags &flags, StringRef flag) {
  if (!flags.has(flag))
    return std::nullopt;
  double value = 0;
  std::string text = flags.value(flag);
  if (StringRef(text).getAsDouble(value) || !(value > 0) || std::isinf(value))
    return llvm::createStringError(
        "--" + flag + " expects a number above 0, but got '" + text + "'");
  return value;
}

/// The length of requests, their number and the load of a day.
static llvm::Error readTraffic(const CommandFlags &flags,
                               deploy::Traffic &traffic) {
  auto input = deploy::readLengths(
      "input-tokens", flags.value("input-tokens", "2048"), /*least=*/1);
  if (!input)
    return input.takeError();
  // The first token comes from the prompt.
  auto output = deploy::readLengths(
      "output-tokens", flags.value("output-tokens", "512"), /*least=*/2);
  if (!output)
    return output.takeError();
  traffic.input = std::move(*input);
  traffic.output = std::move(*output);
  auto rate = readPositive(flags, "requests-per-second");
  if (!rate)
    return rate.takeError();
  auto users = readPositive(flags, "users");
  if (!users)
    return users.takeError();
  if (*rate && *users)
    return llvm::createStringError(
        "give --requests-per-second or --users, not both");
  traffic.requestsPerSecond = *rate;
  traffic.users = *users;
#define LOOP_TIME(field, flag, help)                                           \
  auto field = readPositive(flags, flag);                                      \
  if (!field)                                                                  \
    return field.takeError();                                                  \
  if (*field)                                                                  \
    traffic.field = Seconds(**field * 1e-3);
#include "gpucost/Applications/Serve/LoopFlags.def"
  if (!flags.has("load"))
    return llvm::Error::success();
  if (*users)
    return llvm::createStringError("--load states rates; it does not go with "
                                   "--users");
  auto load = deploy::readLoad(flags.value("load"), *rate);
  if (!load)
    return load.takeError();
  traffic.load = std::move(*load);
  double most = 0;
  for (const deploy::HourOfLoad &hour : traffic.load)
    most = std::max(most, hour.requests);
  traffic.requestsPerSecond = most;
  return llvm::Error::success();
}

/// Percentiles need random arrivals, and only the first token has them.
static llvm::Error checkPercentiles(StringRef constraints, const Goal *goal,
                                    const deploy::Traffic &traffic) {
  for (StringRef part : llvm::split(constraints, ','))
    for (StringRef name : {"tpot_p", "latency_p"})
      if (part.trim().starts_with(name))
        return llvm::createStringError(
            "the approximation has no percentiles of " + name.drop_back(2) +
            "; bound its mean, or ttft_p50, ttft_p90, "
            "ttft_p95 or ttft_p99");
  if (!goal || traffic.requestsPerSecond)
    return llvm::Error::success();
  auto isPercentile = [](Metric metric) {
    return rowOf(metric).percentile > 0;
  };
  bool any = isPercentile(goal->metric);
  for (const Constraint &constraint : goal->constraints)
    any |= isPercentile(constraint.metric);
  return any ? llvm::createStringError(
                   "percentiles of ttft need --requests-per-second: the "
                   "approximation for users has means only")
             : llvm::Error::success();
}

static llvm::Expected<std::vector<int64_t>>
readCounts(const CommandFlags &flags, StringRef flag, StringRef initial,
           int64_t most) {
  std::string text = flags.value(flag, initial);
  if (text.empty())
    return std::vector<int64_t>();
  return expandCounts(flag, text, most);
}

/// Targets with each of the formats.
static llvm::Error addFormats(CommandFlags &flags) {
  if (!flags.has("precision"))
    return llvm::Error::success();
  std::string formats = flags.value("precision");
  for (StringRef format : llvm::split(formats, ','))
    if (!symbolizeEnum<NumericFormat>(format.trim()))
      return llvm::createStringError(
          "--precision expects number formats such as bf16,fp8, but got '" +
          format.trim() + "'");
  for (AxisText &text : flags.texts) {
    if (text.flag != "target")
      continue;
    llvm::Expected<std::vector<std::string>> targets =
        expandValues("target", text.texts);
    if (!targets)
      return targets.takeError();
    text.texts.clear();
    for (const std::string &target : *targets)
      for (StringRef format : llvm::split(formats, ','))
        text.texts.push_back(target + "-" + format.trim().str());
    return llvm::Error::success();
  }
  return llvm::createStringError("--precision needs --target");
}

static llvm::Expected<deploy::DeployQuestion>
readQuestion(const CommandFlags &flags) {
  deploy::DeployQuestion question;
  if (llvm::Error error = readTraffic(flags, question.traffic))
    return std::move(error);
  std::string constraints = flags.value("subject-to");
  if (llvm::Error error =
          checkPercentiles(constraints, nullptr, question.traffic))
    return std::move(error);
  bool hasPrice = llvm::any_of(
      flags.texts, [](const AxisText &text) { return text.flag == "price"; });
  llvm::Expected<Goal> goal =
      parseGoal(flags.value("minimize", hasPrice ? "cost" : "energy"),
                constraints, subject);
  if (!goal)
    return goal.takeError();
  if (llvm::Error error =
          checkPercentiles(constraints, &*goal, question.traffic))
    return std::move(error);
  question.goal = std::move(*goal);
  question.goal.per = Per::OutputToken;
  auto tensor = readCounts(flags, "tp", "", mostGpus);
  if (!tensor)
    return tensor.takeError();
  question.tensor = std::move(*tensor);
  auto chunks =
      readCounts(flags, "prefill-chunk", "512,1024,2048,4096", mostChunk);
  if (!chunks)
    return chunks.takeError();
  question.chunks = std::move(*chunks);
  llvm::sort(question.chunks, std::greater<>());
  std::string schedulers = flags.value("prompt-steps");
  for (StringRef name : llvm::split(schedulers, ',')) {
    if (!flags.has("prompt-steps"))
      break;
    auto scheduler = deploy::promptStepsOf(name.trim());
    if (!scheduler)
      return llvm::createStringError("--prompt-steps expects mixed, separate "
                                     "or whole, but got '" +
                                     name.trim() + "'");
    question.promptSteps.push_back(*scheduler);
  }
  auto limits = readCounts(flags, "batch-limit", "", mostChunk);
  if (!limits)
    return limits.takeError();
  question.batchLimits = std::move(*limits);
  std::string kind = flags.value("kind");
  question.aggregated = kind != "disaggregated";
  question.disaggregated = kind != "aggregated";
  question.triesFormats = flags.has("precision");
  auto watts = readPositive(flags, "node-limit");
  if (!watts)
    return watts.takeError();
  if (*watts)
    question.nodeLimit = Watts(**watts);
  auto techniques = readTechniques(flags);
  if (!techniques)
    return techniques.takeError();
  question.traffic.techniques = *techniques;
  question.jobs = jobsOf(flags);
  return question;
}

static llvm::Error checkSettings(const CommandFlags &flags) {
  for (const AxisText &text : flags.texts)
    for (StringRef chosen : {"batch", "seq", "past", "mode", "nodes"})
      if (text.flag == chosen)
        return llvm::createStringError(
            "deploy chooses --" + chosen +
            (chosen == "batch" ? " (see --batch-limit)" : "") +
            "; do not state it");
  bool states = llvm::any_of(flags.texts, [](const AxisText &text) {
    return text.flag == "parallel" || text.flag == "gpus";
  });
  if (states && flags.has("tp"))
    return llvm::createStringError(
        "--parallel and --gpus state whole plans; give them, or --tp");
  return llvm::Error::success();
}

static llvm::Expected<ExitCode> runDeploy(CommandFlags &flags) {
  llvm::Expected<ChoiceOutput> output =
      ChoiceOutput::read(flags, PageKind::Deployment);
  if (!output)
    return output.takeError();
  if (llvm::Error error = checkSettings(flags))
    return std::move(error);
  llvm::Expected<deploy::DeployQuestion> question = readQuestion(flags);
  if (!question)
    return question.takeError();
  if (llvm::Error error = addFormats(flags))
    return std::move(error);
  llvm::Expected<Space> space = Space::create(flags.files, flags.texts);
  if (!space)
    return space.takeError();
  llvm::Expected<deploy::DeployResult> result =
      deploy::searchDeployments(*space, *question);
  if (!result)
    return result.takeError();
  constexpr int64_t usualTop = 10;
  auto top = static_cast<size_t>(flags.count("top", usualTop));
  if (llvm::Error error = output->checkSize(
          static_cast<int64_t>(result->candidates.size()), "candidates"))
    return std::move(error);
  ExitCode code = output->write(
      "deployment of " + result->model,
      [&](llvm::raw_ostream &os) {
        if (output->format == "csv")
          deploy::printDeployCsv(*result, os);
        else
          deploy::printDeploy(*result, top, os);
      },
      [&](llvm::raw_ostream &os, bool everyCandidate) {
        deploy::printDeployJson(*result, versionName(), os, everyCandidate);
      });
  if (code == ExitCode::Success && !result->choice.chosen)
    return llvm::createStringError(deploy::describeNoDeployment(*result));
  return code;
}

ExitCode gpucost::runDeployCommand(llvm::ArrayRef<char *> arguments) {
  return runCommand(
      readSpaceFlags("deploy", arguments, deployFlags()),
      [](llvm::raw_ostream &os) { printSpaceHelp(os, usage, deployFlags()); },
      runDeploy);
}
