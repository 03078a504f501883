//===- PlanSearch.h - Composed plans ----------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_PLAN_PLANSEARCH_H
#define GPUCOST_LIB_APPLICATIONS_PLAN_PLANSEARCH_H

#include "StageLibrary.h"
#include "gpucost/Applications/Plan/Plan.h"

namespace gpucost::plan {

/// The result of a plan, and what its time consists of.
struct PlanCost {
  sweep::PointResult result;
  PlanTerms terms;
};

/// Composes plans of stages. Belongs to one thread and one shelf.
class PlanComposer {
public:
  PlanComposer(StageLibrary &library, const sweep::TargetModel &target,
               const ModelLayers &layers, const Scenario &scenario)
      : library(library), target(target), layers(layers),
        shelf(library, scenario) {}

  /// Time, energy and memory of the plan of `point`; `operation` as
  /// Shelf::sample.
  PlanCost compose(int64_t point, const Settings &settings, int64_t operation);

private:
  StageLibrary &library;
  const sweep::TargetModel &target;
  const ModelLayers &layers;
  StageLibrary::Shelf shelf;
};

/// Why a plan needs no evaluation; "" if it does. Rules of schedules that the
/// settings alone do not violate.
std::string whyNoCandidate(const Settings &settings, int64_t layers);

/// `batch` of `fewest` GPUs for `gpus` GPUs; nullopt if that is not a whole
/// number of samples.
std::optional<int64_t> scaledBatch(int64_t batch, int64_t fewest, int64_t gpus);

/// A property of a plan that a search chooses: "tp", "4".
struct Property {
  std::string name, value;
};
/// The feasible plans, on the same number of GPUs, with another value of a
/// property; `fault`: why others are not feasible.
struct PlansWithout {
  Property property;
  std::vector<size_t> plans; ///< indices into the results
  std::string fault;
};
/// For each property of the plan `best`, an index into `results`.
std::vector<PlansWithout>
plansWithout(llvm::ArrayRef<sweep::PointResult> results,
             const sweep::Space &space, size_t best);

/// Why the chosen plan is better than those without one of its properties.
std::vector<Alternative> findAlternatives(const PlanResult &result,
                                          const sweep::Space &space);

} // namespace gpucost::plan

#endif // GPUCOST_LIB_APPLICATIONS_PLAN_PLANSEARCH_H
