//===- Evaluator.h - Points of a space, sharing their work ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Imports a model once for each thread that prepares it at the same time,
// prepares it once for each combination of shapes, formats and plans, chooses
// tilings once for each kernel and GPU, and only solves for clock and power at
// each point. Thread-safe; memory does not grow with the number of points.
// Errors are results, not diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SWEEP_EVALUATOR_H
#define GPUCOST_APPLICATIONS_SWEEP_EVALUATOR_H

#include "gpucost/Applications/Sweep/ModelPool.h"
#include "gpucost/Applications/Sweep/PointResult.h"
#include "gpucost/Applications/Sweep/Space.h"
#include "gpucost/Applications/Sweep/TargetModel.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace gpucost::sweep {

class Evaluator {
public:
  /// Reads every model and target: an error here would affect all points.
  static llvm::Expected<std::unique_ptr<Evaluator>> create(const Space &space,
                                                           unsigned threads);
  ~Evaluator();

  const Space &space() const;

  /// The points `operations` of `block`, in order. Without `unfitNumbers`
  /// points that do not fit only have a status and a reason.
  std::vector<PointResult> evaluate(int64_t block,
                                    llvm::ArrayRef<int64_t> operations,
                                    bool unfitNumbers = true) const;

  /// Names the preparation that all points of `block`, and perhaps of other
  /// blocks, share: kernels, or the family of shapes that has them. A thread
  /// that needs a preparation of another thread waits.
  std::string preparationOf(int64_t block) const;

  /// The settings that all points of a block state, and the model's settings.
  Scenario scenarioOf(int64_t block) const;
  /// The GPU of a scenario, or why there is none.
  std::shared_ptr<const Outcome<TargetModel>>
  targetOf(const Scenario &scenario) const;
  ModelPool &poolOf(size_t model) const;

  /// Models that were prepared so far.
  int64_t preparations() const;

  /// A point at the board's own clock and power limit.
  PointResult evaluateAtDefault(int64_t point) const;

  /// The placed model of a point and how it runs there, for a full report; an
  /// error for points without numbers.
  struct Placed {
    std::shared_ptr<const PlacedModel> model;
    Settings settings;
  };
  llvm::Expected<Placed> place(int64_t point) const;

private:
  Evaluator();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace gpucost::sweep

#endif // GPUCOST_APPLICATIONS_SWEEP_EVALUATOR_H
