//===- Limits.cpp - The largest batch and the longest context -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "gpucost/Applications/Report/NumberText.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::serve;

/// Contexts for a mean far from its limit, and the fraction that counts as
/// near.
static constexpr int64_t fewContexts = 5;
static constexpr double margin = 0.1;
/// A batch or context above this is limited by something else.
static constexpr int64_t largestTried = int64_t(1) << 24;

/// By how much a number exceeds a limit, as a fraction of the limit; at most 0
/// if it meets the limit.
using Excess = llvm::function_ref<FailureOr<double>(int64_t)>;

/// The largest number from 1 to `most` that meets a limit, if all smaller
/// numbers do; 0 if 1 does not. The search begins at `first`. Memory and time
/// are nearly linear, so it tries linear guesses before bisection.
static FailureOr<int64_t> findLast(int64_t first, int64_t most, Excess excess) {
  constexpr int guesses = 4;
  int64_t low = 0, high = std::clamp<int64_t>(first, 1, most);
  double below = -1, above = 1;
  while (low < most) {
    FailureOr<double> next = excess(high);
    if (failed(next))
      return failure();
    if (*next > 0) {
      above = *next;
      break;
    }
    below = *next;
    low = high;
    high = std::min(high * 2, most);
  }
  for (int i = 0; high - low > 1; ++i) {
    int64_t middle = low + (high - low) / 2;
    if (i < guesses && low > 0) {
      double part = -below / (above - below);
      auto guess =
          low + static_cast<int64_t>(part * static_cast<double>(high - low));
      // The result is known once the next number has been tried.
      middle = std::clamp(i % 2 ? guess + 1 : guess, low + 1, high - 1);
    }
    FailureOr<double> next = excess(middle);
    if (failed(next))
      return failure();
    (*next > 0 ? high : low) = middle;
    (*next > 0 ? above : below) = *next;
  }
  return low;
}

/// As a fraction of the usable memory.
static double excessOf(const MemoryPlan &plan) {
  double excess =
      static_cast<double>(plan.device) / static_cast<double>(plan.usable) - 1;
  // Free memory may be fragmented.
  constexpr double least = 1e-9;
  return plan.fits ? std::min(excess, 0.0) : std::max(excess, least);
}

static std::string needText(const MemoryPlan &plan) {
  return memoryNeedText(static_cast<double>(plan.device), plan.nominal,
                        plan.total, static_cast<double>(plan.usable));
}

FailureOr<ServeLimit> serve::findLargestBatch(ServeSteps &steps,
                                              int64_t batch) {
  std::string reason;
  int64_t context = std::max(steps.asked().lastContext(), int64_t(1));
  auto excess = [&](int64_t batch) -> FailureOr<double> {
    FailureOr<MemoryPlan> end = steps.decodeNeed(batch, context);
    if (failed(end))
      return failure();
    if (!end->fits) {
      reason = "a batch of " + std::to_string(batch) + " " + needText(*end) +
               " at the end of the answers";
      return excessOf(*end);
    }
    FailureOr<MemoryPlan> start = steps.prefillNeed(batch);
    if (failed(start))
      return failure();
    if (!start->fits)
      reason = "a batch of " + std::to_string(batch) + " " + needText(*start) +
               " in the prefill; --prefill-batch and --prefill-chunk lower it";
    return std::max(excessOf(*end), excessOf(*start));
  };
  FailureOr<int64_t> largest = findLast(batch, largestTried, excess);
  if (failed(largest))
    return failure();
  // The reason describes the next number, which does not fit.
  if (failed(excess(*largest + 1)))
    return failure();
  return ServeLimit{*largest, reason};
}

FailureOr<ServeLimit>
serve::findLongestContext(ServeSteps &steps, int64_t batch,
                          std::optional<int64_t> positions) {
  std::string reason;
  auto excess = [&](int64_t length) -> FailureOr<double> {
    FailureOr<MemoryPlan> need =
        steps.decodeNeed(batch, std::max(length - 1, int64_t(1)));
    if (failed(need))
      return failure();
    if (!need->fits)
      reason = std::to_string(length) + " tokens " + needText(*need);
    return excessOf(*need);
  };
  int64_t most = std::min(positions.value_or(largestTried), largestTried);
  FailureOr<int64_t> longest = findLast(steps.asked().length(), most, excess);
  if (failed(longest))
    return failure();
  if (*longest == most)
    reason = positions ? "the tables of positions end there"
                       : "the search ends there, and memory holds more";
  else if (failed(excess(*longest + 1)))
    return failure();
  return ServeLimit{*longest, reason};
}

FailureOr<ServeLimit> serve::findLargestAllowed(ServeSteps &steps,
                                                int64_t batch, int64_t most) {
  const ServeQuestion &question = steps.asked();
  std::string reason;
  auto excessOver = [&](int64_t batch, llvm::StringRef what, Seconds time,
                        Seconds bound) {
    if (time > bound) {
      auto [has, most] = formatApart(time.value(), bound.value(),
                                     [](double seconds, int digits) {
                                       return formatSi(seconds, "s", digits);
                                     });
      reason = ("at batch " + llvm::Twine(batch) + " the " + what + " is " +
                has + ", but the limit is " + most)
                   .str();
    }
    return time / bound - 1;
  };
  auto excess = [&](int64_t batch) -> FailureOr<double> {
    double most = -1;
    if (question.tpot && question.steps() > 0) {
      // A few contexts give an approximation; near the limit, all of them are
      // used.
      FailureOr<ServeStep> mean = steps.meanStep(batch, fewContexts);
      if (failed(mean))
        return failure();
      double tokens = question.techniques.tokensPerStep();
      double ratio = mean->time / *question.tpot / tokens;
      if (ratio > 1 - margin && ratio < 1 + margin)
        mean = steps.meanStep(batch, question.contexts);
      if (failed(mean))
        return failure();
      most = excessOver(batch, "time per output token", mean->time / tokens,
                        *question.tpot);
    }
    if (question.ttft && most <= 0) {
      FailureOr<ServeStep> start = steps.prefillTotals(steps.promptsOf(batch));
      if (failed(start))
        return failure();
      most = std::max(most, excessOver(batch, "time to the first token",
                                       start->time, *question.ttft));
    }
    return most;
  };
  FailureOr<int64_t> largest = findLast(batch, most, excess);
  if (failed(largest))
    return failure();
  if (*largest == most)
    reason = "memory limits it";
  else if (failed(excess(*largest + 1)))
    return failure();
  return ServeLimit{*largest, reason};
}
