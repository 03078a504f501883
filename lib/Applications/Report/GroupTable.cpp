//===- GroupTable.cpp - Groups of launches as a table ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupTable.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/TextTable.h"

using namespace gpucost;

void gpucost::printGroups(llvm::raw_ostream &os, const IterationReport &report,
                          const ReportOptions &options) {
  if (options.groupBy == GroupBy::None)
    return;
  std::vector<NodeRow> all = groupNodes(report, options.groupBy);
  llvm::ArrayRef<NodeRow> rows = llvm::ArrayRef(all).take_front(options.top);
  std::vector<std::string> shares, launches, names;
  std::vector<double> times, energies, flops, bytes;
  for (const NodeRow &row : rows) {
    shares.push_back(percentText(row.time.value(), report.gpuBusy.value()));
    launches.push_back(std::to_string(row.launches));
    names.push_back(row.node);
    times.push_back(row.time.value());
    energies.push_back(row.energy.value());
    flops.push_back(static_cast<double>(row.flops));
    bytes.push_back(static_cast<double>(row.bytes));
  }
  using Align = TextTable::Align;
  TextTable table;
  table.addColumn("%", Align::Right, std::move(shares));
  table.addColumn("launches", Align::Right, std::move(launches));
  table.addNumbers("time", "s", times);
  table.addNumbers("energy", "J", energies);
  table.addNumbers("work", "FLOP", flops);
  table.addNumbers("bytes", "B", bytes);
  llvm::StringRef kind = nameOf(options.groupBy);
  table.addColumn(kind, Align::Left, std::move(names), 20,
                  TextTable::Cut::Middle);
  os << "\n  by " << kind << ": ";
  if (rows.size() < all.size())
    os << "top " << rows.size() << " of ";
  os << all.size() << '\n';
  table.print(os, 2, options.width);
}
