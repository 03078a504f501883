//===- OperatingHint.h - Energy-saving clocks -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_OPERATINGHINT_H
#define GPUCOST_CORE_ITERATION_OPERATINGHINT_H

#include "gpucost/Core/Iteration/PlacedModel.h"

namespace gpucost {

/// The clock that minimizes the energy of the iteration that `report`
/// describes, if it saves more than 10 % and takes less than 5 % more time.
/// nullopt if there is none, if the clock or the power limit is stated, or if
/// the totals are lower bounds.
std::optional<OperatingHint> findHint(const PlacedModel &model,
                                      const IterationReport &report);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_OPERATINGHINT_H
