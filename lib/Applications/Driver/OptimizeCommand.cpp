//===- OptimizeCommand.cpp - gpu-cost-opt optimize ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChoiceOutput.h"
#include "SpaceFlags.h"
#include "Subcommands.h"
#include "Version.h"
#include "gpucost/Applications/Sweep/Optimize.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Targets/TargetChoice.h"

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::StringRef;

static constexpr StringRef usage =
    "usage: gpu-cost-opt optimize MODEL... --minimize=METRIC "
    "[--subject-to=BOUNDS] [--SETTING=VALUES]...\n\n"
    "Finds the best combination of values, the combinations tied with it, and "
    "its\n"
    "savings over the default clock and power limit. For one GPU, without "
    "--clock\n"
    "and --power-limit, every clock of it is tried.\n";

llvm::ArrayRef<OwnFlag> gpucost::optimizeFlags() {
  static const std::string metrics = joinNames(minimizedMetrics(), "|");
  static const OwnFlag flags[] = {
      {"minimize", metrics, "metric that the choice minimizes"},
      {"subject-to", "bounds",
       "such as 'time<=1.05*best, power<=300, memory<=40GiB, throughput>=100'; "
       "points that do not fit are never chosen"},
      {"per", "iteration|sample",
       "unit of comparison (default: sample if the number of samples differs)"},
      {"space", "file.json",
       "models and settings of a file; flags override them"},
      {"report", "table|json|html",
       "format (default: table, or html by the file's name); html is one page "
       "of at most 20000 points"},
      {"o", "file", "write to a file"},
      {"jobs", "n", "threads (default: one for each core)", false, 1024}};
  return flags;
}

/// The space of `flags`. It contains every clock of the GPU if there is one GPU
/// and the flags state no clock or power limit.
static llvm::Expected<Space> createSpace(CommandFlags &flags) {
  llvm::Expected<Space> space = Space::create(flags.files, flags.texts);
  if (!space)
    return space;
  bool hasClocks = false;
  for (const AxisText &setting : flags.texts)
    visitSetting(setting.flag, [&](const auto &row) {
      hasClocks |= row.flag == "clock" || row.flag == "power-limit";
    });
  Scenario gpu = space->common();
  bool isOneGpu = (gpu.target || gpu.targetFile) &&
                  !space->findAxis("target") &&
                  !space->findAxis("target-file") && !space->findAxis("set");
  if (hasClocks || !isOneGpu)
    return space;
  gpu.coefficients = gpu.interconnect = gpu.network = std::nullopt;
  Expected<TargetChoice> choice = chooseTarget(gpu);
  if (!choice)
    return toLLVMError(choice.error());
  const Gpu &facts = choice->target.gpu;
  // Boards count their clocks down from the highest one.
  std::vector<std::string> texts;
  for (Hertz clock = facts.maxClock; clock >= facts.minClock;
       clock = clock - facts.clockStep)
    texts.push_back(numberText(clock.value() * 1e-6, ValueSpec()));
  flags.texts.push_back({"clock", {texts.rbegin(), texts.rend()}});
  return Space::create(flags.files, flags.texts);
}

static llvm::Expected<Optimum> search(CommandFlags &flags,
                                      const ChoiceOutput &output,
                                      std::optional<Space> &space) {
  if (!flags.has("minimize"))
    return llvm::createStringError("optimize needs --minimize=" +
                                   listAlternatives(minimizedMetrics()));
  llvm::Expected<Goal> goal =
      parseGoal(flags.value("minimize"), flags.value("subject-to"));
  if (!goal)
    return goal.takeError();
  SweepOptions options;
  options.jobs = jobsOf(flags);
  llvm::Expected<Space> created = createSpace(flags);
  if (!created)
    return created.takeError();
  space = std::move(*created);
  if (llvm::Error error = output.checkSize(space->size(), "points"))
    return std::move(error);
  std::string per =
      flags.value("per", needsPerSample(*space) ? "sample" : "iteration");
  goal->per = *symbolizePer(per);
  llvm::Expected<std::unique_ptr<Evaluator>> evaluator =
      Evaluator::create(*space, options.jobs);
  if (!evaluator)
    return evaluator.takeError();
  return optimize(**evaluator, options, *goal);
}

static llvm::Expected<ExitCode> runOptimize(CommandFlags &flags) {
  llvm::Expected<ChoiceOutput> output = ChoiceOutput::read(flags);
  if (!output)
    return output.takeError();
  std::optional<Space> space;
  llvm::Expected<Optimum> optimum = search(flags, *output, space);
  if (!optimum)
    return optimum.takeError();
  return output->write(
      *optimum,
      "least " + std::string(stringifyMetric(optimum->goal.metric)) + " of " +
          space->models().front(),
      [&](llvm::raw_ostream &os) { printOptimum(*optimum, *space, os); },
      [&](llvm::raw_ostream &os, bool everyPoint) {
        printOptimumJson(*optimum, *space, versionName(), os, everyPoint);
      });
}

ExitCode gpucost::runOptimizeCommand(llvm::ArrayRef<char *> arguments) {
  return runCommand(
      readSpaceFlags("optimize", arguments, optimizeFlags()),
      [](llvm::raw_ostream &os) { printSpaceHelp(os, usage, optimizeFlags()); },
      runOptimize);
}
