//===- NormalScores.h - Quantiles of the normal distribution ----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_NORMALSCORES_H
#define GPUCOST_CORE_SUPPORT_NORMALSCORES_H

#include <cmath>

namespace gpucost {

/// The quantile `below` of a normal variable with mean 0 and variance 1, in
/// Tukey's form.
inline double normalScore(double below) {
  constexpr double scale = 4.91, shape = 0.14;
  return scale * (std::pow(below, shape) - std::pow(1 - below, shape));
}

/// The expected maximum of `count` independent ones: the quantile of Blom's
/// plotting position.
inline double expectedMaximum(double count) {
  constexpr double offset = 0.375;
  return normalScore((count - offset) / (count + 1 - 2 * offset));
}

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_NORMALSCORES_H
