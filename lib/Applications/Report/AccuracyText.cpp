//===- AccuracyText.cpp - What was measured near a prediction -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableParts.h"
#include "gpucost/Applications/Report/Report.h"
#include <fmt/format.h>

using namespace gpucost;
using Table = TextTable;

static std::string errorText(const MeasuredRows &row,
                             const std::optional<double> &error) {
  if (!row.published)
    return "validated";
  return error ? fmt::format("{:.1f} %", *error) : "-";
}

static void printRows(llvm::raw_ostream &os, llvm::ArrayRef<MeasuredRows> rows,
                      size_t indent) {
  Table table({Table::left("source"), Table::left("GPU"), Table::left("kind"),
               Table::left("format"), Table::left("GPUs"), Table::right("rows"),
               Table::right("time"), Table::right("power"),
               Table::right("energy")});
  bool hidden = false;
  for (const MeasuredRows &row : rows) {
    hidden |= !row.published;
    table.addRow({row.source, row.board, stringifyMeasuredKind(row.kind),
                  stringifyNumericFormat(row.format),
                  row.severalGpus ? "several" : "1", row.rows,
                  errorText(row, row.timeError), errorText(row, row.powerError),
                  errorText(row, row.energyError)});
  }
  table.print(os, indent);
  if (hidden)
    os << llvm::indent(indent) << "validated: figures not published\n";
}

void gpucost::printMeasuredRows(llvm::raw_ostream &os,
                                llvm::ArrayRef<MeasuredRows> rows) {
  os << "mean absolute errors of whole iterations\n\n";
  printRows(os, rows, 0);
}

void gpucost::printAccuracy(llvm::raw_ostream &os, const IterationReport &r,
                            llvm::ArrayRef<MeasuredRows> all) {
  printWrapped(os, titleOf(r), 0, 2);
  printText(os, "accuracy", r.accuracy.text);
  printErrorBars(os, r);
  if (r.accuracy.nearest.empty())
    return;
  os << "\n  nearest rows, with the mean absolute error of their "
        "predictions\n";
  printRows(os, r.accuracy.nearest, 4);
  std::vector<MeasuredRows> ofBoard;
  for (const MeasuredRows &row : all)
    if (row.board == r.target)
      ofBoard.push_back(row);
  if (ofBoard.empty())
    return;
  os << "\n  all rows of this GPU\n";
  printRows(os, ofBoard, 4);
}
