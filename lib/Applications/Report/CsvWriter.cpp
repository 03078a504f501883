//===- CsvWriter.cpp - One row per distinct kernel ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RFC 4180 with "\n" line ends; the columns are the fields of KernelRow.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/RecordCsv.h"
#include "gpucost/Applications/Report/Report.h"

namespace gpucost {

llvm::Error writeCsv(const IterationReport &report, const ReportOptions &,
                     llvm::raw_ostream &os) {
  // Columns keep their place; fields that are not named follow.
  static const RecordColumns<KernelRow> columns({"name",
                                                 "op",
                                                 "label",
                                                 "family",
                                                 "phase",
                                                 "coverage",
                                                 "format",
                                                 "shape",
                                                 "count",
                                                 "flops",
                                                 "matrix_flops",
                                                 "bytes",
                                                 "tile",
                                                 "split_k",
                                                 "waves",
                                                 "time_us",
                                                 "total_us",
                                                 "time_fraction",
                                                 "power_w",
                                                 "energy_j",
                                                 "bound",
                                                 "origin",
                                                 "time_low_us",
                                                 "time_high_us",
                                                 "in_calibrated_domain",
                                                 "ctas",
                                                 "ctas_per_sm",
                                                 "sm_utilization",
                                                 "compute_us",
                                                 "l2_us",
                                                 "dram_us",
                                                 "fixed_us"},
                                                /*all=*/true);
  printCsvCells(os, columns.names());
  os << '\n';
  for (const KernelRow &row : report.kernels) {
    printCsvCells(os, columns.cells(row));
    os << '\n';
  }
  return llvm::Error::success();
}

} // namespace gpucost
