//===- StepModels.h - Steps of one model at any shape -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_SERVE_STEPMODELS_H
#define GPUCOST_LIB_APPLICATIONS_SERVE_STEPMODELS_H

#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Core/Iteration/KernelMemo.h"
#include "gpucost/Core/Iteration/ShapeFamily.h"
#include <list>
#include <map>

namespace gpucost::serve {

/// Prepares each shape from a family if there is one, otherwise from the model.
class StepModels {
public:
  StepModels(Session &session, const Scenario &scenario);

  /// Learns a family for `range`; returns false if there is none. Its shapes
  /// are then prepared one by one, with the same result but more slowly.
  bool learn(const ShapeRange &range);

  using Model = std::shared_ptr<const PreparedModel>;
  /// Null after a diagnostic.
  Model prepare(const StepShape &shape);
  /// The same without diagnostics, and not from a family.
  Model prepareQuietly(const StepShape &shape) {
    return prepareAlone(shape, /*quietly=*/true);
  }
  mlir::FailureOr<PlacedModel> place(const StepShape &shape);
  /// Memory on one GPU for this shape.
  mlir::FailureOr<MemoryPlan> memory(const StepShape &shape);

  /// Valid after the first success of `prepare`.
  const CostModel &costModel() const { return *theCostModel; }

  /// GPUs that share one embedding table.
  int64_t tensorParallel() const {
    return std::max<int64_t>(resolve(scenario, std::nullopt).plan().tensor, 1);
  }

private:
  Model prepareAlone(const StepShape &shape, bool quietly);

  Session &session;
  Scenario scenario;
  bool hasCache; ///< past keys and values are inputs
  std::optional<CostModel> theCostModel;
  std::unique_ptr<KernelMemo> memo;
  std::list<ShapeFamily> families;
  std::map<std::tuple<int64_t, int64_t, int64_t>, Model> alone;
};

} // namespace gpucost::serve

#endif // GPUCOST_LIB_APPLICATIONS_SERVE_STEPMODELS_H
