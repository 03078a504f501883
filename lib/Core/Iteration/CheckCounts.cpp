//===- CheckCounts.cpp - Counts that fit their type -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckCounts.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Support/Text.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

using namespace gpucost;

static bool isSaturated(int64_t count) { return count == INT64_MAX; }

/// "'mm' (onnx.MatMul) has 2^63 or more FLOP": one op, or all ops up to it.
static Error tooMany(const KernelKind &kind, bool isSum,
                     std::string_view what) {
  return {concat(isSum ? "the kernels up to " : "", "'", kind.name, "' (",
                 kind.op, ") ", isSum ? "have" : "has", " 2^63 or more ", what,
                 ", which cannot be counted")};
}

/// The counts of one launch, with their names.
static std::array<std::pair<int64_t, const char *>, 3>
countsOf(const WorkCount &count) {
  return {
      std::pair(saturatingSum(saturatingSum(count.tensorFlops, count.fp32Flops),
                              count.specialOps),
                "FLOP"),
      {saturatingSum(count.bytesRead, count.bytesWritten), "bytes"},
      {1, "launches"}};
}

/// Whether a sum over all launches, or the count of a launch, is saturated.
static bool isAnySaturated(const PreparedModel &model,
                           const FoldedLaunches &folded) {
  std::array<int64_t, 3> sums{};
  bool isAny = false;
  for (const FoldedLaunches::Entry &entry : folded.entries()) {
    const Launch &launch = model.launches[entry.launch];
    auto counts = countsOf(model.works[launch.work].count);
    int64_t times = saturatingProduct(launch.count, entry.repetitions);
    for (size_t i = 0; i < sums.size(); ++i) {
      addSaturating(sums[i], times, counts[i].first);
      isAny |= isSaturated(counts[i].first);
    }
  }
  return isAny || std::any_of(sums.begin(), sums.end(), isSaturated);
}

static std::optional<Error> findSaturatedLaunch(const PreparedModel &model) {
  std::array<int64_t, 3> sums{};
  for (const Launch &launch : model.launches) {
    const KernelKind &kind = model.kinds[launch.kind];
    auto counts = countsOf(model.works[launch.work].count);
    for (size_t i = 0; i < sums.size(); ++i) {
      auto [each, what] = counts[i];
      if (isSaturated(each))
        return tooMany(kind, /*isSum=*/false, what);
      addSaturating(sums[i], launch.count, each);
      if (isSaturated(sums[i]))
        return tooMany(kind, /*isSum=*/true, what);
    }
  }
  return std::nullopt;
}

std::optional<Error> gpucost::findSaturatedCount(const PreparedModel &model,
                                                 const FoldedLaunches &folded) {
  if (isAnySaturated(model, folded))
    if (std::optional<Error> error = findSaturatedLaunch(model))
      return error;
  const MemoryUse &memory = model.memory;
  for (auto [count, what] :
       {std::pair(memory.parameterCount, "parameters"),
        std::pair(memory.peakBytes(), "bytes of tensors in memory"),
        std::pair(model.samples, "samples"), std::pair(model.tokens, "tokens")})
    if (isSaturated(count))
      return Error{concat("the model has 2^63 or more ", what,
                          ", which cannot be counted")};
  return std::nullopt;
}
