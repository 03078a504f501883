//===- KernelQueriesPrint.cpp - Answers to kernel queries -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelQueriesPrint.h"
#include "KernelQueriesSchedule.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/RecordCsv.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Core/Model/AllReduce.h"
#include "gpucost/Core/Model/ErrorBars.h"
#include "gpucost/Core/Vocabulary/Families.h"
#include "llvm/ADT/STLExtras.h"
#include <fmt/format.h>

using namespace gpucost;

static int64_t flopsOf(const KernelWork &work) {
  return work.count.tensorFlops + work.count.fp32Flops;
}
static int64_t compulsoryBytes(const KernelWork &work) {
  return work.count.bytesRead + work.count.bytesWritten;
}

/// The usual name of the kernel.
static llvm::StringRef kernelNameOf(const KernelWork &work) {
  return work.family == KernelFamily::Elementwise
             ? stringifyInstructionClass(work.instructions)
             : infoOf(work.family).kernel;
}

std::string gpucost::describeKernel(const KernelWork &work) {
  std::string problem = describeProblem(work);
  if (work.family == KernelFamily::Collective) // counts bytes of any type
    return problem;
  return (kernelNameOf(work) + " " + problem + " " +
          llvm::StringRef(stringifyNumericFormat(work.format)))
      .str();
}

namespace gpucost {

namespace {
/// An answer as JSON and CSV have it.
struct PrintedAnswer {
  const KernelAnswer *answer = nullptr;
  Software software = Software::PyTorch;
  std::vector<std::string> notes;
};
} // namespace

#define GPUCOST_REPORT "gpucost/Applications/Query/KernelAnswer.def"
#include "gpucost/Core/Report/VisitReport.inc"

static const RecordColumns<PrintedAnswer> &answerColumns() {
  static const RecordColumns<PrintedAnswer> columns(
      {"time_us", "power_w", "energy_j", "tile", "split_k", "waves", "bound",
       "time_low_us", "time_high_us", "in_calibrated_domain"},
      /*all=*/false);
  return columns;
}

const std::vector<std::string_view> &resultColumns() {
  return answerColumns().names();
}

} // namespace gpucost

void gpucost::printAnswersCsv(const KernelAnswers &all, llvm::raw_ostream &os) {
  for (llvm::StringRef name : all.echoedNames)
    os << name << ',';
  printCsvCells(os, resultColumns());
  if (all.hasSchedules)
    printCsvCells(os, scheduleResultColumns(), ",");
  os << '\n';
  size_t echoed = 0;
  for (const KernelAnswer &answer : all.answers) {
    for (size_t i = 0; i < all.echoedNames.size(); ++i)
      os << all.echoed[echoed++] << ',';
    printCsvCells(os, answerColumns().cells({&answer, all.software, {}}));
    if (all.hasSchedules)
      printScheduleCells(answer.schedule, os);
    os << '\n';
  }
}

/// The value of a raw cell as UTF-8.
static std::string unquote(llvm::StringRef raw) {
  CsvCell cell;
  cell.text = raw;
  if (cell.text.size() >= 2 && cell.text.front() == '"') {
    cell.text = cell.text.drop_front().drop_back();
    cell.escaped = true;
  }
  return toUtf8(cell.value());
}

/// Notes about an answer: whose kernels the software of the query runs, where
/// that makes a difference, a clock that the board does not have, and a power
/// limit that is not kept.
static std::vector<std::string> notesOf(const KernelAnswers &all,
                                        const KernelAnswer &answer) {
  std::vector<std::string> notes;
  if (isAllReduceOfNode(answer.work))
    notes.push_back(all.allReduce);
  notes.push_back(answer.stack);
  notes.push_back(answer.otherClock);
  notes.push_back(answer.brokenLimit);
  llvm::erase_if(notes, [](const std::string &note) { return note.empty(); });
  return notes;
}

/// " on h100-sxm-80gb, vllm": attention is that of a software.
static std::string placeOf(const KernelAnswers &all) {
  bool hasAttention = llvm::any_of(all.answers, [](const auto &answer) {
    return answer.work.template is<AttentionProblem>();
  });
  std::string place = " on " + all.gpu->name;
  if (hasAttention)
    place += ", " + std::string(stringifySoftware(all.software));
  return place;
}

void gpucost::printAnswersJson(const KernelAnswers &all,
                               llvm::raw_ostream &os) {
  std::vector<std::string> names;
  for (llvm::StringRef name : all.echoedNames)
    names.push_back(unquote(name));
  std::string text;
  JsonStream j(text);
  size_t echoed = 0;
  j.array([&] {
    for (const KernelAnswer &answer : all.answers)
      j.object([&] {
        for (const std::string &name : names)
          j.attribute(name, unquote(all.echoed[echoed++]));
        writeRecord(j,
                    PrintedAnswer{&answer, all.software, notesOf(all, answer)});
        if (answer.schedule)
          printScheduleJson(j, *answer.schedule);
      });
  });
  os << text << '\n';
}

static std::string tileText(const Tiling &tiling) {
  return tileTextOf(tiling).value_or("-");
}

static void printSingle(const KernelAnswers &all, llvm::raw_ostream &os) {
  const KernelAnswer &answer = all.answers.front();
  const KernelCost &cost = answer.cost;
  const Tiling &tiling = cost.tiling;
  double seconds = cost.time.total.value();
  double flops = static_cast<double>(flopsOf(answer.work));
  double bytes = answer.work.count.compulsoryBytes();
  auto line = [&](const char *label, const NumberWithUnit &value,
                  const std::string &remark) {
    std::string text = fmt::format("  {:<8}{:>7} {:<7}{}", label, value.number,
                                   value.unit, remark);
    os << llvm::StringRef(text).rtrim(' ') << '\n';
  };
  os << describeKernel(answer.work) << placeOf(all) << "\n\n";
  std::string rates;
  if (seconds > 0)
    rates = formatSi(flops / seconds, "FLOP/s").str() + ", " +
            formatSi(bytes / seconds, "B/s").str();
  line("time", formatSi(seconds, "s"), rates);
  if (std::optional<double> halfWidth = cost.time.halfWidth)
    line("", {}, "80 % PI: " + intervalText(seconds, *halfWidth, "s"));
  std::string clock =
      fmt::format("clock {:.0f} MHz", cost.clock.value() * 1e-6);
  if (cost.limitUnreachable)
    clock += ": NO CLOCK KEEPS THE POWER LIMIT, time is a lower bound";
  else if (cost.throttled)
    clock += ": lowered to keep the power limit";
  line("power", formatSi(cost.power.value(), "W"), clock);
  line("energy", formatSi(cost.energy.value(), "J"), "");
  line("work", formatSi(flops, "FLOP"), "FLOP = 2 x MAC");
  line("bytes", formatSi(bytes, "B"), "every operand once");
  if (tiling.tile.m > 0)
    line("tile", {tileText(tiling), ""},
         fmt::format("split {}, {} CTAs, waves {}", tiling.splitK, tiling.ctas,
                     tiling.waves));
  if (answer.schedule) {
    line("loop", {}, describeLoop(*answer.schedule));
    line("takes", {}, describeResources(*answer.schedule));
  }
  line("bound", {std::string(stringifyBound(cost.time.bound)), ""}, "");
  if (!cost.time.inCalibratedDomain)
    os << "\n  outside the calibrated domain\n";
  if (answer.schedule && !answer.schedule->remark.empty()) {
    os << "\n  ";
    printWrapped(os, answer.schedule->remark, 2, 4);
  }
  for (const std::string &note : notesOf(all, answer)) {
    os << "\n  ";
    printWrapped(os, note, 2, 4);
  }
}

void gpucost::printAnswersTable(const KernelAnswers &all,
                                llvm::raw_ostream &os) {
  if (all.single && all.answers.size() == 1)
    return printSingle(all, os);
  if (all.single && all.hasSchedules)
    return printScheduleTable(all, os);
  os << "kernels" << placeOf(all) << "\n\n";
  using Table = TextTable;
  Table table({Table::left("kernel", 24), Table::right("us"), Table::right("W"),
               Table::right("mJ"), Table::right("tile"), Table::right("split"),
               Table::right("waves"), Table::left("bound")});
  for (const KernelAnswer &answer : all.answers) {
    const KernelCost &cost = answer.cost;
    bool hasTile = cost.tiling.tile.m > 0;
    table.addRow({describeKernel(answer.work),
                  fmt::format("{:.2f}", cost.time.total.value() * 1e6),
                  fmt::format("{:.0f}", cost.power.value()),
                  fmt::format("{:.3f}", cost.energy.value() * 1e3),
                  tileText(cost.tiling),
                  hasTile ? std::to_string(cost.tiling.splitK) : "-",
                  hasTile ? std::to_string(cost.tiling.waves) : "-",
                  stringifyBound(cost.time.bound)});
  }
  table.print(os, 2);
  std::vector<std::string> notes;
  for (const KernelAnswer &answer : all.answers)
    for (const std::string &note : notesOf(all, answer))
      if (!llvm::is_contained(notes, note)) {
        os << "\n  ";
        printWrapped(os, note, 2, 4);
        notes.push_back(note);
      }
}
