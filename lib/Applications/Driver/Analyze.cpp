//===- Analyze.cpp - The steps of one analysis ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Driver/Analyze.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Sweep/SettingSensitivities.h"
#include "gpucost/Core/Iteration/Details.h"

using namespace gpucost;
using namespace mlir;

std::string StepTimes::text() const {
  return "import " + siText(import) + ", prepare " + siText(prepare) +
         ", place " + siText(place) + ", evaluate " + siText(evaluate);
}

Seconds StepClock::lap() {
  Clock::time_point now = Clock::now();
  Seconds passed(std::chrono::duration<double>(now - last).count());
  last = now;
  return passed;
}

FailureOr<Analysis> gpucost::analyze(Session &session, const Scenario &scenario,
                                     const ReportSections &sections) {
  StepTimes times;
  StepClock clock;
  FailureOr<Session::Prepared> prepared =
      sections.sensitivities ? session.prepare(scenario)
                             : std::move(session).prepare(scenario);
  if (failed(prepared))
    return failure();
  times.prepare = clock.lap();
  FailureOr<PlacedModel> placed = session.place(*prepared);
  if (failed(placed))
    return failure();
  times.place = clock.lap();
  Analysis analysis{placed->evaluate(), std::move(*placed), times};
  analysis.times.evaluate = clock.lap();
  if (sections.sensitivities)
    analysis.report.sensitivities =
        sweep::findSensitivities(session, scenario, analysis.placed);
  if (sections.details)
    analysis.report.details =
        explainIteration(analysis.placed, analysis.report);
  return analysis;
}
