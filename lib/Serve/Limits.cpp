//===- Limits.cpp - The largest batch and the longest context -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "gpucost/Report/NumberText.h"

using namespace mlir;
using namespace gpucost;

/// Contexts of a mean far from its bound, and what is near, as a fraction.
static constexpr int64_t fewContexts = 5;
static constexpr double margin = 0.1;
/// A batch or context above this is limited by something else.
static constexpr int64_t largestTried = int64_t(1) << 24;

/// The largest number from 1 to `most` for which `holds`, where it holds up to
/// some number; 0 where it does not for 1.
static FailureOr<int64_t>
findLast(int64_t most, llvm::function_ref<FailureOr<bool>(int64_t)> holds) {
  int64_t low = 0, high = 1;
  while (low < most) {
    FailureOr<bool> fine = holds(high);
    if (failed(fine))
      return failure();
    if (!*fine)
      break;
    low = high;
    high = std::min(high * 2, most);
  }
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    FailureOr<bool> fine = holds(middle);
    if (failed(fine))
      return failure();
    (*fine ? low : high) = middle;
  }
  return low;
}

static std::string needText(ServeSteps &steps, int64_t bytes) {
  return "needs " + formatMemory(static_cast<double>(bytes)).str() + " of " +
         formatMemory(steps.steps().costModel().gpu().dramCapacity.value())
             .str();
}

FailureOr<ServeLimit> gpucost::findLargestBatch(ServeSteps &steps) {
  std::string reason;
  int64_t context = std::max(steps.asked().lastContext(), int64_t(1));
  auto fits = [&](int64_t batch) -> FailureOr<bool> {
    FailureOr<ServeSteps::Need> end = steps.decodeNeed(batch, context);
    if (failed(end))
      return failure();
    if (!end->fits) {
      reason = "a batch of " + std::to_string(batch) + " " +
               needText(steps, end->bytes) + " at the end of the answers";
      return false;
    }
    FailureOr<ServeSteps::Need> start = steps.prefillNeed(batch);
    if (failed(start))
      return failure();
    if (!start->fits)
      reason = "a batch of " + std::to_string(batch) + " " +
               needText(steps, start->bytes) +
               " in the prefill; --prefill-batch and --prefill-chunk lower it";
    return start->fits;
  };
  FailureOr<int64_t> largest = findLast(largestTried, fits);
  if (failed(largest))
    return failure();
  // The reason is that of the last number that did not fit: the next one.
  if (failed(fits(*largest + 1)))
    return failure();
  return ServeLimit{*largest, reason};
}

FailureOr<ServeLimit>
gpucost::findLongestContext(ServeSteps &steps, int64_t batch,
                            std::optional<int64_t> positions) {
  std::string reason;
  auto fits = [&](int64_t length) -> FailureOr<bool> {
    FailureOr<ServeSteps::Need> need =
        steps.decodeNeed(batch, std::max(length - 1, int64_t(1)));
    if (failed(need))
      return failure();
    if (!need->fits)
      reason =
          std::to_string(length) + " tokens " + needText(steps, need->bytes);
    return need->fits;
  };
  int64_t most = std::min(positions.value_or(largestTried), largestTried);
  FailureOr<int64_t> longest = findLast(most, fits);
  if (failed(longest))
    return failure();
  if (*longest == most)
    reason = positions ? "the tables of positions end there" : "";
  else if (failed(fits(*longest + 1)))
    return failure();
  return ServeLimit{*longest, reason};
}

FailureOr<ServeLimit> gpucost::findLargestAllowed(ServeSteps &steps,
                                                  int64_t most) {
  const ServeQuestion &question = steps.asked();
  std::string reason;
  auto broken = [&](int64_t batch, llvm::StringRef what, Seconds time,
                    Seconds bound) {
    if (time <= bound)
      return false;
    reason = ("a batch of " + llvm::Twine(batch) + " has a " + what + " of " +
              formatSi(time.value(), "s").str() + ", more than " +
              formatSi(bound.value(), "s").str())
                 .str();
    return true;
  };
  auto keeps = [&](int64_t batch) -> FailureOr<bool> {
    if (question.tpot && question.steps() > 0) {
      // What a few contexts say is near; near the bound it takes all of them.
      FailureOr<ServeStep> mean = steps.meanStep(batch, fewContexts);
      if (failed(mean))
        return failure();
      double ratio = mean->time / *question.tpot;
      if (ratio > 1 - margin && ratio < 1 + margin)
        mean = steps.meanStep(batch, question.contexts);
      if (failed(mean))
        return failure();
      if (broken(batch, "time per output token", mean->time, *question.tpot))
        return false;
    }
    if (question.ttft) {
      FailureOr<ServeStep> start = steps.prefillTotals(steps.promptsOf(batch));
      if (failed(start))
        return failure();
      if (broken(batch, "time to the first token", start->time, *question.ttft))
        return false;
    }
    return true;
  };
  FailureOr<int64_t> largest = findLast(most, keeps);
  if (failed(largest))
    return failure();
  if (*largest == most)
    reason = "memory limits it";
  else if (failed(keeps(*largest + 1)))
    return failure();
  return ServeLimit{*largest, reason};
}
