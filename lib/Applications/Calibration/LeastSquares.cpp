//===- LeastSquares.cpp - Bounded Levenberg-Marquardt ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LeastSquares.h"
#include <Eigen/Cholesky>

using namespace gpucost;
using namespace gpucost::calibration;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Trials of a step with growing damping before the point counts as a minimum.
static constexpr int dampingTrials = 6;
/// Relative decrease of the cost below which a step counts as none.
static constexpr double leastDecrease = 1e-4;

static MatrixXd jacobian(const LeastSquares &problem, const VectorXd &point,
                         const VectorXd &residuals) {
  MatrixXd result(residuals.size(), point.size());
  for (Eigen::Index i = 0; i < point.size(); ++i) {
    VectorXd moved = point;
    double step = point[i] + problem.step <= problem.high[i] ? problem.step
                                                             : -problem.step;
    moved[i] += step;
    result.col(i) = (problem.residuals(moved) - residuals) / step;
  }
  return result;
}

LeastSquaresResult calibration::minimise(const LeastSquares &problem,
                                         VectorXd start) {
  VectorXd point = start.cwiseMax(problem.low).cwiseMin(problem.high);
  VectorXd residuals = problem.residuals(point);
  double cost = residuals.squaredNorm(), damping = 1e-3;
  for (unsigned iteration = 0; iteration < problem.iterations; ++iteration) {
    MatrixXd j = jacobian(problem, point, residuals);
    VectorXd gradient = j.transpose() * residuals;
    MatrixXd normal = j.transpose() * j;
    // A parameter at a bound that the gradient pushes outwards is held there.
    for (Eigen::Index i = 0; i < point.size(); ++i) {
      bool held = (point[i] <= problem.low[i] && gradient[i] > 0) ||
                  (point[i] >= problem.high[i] && gradient[i] < 0);
      if (!held)
        continue;
      gradient[i] = 0;
      normal.row(i).setZero();
      normal.col(i).setZero();
      normal(i, i) = 1;
    }
    double before = cost;
    for (int trial = 0; trial < dampingTrials; ++trial) {
      MatrixXd damped = normal;
      damped.diagonal() *= 1 + damping;
      VectorXd next = (point - damped.ldlt().solve(gradient))
                          .cwiseMax(problem.low)
                          .cwiseMin(problem.high);
      VectorXd nextResiduals = problem.residuals(next);
      double nextCost = nextResiduals.squaredNorm();
      if (nextCost < cost) {
        point = next;
        residuals = nextResiduals;
        cost = nextCost;
        damping = std::max(damping / 10, 1e-7);
        break;
      }
      damping *= 10;
    }
    if (cost > before * (1 - leastDecrease))
      break;
  }
  return {point, cost};
}
