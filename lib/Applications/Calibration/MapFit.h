//===- MapFit.h - One group of parameters -----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maximum a posteriori estimate of parameters' logs: a Gaussian prior around
// the model's values, and a soft-L1 loss on log errors, so that a few kernels
// which the equations do not describe have little influence.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_CALIBRATION_MAPFIT_H
#define GPUCOST_LIB_APPLICATIONS_CALIBRATION_MAPFIT_H

#include "Parameters.h"
#include "gpucost/Applications/Calibration/Calibration.h"
#include <functional>
#include <optional>

namespace gpucost::calibration {

struct MapFit {
  const CostModel &prior;
  std::vector<const Parameter *> parameters;
  /// Groups whose prior was measured on another GPU.
  const llvm::StringSet<> &foreignGroups;
  /// log(predicted / measured) of an observation; finite for every model.
  std::function<double(const CostModel &, size_t)> logError;
  /// Soft-L1 scale of every observation.
  std::vector<double> noise;
  /// Observations with one key are held out together.
  std::vector<std::string> keys;

  /// `prior` with the values that fit `rows` best.
  CostModel run(llvm::ArrayRef<size_t> rows) const;
  /// Log errors of every observation, each from a fit without its fold. Empty
  /// when there are fewer than three keys or folds.
  std::vector<double> holdOut(unsigned folds) const;
  /// Standard deviation of the log in the prior.
  double deviationOf(const Parameter &parameter) const;
  std::vector<double> errors(const CostModel &model) const;
  void describe(const CostModel &fitted,
                std::vector<FittedParameter> &to) const;
};

/// Mean of |exp(e) - 1| over the log errors of `rows`.
/// The 80 % half-width of predictions with these log errors; nullopt for fewer
/// than five.
std::optional<double> halfWidthOf(std::vector<double> errors);

/// The residual of a soft-L1 loss with this scale.
double soften(double error, double scale);

double meanError(llvm::ArrayRef<double> errors, llvm::ArrayRef<size_t> rows);

} // namespace gpucost::calibration

#endif // GPUCOST_LIB_APPLICATIONS_CALIBRATION_MAPFIT_H
