//===- CompareText.h - Text of a comparison ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_COMPARE_COMPARETEXT_H
#define GPUCOST_LIB_APPLICATIONS_COMPARE_COMPARETEXT_H

#include "gpucost/Applications/Compare/ComparePrint.h"

namespace gpucost::compare {

/// A number of a report with the unit at the end of its name: "time_ms" 1.5 is
/// "1.5 ms".
std::string quantityText(llvm::StringRef name, std::optional<double> value);
/// "time" for "time_ms", "peak memory" for "peak_memory_bytes".
std::string quantityTitle(llvm::StringRef name);
/// The same with a sign.
std::string differenceText(llvm::StringRef name, const Change &change);
/// "+12.3 %", "-4 %", "" if unknown.
std::string relativeText(const Change &change);
/// Sentences that explain the comparison and how to read it.
std::vector<std::string> explainComparison(const Comparison &comparison);

/// A table as cells: headers, flags for number columns, rows.
struct TextRows {
  std::string title;
  std::vector<std::string> headers;
  std::vector<bool> isNumber;
  std::vector<std::vector<std::string>> rows;
  std::string more; ///< note about unlisted rows, or ""
};
/// All tables of the text output, in order.
std::vector<TextRows> tablesOf(const Comparison &comparison, unsigned top);

void printComparisonJson(const Comparison &comparison,
                         const ComparePrintOptions &options,
                         llvm::raw_ostream &os);

} // namespace gpucost::compare

#endif // GPUCOST_LIB_APPLICATIONS_COMPARE_COMPARETEXT_H
