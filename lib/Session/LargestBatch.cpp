//===- LargestBatch.cpp - The largest batch that fits ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Session/Session.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace gpucost;

/// A batch above this is a model whose memory does not depend on it.
static constexpr int64_t largestTried = int64_t(1) << 24;

namespace {
/// Tries batches of one scenario.
struct BatchSearch {
  /// Bytes at the peak with `batch`.
  FailureOr<int64_t> need(int64_t batch) const;

  const Session &session;
  const Scenario &scenario;
  const Gpu &gpu;
};
} // namespace

FailureOr<int64_t> BatchSearch::need(int64_t batch) const {
  // Warnings come once, with the report.
  ScopedDiagnosticHandler handler(
      session.model().getContext(), [](Diagnostic &diagnostic) {
        return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
      });
  Scenario tried = scenario;
  tried.batch = batch;
  FailureOr<Session::Prepared> prepared = session.prepare(tried);
  if (failed(prepared))
    return failure();
  return saturatingSum((*prepared)->memory.peakBytes(),
                       saturatingInt(gpu.libraryWorkspace.value()));
}

FailureOr<int64_t> Session::findLargestBatch(const Scenario &scenario) const {
  ModuleOp module = imported;
  FailureOr<CostModel> model = costModelOf(scenario);
  if (failed(model))
    return failure();
  BatchSearch search{*this, scenario, model->gpu()};
  auto capacity = static_cast<int64_t>(model->gpu().dramCapacity.value());
  auto fits = [&](int64_t batch) -> FailureOr<bool> {
    FailureOr<int64_t> need = search.need(batch);
    if (failed(need))
      return failure();
    if (batch == 1 && *need > capacity)
      return module.emitError()
             << "does not fit with a batch of 1: needs "
             << llvm::formatv("{0:f1}", *need / 1073741824.0).str()
             << " GiB of "
             << llvm::formatv("{0:f1}", capacity / 1073741824.0).str()
             << " GiB";
    return *need <= capacity;
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
    FailureOr<int64_t> least = search.need(1), most = search.need(low);
    if (succeeded(least) && succeeded(most) && *most > *least)
      return low; // more than anybody uses
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
