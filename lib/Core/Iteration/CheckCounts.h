//===- CheckCounts.h - Counts that fit their type ------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_ITERATION_CHECKCOUNTS_H
#define GPUCOST_LIB_CORE_ITERATION_CHECKCOUNTS_H

#include "gpucost/Core/Iteration/FoldedLaunches.h"
#include "gpucost/Core/Support/Expected.h"
#include <optional>

namespace gpucost {

/// Sums and products of counts saturate. A count of `model`, or the sum over
/// its launches, that is saturated is an error, which names the first op.
std::optional<Error> findSaturatedCount(const PreparedModel &model,
                                        const FoldedLaunches &folded);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_ITERATION_CHECKCOUNTS_H
