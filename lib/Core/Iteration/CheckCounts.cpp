//===- CheckCounts.cpp - Counts that fit their type -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckCounts.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Support/Text.h"
#include <cstdint>
#include <string_view>
#include <tuple>
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

std::optional<Error> gpucost::findSaturatedCount(const PreparedModel &model) {
  int64_t flops = 0, bytes = 0, launches = 0;
  for (const Launch &launch : model.launches) {
    const WorkCount &count = model.works[launch.work].count;
    const KernelKind &kind = model.kinds[launch.kind];
    int64_t itsFlops = saturatingSum(
        saturatingSum(count.tensorFlops, count.fp32Flops), count.specialOps);
    int64_t itsBytes = saturatingSum(count.bytesRead, count.bytesWritten);
    for (auto [total, each, what] :
         {std::tuple(&flops, itsFlops, "FLOP"),
          std::tuple(&bytes, itsBytes, "bytes"),
          std::tuple(&launches, int64_t(1), "launches")}) {
      if (isSaturated(each))
        return tooMany(kind, /*isSum=*/false, what);
      addSaturating(*total, launch.count, each);
      if (isSaturated(*total))
        return tooMany(kind, /*isSum=*/true, what);
    }
  }
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
