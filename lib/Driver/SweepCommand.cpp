//===- SweepCommand.cpp - gpu-cost-opt sweep ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepCommand.h"
#include "Output.h"
#include "SpaceFlags.h"
#include "Version.h"
#include "gpucost/Driver/Driver.h"
#include "gpucost/Sweep/Progress.h"
#include "gpucost/Sweep/ResultFile.h"
#include "gpucost/Sweep/Sweep.h"

using namespace gpucost;
using llvm::StringRef;

static constexpr StringRef usage =
    "usage: gpu-cost-opt sweep MODEL... [--SETTING=VALUES]... [-o FILE]\n\n"
    "Predicts every combination of the values, one line each. A file that a\n"
    "sweep has begun is continued.\n";

static constexpr OwnFlag ownFlags[] = {
    {"space", "file.json",
     "models and settings of a file; flags override them"},
    {"o", "file", "append to a file, which a later run continues"},
    {"report", "jsonl|csv",
     "format of the lines (default: jsonl, or the file's)"},
    {"order", "index|finished", "of the lines (default: index)"},
    {"shard", "i/n", "the i-th of n parts, from 1"},
    {"jobs", "n", "threads (default: one for each core)"},
    {"restart", "", "drop what the file holds"},
    {"help", "", "this text"}};

namespace {
struct Command {
  SweepOptions sweep;
  PointFormat format = PointFormat::JsonLines;
  std::string output = "-";
  bool restart = false;
};
} // namespace

static llvm::Error readShard(StringRef text, SweepOptions &options) {
  auto [part, parts] = text.split('/');
  if (part.getAsInteger(10, options.shard) ||
      parts.getAsInteger(10, options.shards) || options.shard < 1 ||
      options.shard > options.shards || options.shards > 1'000'000)
    return llvm::createStringError(
        "--shard expects i/n with i from 1 to n, but got '" + text + "'");
  return llvm::Error::success();
}

static llvm::Expected<Command> readCommand(const SpaceFlags &flags) {
  Command command;
  command.output = flags.value("o", "-");
  command.restart = flags.has("restart");
  if (command.restart && command.output == "-")
    return llvm::createStringError("--restart needs a file; give one with -o");
  std::string format = flags.value(
      "report", StringRef(command.output).ends_with(".csv") ? "csv" : "jsonl");
  if (format != "jsonl" && format != "csv")
    return llvm::createStringError("unknown value '" + format +
                                   "' of --report, expected jsonl or csv");
  command.format = format == "csv" ? PointFormat::Csv : PointFormat::JsonLines;
  std::string order = flags.value("order", "index");
  if (order != "index" && order != "finished")
    return llvm::createStringError("unknown value '" + order +
                                   "' of --order, expected index or finished");
  command.sweep.ordered = order == "index";
  if (flags.has("shard"))
    if (llvm::Error error = readShard(flags.value("shard", ""), command.sweep))
      return std::move(error);
  command.sweep.jobs = defaultJobs();
  if (flags.has("jobs")) {
    llvm::Expected<int64_t> jobs =
        readCount("jobs", flags.value("jobs", ""), 1024);
    if (!jobs)
      return jobs.takeError();
    command.sweep.jobs = static_cast<unsigned>(*jobs);
  }
  return command;
}

static llvm::Error sweep(const SpaceFlags &flags) {
  llvm::Expected<Command> command = readCommand(flags);
  if (!command)
    return command.takeError();
  llvm::Expected<Space> space = Space::create(flags.models, flags.settings);
  if (!space)
    return space.takeError();
  llvm::Expected<std::unique_ptr<Evaluator>> evaluator =
      Evaluator::create(*space, command->sweep.jobs);
  if (!evaluator)
    return evaluator.takeError();
  llvm::Expected<std::string> name = nameSweep(*space);
  if (!name)
    return name.takeError();
  PointText text(*space, command->format, *name, versionName());
  llvm::Expected<std::unique_ptr<ResultFile>> file = ResultFile::open(
      command->output, command->format, {*name, versionName(), space->size()},
      text.header(), command->restart);
  if (!file)
    return file.takeError();

  PointRange range = rangeOfShard(space->size(), command->sweep);
  int64_t missing = 0;
  for (int64_t point = range.first; point < range.end; ++point)
    missing += !(*file)->isDone(point);
  Progress progress(*space, missing, llvm::errs());
  llvm::Error error = llvm::Error::success();
  runSweep(
      **evaluator, command->sweep,
      [&](int64_t point) { return (*file)->isDone(point); },
      [&](PointBatch &batch) {
        for (const PointResult &result : batch.results)
          text.append(batch.text, result);
      },
      [&](PointBatch &batch) {
        if (llvm::Error failure = (*file)->append(batch.text)) {
          error = llvm::joinErrors(std::move(error), std::move(failure));
          return false;
        }
        progress.add(batch.results);
        return true;
      });
  progress.finish();
  return error;
}

int gpucost::runSweepCommand(llvm::ArrayRef<char *> arguments) {
  llvm::Expected<SpaceFlags> flags =
      readSpaceFlags("sweep", arguments, ownFlags);
  if (!flags)
    return reportError(flags.takeError());
  if (flags->has("help")) {
    printSpaceHelp(llvm::outs(), usage, ownFlags);
    return static_cast<int>(ExitCode::Success);
  }
  if (llvm::Error error = sweep(*flags))
    return reportError(std::move(error));
  return static_cast<int>(ExitCode::Success);
}
