//===- PostTrainText.cpp - A round, for people and programs ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/PostTrain/PostTrain.h"
#include "gpucost/Applications/Report/ModelName.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Core/Support/JsonStream.h"
#include <fmt/format.h>

using namespace gpucost;
using namespace gpucost::posttrain;

namespace gpucost {
using posttrain::PostTrainReport;
using posttrain::RolloutReport;
using posttrain::RoundPhase;
using posttrain::UpdateReport;
#define GPUCOST_REPORT "gpucost/Applications/PostTrain/PostTrainReport.def"
#include "gpucost/Core/Report/VisitReport.inc"
} // namespace gpucost

/// Columns of label, value and unit; spaces before a note.
static constexpr int labelWidth = 11, valueWidth = 5, unitWidth = 10,
                     noteIndent = 4;

RecordShape posttrain::shapeOfPostTrain() {
  return shapeOfRecord<PostTrainReport>();
}

void posttrain::printPostTrainJson(const PostTrainReport &report, bool indented,
                                   llvm::raw_ostream &os) {
  if (indented) {
    os << recordJson(report);
    return;
  }
  std::string line;
  JsonStream j(line, /*indented=*/false);
  writeValue(j, FieldUnit(), report);
  os << line << '\n';
}

static std::string interval(double value, std::optional<double> halfWidth,
                            llvm::StringRef unit) {
  return halfWidth ? "; 80 % PI " + intervalText(value, *halfWidth, unit) : "";
}

static std::string placeText(const PostTrainReport &r) {
  if (r.rolloutGpus == 0)
    return std::to_string(r.trainGpus) + " " + r.target;
  if (r.isShared)
    return std::to_string(r.gpus) + " " + r.target +
           ", shared by rollout and training";
  return fmt::format("{} {}: {} for the rollout, {} for the training{}", r.gpus,
                     r.target, r.rolloutGpus, r.trainGpus,
                     r.lag > 0 ? ", at the same time" : ", in turn");
}

static std::string limitText(const PostTrainReport &r) {
  for (const RoundPhase &phase : r.phases)
    if (phase.name == r.limit)
      return r.limit + ": " + phase.limit;
  return r.limit;
}

static void printRollout(const RolloutReport &rollout, llvm::raw_ostream &os) {
  std::string software(stringifySoftware(rollout.software));
  printText(os, "rollout",
            fmt::format("{} of {}, {} in {}: {} each, {} at the same time",
                        countText(rollout.engines, "engine"), rollout.parallel,
                        software, rollout.format,
                        countText(rollout.sequences, "answer"),
                        rollout.running));
  printText(os, "",
            fmt::format("{}; less than half of the answers run in the last "
                        "{}; an engine without the longest answer takes {}; "
                        "floor {}",
                        countText(rollout.steps, "step"), siText(rollout.tail),
                        siText(rollout.typical), siText(rollout.floor)));
}

static void printUpdate(const UpdateReport &update, llvm::raw_ostream &os) {
  std::string software(stringifySoftware(update.software));
  printText(
      os, "training",
      fmt::format("{}{}, {}, recompute {}: {} of {}, each {} of {} x {} tokens "
                  "on a GPU; MFU {}",
                  update.parallel, update.isChosen ? " (chosen)" : "", software,
                  update.recompute, countText(update.updates, "update"),
                  siText(update.time),
                  std::to_string(update.passes) +
                      (update.passes == 1 ? " pass" : " passes"),
                  update.batch, update.sequence, formatPercent(update.mfu)));
}

static void printPhases(const PostTrainReport &r, llvm::raw_ostream &os) {
  using Table = TextTable;
  Table table(
      {Table::left("phase"), Table::right("GPUs"), Table::numbers("time", "s"),
       Table::numbers("", "J"), Table::fixed("", "W"), Table::right("memory"),
       Table::right("of"), Table::left("fits"), Table::left("limited by")});
  for (const RoundPhase &phase : r.phases) {
    auto memory = [](std::optional<int64_t> bytes) {
      return bytes ? memoryText(*bytes) : std::string("-");
    };
    table.addRow({phase.name, phase.gpus, phase.time, phase.energy,
                  phase.powerPerGpu(), memory(phase.memory),
                  memory(phase.usable),
                  !phase.memory  ? "-"
                  : phase.fits() ? "yes"
                                 : "NO",
                  (phase.isLowerBound ? "at least; " : "") + phase.limit});
  }
  table.print(os, 2);
}

void posttrain::printPostTrain(const PostTrainReport &r,
                               llvm::raw_ostream &os) {
  auto addLine = [&](llvm::StringRef label, const NumberWithUnit &number,
                     llvm::StringRef text) {
    printLine(os, label, number, text, {labelWidth, valueWidth, unitWidth});
  };
  std::string name(stringifyPostTraining(r.algorithm));
  printWrapped(os,
               "a round of " + name + " of " + modelName(r.model).str() +
                   " on " + placeText(r),
               0, 2);
  printWrapped(os,
               fmt::format("{} x {}, {:g} + {:g} tokens, longest answer {}",
                           countText(r.prompts, "prompt"),
                           countText(r.samples, "answer"), r.inputTokens,
                           r.outputTokens, r.longestOutput),
               0, 2);
  os << '\n';
  auto half = [&](double IterationErrorBars::*part) {
    return partOf(r.bars, part);
  };
  NumberWithUnit time = formatSi(r.time.value(), "s");
  if (r.isLowerBound())
    time.number = ">=" + time.number;
  addLine("time", time,
          "of a round" +
              interval(r.time.value(), half(&IterationErrorBars::time), "s"));
  addLine(
      "energy", formatSi(r.energy().value(), "J"),
      "of all GPUs, " + siText(r.waiting) + " of it waiting for others" +
          interval(r.energy().value(), half(&IterationErrorBars::energy), "J"));
  addLine("power", formatSi(r.powerPerGpu().value(), "W"), "average of a GPU");
  double rate = r.tokens() / r.time.value();
  addLine("rate", {formatSignificant(rate), "tokens/s"},
          fmt::format("{} tokens/s per GPU; {} per token",
                      formatSignificant(rate / static_cast<double>(r.gpus)),
                      siText(r.energy() / r.tokens())));
  if (r.money)
    addLine("cost", {formatSignificant(*r.money), ""},
            "of a round, in the currency of --price");
  if (r.carbon)
    addLine("CO2e", formatSi(*r.carbon, "g"), "of a round");
  printText(os, "limit", limitText(r));
  if (r.rollout)
    printRollout(*r.rollout, os);
  printUpdate(r.update, os);
  if (!r.fits())
    printText(os, "memory", "DOES NOT FIT: see the phases");
  os << '\n';
  printPhases(r, os);
  if (!r.notes.empty())
    os << '\n';
  for (const std::string &note : r.notes) {
    os << "  - ";
    printWrapped(os, note, noteIndent, noteIndent);
  }
}
