//===- KernelTable.cpp - Kernels as a table -------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTable.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "llvm/ADT/STLExtras.h"
#include <fmt/format.h>

using namespace gpucost;
using Align = TextTable::Align;

/// Columns of a bar for the whole time.
static constexpr size_t barWidth = 20;

static std::string tileText(const Tiling &tiling) {
  if (tiling.tile.m <= 0)
    return "-";
  std::string text = fmt::format("{}x{}", tiling.tile.m, tiling.tile.n);
  return tiling.splitK > 1 ? text + fmt::format("/{}", tiling.splitK) : text;
}

static double totalSeconds(const KernelRow &row) {
  return row.time.total.value() * static_cast<double>(row.count);
}

/// Short names, for the long ones would cost the shapes their place.
static std::string familyText(KernelFamily family) {
  switch (family) {
  case KernelFamily::Convolution:
    return "conv";
  case KernelFamily::Normalization:
    return "norm";
  case KernelFamily::DataMovement:
    return "copy";
  case KernelFamily::Elementwise:
    return "elementwise";
  default:
    return std::string(stringifyKernelFamily(family));
  }
}

/// "m2048 n1024 k1024" for "m=2048 n=1024 k=1024".
static std::string compact(std::string shape) {
  llvm::erase(shape, '=');
  return shape;
}

namespace {
/// A row for what no row of a kernel covers.
struct RestRow {
  const char *name, *what;
  int64_t count; ///< launches; 0: it is not a number of launches
  double seconds;
};
} // namespace

/// (H4) What makes the rows of computation in `shown` the whole time.
static std::vector<RestRow> restOf(const IterationReport &r, size_t shown) {
  RestRow others{"others", "kernels not listed", 0, 0};
  for (const KernelRow &row : llvm::ArrayRef(r.kernels).drop_front(shown))
    if (row.phase != Phase::Communication) {
      others.count = saturatingSum(others.count, row.count);
      others.seconds += totalSeconds(row);
    }
  std::vector<RestRow> rest = {
      others,
      {"gaps", "between kernels", 0, r.gap().value()},
      {"waits", "for the host", 0, r.hostWait().value()},
      {"exposed", "communication", 0, r.exposedCommunication.value()}};
  // What would read 0.0 %.
  double least = 0.0005 * r.time.value();
  llvm::erase_if(rest, [&](const RestRow &row) {
    return row.seconds <= 0 || row.seconds < least;
  });
  return rest;
}

/// `narrow` shortens the shapes and the headings. `time` is that of the
/// iteration.
static TextTable kernelTable(llvm::ArrayRef<KernelRow> rows,
                             llvm::ArrayRef<RestRow> rest, double time,
                             bool narrow, bool bars) {
  std::vector<double> totals, launches;
  std::vector<std::string> shares, counts, families, labels, shapes, tiles,
      waves, bounds, watts;
  bool splits = false;
  for (const KernelRow &row : rows) {
    splits |= row.tiling.splitK > 1;
    totals.push_back(totalSeconds(row));
    launches.push_back(row.time.total.value());
    // What collectives add to the time stands in a row of its own.
    shares.push_back(row.phase == Phase::Communication
                         ? "-"
                         : percentText(totals.back(), time));
    counts.push_back(std::to_string(row.count));
    families.push_back(familyText(row.family));
    labels.push_back(row.label.empty() ? row.op : row.label);
    shapes.push_back(narrow ? compact(row.shape) : row.shape);
    tiles.push_back(tileText(row.tiling));
    waves.push_back(row.tiling.waves > 0 ? std::to_string(row.tiling.waves)
                                         : "-");
    bounds.push_back(std::string(stringifyBound(row.time.bound)));
    watts.push_back(formatColumn({row.power.value()}, "W").numbers.front());
  }
  NumberColumn each = formatColumn(launches, "s", 4);
  for (const RestRow &row : rest) {
    totals.push_back(row.seconds);
    shares.push_back(percentText(row.seconds, time));
    counts.push_back(row.count ? std::to_string(row.count) : "-");
    each.numbers.push_back("-");
    families.push_back(row.name);
    shapes.push_back(row.what);
    for (std::vector<std::string> *column :
         {&labels, &tiles, &waves, &bounds, &watts})
      column->push_back("-");
  }
  NumberColumn total = formatColumn(totals, "s", 4);
  TextTable table;
  if (bars) {
    std::vector<std::string> drawn;
    for (auto [i, total] : llvm::enumerate(totals))
      drawn.push_back(
          shares[i] == "-" || time <= 0 ? "" : barText(total / time, barWidth));
    table.addColumn("", Align::Left, std::move(drawn));
  }
  table.addColumn("%", Align::Right, std::move(shares));
  table.addColumn(narrow ? "n" : "count", Align::Right, std::move(counts));
  table.addColumn((narrow ? "1x " : "each ") + each.unit, Align::Right,
                  std::move(each.numbers));
  table.addColumn((narrow ? "all " : "total ") + total.unit, Align::Right,
                  std::move(total.numbers));
  table.addColumn("family", Align::Left, std::move(families));
  table.addColumn("op", Align::Left, std::move(labels), 9);
  table.addColumn("shape", Align::Left, std::move(shapes), 20);
  table.addColumn(!splits  ? "tile"
                  : narrow ? "tile/spl"
                           : "tile/split",
                  Align::Left, std::move(tiles));
  table.addColumn("waves", Align::Right, std::move(waves));
  table.addColumn("bound", Align::Left, std::move(bounds));
  table.addColumn("W", Align::Right, std::move(watts));
  return table;
}

void gpucost::printKernels(llvm::raw_ostream &os, const IterationReport &r,
                           const ReportOptions &options) {
  llvm::ArrayRef<KernelRow> rows =
      llvm::ArrayRef(r.kernels).take_front(options.top);
  if (rows.empty())
    return;
  double time = r.time.value(), shown = 0;
  for (const KernelRow &row : rows)
    if (time > 0 && row.phase != Phase::Communication)
      shown += totalSeconds(row) / time;
  std::vector<RestRow> rest = restOf(r, rows.size());
  os << '\n';
  if (rows.size() < r.kernels.size())
    os << "  top " << rows.size() << " of " << r.kernels.size()
       << " distinct kernels, " << formatPercent(shown) << " of the time\n";
  else
    os << "  all " << rows.size() << " distinct kernel"
       << (rows.size() == 1 ? "" : "s") << '\n';
  // What is wide goes first: bars, then long headings.
  TextTable table =
      kernelTable(rows, rest, time, /*narrow=*/false, options.bars);
  if (options.bars && table.width(2) > options.width)
    table = kernelTable(rows, rest, time, /*narrow=*/false, /*bars=*/false);
  if (table.width(2) > options.width)
    table = kernelTable(rows, rest, time, /*narrow=*/true, /*bars=*/false);
  table.print(os, 2, options.width);
}
