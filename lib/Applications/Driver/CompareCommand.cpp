//===- CompareCommand.cpp - gpu-cost-opt compare --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandFlags.h"
#include "RunModel.h"
#include "SettingsFile.h"
#include "Subcommands.h"
#include "gpucost/Applications/Compare/ComparePrint.h"
#include "gpucost/Applications/Report/Report.h"
#include "gpucost/Compiler/Import/Configuration.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::compare;
using llvm::StringRef;

static constexpr const char *usage =
    R"(usage: gpu-cost-opt compare BEFORE [AFTER] [settings] [flags]

What changed between two predictions, and why: by phase, kernel family, op and
kernel, time, energy and memory. BEFORE and AFTER are reports of --report=json
(of any version of the tool) or models (also a config.json), which run with the
settings given.

  gpu-cost-opt compare before.json after.json
  gpu-cost-opt compare before.json model.onnx           # settings of the report
  gpu-cost-opt compare old.onnx new.onnx --target=a100-bf16 --batch=8 --seq=128
  gpu-cost-opt compare model.onnx --target=a100-bf16 --batch=8 --seq=128 \
    --against='target=h100-bf16 batch=16'

Flags:
)";

static constexpr const char *usageEnd = R"(
All settings of gpu-cost-opt --help are flags here, too. docs/Compare.md explains
the output and the file of a budget.
)";

static constexpr OwnFlag ownFlags[] = {
    {"against", "'name=value ...'",
     "settings of AFTER that differ from those of BEFORE"},
    {"settings", "file.json",
     "settings of a report, for both; flags override them"},
    {"budget", "file.json", "limits; exit code 4 when one is broken"},
    {"report", "table|markdown|json|html", "format (default: table)"},
    {"top", "n", "rows of lists in tables (default: 10)", false, anyCount}};

llvm::ArrayRef<OwnFlag> gpucost::compareFlags() { return ownFlags; }

namespace {

/// One side before it is known: a report or a model.
struct Side {
  std::string path;
  /// The text of a report; null for a model.
  std::unique_ptr<llvm::MemoryBuffer> report;
};

} // namespace

static llvm::Expected<Side> openSide(const std::string &path) {
  Side side{path, nullptr};
  bool namedModel =
      StringRef(path).ends_with(".onnx") || StringRef(path).ends_with(".mlir");
  if (namedModel || llvm::sys::fs::is_directory(path))
    return side;
  auto buffer = openInput(path, mostBytesOfData);
  if (!buffer)
    return buffer.takeError();
  if (describesModel((*buffer)->getBuffer())) {
    if (path == "-")
      return llvm::createStringError(
          "a configuration on standard input cannot be compared; give its "
          "file");
    return side;
  }
  if (StringRef(path).ends_with(".json") ||
      (*buffer)->getBuffer().ltrim().starts_with("{"))
    side.report = std::move(*buffer);
  else if (path == "-")
    return llvm::createStringError(
        "standard input holds no report of --report=json");
  return side;
}

/// Runs the model of `side`; null after a diagnostic.
static llvm::Expected<ComparedReport>
runSide(const Side &side, const Scenario &scenario, bool &diagnosed) {
  std::unique_ptr<CommandModel> model = CommandModel::load(side.path);
  auto failed = [&] {
    diagnosed = true;
    return llvm::createStringError("");
  };
  if (!model)
    return failed();
  if (llvm::Error error = model->check(scenario))
    return std::move(error);
  FailureOr<IterationReport> report =
      std::move(model->session()).analyze(scenario);
  if (mlir::failed(report))
    return failed();
  report->model = side.path;
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = writeReport("json", *report, ReportOptions(), os))
    return std::move(error);
  return readReport(text, side.path);
}

/// Both reports; `diagnosed` when an error was already printed.
static llvm::Expected<Comparison> compareSides(const SubcommandFlags &flags,
                                               bool &diagnosed) {
  if (flags.files.empty() || flags.files.size() > 2)
    return llvm::createStringError(
        "compare takes two reports or models, or one model with --against "
        "(compare --help)");
  llvm::Expected<Side> first = openSide(flags.files.front());
  if (!first)
    return first.takeError();
  bool alone = flags.files.size() == 1;
  std::string against = flags.value("against");
  if (alone && (first->report || against.empty()))
    return llvm::createStringError(
        "nothing to compare '" + first->path + "' with; give " +
        (first->report ? "a second report or a model"
                       : "--against='target=h100-bf16', or a second model"));
  llvm::Expected<Side> second =
      alone ? llvm::Expected<Side>(Side{first->path, nullptr})
            : openSide(flags.files.back());
  if (!second)
    return second.takeError();
  bool settings = !(flags.settings == Scenario()) || flags.has("settings") ||
                  !against.empty();
  if (first->report && second->report && settings)
    return llvm::createStringError(
        "two reports do not take settings: they contain their settings");
  if (second->report && !against.empty())
    return llvm::createStringError("--against has settings of a model, but '" +
                                   second->path + "' is a report");
  // A model is analyzed with the settings of the report that it is compared
  // with.
  Scenario scenario = flags.settings;
  std::string file = flags.value("settings");
  if (!file.empty() || (first->report && !second->report) ||
      (second->report && !first->report)) {
    const Side &recorded = first->report ? *first : *second;
    llvm::Expected<Scenario> read =
        !file.empty() ? readSettingsFile(file, flags.settings)
                      : readSettingsText(recorded.report->getBuffer(),
                                         recorded.path, flags.settings);
    if (!read)
      return read.takeError();
    scenario = std::move(*read);
  }
  auto read = [&](const Side &side,
                  const Scenario &run) -> llvm::Expected<ComparedReport> {
    return side.report ? readReport(side.report->getBuffer(), side.path)
                       : runSide(side, run, diagnosed);
  };
  Scenario other = scenario;
  if (llvm::Error error = readSettingWords("against", against, other))
    return std::move(error);
  llvm::Expected<ComparedReport> before = read(*first, scenario);
  if (!before)
    return before.takeError();
  llvm::Expected<ComparedReport> after = read(*second, other);
  if (!after)
    return after.takeError();
  return compareReports(std::move(*before), std::move(*after));
}

static llvm::Expected<ExitCode> runCompare(const SubcommandFlags &flags) {
  ComparePrintOptions print;
  print.format = *symbolizeCompareFormat(flags.value("report", "table"));
  print.top = static_cast<unsigned>(flags.count("top", print.top));
  // Errors in the budget are reported before a model runs.
  std::vector<BudgetLine> budget;
  if (std::string path = flags.value("budget"); !path.empty()) {
    auto buffer = openInput(path);
    if (!buffer)
      return buffer.takeError();
    llvm::Expected<std::vector<BudgetLine>> lines =
        readBudget((*buffer)->getBuffer(), path);
    if (!lines)
      return lines.takeError();
    budget = std::move(*lines);
  }
  bool diagnosed = false;
  llvm::Expected<Comparison> comparison = compareSides(flags, diagnosed);
  if (!comparison && !diagnosed)
    return comparison.takeError();
  if (!comparison) {
    llvm::consumeError(comparison.takeError());
    return ExitCode::Failure;
  }
  std::vector<BudgetResult> results;
  if (!budget.empty()) {
    llvm::Expected<std::vector<BudgetResult>> checked =
        checkBudget(*comparison, budget);
    if (!checked)
      return checked.takeError();
    results = std::move(*checked);
    print.budget = &results;
  }
  ExitCode code =
      writeOutput(flags.value("o", "-"), [&](llvm::raw_ostream &os) {
        return printComparison(*comparison, print, os);
      });
  bool broken = llvm::any_of(
      results, [](const BudgetResult &result) { return result.broken; });
  return code == ExitCode::Success && broken ? ExitCode::BudgetBroken : code;
}

ExitCode gpucost::runCompareCommand(llvm::ArrayRef<char *> arguments) {
  return runCommand(
      readSubcommandFlags("compare", arguments, ownFlags),
      [](llvm::raw_ostream &os) {
        os << usage;
        printOwnFlags(os, ownFlags);
        os << usageEnd;
      },
      runCompare);
}
