//===- ReportJson.cpp - JSON reports --------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Report/ReportJson.h"
#include "gpucost/Core/Report/RecordJson.h"

using namespace gpucost;

RunReport IterationReport::run() const {
  RunReport run{runIterations, std::nullopt, std::nullopt, std::nullopt};
  if (runIterations)
    run.total = cost * *runIterations;
  auto perMillion = [&](int64_t count) {
    return count > 0 && !isUnknown()
               ? std::optional(cost * (1e6 / static_cast<double>(count)))
               : std::nullopt;
  };
  run.perMillionSamples = perMillion(samples);
  run.perMillionTokens = perMillion(tokens);
  return run;
}

std::string PrintedReport::parallelism() const {
  return report->worldSize() > 1 ? toText(report->settings.parallel) : "";
}

std::string gpucost::reportJson(const IterationReport &report,
                                const ReportOptions &options) {
  PrintedReport printed;
  printed.report = &report;
  if (options.groupBy != GroupBy::None) {
    printed.groupBy = nameOf(options.groupBy);
    printed.groups = groupNodes(report, options.groupBy);
  }
  return recordJson(printed);
}
