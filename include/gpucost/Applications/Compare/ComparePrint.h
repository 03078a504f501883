//===- ComparePrint.h - A comparison for people and programs ----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_COMPARE_COMPAREPRINT_H
#define GPUCOST_APPLICATIONS_COMPARE_COMPAREPRINT_H

#include "gpucost/Applications/Compare/Budget.h"
#include "gpucost/Applications/Enums.h"
#include "gpucost/Core/Report/RecordShape.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost::compare {

struct ComparePrintOptions {
  CompareFormat format = CompareFormat::Table;
  /// Rows in the kernel and op lists of a table; JSON has all.
  unsigned top = 10;
  /// Results of a budget; nullptr without one.
  const std::vector<BudgetResult> *budget = nullptr;
};

/// Writes `comparison`; Comparison.def defines the JSON fields. Fails if this
/// build has no pages.
llvm::Error printComparison(const Comparison &comparison,
                            const ComparePrintOptions &options,
                            llvm::raw_ostream &os);

/// The fields of --report=json.
RecordShape shapeOfComparison();

} // namespace gpucost::compare

#endif // GPUCOST_APPLICATIONS_COMPARE_COMPAREPRINT_H
