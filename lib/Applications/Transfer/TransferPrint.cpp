//===- TransferPrint.cpp - A transfer as a table --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Transfer/TransferPrint.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Core/Model/ErrorBars.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::compare;
using namespace gpucost::transfer;
using Align = TextTable::Align;

static std::string us(double value) {
  return formatSi(value * 1e-6, "s").str();
}

static std::string signedUs(double value) {
  // Sums of doubles are rounded.
  return std::fabs(value) < 1e-6
             ? "0"
             : (value > 0 ? "+" : "-") + us(std::fabs(value));
}

static std::string ratioText(double ratio) {
  return formatSignificant(ratio) + " x";
}

/// A table from rows of cells.
static void printRows(llvm::raw_ostream &os,
                      const std::vector<std::pair<std::string, Align>> &columns,
                      const std::vector<std::vector<std::string>> &rows) {
  TextTable table;
  for (size_t i = 0; i < columns.size(); ++i) {
    std::vector<std::string> cells;
    for (const auto &row : rows)
      cells.push_back(row[i]);
    table.addColumn(columns[i].first, columns[i].second, std::move(cells),
                    columns[i].second == Align::Left ? 16 : 0);
  }
  table.print(os, 2);
}

static void printHead(const TransferReport &report, llvm::raw_ostream &os) {
  const Profile &profile = report.profile;
  os << printable(report.model) << ": " << printable(profile.file)
     << " measured on " << report.from.gpu;
  if (!profile.device.empty())
    os << " (" << profile.device << ')';
  os << '\n';
  std::string what =
      profile.isTrace
          ? "trace: " + std::to_string(profile.kernels.size()) +
                " kernels an iteration, median of " +
                std::to_string(profile.iterations)
          : "table: " + std::to_string(profile.kernels.size()) + " rows";
  printWrapped(os,
               what + "; " + formatPercent(report.alignment.matched) +
                   " of the measured time has a predicted kernel",
               0, 2);
}

static void printGaps(const TransferReport &report, llvm::raw_ostream &os) {
  const ProfileGaps &gaps = report.gaps;
  os << "\n  on " << report.from.gpu << '\n';
  std::vector<std::vector<std::string>> rows;
  auto add = [&](const char *name, double value, bool isSum,
                 const std::string &note) {
    if (isSum || value != 0)
      rows.push_back({name, isSum ? us(value) : signedUs(value), note});
  };
  add("predicted", gaps.predictedUs, true, "");
  add("kernels", gaps.kernelsUs, false, "slower or faster than predicted");
  add("extra", gaps.extraUs, false, "kernels without a prediction");
  add("missing", -gaps.missingUs, false, "predicted kernels that never ran");
  add("idle", gaps.idleUs, false,
      gaps.hostBound ? "host-bound: the GPU waits for launches"
                     : "gaps, waits and exposed communication");
  add("overlap", -gaps.overlapUs, false, "kernels beside each other");
  add("measured", gaps.measuredUs, true,
      report.profile.isTrace ? "" : "the rest of the iteration as predicted");
  printRows(os, {{"", Align::Left}, {"time", Align::Right}, {"", Align::Left}},
            rows);
  if (gaps.clockRatio)
    printWrapped(
        os,
        "clock: kernels that the SM clock bounds take " +
            ratioText(*gaps.clockRatio) +
            " their prediction, the others do not; the GPU may run at "
            "about " +
            formatSignificant(report.from.clockMHz / *gaps.clockRatio) +
            " MHz (predict with --clock)",
        2, 4);
}

static void printKernels(const TransferReport &report, unsigned top,
                         llvm::raw_ostream &os) {
  std::vector<std::vector<std::string>> rows;
  size_t agreeing = 0;
  for (const KernelGap &gap : report.gaps.kernels) {
    const ComparedKernel &row = report.from.kernels[gap.kernel].row;
    const AlignedKernel &aligned = report.alignment.kernels[gap.kernel];
    agreeing += gap.reason == GapReason::Agrees;
    if (rows.size() >= top)
      continue;
    bool measured = aligned.launches > 0;
    std::string why = describe(gap.reason).str();
    if (!gap.detail.empty())
      why += "; " + gap.detail;
    if (gap.missing && measured)
      why += "; " + std::to_string(gap.missing) + " never ran";
    rows.push_back(
        {signedUs(gap.differenceUs - gap.missingUs),
         measured ? us(aligned.meanUs()) : "-", us(row.timeUs),
         measured ? formatSignificant(aligned.meanUs() / row.timeUs) : "-",
         std::to_string(row.count), row.label, row.shape, why});
  }
  os << "\n  kernels, largest difference first (" << agreeing << " of "
     << report.gaps.kernels.size() << " agree)\n";
  printRows(os,
            {{"all", Align::Right},
             {"measured", Align::Right},
             {"predicted", Align::Right},
             {"ratio", Align::Right},
             {"n", Align::Right},
             {"kernel", Align::Left},
             {"shape", Align::Left},
             {"gap", Align::Left}},
            rows);
  rows.clear();
  for (const ExtraKernel &extra :
       llvm::ArrayRef(report.alignment.extra).take_front(top))
    rows.push_back({us(extra.totalUs), std::to_string(extra.launches),
                    extra.family
                        ? std::string(stringifyKernelFamily(*extra.family))
                        : "unknown",
                    extra.name});
  if (rows.empty())
    return;
  os << "\n  measured without a prediction: " << report.alignment.extra.size()
     << '\n';
  printRows(os,
            {{"all", Align::Right},
             {"n", Align::Right},
             {"family", Align::Left},
             {"kernel", Align::Left}},
            rows);
}

static std::string intervalText(double value, std::optional<double> width,
                                const char *unit) {
  return width ? formatSi(lowEnd(value, *width), unit).str() + " to " +
                     formatSi(highEnd(value, *width), unit).str()
               : "not known";
}

static void printDestinations(const TransferReport &report,
                              llvm::raw_ostream &os) {
  os << "\n  carried to other GPUs and settings\n";
  std::vector<std::vector<std::string>> rows;
  for (const Destination &to : report.destinations) {
    const CarriedRun &run = to.carried;
    auto seconds = [](Seconds time) {
      return formatSi(time.value(), "s").str();
    };
    rows.push_back(
        {to.text, seconds(run.time),
         intervalText(run.time.value(), run.timeHalfWidth, "s"),
         seconds(run.predictedTime),
         formatSignificant(report.gaps.measuredUs * 1e-6 / run.time.value()),
         formatSi(run.power().value(), "W").str(),
         formatSi(run.energy.value(), "J").str()});
  }
  printRows(os,
            {{"to", Align::Left},
             {"time", Align::Right},
             {"80 % PI", Align::Right},
             {"predicted", Align::Right},
             {"speed-up", Align::Right},
             {"power", Align::Right},
             {"energy", Align::Right}},
            rows);
  for (const Destination &to : report.destinations)
    for (const std::string &note : to.carried.notes) {
      os << "  note: ";
      printWrapped(os, to.text + ": " + note, 8, 4);
    }
}

void transfer::printTransfer(const TransferReport &report, unsigned top,
                             llvm::raw_ostream &os) {
  printHead(report, os);
  printGaps(report, os);
  printKernels(report, top, os);
  printDestinations(report, os);
}
