//===- ExplainTerms.cpp - From the shape to the terms of (W1) -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"

using namespace gpucost;

static void explainTiling(const ExplainedKernel &kernel, ExplainText &text) {
  const Tiling &tiling = kernel.kernel().tiling;
  if (tiling.tile.m <= 0)
    return;
  int64_t sms = kernel.placed.model().gpu().smCount;
  text.line("tile " + std::to_string(tiling.tile.m) + "x" +
            std::to_string(tiling.tile.n) + ", split " +
            std::to_string(tiling.splitK) + ": " + std::to_string(tiling.ctas) +
            " CTAs, " + std::to_string(tiling.tile.ctasPerSm) + " per SM, on " +
            std::to_string(sms) + " SMs: " + std::to_string(tiling.waves) +
            " waves, " + number(tiling.smUtilization * 100) +
            " % of the SMs busy");
}

void gpucost::explainTerms(const ExplainedKernel &kernel, ExplainText &text) {
  text.section("terms, in us at the maximum clock");
  explainTiling(kernel, text);
  Steps steps;
  kernel.placed.explainTerms(kernel.kernelKind().work, steps);
  for (const Step &step : steps.lines())
    if (step.name.empty())
      text.line(step.text);
    else
      text.equation(step.name, step.text);
  const LaunchTerms &t = kernel.terms();
  std::string list;
  for (auto [name, time] : {std::pair("compute", t.compute),
                            {"l2", t.l2},
                            {"issue", t.issue},
                            {"rows", t.rows},
                            {"dram", t.dram},
                            {"powerRoof", t.powerRoof},
                            {"exposedL2", t.exposedL2},
                            {"exposedDram", t.exposedDram},
                            {"serialIssue", t.serialIssue},
                            {"serialDram", t.serialDram},
                            {"fixed", t.fixed}})
    if (time > Seconds(0))
      list +=
          (list.empty() ? "" : ", ") + std::string(name) + " " + number(time);
  text.line("terms: " + list);
}
