//===- TableWriter.cpp - The report for people ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Summary, phases, most expensive kernels, notes; at most 100 columns wide.
//
//===----------------------------------------------------------------------===//

#include "TableParts.h"
#include "gpucost/Applications/Report/ModelName.h"
#include "gpucost/Applications/Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <fmt/format.h>

using namespace gpucost;
using Table = TextTable;

/// Lines of the coverage report; the other formats have all of it.
static constexpr size_t coverageLines = 12;

/// The time that the GPU waits for the host. Ranks of a pipeline also wait for
/// each other, which the phases of a stage do not include.
static std::string waitsText(const IterationReport &r) {
  Seconds time = r.pipeline ? Seconds(0) : r.time;
  if (r.pipeline)
    for (const PhaseTotals &phase : r.phases)
      time += phase.time;
  double waits = time > Seconds(0) ? std::max(0.0, 1 - r.gpuBusy / time) : 0.0;
  return "the GPU waits " + formatPercent(waits) + " of the time" +
         (r.pipeline ? " of its passes" : "");
}

std::string gpucost::titleOf(const IterationReport &r) {
  llvm::StringRef file = modelName(r.model);
  return (file.empty() ? "" : printable(file) + " on ") + r.target + ", " +
         std::string(stringifyNumericFormat(r.format));
}

static void printHeading(llvm::raw_ostream &os, const IterationReport &r,
                         bool color) {
  std::string title = titleOf(r);
  if (color)
    os.changeColor(llvm::raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  printWrapped(os, title, 0, 2);
  if (color)
    os.resetColor();
  std::string how = std::string(stringifyIterationMode(r.settings.mode)) +
                    ", " + std::string(stringifySoftware(r.settings.software)) +
                    ", " + std::string(stringifyRuntime(r.settings.runtime)) +
                    " runtime, attention " +
                    std::string(stringifyAttentionMode(r.settings.attention));
  if (!r.precision.empty())
    how += ", " + r.precision;
  printWrapped(os, how, 0, 2);
  std::string bindings;
  for (const auto &[name, value] : r.bindings)
    bindings += name + "=" + std::to_string(value) + " ";
  if (!bindings.empty())
    printWrapped(os, bindings, 0, 2);
  os << '\n';
}

static NumberWithUnit atLeastIf(bool isLowerBound, NumberWithUnit text) {
  if (isLowerBound)
    text.number = ">= " + text.number;
  return text;
}

/// A total: a lower bound where something is not in it.
static NumberWithUnit total(const IterationReport &r, double value,
                            llvm::StringRef unit) {
  return atLeastIf(r.isLowerBound(), formatSi(value, unit));
}

static NumberWithUnit memoryTotal(const IterationReport &r, double bytes) {
  return atLeastIf(r.memoryIsLowerBound(), formatMemory(bytes));
}

static void printTime(llvm::raw_ostream &os, const IterationReport &r) {
  if (r.isUnknown())
    return printText(
        os, "time", unknownText.str() + ": the kernels of all ops are unknown");
  printLine(os, "time", total(r, r.time.value(), "s"),
            "GPU busy " + siText(r.gpuBusy) + ", host " + siText(r.host) +
                " for " + std::to_string(r.launches) + " launches");
  if (r.bound == Bound::Host)
    printLine(os, "", {}, "host-bound: " + waitsText(r));
}

/// Throughput of all GPUs together, and its cost.
static void printThroughput(llvm::raw_ostream &os, const IterationReport &r) {
  if (r.samples <= 0 || r.time <= Seconds(0))
    return;
  double samples = static_cast<double>(r.samples);
  std::string text = r.isLowerBound() ? "at most " : "";
  text += rateText(samples / r.time.value()) + " samples/s, ";
  if (r.tokens > 0)
    text += rateText(static_cast<double>(r.tokens) / r.time.value()) +
            " tokens/s, ";
  text += r.isLowerBound() ? "at least " : "";
  text +=
      siText(r.energy.value() * static_cast<double>(r.worldSize()) / samples,
             "J") +
      " per sample";
  printText(os, "rate", text);
}

static void printCommunication(llvm::raw_ostream &os,
                               const IterationReport &r) {
  if (r.worldSize() <= 1)
    return;
  printLine(
      os, "GPUs", {std::to_string(r.worldSize()), ""},
      toText(r.settings.parallel) +
          (r.settings.nodes > 1
               ? " on " + std::to_string(r.settings.nodes) + " nodes"
               : "") +
          "; communication " + siText(r.communication) + ", " +
          siText(r.exposedCommunication) + " of it not hidden; energy of all " +
          siText(r.energy.value() * static_cast<double>(r.worldSize()), "J"));
}

static void printPower(llvm::raw_ostream &os, const IterationReport &r) {
  std::string limit = siText(r.powerLimit);
  printLine(os, "power", formatSi(r.averagePower.value(), "W"),
            "average; the limit is " + limit);
  printLine(os, "energy", total(r, r.energy.value(), "J"), "per iteration");
  NumberWithUnit clock = {fmt::format("{:.0f}", r.clock.value() * 1e-6), "MHz"};
  std::string remark = "the power limit is not reached";
  if (r.limitUnreachable)
    remark = "NO CLOCK KEEPS THE POWER LIMIT of " + limit +
             ": time is a lower bound";
  else if (r.throttled)
    remark = "power limit reached: clock lowered to " + clock.str();
  printLine(os, "clock", clock, remark);
}

void gpucost::printErrorBars(llvm::raw_ostream &os, const IterationReport &r) {
  std::string text;
  if (r.errorBars) {
    text = intervalText(r.time.value(), r.errorBars->time, "s") + ", " +
           intervalText(r.averagePower.value(), r.errorBars->power, "W",
                        r.largestPower().value()) +
           ", " + intervalText(r.energy.value(), r.errorBars->energy, "J");
  }
  if (r.calibratedFraction < 0.9995) {
    text += text.empty() ? "" : "; ";
    text += formatPercent(1 - r.calibratedFraction) +
            " of GPU time outside the calibrated domain";
  }
  if (!text.empty())
    printText(os, r.errorBars ? "80 % PI" : "domain", text);
}

static void printWork(llvm::raw_ostream &os, const IterationReport &r) {
  double matrix = static_cast<double>(r.matrixFlops);
  double all = matrix + static_cast<double>(r.otherFlops);
  printLine(os, "work", formatSi(all, "FLOP"),
            "FLOP = 2 x MAC; " + siText(matrix, "FLOP") +
                " of it in matrix products");
  printLine(os, "DRAM", formatSi(r.dramBytes, "B"),
            "after L2; every operand once is " +
                siText(static_cast<double>(r.compulsoryBytes), "B"));
  std::string format = std::string(stringifyNumericFormat(r.matrixFormat));
  NumberWithUnit peak = formatSi(r.peak.value(), "FLOP/s");
  if (r.peak > FlopsPerSecond(0)) {
    std::string share = formatPercent(r.mfu);
    auto [number, unit] = llvm::StringRef(share).split(' ');
    printLine(os, "MFU", {number.str(), unit.str()},
              "matrix FLOPs / (dense peak x time); " + format + " peak " +
                  peak.str());
  } else {
    printText(os, "MFU", unknownText.str() + ": no dense " + format + " peak");
  }
}

/// Used memory of the GPU, and whether the model fits.
static void printDeviceMemory(llvm::raw_ostream &os, const IterationReport &r) {
  auto low = static_cast<double>(r.deviceLowBytes);
  auto high = static_cast<double>(r.deviceHighBytes);
  auto device = static_cast<double>(r.deviceBytes);
  double usable = r.memoryUsable.value();
  std::string verdict = r.memoryIsLowerBound()
                            ? "; without the unmodelled ops, fits in "
                            : "; fits in ";
  if (!r.fitsInMemory)
    verdict = "; DOES NOT FIT in ";
  else if (r.memoryVerdict == MemoryVerdict::MayNotFit)
    verdict = "; may not fit in ";
  verdict += memoryLimitText(r.memoryCapacity, r.memoryTotal, usable);
  if (!r.fitsInMemory && device > usable)
    verdict += ": " + memoryText(device - usable) + " too much";
  printLine(os, "device", memoryTotal(r, device),
            "reserved " + memoryText(r.reservedBytes) + " + context; " +
                memoryText(low) + " to " + memoryText(high) + verdict);
}

static void printMemory(llvm::raw_ostream &os, const IterationReport &r) {
  NumberWithUnit count = formatSi(static_cast<double>(r.parameterCount), "");
  std::string parts = "parameters " + memoryText(r.parameterBytes) + " (" +
                      count.number + count.unit + ")";
  auto addPart = [&](llvm::StringRef what, int64_t bytes) {
    if (bytes > 0)
      parts += " + " + what.str() + " " + memoryText(bytes);
  };
  addPart("gradients", r.gradientBytes);
  addPart("optimizer states", r.optimizerBytes);
  addPart("activations", r.activationBytes);
  addPart("workspace", r.workspaceBytes);
  printLine(os, "memory",
            memoryTotal(r, static_cast<double>(r.peakMemoryBytes)), parts);
  printDeviceMemory(os, r);
}

static void printBound(llvm::raw_ostream &os, const IterationReport &r) {
  std::string text = std::string(stringifyBound(r.bound));
  if (r.bound == Bound::Host)
    text += ": " + waitsText(r);
  std::string shares = sharesText(r.boundFractions, 0.005);
  if (!shares.empty())
    text += "; of GPU time: " + shares;
  printText(os, "bound", text);
}

static void printCoverageList(llvm::raw_ostream &os,
                              const CoverageTotals &totals,
                              llvm::StringRef title, llvm::StringRef meaning) {
  if (totals.ops == 0)
    return;
  os << "    " << title << ": " << countText(totals.ops, "op") << ", ";
  if (totals.timeFraction > 0 || totals.bytesFraction > 0)
    os << formatPercent(totals.timeFraction) << " of GPU time, "
       << formatPercent(totals.bytesFraction) << " of bytes; ";
  os << meaning << '\n';
  if (totals.list.empty())
    return;
  Table table({Table::left("op", 20), Table::right("count"),
               Table::right("time"), Table::right("bytes"),
               Table::left("reason", 20)});
  for (const CoverageEntry &entry :
       llvm::ArrayRef(totals.list).take_front(coverageLines))
    table.addRow(
        {entry.op, "x" + std::to_string(entry.count),
         entry.time > Seconds(0) ? siText(entry.time) : "-",
         entry.bytes > 0 ? siText(static_cast<double>(entry.bytes), "B") : "-",
         entry.reason});
  table.print(os, 6);
  if (totals.list.size() > coverageLines)
    os << "      ... and " << totals.list.size() - coverageLines
       << " more kinds; --report=json lists all\n";
}

static void printCoverage(llvm::raw_ostream &os, const IterationReport &r) {
  int64_t partial = r.fallback.ops + r.unmodelled.ops;
  int64_t all = r.modelled.ops + partial;
  if (partial == 0)
    printText(os, "coverage", "all " + countText(all, "op") + " modelled");
  else
    printText(os, "COVERAGE",
              std::to_string(partial) + " of " + countText(all, "op") +
                  " NOT FULLY MODELLED: time and energy are lower bounds");
  printCoverageList(os, r.assumed, "ASSUMED", "counted at most");
  printCoverageList(os, r.fallback, "FALLBACK",
                    "counted by bytes, a lower bound");
  printCoverageList(os, r.unmodelled, "UNMODELLED",
                    r.unmodelled.timeFraction > 0 ? "a lower bound"
                                                  : "not in any total above");
}

/// `narrow` shortens the headings.
static Table phaseTable(const IterationReport &r, bool narrow) {
  bool gaps = llvm::any_of(r.phases, [](const PhaseTotals &phase) {
    return phase.gap() > Seconds(0);
  });
  auto numbers = [&](llvm::StringRef header, llvm::StringRef unit) {
    return Table::numbers(narrow ? "" : header, unit);
  };
  Table table({Table::left("phase"), Table::numbers("time", "s"),
               Table::numbers(narrow ? "busy" : "GPU busy", "s"),
               Table::numbers("gaps", "s").when(gaps),
               Table::numbers("host", "s"), numbers("energy", "J"),
               numbers("power", "W"), Table::right(narrow ? "n" : "kernels"),
               numbers("work", "FLOP"), numbers("bytes", "B")});
  for (const PhaseTotals &phase : r.phases) {
    // (N4) Energy and time of communication cover different intervals.
    bool hasPower =
        phase.phase != Phase::Communication && phase.time > Seconds(0);
    table.addRow(
        {stringifyPhase(phase.phase), phase.time, phase.gpuBusy, phase.gap(),
         phase.host, phase.energy,
         hasPower ? Table::Cell(phase.energy / phase.time) : Table::Cell("-"),
         phase.kernels, static_cast<double>(phase.flops),
         static_cast<double>(phase.bytes)});
  }
  return table;
}

static void printPhases(llvm::raw_ostream &os, const IterationReport &r,
                        size_t width) {
  if (r.phases.size() < 2)
    return;
  Table table = phaseTable(r, /*narrow=*/false);
  if (table.width(2) > width)
    table = phaseTable(r, /*narrow=*/true);
  os << '\n';
  table.print(os, 2, width);
}

namespace gpucost {

llvm::Error writeTable(const IterationReport &report,
                       const ReportOptions &options, llvm::raw_ostream &os) {
  printHeading(os, report, options.color);
  printTime(os, report);
  if (!report.isUnknown()) {
    printThroughput(os, report);
    printCommunication(os, report);
    printPipelineLine(os, report);
    printPower(os, report);
    printErrorBars(os, report);
    printText(os, "accuracy", report.accuracy.text);
    printWork(os, report);
  }
  printMemory(os, report);
  if (!report.isUnknown()) {
    printBound(os, report);
    printRun(os, report);
  }
  printCoverage(os, report);
  printPhases(os, report, options.width);
  printPipeline(os, report, options.width);
  printGroups(os, report, options);
  printScopeTree(os, report, options);
  printKernels(os, report, options);
  printSensitivities(os, report);
  if (!report.notes.empty())
    os << '\n';
  for (const std::string &note : report.notes) {
    os << "  - ";
    printWrapped(os, note, 4, 4);
  }
  return llvm::Error::success();
}

} // namespace gpucost
