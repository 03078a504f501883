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

#include "GroupTable.h"
#include "KernelTable.h"
#include "RunLines.h"
#include "ScopeTree.h"
#include "SensitivityTable.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/Report.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <fmt/format.h>

using namespace gpucost;
using Align = TextTable::Align;

/// Width of the summary's labels and of the numbers behind them.
static constexpr size_t numberWidth = 7, unitWidth = 7;
static constexpr size_t remarkColumn =
    2 + labelWidth + numberWidth + 1 + unitWidth;
/// Lines of the coverage report; the other formats have all of it.
static constexpr size_t coverageLines = 12;

static void printLine(llvm::raw_ostream &os, llvm::StringRef label,
                      const NumberWithUnit &value, llvm::StringRef remark) {
  std::string line =
      fmt::format("  {:<{}}{:>{}} {:<{}}", label.str(), labelWidth,
                  value.number, numberWidth, value.unit, unitWidth);
  if (remark.empty()) {
    os << llvm::StringRef(line).rtrim(' ') << '\n';
    return;
  }
  os << line;
  printWrapped(os, remark, textWidth(line), remarkColumn);
}

static std::string time(Seconds t) { return formatSi(t.value(), "s").str(); }

static double gpuWaits(const IterationReport &r) {
  return r.time > Seconds(0) ? std::max(0.0, 1 - r.gpuBusy / r.time) : 0.0;
}

static std::string plural(int64_t n, llvm::StringRef noun) {
  return std::to_string(n) + " " + noun.str() + (n == 1 ? "" : "s");
}

static void printHeading(llvm::raw_ostream &os, const IterationReport &r,
                         bool color) {
  llvm::StringRef file = llvm::sys::path::filename(r.model);
  std::string title = file.empty() ? "" : printable(file) + " on ";
  title += r.target + ", " + std::string(stringifyNumericFormat(r.format));
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

/// A total: a lower bound where something is not in it.
static NumberWithUnit total(const IterationReport &r, double value,
                            llvm::StringRef unit) {
  NumberWithUnit text = formatSi(value, unit);
  if (r.isLowerBound())
    text.number = ">= " + text.number;
  return text;
}

static void printTime(llvm::raw_ostream &os, const IterationReport &r) {
  if (r.isUnknown())
    return printText(
        os, "time", unknownText.str() + ": the kernels of all ops are unknown");
  printLine(os, "time", total(r, r.time.value(), "s"),
            "GPU busy " + time(r.gpuBusy) + ", host " + time(r.host) + " for " +
                std::to_string(r.launches) + " launches");
  if (r.bound == Bound::Host)
    printLine(os, "", {},
              "host-bound: the GPU waits " + formatPercent(gpuWaits(r)) +
                  " of the time");
}

/// A rate without an exponent: 1282, 164100, 3.05.
static std::string formatRate(double rate) {
  return rate >= 100 ? fmt::format("{:.0f}", rate)
                     : fmt::format("{:.3g}", rate);
}

/// What all GPUs together get done, and what that costs.
static void printThroughput(llvm::raw_ostream &os, const IterationReport &r) {
  if (r.samples <= 0 || r.time <= Seconds(0))
    return;
  double samples = static_cast<double>(r.samples);
  std::string text = r.isLowerBound() ? "at most " : "";
  text += formatRate(samples / r.time.value()) + " samples/s, ";
  if (r.tokens > 0)
    text += formatRate(static_cast<double>(r.tokens) / r.time.value()) +
            " tokens/s, ";
  text += r.isLowerBound() ? "at least " : "";
  text +=
      formatSi(r.energy.value() * static_cast<double>(r.worldSize()) / samples,
               "J")
          .str() +
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
          "; communication " + time(r.communication) + ", " +
          time(r.exposedCommunication) + " of it not hidden; energy of all " +
          formatSi(r.energy.value() * static_cast<double>(r.worldSize()), "J")
              .str());
}

static void printPower(llvm::raw_ostream &os, const IterationReport &r) {
  std::string limit = formatSi(r.powerLimit.value(), "W").str();
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

/// Prediction intervals of the totals; time outside of the calibrated domain.
static void printErrorBars(llvm::raw_ostream &os, const IterationReport &r) {
  std::string text;
  if (r.errorBars) {
    auto range = [](double value, double halfWidth, llvm::StringRef unit,
                    double atMost = HUGE_VAL) {
      return formatSi(lowEnd(value, halfWidth), unit).str() + " to " +
             formatSi(std::min(highEnd(value, halfWidth), atMost), unit).str();
    };
    text = range(r.time.value(), r.errorBars->time, "s") + ", " +
           range(r.averagePower.value(), r.errorBars->power, "W",
                 r.largestPower().value()) +
           ", " + range(r.energy.value(), r.errorBars->energy, "J");
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
            "FLOP = 2 x MAC; " + formatSi(matrix, "FLOP").str() +
                " of it in matrix products");
  printLine(os, "DRAM", formatSi(r.dramBytes, "B"),
            "after L2; every operand once is " +
                formatSi(static_cast<double>(r.compulsoryBytes), "B").str());
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

/// What the GPU shows as used, and whether it is enough.
static void printDeviceMemory(llvm::raw_ostream &os, const IterationReport &r) {
  auto text = [](double bytes) { return formatMemory(bytes).str(); };
  auto low = static_cast<double>(r.deviceLowBytes);
  auto high = static_cast<double>(r.deviceHighBytes);
  auto device = static_cast<double>(r.deviceBytes);
  double capacity = r.memoryCapacity.value();
  std::string verdict = "; fits in ";
  if (!r.fitsInMemory)
    verdict = "; DOES NOT FIT in ";
  else if (high > capacity)
    verdict = "; may not fit in ";
  verdict += text(capacity);
  if (!r.fitsInMemory && device > capacity)
    verdict += ": " + text(device - capacity) + " too much";
  printLine(os, "device", formatMemory(device),
            "reserved " + text(static_cast<double>(r.reservedBytes)) +
                " + context; " + text(low) + " to " + text(high) + verdict);
}

static void printMemory(llvm::raw_ostream &os, const IterationReport &r) {
  NumberWithUnit count = formatSi(static_cast<double>(r.parameterCount), "");
  std::string parts =
      "parameters " +
      formatMemory(static_cast<double>(r.parameterBytes)).str() + " (" +
      count.number + count.unit + ")";
  auto addPart = [&](llvm::StringRef what, int64_t bytes) {
    if (bytes > 0)
      parts += " + " + what.str() + " " +
               formatMemory(static_cast<double>(bytes)).str();
  };
  addPart("gradients", r.gradientBytes);
  addPart("optimizer states", r.optimizerBytes);
  addPart("activations", r.activationBytes);
  addPart("workspace", r.workspaceBytes);
  printLine(os, "memory", formatMemory(static_cast<double>(r.peakMemoryBytes)),
            parts);
  printDeviceMemory(os, r);
}

static void printBound(llvm::raw_ostream &os, const IterationReport &r) {
  std::string text = std::string(stringifyBound(r.bound));
  if (r.bound == Bound::Host)
    text += ": the GPU waits " + formatPercent(gpuWaits(r)) + " of the time";
  std::string shares;
  for (const auto &[bound, share] : r.boundFractions)
    if (share >= 0.005)
      shares += (shares.empty() ? "" : ", ") +
                std::string(stringifyBound(bound)) + " " + formatPercent(share);
  if (!shares.empty())
    text += "; of GPU time: " + shares;
  printText(os, "bound", text);
}

static void printCoverageList(llvm::raw_ostream &os,
                              const CoverageTotals &totals,
                              llvm::StringRef title, llvm::StringRef meaning) {
  if (totals.ops == 0)
    return;
  os << "    " << title << ": " << plural(totals.ops, "op") << ", ";
  if (totals.timeFraction > 0 || totals.bytesFraction > 0)
    os << formatPercent(totals.timeFraction) << " of GPU time, "
       << formatPercent(totals.bytesFraction) << " of bytes; ";
  os << meaning << '\n';
  std::vector<std::string> ops, counts, times, bytes, reasons;
  for (const CoverageEntry &entry :
       llvm::ArrayRef(totals.list).take_front(coverageLines)) {
    ops.push_back(entry.op);
    counts.push_back("x" + std::to_string(entry.count));
    times.push_back(entry.time > Seconds(0) ? time(entry.time) : "-");
    bytes.push_back(entry.bytes > 0
                        ? formatSi(static_cast<double>(entry.bytes), "B").str()
                        : "-");
    reasons.push_back(entry.reason);
  }
  if (ops.empty())
    return;
  TextTable table;
  table.addColumn("op", Align::Left, std::move(ops), 20);
  table.addColumn("count", Align::Right, std::move(counts));
  table.addColumn("time", Align::Right, std::move(times));
  table.addColumn("bytes", Align::Right, std::move(bytes));
  table.addColumn("reason", Align::Left, std::move(reasons), 20);
  table.print(os, 6);
  if (totals.list.size() > coverageLines)
    os << "      ... and " << totals.list.size() - coverageLines
       << " more kinds; --report=json lists all\n";
}

static void printCoverage(llvm::raw_ostream &os, const IterationReport &r) {
  int64_t partial = r.fallback.ops + r.unmodelled.ops;
  int64_t all = r.modelled.ops + partial;
  if (partial == 0)
    printText(os, "coverage", "all " + plural(all, "op") + " modelled");
  else
    printText(os, "COVERAGE",
              std::to_string(partial) + " of " + plural(all, "op") +
                  " NOT FULLY MODELLED: time and energy are lower bounds");
  printCoverageList(os, r.assumed, "ASSUMED", "counted at most");
  printCoverageList(os, r.fallback, "FALLBACK",
                    "their bytes alone are a lower bound");
  printCoverageList(os, r.unmodelled, "UNMODELLED",
                    r.unmodelled.timeFraction > 0 ? "a lower bound"
                                                  : "not in any total above");
}

static void printPhases(llvm::raw_ostream &os, const IterationReport &r,
                        size_t width) {
  if (r.phases.size() < 2)
    return;
  TextTable table;
  std::vector<std::string> names, kernels;
  for (const PhaseTotals &phase : r.phases) {
    names.push_back(std::string(stringifyPhase(phase.phase)));
    kernels.push_back(std::to_string(phase.kernels));
  }
  table.addColumn("phase", Align::Left, std::move(names));
  auto addNumbers = [&](llvm::StringRef title, llvm::StringRef unit, auto get) {
    std::vector<double> values(r.phases.size());
    llvm::transform(r.phases, values.begin(), get);
    table.addNumbers(title, unit, values);
  };
  using P = const PhaseTotals &;
  addNumbers("time", "s", [](P p) { return p.time.value(); });
  addNumbers("GPU busy", "s", [](P p) { return p.gpuBusy.value(); });
  if (llvm::any_of(r.phases, [](P p) { return p.gap() > Seconds(0); }))
    addNumbers("gaps", "s", [](P p) { return p.gap().value(); });
  addNumbers("host", "s", [](P p) { return p.host.value(); });
  addNumbers("energy", "J", [](P p) { return p.energy.value(); });
  // (N4) The time of communication is not that of its energy.
  std::vector<double> watts;
  for (P phase : r.phases)
    if (phase.phase != Phase::Communication && phase.time > Seconds(0))
      watts.push_back((phase.energy / phase.time).value());
  NumberColumn power = formatColumn(watts, "W");
  for (size_t i = 0; i < r.phases.size(); ++i)
    if (r.phases[i].phase == Phase::Communication ||
        r.phases[i].time <= Seconds(0))
      power.numbers.insert(power.numbers.begin() + i, "-");
  table.addColumn("power " + power.unit, Align::Right,
                  std::move(power.numbers));
  table.addColumn("kernels", Align::Right, std::move(kernels));
  addNumbers("work", "FLOP", [](P p) { return static_cast<double>(p.flops); });
  addNumbers("bytes", "B", [](P p) { return static_cast<double>(p.bytes); });
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
    printPower(os, report);
    printErrorBars(os, report);
    printWork(os, report);
  }
  printMemory(os, report);
  if (!report.isUnknown()) {
    printBound(os, report);
    printRun(os, report);
  }
  printCoverage(os, report);
  printPhases(os, report, options.width);
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
