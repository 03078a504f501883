//===- PlanEvaluation.h - Costs of all plans --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_PLAN_PLANEVALUATION_H
#define GPUCOST_LIB_APPLICATIONS_PLAN_PLANEVALUATION_H

#include "PlanSearch.h"
#include <map>
#include <memory>
#include <mutex>

namespace gpucost::plan {

/// Composes all plans of a space of stages, or analyzes them if stages cannot
/// be composed.
class PlanEvaluation {
public:
  PlanEvaluation(const sweep::Space &space, const PlanOptions &options)
      : space(space), options(options) {}

  /// Reads the model and collects the plans.
  llvm::Error start();
  /// The plans of `part`, by their points.
  std::vector<PlanCost> evaluate(const PlanPart &part);

  const sweep::Evaluator &evaluator() const { return *exact; }
  /// Plans with the stated global batch.
  int64_t plans() const { return planCount; }
  /// Why plans are not composed; "" if they are.
  const std::string &exactReason() const { return reason; }
  /// With weak scaling, the fewest GPUs and their global batch; 0: without.
  int64_t fewestGpus = 0, commonBatch = 0;
  /// Whether a plan has the global batch of more GPUs.
  bool isScaled(const Scenario &scenario) const {
    return fewestGpus && scenario.globalBatch != commonBatch;
  }

private:
  /// Plans with the same kernels: one shelf, for one thread.
  struct ShelfPlans {
    int recomputation = 0;
    int64_t batch = 0;
    std::vector<int64_t> blocks;
  };

  /// Shelves that differ only in micro-batch and recomputation.
  struct PlanSet {
    std::shared_ptr<const sweep::TargetModel> target;
    std::map<std::string, ShelfPlans> shelves;
  };

  llvm::Error readLayers();
  llvm::Error collectPlans();
  void findScaledBatches();
  void composeAll();
  void composeSet(PlanSet &set);
  void analyzeAll();

  const sweep::Space &space;
  const PlanOptions &options;
  std::unique_ptr<sweep::Evaluator> exact;
  ModelLayers layers;
  std::map<std::string, PlanSet> sets;
  std::map<const sweep::TargetModel *, std::unique_ptr<StageLibrary>> libraries;
  int64_t planCount = 0;
  std::string reason;

  std::mutex mutex;
  std::vector<PlanCost> costs;
};

} // namespace gpucost::plan

#endif // GPUCOST_LIB_APPLICATIONS_PLAN_PLANEVALUATION_H
