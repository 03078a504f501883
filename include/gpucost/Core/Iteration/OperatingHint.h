//===- OperatingHint.h - Another clock saves energy -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_OPERATINGHINT_H
#define GPUCOST_CORE_ITERATION_OPERATINGHINT_H

#include "gpucost/Core/Iteration/PlacedModel.h"

namespace gpucost {

/// The clock that saves most energy of an iteration that `report` describes, if
/// that is more than 10 % and takes less than 5 % more time; nullopt for none,
/// where clock or power limit are stated, and of lower bounds.
std::optional<OperatingHint> findHint(const PlacedModel &model,
                                      const IterationReport &report);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_OPERATINGHINT_H
