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
using Table = TextTable;

static std::string us(double value) { return siText(value * 1e-6, "s"); }

static std::string signedUs(double value) {
  // Sums of doubles are rounded.
  return std::fabs(value) < 1e-6
             ? "0"
             : (value > 0 ? "+" : "-") + us(std::fabs(value));
}

static std::string ratioText(double ratio) {
  return formatSignificant(ratio) + " x";
}

static void printHead(const TransferReport &report, llvm::raw_ostream &os) {
  const Profile &profile = report.profile;
  std::string device =
      profile.device.empty() ? "" : " (" + profile.device + ")";
  printWrapped(
      os,
      report.model + ": " + profile.file + " measured on " + report.from.gpu +
          device + ", " +
          std::string(stringifyNumericFormat(report.from.report.format)),
      0, 2);
  std::string what =
      profile.isTrace
          ? "trace: " + std::to_string(profile.kernels.size()) +
                " kernels an iteration, median of " +
                std::to_string(profile.iterations)
          : "table: " + std::to_string(profile.kernels.size()) + " rows";
  printWrapped(os,
               what + "; " + formatPercent(report.alignment.matched) +
                   " of the measured time has a predicted kernel, " +
                   formatPercent(report.gaps.agreement) +
                   " agrees within a factor of 2",
               0, 2);
}

static void printGaps(const TransferReport &report, llvm::raw_ostream &os) {
  const ProfileGaps &gaps = report.gaps;
  os << "\n  on " << report.from.gpu << '\n';
  Table table({Table::left("", 16), Table::right("time"), Table::left("", 16)});
  auto add = [&](const char *name, double value, bool isSum, const char *note) {
    if (isSum || value != 0)
      table.addRow({name, isSum ? us(value) : signedUs(value), note});
  };
  add("predicted", gaps.predictedUs, true, "");
  add("kernels", gaps.kernelsUs, false, "slower or faster than predicted");
  add("extra", gaps.extraUs, false, "kernels without a prediction");
  add("missing", -gaps.missingUs, false, "predicted kernels that never ran");
  add("idle", gaps.idleUs, false,
      gaps.hostBound ? "host-bound: the GPU waits for launches"
                     : "gaps, waits and exposed communication");
  add("overlap", -gaps.overlapUs, false, "overlapping kernels");
  add("measured", gaps.measuredUs, true,
      report.profile.isTrace ? "" : "the rest of the iteration as predicted");
  table.print(os, 2);
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
  size_t least = lineWidth() < reportWidth ? 10 : 16;
  Table table({Table::right("all"), Table::right("measured"),
               Table::right("predicted"), Table::right("ratio"),
               Table::right("n"), Table::left("kernel", least),
               Table::left("shape", least), Table::left("gap", least)});
  for (const KernelGap &gap :
       llvm::ArrayRef(report.gaps.kernels).take_front(top)) {
    const ComparedKernel &row = report.from.kernels[gap.kernel].row;
    const AlignedKernel &aligned = report.alignment.kernels[gap.kernel];
    bool measured = aligned.launches > 0;
    std::string why(stringifyGapReason(gap.reason));
    if (!gap.detail.empty())
      why += "; " + gap.detail;
    if (gap.missing && measured)
      why += "; " + std::to_string(gap.missing) + " never ran";
    table.addRow(
        {signedUs(gap.differenceUs - gap.missingUs),
         measured ? us(aligned.meanUs()) : "-", us(row.timeUs),
         measured ? formatSignificant(aligned.meanUs() / row.timeUs) : "-",
         row.count, row.label, row.shape, why});
  }
  auto agreeing = llvm::count_if(report.gaps.kernels, [](const KernelGap &gap) {
    return gap.reason == GapReason::Agrees;
  });
  os << "\n  kernels, largest difference first (" << agreeing << " of "
     << report.gaps.kernels.size() << " agree)\n";
  table.print(os, 2);
  if (report.alignment.extra.empty() || top == 0)
    return;
  os << "\n  measured without a prediction: " << report.alignment.extra.size()
     << '\n';
  Table extras({Table::right("all"), Table::right("n"),
                Table::left("family", 16), Table::left("kernel", 16)});
  for (const ExtraKernel &extra :
       llvm::ArrayRef(report.alignment.extra).take_front(top))
    extras.addRow({us(extra.totalUs), extra.launches,
                   extra.family ? stringifyKernelFamily(*extra.family)
                                : std::string_view("unknown"),
                   extra.name});
  extras.print(os, 2);
}

static void printDestinations(const TransferReport &report,
                              llvm::raw_ostream &os) {
  os << "\n  carried to other GPUs and settings\n";
  Table table({Table::left("to", 16), Table::right("time"),
               Table::right("80 % PI"), Table::right("predicted"),
               Table::right("speed-up"), Table::right("power"),
               Table::right("energy")});
  for (const Destination &to : report.destinations) {
    const CarriedRun &run = to.carried;
    table.addRow(
        {to.label, siText(run.time),
         run.timeHalfWidth
             ? intervalText(run.time.value(), *run.timeHalfWidth, "s")
             : "not known",
         siText(run.predictedTime),
         formatSignificant(report.gaps.measuredUs * 1e-6 / run.time.value()),
         siText(run.power()), siText(run.energy)});
  }
  table.print(os, 2);
  for (const Destination &to : report.destinations)
    for (const std::string &note : to.carried.notes) {
      os << "  note: ";
      printWrapped(os, to.label + ": " + note, 8, 4);
    }
  for (const std::string &note : report.notes) {
    os << "  note: ";
    printWrapped(os, note, 8, 4);
  }
}

void transfer::printTransfer(const TransferReport &report, unsigned top,
                             llvm::raw_ostream &os) {
  printHead(report, os);
  printGaps(report, os);
  printKernels(report, top, os);
  printDestinations(report, os);
}
