//===- SweepCommand.cpp - gpu-cost-opt sweep ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpaceFlags.h"
#include "Subcommands.h"
#include "Version.h"
#include "gpucost/Applications/Report/Report.h"
#include "gpucost/Applications/Sweep/Progress.h"
#include "gpucost/Applications/Sweep/ResultFile.h"
#include "gpucost/Applications/Sweep/Sweep.h"
#include "llvm/Support/JSON.h"

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::StringRef;

static constexpr StringRef usage =
    "usage: gpu-cost-opt sweep MODEL... [--SETTING=VALUES]... [-o FILE]\n\n"
    "Predicts every combination of the values, one line each. A file that a\n"
    "sweep has begun is continued.\n";

static constexpr OwnFlag ownFlags[] = {
    {"space", "file.json",
     "models and settings of a file; flags override them"},
    {"o", "file", "append to a file, which a later run continues"},
    {"report", "jsonl|csv|html",
     "format of the lines (default: jsonl, or the file's); html is one page "
     "of at most 20000 points, written at the end"},
    {"order", "index|finished", "of the lines (default: index)"},
    {"shard", "i/n", "the i-th of n parts, from 1"},
    {"jobs", "n", "threads (default: one for each core)", false, 1024},
    {"restart", "", "discard the content of the file"}};

llvm::ArrayRef<OwnFlag> gpucost::sweepFlags() { return ownFlags; }

namespace {
struct Command {
  SweepOptions sweep;
  PointFormat format = PointFormat::JsonLines;
  std::string output = "-";
  bool restart = false;
  /// The points go to a page, not line by line to a file.
  bool page = false;
};
} // namespace

static llvm::Expected<Command> readCommand(const CommandFlags &flags) {
  Command command;
  command.output = flags.value("o", "-");
  command.restart = flags.has("restart");
  if (command.restart && command.output == "-")
    return llvm::createStringError("--restart needs a file; give one with -o");
  StringRef output = command.output;
  std::string format =
      flags.value("report", output.ends_with(".csv")    ? "csv"
                            : output.ends_with(".html") ? "html"
                                                        : "jsonl");
  command.page = format == "html";
  if (command.page && command.restart)
    return llvm::createStringError(
        "a page is written at the end: there is nothing to --restart");
  // Before the sweep.
  if (command.page)
    if (llvm::Error error = writePage(PageKind::Sweep, "", "{}", llvm::nulls()))
      return std::move(error);
  command.format = format == "csv" ? PointFormat::Csv : PointFormat::JsonLines;
  command.sweep.ordered = flags.value("order") != "finished";
  if (flags.has("shard")) {
    llvm::Expected<Shard> shard = readShard(flags.value("shard"), mostShards);
    if (!shard)
      return shard.takeError();
    command.sweep.shard = shard->index;
    command.sweep.shards = shard->count;
  }
  command.sweep.jobs = jobsOf(flags);
  return command;
}

/// The points as one JSON object: docs/Decisions.md.
static std::string pageData(const std::vector<std::string> &lines,
                            const PointText &text, StringRef name) {
  std::string json;
  llvm::raw_string_ostream os(json);
  llvm::json::OStream j(os);
  j.object([&] {
    j.attribute("schema", 1);
    j.attribute("sweep", name);
    j.attribute("version", versionName());
    j.attributeArray("settings", [&] {
      for (const std::string &key : text.settingKeys())
        j.value(key);
    });
    j.attributeArray("points", [&] {
      for (const std::string &line : lines)
        j.rawValue(StringRef(line).rtrim());
    });
  });
  return json + '\n';
}

/// Runs the sweep and writes its page.
static llvm::Expected<ExitCode> sweepToPage(const Command &command,
                                            const Space &space,
                                            const Evaluator &evaluator,
                                            const std::string &name) {
  PointRange range = rangeOfShard(space.size(), command.sweep);
  int64_t count = range.end - range.first;
  if (count > mostPointsOfPage)
    return llvm::createStringError(
        "a page shows at most " + llvm::Twine(mostPointsOfPage) +
        " points, but these are " + llvm::Twine(count) +
        "; use fewer values, or --report=jsonl");
  PointText text(space, PointFormat::JsonLines, name, versionName());
  std::vector<std::string> lines(static_cast<size_t>(count));
  Progress progress(space, count, llvm::errs());
  runSweep(evaluator, command.sweep, [&](PointBatch &batch) {
    for (const PointResult &result : batch.results)
      text.append(lines[static_cast<size_t>(result.point - range.first)],
                  result);
    progress.add(batch.results);
    return true;
  });
  progress.finish();
  return writeOutput(command.output, [&](llvm::raw_ostream &os) {
    return writePage(PageKind::Sweep, "sweep of " + space.models().front(),
                     pageData(lines, text, name), os);
  });
}

/// Runs the sweep and appends its lines to a file.
static llvm::Error sweepToLines(const Command &command, const Space &space,
                                const Evaluator &evaluator,
                                const std::string &name) {
  PointText text(space, command.format, name, versionName());
  llvm::Expected<std::unique_ptr<ResultFile>> file =
      ResultFile::open(command.output, text,
                       {name, versionName(), space.size()}, command.restart);
  if (!file)
    return file.takeError();

  PointRange range = rangeOfShard(space.size(), command.sweep);
  int64_t missing = 0;
  for (int64_t point = range.first; point < range.end; ++point)
    missing += !(*file)->isDone(point);
  Progress progress(space, missing, llvm::errs());
  llvm::Error error = runSweep(evaluator, command.sweep, text, file->get(),
                               [&](const PointBatch &batch) {
                                 progress.add(batch.results);
                                 return true;
                               });
  progress.finish();
  return error;
}

static llvm::Expected<ExitCode> runSweep(const CommandFlags &flags) {
  llvm::Expected<Command> command = readCommand(flags);
  if (!command)
    return command.takeError();
  llvm::Expected<Space> space = Space::create(flags.files, flags.texts);
  if (!space)
    return space.takeError();
  llvm::Expected<std::unique_ptr<Evaluator>> evaluator =
      Evaluator::create(*space, command->sweep.jobs);
  if (!evaluator)
    return evaluator.takeError();
  llvm::Expected<std::string> name = nameSweep(*space);
  if (!name)
    return name.takeError();
  if (command->page)
    return sweepToPage(*command, *space, **evaluator, *name);
  if (llvm::Error error = sweepToLines(*command, *space, **evaluator, *name))
    return std::move(error);
  return ExitCode::Success;
}

ExitCode gpucost::runSweepCommand(llvm::ArrayRef<char *> arguments) {
  return runCommand(
      readSpaceFlags("sweep", arguments, ownFlags),
      [](llvm::raw_ostream &os) { printSpaceHelp(os, usage, ownFlags); },
      [](const CommandFlags &flags) { return runSweep(flags); });
}
