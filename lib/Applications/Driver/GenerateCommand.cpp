//===- GenerateCommand.cpp - gpu-cost-opt generate ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChoiceOutput.h"
#include "RunModel.h"
#include "Subcommands.h"
#include "Version.h"
#include "gpucost/Applications/Generate/Generate.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpucost;
using namespace gpucost::generate;
using llvm::StringRef;

static constexpr const char *usage =
    R"(usage: gpu-cost-opt generate PIPELINE.json [flags] [settings]

Latency, power and energy of a pipeline that generates images or videos: text
encoders, a transformer or U-Net called in each denoising step, a decoder.

  gpu-cost-opt generate pixart.json --target=h100-bf16
  gpu-cost-opt generate pixart.json --target=h100-bf16 --batch=1,4,16 \
    --context=ulysses2,ulysses4.ring2

Flags:
)";

static constexpr const char *usageEnd = R"(
All settings of gpu-cost-opt --help except --seq, --gpus and --parallel are
flags here, too. --batch (default: 1) and --context take lists; several
combinations are one JSON object per line. docs/Generation.md describes the
pipeline file and the output.
)";

static constexpr OwnFlag ownFlags[] = {
    {"steps", "n", "denoising steps (default: those of the pipeline file)",
     false, 1'000'000},
    {"batch", "n,...", "outputs generated together (default: 1)"},
    {"context", "ulyssesN.ringM,...",
     "GPUs that share the tokens of an output: N divide the heads of "
     "attention, keys and values pass round M (default: one GPU)"},
    {"host-exchange-us", "us",
     "time of the host for one all-to-all of attention (default: unknown)"},
    {"host-ring-us", "us",
     "time of the host for each further part of the keys in one attention "
     "(default: unknown)"},
    {"report", "table|json|html",
     "format (default: table, or html by the file's name); html is one page"},
    {"o", "file", "write to a file"}};

llvm::ArrayRef<OwnFlag> gpucost::generateFlags() { return ownFlags; }

/// Combinations of one command.
static constexpr size_t mostCombinations = 10'000;

static llvm::Expected<std::vector<ContextPlan>>
readPlans(const CommandFlags &flags) {
  if (!flags.has("context"))
    return std::vector<ContextPlan>(1);
  std::vector<ContextPlan> plans;
  std::string text = flags.value("context");
  for (StringRef item : llvm::split(text, ',')) {
    std::optional<ContextPlan> plan = parseContextPlan(item);
    // (X22) xDiT has no gather before attention.
    if (!plan || plan->gathers || !plan->heads || !plan->ring)
      return llvm::createStringError(
          "--context expects a plan such as ulysses4, ring2 or "
          "ulysses4.ring2, but got '" +
          item + "'");
    plans.push_back(*plan);
  }
  return plans;
}

static llvm::Error readTime(const CommandFlags &flags, StringRef flag,
                            std::optional<Seconds> &time) {
  constexpr double micro = 1e-6, mostMicroseconds = 1e6;
  if (!flags.has(flag))
    return llvm::Error::success();
  double value = 0;
  std::string text = flags.value(flag);
  if (StringRef(text).getAsDouble(value) ||
      !(value >= 0 && value <= mostMicroseconds))
    return llvm::createStringError("--" + flag +
                                   " expects a time from 0 to 1000000 us, but "
                                   "got '" +
                                   text + "'");
  time = Seconds(value * micro);
  return llvm::Error::success();
}

static llvm::Error refuseSettings(const Scenario &settings) {
  if (settings.seq)
    return llvm::createStringError(
        "generate takes no --seq; the pipeline file has \"tokens\"");
  if (settings.gpus || settings.parallel)
    return llvm::createStringError(
        "generate takes no --gpus and no --parallel; use --context");
  if (settings.mode == IterationMode::Training)
    return llvm::createStringError("generate takes no --mode=training");
  return llvm::Error::success();
}

static llvm::Expected<ExitCode> runGenerate(SubcommandFlags &flags) {
  if (flags.files.size() != 1)
    return llvm::createStringError(
        "generate takes one pipeline file (generate --help)");
  llvm::Expected<ChoiceOutput> output =
      ChoiceOutput::read(flags, PageKind::Generation);
  if (!output)
    return output.takeError();
  llvm::Expected<std::vector<ContextPlan>> plans = readPlans(flags);
  if (!plans)
    return plans.takeError();
  std::vector<int64_t> batches = {1};
  if (flags.has("batch")) {
    auto values = sweep::expandCounts("batch", flags.value("batch"), anyCount);
    if (!values)
      return values.takeError();
    batches = std::move(*values);
  }
  if (batches.size() > mostCombinations / plans->size())
    return llvm::createStringError("more than " +
                                   llvm::Twine(mostCombinations) +
                                   " combinations; take fewer values");
  if (llvm::Error error = refuseSettings(flags.settings))
    return std::move(error);
  HostTimes hostTimes;
  if (llvm::Error error =
          readTime(flags, "host-exchange-us", hostTimes.exchange))
    return std::move(error);
  if (llvm::Error error = readTime(flags, "host-ring-us", hostTimes.ringStep))
    return std::move(error);
  auto text = openInput(flags.files.front());
  if (!text)
    return text.takeError();
  llvm::Expected<Pipeline> pipeline =
      readPipeline((*text)->getBuffer(), flags.files.front());
  if (!pipeline)
    return pipeline.takeError();
  pipeline->steps = flags.count("steps", pipeline->steps);
  Generator generator(std::move(*pipeline), flags.settings, hostTimes,
                      [](const std::string &path) {
                        return std::unique_ptr<LoadedModel>(
                            CommandModel::load(path));
                      });
  std::vector<GenerationReport> reports;
  for (const ContextPlan &plan : *plans)
    for (int64_t batch : batches) {
      auto report = generator.predict(batch, plan);
      if (!report)
        return report.takeError();
      if (!*report)
        return ExitCode::Failure;
      (*report)->version = versionName();
      reports.push_back(std::move(**report));
    }
  bool isSingle = reports.size() == 1;
  auto printJson = [&](llvm::raw_ostream &os, bool isPage) {
    if (isPage)
      return printGenerationPage(reports, os);
    for (const GenerationReport &report : reports)
      printGenerationJson(report, isSingle, os);
  };
  return output->write(
      "generation with " + flags.files.front(),
      [&](llvm::raw_ostream &os) {
        if (isSingle)
          printGeneration(reports.front(), os);
        else
          printJson(os, /*isPage=*/false);
      },
      printJson);
}

ExitCode gpucost::runGenerateCommand(llvm::ArrayRef<char *> arguments) {
  return runCommand(
      readSubcommandFlags("generate", arguments, ownFlags),
      [](llvm::raw_ostream &os) {
        os << usage;
        printOwnFlags(os, ownFlags);
        os << usageEnd;
      },
      runGenerate);
}
