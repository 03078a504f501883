//===- KernelFamily.cpp - Clock dependence and family registry ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Model/KernelFamily.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

static double pow4(double x) { return (x * x) * (x * x); }

Seconds gpucost::timeAt(const LaunchTerms &terms, double clockRatio) {
  double slow = 1.0 / clockRatio;
  // (W1) Parts that overlap each other join in a 4-norm.
  double norm = std::sqrt(std::sqrt(
      pow4(terms.compute.value() * slow) + pow4(terms.l2.value() * slow) +
      pow4(terms.issue.value() * slow) + pow4(terms.rows.value() * slow) +
      pow4(terms.dram.value()) + pow4(terms.powerRoof.value())));
  double exposed =
      std::max(terms.exposedL2.value() * slow, terms.exposedDram.value());
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

  time.bound = Bound::Latency;
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

namespace gpucost {
#define GPUCOST_FAMILY(Case, model, Problem)                                   \
  extern const KernelFamilyModel model;
#include "Families/Families.def"
#undef GPUCOST_FAMILY
} // namespace gpucost

const KernelFamilyModel *gpucost::lookupKernelFamily(KernelFamily family) {
  switch (family) {
#define GPUCOST_FAMILY(Case, model, Problem)                                   \
  case KernelFamily::Case:                                                     \
    return &model;
#include "Families/Families.def"
#undef GPUCOST_FAMILY
  }
  return nullptr;
}
