//===- PlanCommand.cpp - gpu-cost-opt plan --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChoiceOutput.h"
#include "SpaceFlags.h"
#include "Subcommands.h"
#include "Version.h"
#include "gpucost/Applications/Plan/Plan.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Support/InputFile.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::StringRef;

static constexpr StringRef usage =
    "usage: gpu-cost-opt plan MODEL --gpus=N --global-batch=SAMPLES "
    "--target=GPU\n"
    "       [--network=NAME] [--software=STACK] [--SETTING=VALUES]...\n\n"
    "Chooses how a model is trained on many GPUs: tensor, context, pipeline "
    "and\n"
    "data parallelism, micro-batch, virtual stages and recomputation. "
    "Settings\n"
    "that are stated are not chosen; a list restricts the choice. "
    "--recompute=auto\n"
    "gives each plan the best recomputation that fits and keeps the bounds.\n"
    "--stage-clocks=auto lowers the clocks of ranks that would wait, within "
    "the\n"
    "bound of the time; with auto-passes those of forward and backward "
    "passes.\n";

static std::vector<std::string_view> dataKinds() {
  std::vector<std::string_view> kinds(std::begin(dataParallelKinds),
                                      std::end(dataParallelKinds));
  kinds.push_back(plan::hybridSharding);
  return kinds;
}

llvm::ArrayRef<OwnFlag> gpucost::planFlags() {
  static const std::string metrics = joinNames(minimizedMetrics(), "|");
  static const std::string kinds = joinNames(dataKinds(), ",");
  static const std::string launchers = joinNames(plan::launchers(), "|");
  static const OwnFlag flags[] = {
      {"minimize", metrics, "metric that the choice minimizes (default: time)"},
      {"subject-to", "bounds",
       "such as 'time<=1.05*best, total_power<=400kW, memory<=70GiB'; plans "
       "that do not fit are never chosen"},
      {"tp", "n,...",
       "sizes of tensor parallelism to try (default: powers of "
       "two up to the GPUs of a node)"},
      {"cp", "n,...",
       "sizes of context parallelism to try (default: powers of two that leave "
       "4096 tokens of a sequence to a GPU)"},
      {"pp", "n,...",
       "numbers of pipeline ranks to try (default: divisors of "
       "the GPUs up to 64)"},
      {"ep", "n,...", "sizes of expert parallelism to try (default: 1)"},
      {"data", kinds,
       "kinds of data parallelism to try; hsdp is fsdp in each node and a copy "
       "for each of them (default: zero1 or fsdp, by --software)"},
      {"weak-scaling", "",
       "also find the best plans with a global batch in proportion to the "
       "GPUs; --global-batch is the batch on the fewest GPUs"},
      {"against", "'flags'",
       "a plan to compare with, such as '--parallel=tp8.pp8.zero1 --batch=1'"},
      {"top", "n", "plans in the ranking (default: 10)", false, 1000},
      {"launch", launchers, "print the arguments of a framework"},
      {"space", "file.json",
       "models and settings of a file; flags override them"},
      {"report", "table|json|html",
       "format (default: table, or html by the file's name); html is one page "
       "of at most 20000 plans"},
      {"o", "file", "write to a file"},
      {"shard", "i/n",
       "only compose the i-th of n parts of the plans, and print it for "
       "--parts"},
      {"parts", "file,...",
       "parts that --shard has printed, all of them, instead of composing the "
       "plans"},
      {"jobs", "n", "threads (default: one for each core)", false, 1024}};
  return flags;
}

static llvm::Error readCounts(const CommandFlags &flags, StringRef flag,
                              std::vector<int64_t> &counts) {
  if (!flags.has(flag))
    return llvm::Error::success();
  llvm::Expected<std::vector<int64_t>> read =
      expandCounts(flag, flags.value(flag), mostGpus);
  if (!read)
    return read.takeError();
  counts = std::move(*read);
  return llvm::Error::success();
}

static llvm::Expected<plan::PlanChoices>
readChoices(const CommandFlags &flags) {
  plan::PlanChoices choices;
  for (auto [flag, counts] :
       {std::pair<StringRef, std::vector<int64_t> *>("tp", &choices.tensor),
        {"cp", &choices.context},
        {"pp", &choices.pipeline},
        {"ep", &choices.experts}})
    if (llvm::Error error = readCounts(flags, flag, *counts))
      return std::move(error);
  if (!flags.has("data"))
    return choices;
  std::string text = flags.value("data");
  for (StringRef kind : llvm::split(text, ',')) {
    if (!llvm::is_contained(dataKinds(), std::string_view(kind)))
      return llvm::createStringError("--data expects " +
                                     listAlternatives(dataKinds()) +
                                     ", but got '" + kind + "'");
    choices.data.push_back(kind.str());
  }
  return choices;
}

/// The settings in the text of --against, each a flag.
static llvm::Expected<std::vector<AxisText>> readStated(StringRef text) {
  std::vector<AxisText> texts;
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    auto [flag, value] = word.split('=');
    if (!flag.consume_front("--") || flag.empty())
      return llvm::createStringError(
          "--against expects flags of settings, but got '" + word + "'");
    texts.push_back({flag.str(), {value.empty() ? "true" : value.str()}});
  }
  return texts;
}

static llvm::Error readPartFiles(const CommandFlags &flags,
                                 std::vector<std::string> &texts) {
  if (!flags.has("parts"))
    return llvm::Error::success();
  std::string files = flags.value("parts");
  for (StringRef file : llvm::split(files, ',')) {
    Expected<std::string> text = readInput(file.str(), mostBytesOfText);
    if (!text)
      return llvm::createStringError(text.error().message);
    texts.push_back(std::move(*text));
  }
  return llvm::Error::success();
}

static llvm::Expected<ExitCode> runPlan(CommandFlags &flags) {
  llvm::Expected<ChoiceOutput> output = ChoiceOutput::read(flags);
  if (!output)
    return output.takeError();
  llvm::Expected<Goal> goal =
      parseGoal(flags.value("minimize", "time"), flags.value("subject-to"));
  if (!goal)
    return goal.takeError();
  goal->per = Per::Iteration;
  llvm::Expected<plan::PlanChoices> choices = readChoices(flags);
  if (!choices)
    return choices.takeError();
  plan::PlanOptions options;
  options.jobs = jobsOf(flags);
  options.statedText = flags.value("against");
  llvm::Expected<std::vector<AxisText>> stated = readStated(options.statedText);
  if (!stated)
    return stated.takeError();
  options.stated = std::move(*stated);
  llvm::Expected<bool> chooses = plan::takeAutomaticRecomputation(flags.texts);
  if (!chooses)
    return chooses.takeError();
  options.choosesRecomputation = *chooses;
  if (llvm::Error error = plan::takeAutomaticOffload(flags.texts))
    return std::move(error);
  llvm::Expected<plan::ClockChoice> clocks =
      plan::takeAutomaticClocks(flags.texts);
  if (!clocks)
    return clocks.takeError();
  options.clocks = *clocks;
  options.scalesBatch = choices->scalesBatch = flags.has("weak-scaling");
  llvm::Expected<Space> space =
      plan::createPlanSpace(flags.files, flags.texts, *choices);
  if (!space)
    return space.takeError();
  if (flags.has("shard")) {
    llvm::Expected<Shard> shard = readShard(flags.value("shard"), anyCount);
    if (!shard)
      return shard.takeError();
    llvm::Expected<std::string> text = plan::composePart(
        *space, options, plan::PlanPart{shard->index, shard->count});
    if (!text)
      return text.takeError();
    return writeOutput(flags.value("o", "-"), [&](llvm::raw_ostream &os) {
      os << *text;
      return llvm::Error::success();
    });
  }
  if (llvm::Error error = readPartFiles(flags, options.parts))
    return std::move(error);
  llvm::Expected<plan::PlanResult> found =
      plan::searchPlans(*space, *goal, options);
  if (!found)
    return found.takeError();
  const Optimum &optimum = found->optimum;
  constexpr int64_t usualTop = 10;
  auto top = static_cast<size_t>(flags.count("top", usualTop));
  if (llvm::Error error = output->checkSize(
          static_cast<int64_t>(optimum.results.size()), "plans"))
    return std::move(error);
  return output->write(
      optimum, "plan of " + space->models().front(),
      [&](llvm::raw_ostream &os) {
        plan::printPlan(*found, *space, top, flags.value("launch"), os);
      },
      [&](llvm::raw_ostream &os, bool everyPoint) {
        plan::printPlanJson(*found, *space, top, versionName(), os, everyPoint);
      });
}

ExitCode gpucost::runPlanCommand(llvm::ArrayRef<char *> arguments) {
  return runCommand(
      readSpaceFlags("plan", arguments, planFlags()),
      [](llvm::raw_ostream &os) { printSpaceHelp(os, usage, planFlags()); },
      runPlan);
}
