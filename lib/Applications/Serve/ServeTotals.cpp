//===- ServeTotals.cpp - Time and energy of prompts -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ServeSteps.h"
#include "gpucost/Applications/Serve/ServingHosts.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::serve;

FailureOr<ServeStep> ServeSteps::totalsOf(llvm::ArrayRef<StepShape> chunks,
                                          std::optional<Seconds> launch) {
  ServeStep sum;
  for (const StepShape &chunk : chunks) {
    FailureOr<PlacedModel> placed = models.place(chunk);
    if (failed(placed))
      return failure();
    IterationTotals totals =
        placed->solve(promptSettings(placed->prepared().settings, launch));
    sum.time += totals.time;
    sum.energy += totals.energy;
  }
  return sum;
}

/// `sum` and the same prompts of the draft model.
static FailureOr<ServeStep> withDraft(FailureOr<ServeStep> sum,
                                      FailureOr<ServeStep> draft) {
  if (failed(sum) || failed(draft))
    return failure();
  sum->time += draft->time;
  sum->energy += draft->energy;
  return sum;
}

FailureOr<ServeStep> ServeSteps::prefillTotals(int64_t prompts,
                                               std::optional<Seconds> launch) {
  FailureOr<ServeStep> sum = totalsOf(chunksOf(prompts), launch);
  return draft ? withDraft(sum, draft->prefillTotals(prompts, launch)) : sum;
}

FailureOr<ServeStep> ServeSteps::promptPart(int64_t tokens,
                                            std::optional<Seconds> launch) {
  StepShape part = {1, tokens, question.cachedTokens()};
  FailureOr<ServeStep> sum = totalsOf(part, launch);
  return draft ? withDraft(sum, draft->promptPart(tokens, launch)) : sum;
}
