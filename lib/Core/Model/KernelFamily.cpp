//===- KernelFamily.cpp - Clock dependence of a launch --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

tl::unexpected<Error> gpucost::missingGroup(const CostModel &model,
                                            std::string_view keyword) {
  return fail("'" + model.gpu().name + "' has no coefficients '" +
              std::string(keyword) + "'");
}

Expected<Tiling> gpucost::untiled(const CostModel &, const KernelWork &,
                                  const KernelQuery &) {
  return Tiling();
}

void gpucost::reportEmpty(const KernelQuery &query, const LaunchTerms &terms) {
  if (query.steps)
    query.steps->equation("problem without elements (W1)", "fixed = {}",
                          {terms.fixed});
}

static double pow4(double x) { return (x * x) * (x * x); }

/// Parts that overlap each other, joined in a norm.
static double joinParts(const LaunchTerms &terms, double slow) {
  double parts[] = {terms.compute.value() * slow, terms.l2.value() * slow,
                    terms.issue.value() * slow,   terms.rows.value() * slow,
                    terms.dram.value(),           terms.powerRoof.value()};
  double sum = 0;
  if (terms.norm == LaunchTerms::commonNorm) {
    for (double part : parts)
      sum += pow4(part);
    return std::sqrt(std::sqrt(sum));
  }
  double largest = *std::max_element(std::begin(parts), std::end(parts));
  if (largest <= 0)
    return 0;
  for (double part : parts)
    sum += std::pow(part / largest, terms.norm);
  return largest * std::pow(sum, 1 / terms.norm);
}

Seconds gpucost::timeAt(const LaunchTerms &terms, double clockRatio) {
  double slow = 1.0 / clockRatio;
  // (W1)
  double norm = joinParts(terms, slow);
  double exposed =
      std::max(terms.exposedL2.value() * slow, terms.exposedDram.value()) +
      terms.exposedShare *
          std::min(std::max(terms.compute, terms.l2).value() * slow,
                   terms.dram.value());
  return Seconds(norm + exposed + terms.serialIssue.value() * slow +
                 terms.serialDram.value() + terms.fixed.value());
}

KernelTime gpucost::explainTimeAt(const LaunchTerms &terms, double clockRatio) {
  double slow = 1.0 / clockRatio;
  KernelTime time;
  time.total = timeAt(terms, clockRatio);
  Seconds issue =
      (std::max(terms.issue, terms.rows) + terms.serialIssue) * slow;
  Seconds compute = terms.compute * slow;
  time.compute = std::max(compute, issue);
  time.l2 = (terms.l2 + terms.exposedL2) * slow;
  time.dram = terms.dram + terms.exposedDram + terms.serialDram;
  time.fixed = terms.fixed;

  time.bound = terms.fixedBound;
  Seconds largest = time.fixed;
  auto consider = [&](Seconds part, Bound bound) {
    if (part > largest) {
      largest = part;
      time.bound = bound;
    }
  };
  consider(compute, terms.computeBound);
  consider(issue, Bound::Issue);
  consider(time.l2, Bound::L2);
  consider(time.dram, Bound::DRAM);
  consider(terms.powerRoof, Bound::Power);
  return time;
}
