//===- LargestBatch.cpp - Settings with which a model fits ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Core/Scenario/AutomaticRecomputation.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace gpucost;

/// If this batch fits, the model's memory does not depend on the batch.
static constexpr int64_t largestTried = int64_t(1) << 24;

static FailureOr<MemoryPlan> planOf(const Session &session,
                                    const Scenario &scenario) {
  // Warnings are only reported once, with the report.
  ScopedDiagnosticHandler handler(
      session.model().getContext(), [](Diagnostic &diagnostic) {
        return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
      });
  FailureOr<Session::Prepared> prepared = session.prepare(scenario);
  if (failed(prepared))
    return failure();
  return planMemory(*prepared->model, prepared->costModel.gpu(),
                    prepared->costModel.coefficients());
}

static FailureOr<MemoryPlan> planOf(const Session &session,
                                    const Scenario &scenario, int64_t batch) {
  Scenario tried = scenario;
  tried.batch = batch;
  tried.microBatch.reset();
  return planOf(session, tried);
}

/// "79.10 GiB".
static std::string gibibytes(double bytes) {
  return llvm::formatv("{0:f2} GiB", bytes / 0x1p30).str();
}

FailureOr<int64_t> Session::findLargestBatch(const Scenario &scenario) const {
  ModuleOp module = imported;
  auto fits = [&](int64_t batch) -> FailureOr<bool> {
    FailureOr<MemoryPlan> plan = planOf(*this, scenario, batch);
    if (failed(plan))
      return failure();
    if (batch == 1 && !plan->fits)
      return module.emitError()
             << "does not fit with a batch of 1: needs "
             << gibibytes(static_cast<double>(plan->device)) << " of "
             << gibibytes(static_cast<double>(plan->usable)) << " (nominal "
             << gibibytes(plan->nominal.value()) << ")";
    return plan->fits;
  };
  int64_t low = 1, high = 2;
  FailureOr<bool> first = fits(1);
  if (failed(first))
    return failure();
  while (true) {
    FailureOr<bool> fine = fits(high);
    if (failed(fine))
      return failure();
    if (!*fine)
      break;
    low = high;
    high *= 2;
    if (high <= largestTried)
      continue;
    FailureOr<MemoryPlan> least = planOf(*this, scenario, 1),
                          most = planOf(*this, scenario, low);
    if (succeeded(least) && succeeded(most) && most->device > least->device)
      return low; // larger than any practical batch
    return module.emitError() << "the memory does not depend on the batch";
  }
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    FailureOr<bool> fine = fits(middle);
    if (failed(fine))
      return failure();
    (*fine ? low : high) = middle;
  }
  return low;
}

FailureOr<Recomputation>
Session::chooseRecomputation(const Scenario &scenario) const {
  std::optional<MemoryPlan> least;
  for (std::string_view text : recomputationChoices) {
    Scenario tried = scenario;
    tried.recompute = parseRecomputation(text);
    FailureOr<MemoryPlan> plan = planOf(*this, tried);
    if (failed(plan))
      return failure();
    if (plan->fits)
      return *tried.recompute;
    if (!least || plan->device < least->device)
      least = *plan;
  }
  ModuleOp module = imported;
  return module.emitError()
         << "--recompute=auto: no recomputation fits: "
         << least->device - least->usable << " bytes are missing, "
         << gibibytes(static_cast<double>(least->device)) << " of "
         << gibibytes(static_cast<double>(least->usable)) << " (nominal "
         << gibibytes(least->nominal.value()) << ")";
}
