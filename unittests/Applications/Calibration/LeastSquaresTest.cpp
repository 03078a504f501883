//===- LeastSquaresTest.cpp - Bounded Levenberg-Marquardt -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LeastSquares.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::calibration;
using Eigen::Vector2d;
using Eigen::VectorXd;

/// Rosenbrock's valley: minimum 0 at (1, 1).
static LeastSquares valley(double high) {
  LeastSquares problem;
  problem.low = Vector2d(-5, -5);
  problem.high = Vector2d(high, 5);
  problem.step = 1e-6;
  problem.iterations = 100;
  problem.residuals = [](const VectorXd &x) -> VectorXd {
    return Vector2d(10 * (x[1] - x[0] * x[0]), 1 - x[0]);
  };
  return problem;
}

TEST(LeastSquaresTest, FindsTheMinimumInside) {
  LeastSquaresResult found = minimise(valley(5), Vector2d(-1.2, 1));
  EXPECT_NEAR(found.point[0], 1, 1e-3);
  EXPECT_NEAR(found.point[1], 1, 1e-3);
  EXPECT_NEAR(found.cost, 0, 1e-5);
}

TEST(LeastSquaresTest, StopsAtABound) {
  // Along x = 0.5 the best is y = x^2 = 0.25, cost (1 - 0.5)^2.
  LeastSquaresResult found = minimise(valley(0.5), Vector2d(-1.2, 1));
  EXPECT_NEAR(found.point[0], 0.5, 1e-9);
  EXPECT_NEAR(found.point[1], 0.25, 1e-3);
  EXPECT_NEAR(found.cost, 0.25, 1e-3);
}

TEST(LeastSquaresTest, StartsWithinTheBounds) {
  LeastSquares problem = valley(0.5);
  problem.iterations = 0;
  EXPECT_EQ(minimise(problem, Vector2d(9, 9)).point, Vector2d(0.5, 5));
}
