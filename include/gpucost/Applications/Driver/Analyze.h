//===- Analyze.h - The steps of one analysis --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_DRIVER_ANALYZE_H
#define GPUCOST_APPLICATIONS_DRIVER_ANALYZE_H

#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Core/Support/Quantity.h"
#include <chrono>
#include <string>

namespace gpucost {

/// Wall-clock time of each step.
struct StepTimes {
  Seconds import, prepare, place, evaluate;
  /// One line: "import 4.1 ms, prepare 20.2 ms, ...".
  std::string text() const;
};

/// Measures consecutive steps.
class StepClock {
public:
  /// Time since the last call, or since the construction.
  Seconds lap();

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last = Clock::now();
};

/// Optional sections of a report.
struct ReportSections {
  bool details = false, sensitivities = false;
};

/// A report and its source.
struct Analysis {
  IterationReport report;
  PlacedModel placed;
  /// Without `import`.
  StepTimes times;
};

/// Prepares, places and evaluates the model of `session`, which is changed
/// unless `sections` include sensitivities. Errors are diagnostics.
mlir::FailureOr<Analysis> analyze(Session &session, const Scenario &scenario,
                                  const ReportSections &sections);

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_DRIVER_ANALYZE_H
