//===- Report.h - Writers of an iteration report ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formats of `--report=`. A writer formats an IterationReport and computes
// only shares and sums. To add a format: one file in lib/Applications/Report
// and one line in lib/Applications/Report/Writers.def.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_REPORT_REPORT_H
#define GPUCOST_APPLICATIONS_REPORT_REPORT_H

#include "gpucost/Core/Report/IterationReport.h"
#include "gpucost/Core/Report/Page.h"
#include "gpucost/Core/Report/ReportOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// Totals of the run with their 80 % intervals: "100 iterations: 13.4 h (12.1
/// to 14.9), 52.1 kWh (...)"; "" if its size is not stated.
std::string runText(const IterationReport &report);
/// "13.4 h (12.1 to 14.9), 52.1 kWh (...), 160 money (...)".
std::string costText(const RunEstimate &estimate);
/// The stated settings of the run: "--price=1.5, --grid=350".
std::string statedRunText(const Scenario &stated);

/// The measured rows nearest to `report` and its intervals; `all` is the whole
/// table of measured rows.
void printAccuracy(llvm::raw_ostream &os, const IterationReport &report,
                   llvm::ArrayRef<MeasuredRows> all);
/// The whole table of measured rows.
void printMeasuredRows(llvm::raw_ostream &os,
                       llvm::ArrayRef<MeasuredRows> rows);

/// One format.
struct Writer {
  llvm::StringLiteral name; ///< value of `--report=`
  llvm::Error (*write)(const IterationReport &report,
                       const ReportOptions &options, llvm::raw_ostream &os);
};

/// All formats; the first one is the default.
llvm::ArrayRef<Writer> reportWriters();

/// Writes `report` in `format`; an unknown format is an error that names the
/// known ones.
llvm::Error writeReport(llvm::StringRef format, const IterationReport &report,
                        const ReportOptions &options, llvm::raw_ostream &os);

/// Writes the page that shows `json`; an error if this build has no pages.
llvm::Error writePage(PageKind kind, std::string_view title,
                      std::string_view json, llvm::raw_ostream &os);

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_REPORT_REPORT_H
