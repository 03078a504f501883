//===- ExpertCopies.h - Loads and copies of experts -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_EXPERTCOPIES_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_EXPERTCOPIES_H

#include "gpucost/Core/Model/ExpertLayer.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace gpucost {

/// (X29) Marks MoE layers with the loads of their experts, and adds copies of
/// experts to their weights.
class ExpertMarker {
public:
  explicit ExpertMarker(const Settings &settings) : settings(settings) {}

  /// For `gpus` that share the experts of `op`, whose weights contain all of
  /// them. Fails after a diagnostic.
  mlir::LogicalResult mark(mlir::Operation *op, int64_t gpus);

private:
  /// For the layer of `placement`.
  mlir::DenseF64ArrayAttr loadsOf(mlir::MLIRContext *context,
                                  const ExpertPlacement &placement);

  const Settings &settings;
  /// Layers of a model are mostly equal.
  ExpertPlacement known;
  mlir::DenseF64ArrayAttr loads;
};

/// "; the busiest GPU has 12 % more tokens than the mean, 32 redundant experts"
/// or "".
std::string describeLoads(const ExpertLayer &layer);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_EXPERTCOPIES_H
