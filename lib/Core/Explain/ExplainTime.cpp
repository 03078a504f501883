//===- ExplainTime.cpp - (W1) with numbers --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include <algorithm>

using namespace gpucost;

namespace {
/// A term of (W1) with its name.
struct Part {
  std::string name;
  Seconds time;
};
} // namespace

static std::string listOf(const std::vector<Part> &parts) {
  std::string text;
  for (const Part &part : parts)
    if (part.time > Seconds(0))
      text += (text.empty() ? "" : ", ") + part.name + " " + number(part.time);
  return text;
}

void gpucost::explainTime(const ExplainedKernel &kernel, ExplainText &text) {
  const LaunchTerms &t = kernel.terms();
  double y = kernel.clockRatio(), slow = 1 / y;
  Hertz clock = kernel.totals.point.clock;
  text.section("time, in us");
  text.line("clock " + number(clock.value() * 1e-6) + " MHz = " + number(y) +
            " of the maximum; terms of SMs and L2 are divided by it");
  std::vector<Part> joined = {{"compute", t.compute * slow},
                              {"l2", t.l2 * slow},
                              {"issue", t.issue * slow},
                              {"rows", t.rows * slow},
                              {"dram", t.dram},
                              {"powerRoof", t.powerRoof}};
  std::string sum = "t = ||" + listOf(joined) + "||_" + number(t.norm);
  if (joined.empty() || listOf(joined).empty())
    sum = "t = 0";
  if (t.exposedShare > 0)
    sum += " + " + number(t.exposedShare) + "*min(" +
           number(std::max(t.compute, t.l2) * slow) + ", " + number(t.dram) +
           ")";
  if (t.exposedL2 > Seconds(0) || t.exposedDram > Seconds(0))
    sum += " + max(exposedL2 " + number(t.exposedL2 * slow) + ", exposedDram " +
           number(t.exposedDram) + ")";
  for (const Part &part :
       {Part{"serialIssue", t.serialIssue * slow},
        Part{"serialDram", t.serialDram}, Part{"fixed", t.fixed}})
    if (part.time > Seconds(0))
      sum += " + " + part.name + " " + number(part.time);
  text.equation("launch time (W1)", sum + " = " + number(timeAt(t, y)));
}

/// (W1) with `change` made to the terms.
template <typename Change>
static Seconds timeWith(LaunchTerms terms, double y, Change change) {
  change(terms);
  return timeAt(terms, y);
}

namespace {
/// A resource that faster hardware has more of.
struct Resource {
  std::string name; ///< "twice the L2 bandwidth"
  Bound bound;
  void (*divide)(LaunchTerms &, double);
  Seconds time;
};
} // namespace

static std::vector<Resource> resourcesOf(const LaunchTerms &t, double y) {
  KernelTime parts = explainTimeAt(t, y);
  double slow = 1 / y;
  return {{"twice the arithmetic rate", t.computeBound,
           [](LaunchTerms &t, double x) { t.compute = t.compute / x; },
           t.compute * slow},
          {"twice the L2 bandwidth", Bound::L2,
           [](LaunchTerms &t, double x) {
             t.l2 = t.l2 / x;
             t.exposedL2 = t.exposedL2 / x;
           },
           parts.l2},
          {"twice the DRAM bandwidth", Bound::DRAM,
           [](LaunchTerms &t, double x) {
             t.dram = t.dram / x;
             t.exposedDram = t.exposedDram / x;
             t.serialDram = t.serialDram / x;
           },
           parts.dram},
          {"twice the instruction rate", Bound::Issue,
           [](LaunchTerms &t, double x) {
             t.issue = t.issue / x;
             t.rows = t.rows / x;
             t.serialIssue = t.serialIssue / x;
           },
           (std::max(t.issue, t.rows) + t.serialIssue) * slow},
          {t.fixedBound == Bound::Network ? "twice the speed of the links"
                                          : "half the launch latency",
           t.fixedBound,
           [](LaunchTerms &t, double x) { t.fixed = t.fixed / x; }, t.fixed}};
}

void gpucost::explainBound(const ExplainedKernel &kernel, ExplainText &text) {
  const LaunchTerms &t = kernel.terms();
  double y = kernel.clockRatio();
  Bound bound = explainTimeAt(t, y).bound;
  Seconds time = timeAt(t, y);
  std::vector<Resource> resources = resourcesOf(t, y);
  std::stable_sort(
      resources.begin(), resources.end(),
      [](const Resource &a, const Resource &b) { return a.time > b.time; });
  text.section("bound");
  text.line("bound by " + std::string(stringifyBound(bound)) +
            ", the largest term");
  const Resource &first = resources[0], &second = resources[1];
  if (second.time > Seconds(0) && first.bound == bound)
    text.line("it becomes " + std::string(stringifyBound(second.bound)) +
              " with " + number(first.time / second.time) +
              " times the limiting resource: " +
              number(timeWith(t, y,
                              [&](LaunchTerms &terms) {
                                first.divide(terms, first.time / second.time);
                              })) +
              " us");
  for (const Resource &resource : resources) {
    if (resource.time <= Seconds(0))
      continue;
    Seconds twice =
        timeWith(t, y, [&](LaunchTerms &terms) { resource.divide(terms, 2); });
    text.line(resource.name + ": " + number(twice) + " us, " +
              number((time - twice) / time * 100) + " % less");
  }
}
