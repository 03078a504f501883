//===- SettingSensitivities.h - Sensitivities of an iteration ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SWEEP_SETTINGSENSITIVITIES_H
#define GPUCOST_APPLICATIONS_SWEEP_SETTINGSENSITIVITIES_H

#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Core/Report/IterationReport.h"

namespace gpucost::sweep {

/// Sensitivities to the facts of the GPU and to the numeric settings of
/// `model`: integers are varied between half and twice their value, others
/// between 90 and 110 % of it, within their valid range.
std::vector<Sensitivity> findSensitivities(const Session &session,
                                           const Scenario &scenario,
                                           const PlacedModel &model);

} // namespace gpucost::sweep

#endif // GPUCOST_APPLICATIONS_SWEEP_SETTINGSENSITIVITIES_H
