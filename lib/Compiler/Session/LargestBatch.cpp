//===- LargestBatch.cpp - The largest batch that fits ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Session/Session.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace gpucost;

/// If this batch fits, the model's memory does not depend on the batch.
static constexpr int64_t largestTried = int64_t(1) << 24;

namespace {
struct Need {
  int64_t bytes = 0, capacity = 0;
  bool fits = true;
};
} // namespace

static FailureOr<Need> needOf(const Session &session, const Scenario &scenario,
                              int64_t batch) {
  // Warnings are only reported once, with the report.
  ScopedDiagnosticHandler handler(
      session.model().getContext(), [](Diagnostic &diagnostic) {
        return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
      });
  Scenario tried = scenario;
  tried.batch = batch;
  FailureOr<Session::Prepared> prepared = session.prepare(tried);
  if (failed(prepared))
    return failure();
  const Gpu &gpu = prepared->costModel.gpu();
  MemoryPlan plan =
      planMemory(*prepared->model, gpu, prepared->costModel.coefficients());
  return Need{plan.device, static_cast<int64_t>(gpu.dramCapacity.value()),
              plan.fits};
}

FailureOr<int64_t> Session::findLargestBatch(const Scenario &scenario) const {
  ModuleOp module = imported;
  auto fits = [&](int64_t batch) -> FailureOr<bool> {
    FailureOr<Need> need = needOf(*this, scenario, batch);
    if (failed(need))
      return failure();
    if (batch == 1 && !need->fits)
      return module.emitError()
             << "does not fit with a batch of 1: needs "
             << llvm::formatv("{0:f1}", need->bytes / 1073741824.0).str()
             << " GiB of "
             << llvm::formatv("{0:f1}", need->capacity / 1073741824.0).str()
             << " GiB";
    return need->fits;
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
    FailureOr<Need> least = needOf(*this, scenario, 1),
                    most = needOf(*this, scenario, low);
    if (succeeded(least) && succeeded(most) && most->bytes > least->bytes)
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
