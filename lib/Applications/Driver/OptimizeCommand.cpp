//===- OptimizeCommand.cpp - gpu-cost-opt optimize ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizeCommand.h"
#include "Output.h"
#include "SpaceFlags.h"
#include "Version.h"
#include "gpucost/Applications/Driver/Driver.h"
#include "gpucost/Applications/Sweep/Optimize.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Report/Page.h"
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

static constexpr OwnFlag ownFlags[] = {
    {"minimize", "metric", "time, energy, edp, cost, carbon or memory"},
    {"subject-to", "bounds",
     "such as 'time<=1.05*best, power<=300, memory<=40GiB, throughput>=100'; "
     "what does not fit is never chosen"},
    {"per", "iteration|sample",
     "what is compared (default: sample where the number of samples differs)"},
    {"space", "file.json",
     "models and settings of a file; flags override them"},
    {"report", "table|json|html",
     "format (default: table, or html by the file's name); html is one page "
     "of at most 20000 points"},
    {"o", "file", "write to a file"},
    {"jobs", "n", "threads (default: one for each core)"},
    {"help", "", "this text"}};

/// Whether `row` states `field` of a scenario.
template <typename Row, typename Field>
static bool states(const Row &row, Field field) {
  if constexpr (std::is_convertible_v<decltype(row.stated), Field>)
    return row.stated == field;
  return false;
}

/// Every clock of the GPU, where nothing is said about clocks and there is one
/// GPU.
static llvm::Error addClocks(CommandFlags &flags) {
  // The settings of the first and of the last point.
  Scenario gpu, last;
  bool hasClocks = false;
  for (const AxisText &setting : flags.texts) {
    visitSetting(setting.flag, [&](const auto &row) {
      hasClocks |=
          states(row, &Scenario::clock) || states(row, &Scenario::powerLimit);
    });
    llvm::Expected<std::vector<std::string>> values =
        expandValues(setting.flag, setting.texts);
    if (!values)
      return values.takeError();
    for (auto [scenario, text] :
         {std::pair(&gpu, values->front()), std::pair(&last, values->back())})
      if (text != "default")
        if (llvm::Error error = state(*scenario, setting.flag, text))
          return error;
  }
  bool isOneGpu = gpu.target == last.target &&
                  gpu.targetFile == last.targetFile &&
                  gpu.changes == last.changes;
  if (!isOneGpu || hasClocks || (!gpu.target && !gpu.targetFile))
    return llvm::Error::success();
  gpu.coefficients = gpu.interconnect = gpu.network = std::nullopt;
  Expected<TargetChoice> choice = chooseTarget(gpu);
  if (!choice)
    return toLLVMError(choice.error());
  const Gpu &facts = choice->target.gpu;
  AxisText clocks{"clock", {}};
  // From the highest clock down, as boards do.
  std::vector<std::string> texts;
  for (Hertz clock = facts.maxClock; clock >= facts.minClock;
       clock = clock - facts.clockStep)
    texts.push_back(numberText(clock.value() * 1e-6, ValueSpec()));
  clocks.texts.assign(texts.rbegin(), texts.rend());
  flags.texts.push_back(std::move(clocks));
  return llvm::Error::success();
}

static llvm::Expected<Optimum> search(CommandFlags &flags, bool forPage,
                                      std::optional<Space> &space) {
  if (!flags.has("minimize"))
    return llvm::createStringError(
        "optimize needs --minimize=time, energy, edp, cost, carbon or memory");
  llvm::Expected<Goal> goal =
      parseGoal(flags.value("minimize"), flags.value("subject-to"));
  if (!goal)
    return goal.takeError();
  SweepOptions options;
  llvm::Expected<unsigned> jobs = readJobs(flags);
  if (!jobs)
    return jobs.takeError();
  options.jobs = *jobs;
  if (llvm::Error error = addClocks(flags))
    return std::move(error);
  llvm::Expected<Space> created = Space::create(flags.files, flags.texts);
  if (!created)
    return created.takeError();
  space = std::move(*created);
  if (forPage && space->size() > mostPointsOfPage)
    return llvm::createStringError(
        "a page shows at most " + llvm::Twine(mostPointsOfPage) +
        " points, but these are " + llvm::Twine(space->size()) +
        "; use fewer values, or --report=json");
  std::string per =
      flags.value("per", needsPerSample(*space) ? "sample" : "iteration");
  if (per != "sample" && per != "iteration")
    return llvm::createStringError("unknown value '" + per +
                                   "' of --per, expected iteration or sample");
  goal->per = per == "sample" ? Per::Sample : Per::Iteration;
  llvm::Expected<std::unique_ptr<Evaluator>> evaluator =
      Evaluator::create(*space, options.jobs);
  if (!evaluator)
    return evaluator.takeError();
  return optimize(**evaluator, options, *goal);
}

static llvm::Error printPage(const Optimum &optimum, const Space &space,
                             llvm::raw_ostream &os) {
  std::string json;
  llvm::raw_string_ostream data(json);
  printOptimumJson(optimum, space, versionName(), data, /*everyPoint=*/true);
  Expected<std::string> page =
      makePage(PageKind::Optimum,
               "least " + nameOf(optimum.goal.metric).str() + " of " +
                   space.models().front(),
               json);
  if (!page)
    return toLLVMError(page.error());
  os << *page;
  return llvm::Error::success();
}

int gpucost::runOptimizeCommand(llvm::ArrayRef<char *> arguments) {
  llvm::Expected<CommandFlags> flags =
      readSpaceFlags("optimize", arguments, ownFlags);
  if (!flags)
    return reportError(flags.takeError());
  if (flags->has("help")) {
    printSpaceHelp(llvm::outs(), usage, ownFlags);
    return static_cast<int>(ExitCode::Success);
  }
  std::string output = flags->value("o", "-");
  std::string report = flags->value(
      "report", StringRef(output).ends_with(".html") ? "html" : "table");
  if (report != "table" && report != "json" && report != "html")
    return reportError("unknown value '" + report +
                       "' of --report, expected table, json or html");
  // Not after the search.
  if (report == "html")
    if (Expected<std::string> page = makePage(PageKind::Optimum, "", "{}");
        !page)
      return reportError(toLLVMError(page.error()));
  std::optional<Space> space;
  llvm::Expected<Optimum> optimum = search(*flags, report == "html", space);
  if (!optimum)
    return reportError(optimum.takeError());
  int code = writeOutput(output, [&](llvm::raw_ostream &os) -> llvm::Error {
    if (report == "json")
      printOptimumJson(*optimum, *space, versionName(), os);
    else if (report == "html")
      return printPage(*optimum, *space, os);
    else
      printOptimum(*optimum, *space, os);
    return llvm::Error::success();
  });
  if (code == 0 && !optimum->choice.chosen)
    return reportError("no point keeps all bounds");
  return code;
}
