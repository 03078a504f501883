//===- KernelTable.cpp - Kernels as a table -------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableParts.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Vocabulary/Families.h"
#include "llvm/ADT/STLExtras.h"
#include <fmt/format.h>

using namespace gpucost;

static std::string tileText(const Tiling &tiling) {
  if (tiling.tile.m <= 0)
    return "-";
  std::string text = fmt::format("{}x{}", tiling.tile.m, tiling.tile.n);
  return tiling.splitK > 1 ? text + fmt::format("/{}", tiling.splitK) : text;
}

static double totalSeconds(const KernelRow &row) {
  return row.time.total.value() * static_cast<double>(row.count);
}

/// "m2048 n1024 k1024" for "m=2048 n=1024 k=1024".
static std::string compact(std::string shape) {
  llvm::erase(shape, '=');
  return shape;
}

namespace {
/// A row for time outside of the kernel rows.
struct RestRow {
  const char *name, *what;
  int64_t count; ///< launches; 0: it is not a number of launches
  double seconds;
};
} // namespace

/// (H4) The rows that complete the computation rows in `shown` to the whole
/// time.
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
  // Omits rows that would print as 0.0 %.
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
  using Table = TextTable;
  bool splits = llvm::any_of(
      rows, [](const KernelRow &row) { return row.tiling.splitK > 1; });
  Table table(
      {Table::left("").when(bars), Table::right("%"),
       Table::right(narrow ? "n" : "count"),
       Table::numbers(narrow ? "1x" : "each", "s", 4),
       Table::numbers(narrow ? "all" : "total", "s", 4), Table::left("family"),
       Table::left("op", 9), Table::left("shape", 20),
       Table::left(!splits  ? "tile"
                   : narrow ? "tile/spl"
                            : "tile/split"),
       Table::right("waves"), Table::left("bound"), Table::fixed("", "W")});
  auto bar = [&](double seconds) {
    return time > 0 ? barText(seconds / time, barWidth) : std::string();
  };
  for (const KernelRow &row : rows) {
    double total = totalSeconds(row);
    // A separate row shows the time that collectives add.
    bool counts = row.phase != Phase::Communication;
    table.addRow({counts ? bar(total) : "",
                  counts ? percentText(total, time) : "-", row.count,
                  row.time.total, total, std::string(infoOf(row.family).column),
                  row.label.empty() ? row.op : row.label,
                  narrow ? compact(row.shape) : row.shape, tileText(row.tiling),
                  row.tiling.waves > 0 ? std::to_string(row.tiling.waves) : "-",
                  stringifyBound(row.time.bound), row.power});
  }
  for (const RestRow &row : rest)
    table.addRow({bar(row.seconds), percentText(row.seconds, time),
                  row.count ? std::to_string(row.count) : "-", "-", row.seconds,
                  row.name, "-", row.what, "-", "-", "-", "-"});
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
    os << "  all " << countText(rows.size(), "distinct kernel") << '\n';
  // Wide parts are dropped first: bars, then long headings.
  TextTable table =
      kernelTable(rows, rest, time, /*narrow=*/false, options.bars);
  if (options.bars && table.width(2) > options.width)
    table = kernelTable(rows, rest, time, /*narrow=*/false, /*bars=*/false);
  if (table.width(2) > options.width)
    table = kernelTable(rows, rest, time, /*narrow=*/true, /*bars=*/false);
  table.print(os, 2, options.width);
}
