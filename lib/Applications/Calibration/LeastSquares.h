//===- LeastSquares.h - Bounded Levenberg-Marquardt -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small dense problems whose residuals have steps (a library picks another
// tile), so derivatives are wide finite differences.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_CALIBRATION_LEASTSQUARES_H
#define GPUCOST_LIB_APPLICATIONS_CALIBRATION_LEASTSQUARES_H

#include <Eigen/Core>
#include <functional>

namespace gpucost::calibration {

struct LeastSquares {
  /// All residuals at a point within the bounds.
  std::function<Eigen::VectorXd(const Eigen::VectorXd &)> residuals;
  Eigen::VectorXd low, high;
  double step = 1e-2; ///< of the finite differences
  unsigned iterations = 20;
};

struct LeastSquaresResult {
  Eigen::VectorXd point;
  double cost = 0; ///< sum of squares
};

/// Minimises the sum of squares from `start`, which is clamped to the bounds.
/// Residuals must be finite.
LeastSquaresResult minimise(const LeastSquares &problem, Eigen::VectorXd start);

} // namespace gpucost::calibration

#endif // GPUCOST_LIB_APPLICATIONS_CALIBRATION_LEASTSQUARES_H
