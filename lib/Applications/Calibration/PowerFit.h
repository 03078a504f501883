//===- PowerFit.h - Power of steady loads -----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two predictions of a load's power: from event energies (P*), as for networks,
// and from the time-power loop (G10), as for single tensor-core kernels. Both
// take the measured clock and rate: only watts are fitted.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_CALIBRATION_POWERFIT_H
#define GPUCOST_LIB_APPLICATIONS_CALIBRATION_POWERFIT_H

#include "Parameters.h"
#include "gpucost/Applications/Calibration/Calibration.h"

namespace gpucost::calibration {

/// Relative error of a load's power that event counts do not explain.
constexpr double powerNoise = 0.05;

struct PowerFit {
  llvm::StringLiteral group, family;
  std::vector<const Parameter *> parameters;
  std::vector<const MeasuredLoad *> loads;
  Watts (*predict)(const CostModel &model, const MeasuredLoad &load);
};

/// All energies of the core as one parameter. Its prior deviation is the one
/// between boards of the model (P10), 0 without coefficients.
Parameter boardFactor(const Coefficients &prior);

/// The fits that `loads` allow; loads without a fit are added to `skipped`.
std::vector<PowerFit> powerFits(const CostModel &prior,
                                llvm::ArrayRef<MeasuredLoad> loads,
                                std::vector<std::string> &skipped);

} // namespace gpucost::calibration

#endif // GPUCOST_LIB_APPLICATIONS_CALIBRATION_POWERFIT_H
