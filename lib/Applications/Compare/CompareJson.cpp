//===- CompareJson.cpp - A comparison for programs ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompareText.h"
#include "gpucost/Core/Report/RecordShape.h"

using namespace gpucost::compare;

namespace gpucost {

namespace {
struct PrintedComparison {
  const Comparison *all = nullptr;
  std::optional<std::vector<BudgetResult>> budget;
  static constexpr int64_t schema = 1;
};
} // namespace

static KeyedValues<std::string, Change>
byName(const std::vector<Change> &changes) {
  KeyedValues<std::string, Change> named;
  for (const Change &change : changes)
    named.emplace_back(change.name, change);
  return named;
}

#define GPUCOST_REPORT "gpucost/Applications/Compare/Comparison.def"
#include "gpucost/Core/Report/VisitReport.inc"

RecordShape compare::shapeOfComparison() {
  return shapeOfRecord<PrintedComparison>();
}

void compare::printComparisonJson(const Comparison &comparison,
                                  const ComparePrintOptions &options,
                                  llvm::raw_ostream &os) {
  PrintedComparison printed{&comparison, std::nullopt};
  if (options.budget)
    printed.budget = *options.budget;
  os << recordJson(printed);
}

} // namespace gpucost
