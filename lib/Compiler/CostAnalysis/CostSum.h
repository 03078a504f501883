//===- CostSum.h - Sum of the costs of launches -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_COSTANALYSIS_COSTSUM_H
#define GPUCOST_LIB_COMPILER_COSTANALYSIS_COSTSUM_H

#include "gpucost/Compiler/CostAnalysis/Cost.h"
#include "gpucost/Core/Model/ErrorBars.h"
#include <array>

namespace gpucost {

/// Sum of one or more launches, as CostAnalysis computes it.
class CostSum {
public:
  CostSum(const Coefficients &fitted, Runtime runtime) : errors(fitted) {
    sum.runtime = runtime;
  }
  /// `count` launches of `kernel`.
  void add(const KernelCost &kernel, ErrorClass kind, int64_t count);
  /// Adds an op that is only a lower bound or unknown.
  void note(CostStatus status, const std::string &reason);
  /// States an assumption about the launches: the first one follows the reason.
  void explain(const std::string &text) {
    if (explanation.empty())
      explanation = text;
  }
  Cost total() const;

private:
  std::string explanation;
  ErrorSum errors;
  Cost sum;
  std::array<double, getMaxEnumValForBound() + 1> byBound = {};
};

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_COSTANALYSIS_COSTSUM_H
