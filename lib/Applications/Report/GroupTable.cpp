//===- GroupTable.cpp - Groups of launches as a table ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableParts.h"

using namespace gpucost;

void gpucost::printGroups(llvm::raw_ostream &os, const IterationReport &report,
                          const ReportOptions &options) {
  if (options.groupBy == GroupBy::None)
    return;
  std::vector<NodeRow> all = groupNodes(report, options.groupBy);
  llvm::ArrayRef<NodeRow> rows = llvm::ArrayRef(all).take_front(options.top);
  llvm::StringRef kind = nameOf(options.groupBy);
  TextTable table(
      {TextTable::right("%"), TextTable::right("launches"),
       TextTable::numbers("time", "s"), TextTable::numbers("energy", "J"),
       TextTable::numbers("work", "FLOP"), TextTable::numbers("bytes", "B"),
       TextTable::left(kind, 20, TextTable::Cut::Middle)});
  for (const NodeRow &row : rows)
    table.addRow({percentText(row.time.value(), report.gpuBusy.value()),
                  row.launches, row.time, row.energy,
                  static_cast<double>(row.flops),
                  static_cast<double>(row.bytes), row.node});
  os << "\n  by " << kind << ": ";
  if (rows.size() < all.size())
    os << "top " << rows.size() << " of ";
  os << all.size() << '\n';
  table.print(os, 2, options.width);
}
