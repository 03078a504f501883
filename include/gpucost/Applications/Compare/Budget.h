//===- Budget.h - Limits that a change must keep ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A budget is a file like
//
//   {"most":    {"time_ms": 80, "device_bytes": 42949672960,
//                "families": {"matmul": {"time_ms": 50}}},
//    "change":  {"time_ms": 2, "energy_j": 2,
//                "phases": {"backward": {"time_ms": 5}}}}
//
// `most` bounds the numbers of the second report, `change` bounds their
// increase, in percent of the first. Names come from the report's `iteration`;
// families, phases and ops have time_ms, energy_j and launches.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_COMPARE_BUDGET_H
#define GPUCOST_APPLICATIONS_COMPARE_BUDGET_H

#include "gpucost/Applications/Compare/Compare.h"

namespace gpucost::compare {

/// One line of a budget.
struct BudgetLine {
  /// "families", "phases", "ops", or "" for a total.
  std::string group;
  std::string member;   ///< "matmul"; "" for a total
  std::string quantity; ///< "time_ms"
  bool isChange = false;
  double limit = 0; ///< in the unit of the quantity, or percent

  const char *kind() const { return isChange ? "change" : "most"; }
  /// The bounded quantity: "time_ms", "families.matmul.time_ms".
  std::string name() const;
};

/// A line and its result.
struct BudgetResult {
  BudgetLine line;
  /// In the unit of the limit; nullopt: not known, which breaks the line.
  std::optional<double> found;
  bool broken = false;
};

/// Reads the text of a budget; errors begin with `file`.
llvm::Expected<std::vector<BudgetLine>> readBudget(llvm::StringRef json,
                                                   llvm::StringRef file);

/// Checks every line; an error names a quantity, family, phase or op that is
/// missing in both reports.
llvm::Expected<std::vector<BudgetResult>>
checkBudget(const Comparison &comparison,
            const std::vector<BudgetLine> &budget);

/// Text for a broken line: "time_ms is 81.2, at most 80".
std::string describe(const BudgetResult &result);

} // namespace gpucost::compare

#endif // GPUCOST_APPLICATIONS_COMPARE_BUDGET_H
