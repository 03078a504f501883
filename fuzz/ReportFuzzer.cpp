//===- ReportFuzzer.cpp - Any bytes as reports and budgets ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Compare/ComparePrint.h"

using namespace gpucost;
using namespace gpucost::compare;

/// Whatever is read must print, against itself and in every format.
static void compareWithItself(const ComparedReport &report,
                              const std::vector<BudgetLine> &budget) {
  ComparedReport other = report;
  if (!other.kernels.empty()) {
    other.kernels.front().count += 1;
    other.kernels.pop_back();
  }
  Comparison comparison = compareReports(report, other);
  llvm::Expected<std::vector<BudgetResult>> results =
      checkBudget(comparison, budget);
  if (!results)
    llvm::consumeError(results.takeError());
  for (CompareFormat format :
       {CompareFormat::Table, CompareFormat::Markdown, CompareFormat::Json}) {
    std::string text;
    llvm::raw_string_ostream os(text);
    ComparePrintOptions options;
    options.format = format;
    llvm::cantFail(printComparison(comparison, options, os));
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  std::vector<BudgetLine> budget;
  if (llvm::Expected<std::vector<BudgetLine>> lines = readBudget(text, "f"))
    budget = std::move(*lines);
  else
    llvm::consumeError(lines.takeError());
  if (llvm::Expected<ComparedReport> report = readReport(text, "f"))
    compareWithItself(*report, budget);
  else
    llvm::consumeError(report.takeError());
  return 0;
}
