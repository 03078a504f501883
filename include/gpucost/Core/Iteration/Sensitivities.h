//===- Sensitivities.h - Sensitivities to facts and settings ----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_SENSITIVITIES_H
#define GPUCOST_CORE_ITERATION_SENSITIVITIES_H

#include "gpucost/Core/Iteration/PlacedModel.h"

namespace gpucost {

/// d ln a / d ln x from two points (x, a); nullopt if both x are equal or a
/// value is not positive.
std::optional<double> elasticityOf(double lowX, double highX, double lowA,
                                   double highA);

/// For each rate-determining number of the GPU (GpuFacts.h): the elasticities
/// between 90 and 110 % of its value, the speedup at twice its value, and the
/// factor that doubles the speed (up to 64). Libraries choose new tilings for
/// each changed GPU.
std::vector<Sensitivity> factSensitivities(const PlacedModel &model,
                                           const Settings &settings);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_SENSITIVITIES_H
