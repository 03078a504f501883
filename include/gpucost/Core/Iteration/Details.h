//===- Details.h - Details of an iteration ----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_DETAILS_H
#define GPUCOST_CORE_ITERATION_DETAILS_H

#include "gpucost/Core/Iteration/PlacedModel.h"

namespace gpucost {

/// Computes the details of `report`, which `placed` returned.
IterationDetails explainIteration(const PlacedModel &placed,
                                  const IterationReport &report);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_DETAILS_H
