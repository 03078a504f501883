//===- ExpertLoads.h - Tokens of experts and of their GPUs ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rule (X29) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_EXPERTLOADS_H
#define GPUCOST_CORE_MODEL_EXPERTLOADS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gpucost {

/// How unevenly tokens choose the experts of a layer.
struct ExpertLoads {
  static constexpr size_t classes = 16;
  /// The loads of the copies of experts, relative to the mean load of an
  /// expert: the means of classes with equally many copies. All 1 if tokens
  /// choose all experts with the same probability and there is one copy of
  /// each.
  std::array<double, classes> copies = evenCopies();
  /// The load of the busiest GPU beyond the mean of all GPUs, relative to it.
  double excess = 0;

  bool isEven() const { return copies == evenCopies() && excess == 0; }

private:
  static constexpr std::array<double, classes> evenCopies() {
    return {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  }
};

/// The experts of a layer on all GPUs that share it.
struct ExpertPlacement {
  int64_t experts = 1; ///< of the layer
  int64_t chosen = 1;  ///< experts of a token
  int64_t gpus = 1;    ///< divides the number of copies
  /// Copies beyond one of each expert, placed by load; nullopt: one of each, in
  /// the order of their numbers.
  std::optional<int64_t> redundant;
};

/// The largest skew: all tokens choose the same experts.
double largestSkew(int64_t experts, int64_t chosen);

/// (X29) Loads of the experts with this skew, the mean of 1, in descending
/// order.
std::vector<double> skewedLoads(int64_t experts, int64_t chosen, double skew);

/// (X29) `skew` is the standard deviation of the experts' loads.
ExpertLoads placeExperts(const ExpertPlacement &placement, double skew);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_EXPERTLOADS_H
