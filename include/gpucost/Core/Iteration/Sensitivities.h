//===- Sensitivities.h - What time and energy depend on ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_SENSITIVITIES_H
#define GPUCOST_CORE_ITERATION_SENSITIVITIES_H

#include "gpucost/Core/Iteration/PlacedModel.h"

namespace gpucost {

/// d ln a / d ln x from values of both at two x; nullopt when x does not differ
/// or a value is not above 0.
std::optional<double> elasticityOf(double lowX, double highX, double lowA,
                                   double highA);

/// For each number of the GPU that rates depend on (GpuFacts.h) the
/// elasticities between 90 and 110 % of it, the speed with twice its value, and
/// how often it doubles the speed (up to 64 times). Libraries choose their
/// tilings again on each GPU.
std::vector<Sensitivity> factSensitivities(const PlacedModel &model,
                                           const IterationOptions &options);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_SENSITIVITIES_H
