//===- TargetModel.h - A GPU and what it costs ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SWEEP_TARGETMODEL_H
#define GPUCOST_APPLICATIONS_SWEEP_TARGETMODEL_H

#include "gpucost/Applications/Sweep/PointResult.h"
#include "gpucost/Core/Iteration/KernelMemo.h"
#include <memory>
#include <string>

namespace gpucost::sweep {

/// A result, or why there is none.
template <typename T> struct Outcome {
  std::shared_ptr<const T> value;
  std::string reason;
  PointStatus status = PointStatus::Error;
};

/// A GPU with its links and coefficients.
struct TargetModel {
  TargetModel(CostModel model, ScenarioTarget facts)
      : costModel(std::move(model)), facts(std::move(facts)),
        memo(std::make_unique<KernelMemo>(costModel)) {}
  TargetModel(const TargetModel &) = delete;

  const CostModel costModel;
  const ScenarioTarget facts;
  const std::unique_ptr<KernelMemo> memo;
};

/// The GPU that `scenario` names.
Outcome<TargetModel> resolveTarget(const Scenario &scenario);

/// Totals of a point.
struct PointTotals {
  Seconds time;
  Joules energy;
  OperatingPoint clock;
  std::optional<IterationErrorBars> errorBars;
  double mfu = 0;
};

/// Sets the GPU, its memory, and whether the point fits. `isRejected`: its
/// power limit is not possible, which is the reason to report.
void setMemory(PointResult &result, const MemoryPlan &memory, const Gpu &gpu,
               bool isRejected);
/// Sets the totals of a point that has numbers; `settings` are its own.
void setTotals(PointResult &result, const PointTotals &totals,
               const CostModel &model, const Settings &settings);

} // namespace gpucost::sweep

#endif // GPUCOST_APPLICATIONS_SWEEP_TARGETMODEL_H
