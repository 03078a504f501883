//===- Parallelizer.h - Data parallel training ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to gpucost-parallelize: adds the communication with other GPUs to the
// graph of one GPU. docs/CostModel.md, section "Training", rules (X*).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_DATAPARALLEL_PARALLELIZER_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_DATAPARALLEL_PARALLELIZER_H

#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace gpucost {

/// Splits the work on one batch across the GPUs of a group that exchanges
/// gradients (X10).
class Parallelizer {
public:
  Parallelizer(mlir::func::FuncOp function, const Settings &settings)
      : function(function), block(function.getBody().front()),
        group(shardsSpan(settings)), worldSize(group.gpus),
        experts(expertShardsSpan(settings)), copies(copiesSpan(settings)),
        stage(settings.plan().stage),
        mainGrads(settings.mainGrads == StateFormat::FP32),
        masterWeights(settings.masterWeights == StateFormat::FP32),
        end(block.getTerminator()) {
    if (auto stack = trainingStack(settings.software))
      gathersLate = stack->gathersLate;
  }

  void runDataParallel(int64_t bucketBytes);
  void runSharded();

private:
  /// The GPUs that add up the gradient of a parameter.
  const GroupSpan &groupOf(mlir::Operation *parameter) const;
  /// The trainable parameters, in order.
  llvm::SmallVector<mlir::Operation *> findParameters();
  /// Elements of the trained parameters on this GPU, and the part of them that
  /// it updates.
  struct Elements {
    int64_t all = 0, updated = 0;
    int64_t partOf(int64_t some) const;
  };
  Elements countElements();
  CollectiveOp insert(mlir::OpBuilder &builder, CollectiveKind kind,
                      mlir::ValueRange inputs, mlir::TypeRange types,
                      int64_t repeat, const GroupSpan &span);
  /// The collectives that add up gradients whose states `span` shares; null if
  /// no other GPU has any of them.
  CollectiveOp reduce(mlir::OpBuilder &builder, mlir::ValueRange gradients,
                      mlir::TypeRange types, int64_t repeat,
                      const GroupSpan &span);
  bool isReduced(const GroupSpan &span) const {
    return span.gpus > 1 || copies.gpus > 1;
  }
  void replaceGradients(llvm::ArrayRef<mlir::Value> gradients,
                        mlir::ValueRange results);
  void copyBucket(mlir::OpBuilder &builder, llvm::StringRef name,
                  mlir::ValueRange gradients);
  mlir::Operation *findUpdate();

  /// Parameters in the order of use, by the block that first reads them.
  struct Unit {
    llvm::SmallVector<mlir::Operation *> parameters;
    mlir::Operation *firstForward = nullptr, *firstBackward = nullptr;
    llvm::SmallVector<mlir::Value> gradients;
    /// The GPUs that share the parameters.
    GroupSpan group;
  };
  llvm::SmallVector<Unit> findUnits();
  /// The parts of units whose parameters have different groups.
  llvm::SmallVector<Unit> divideUnits(llvm::ArrayRef<Unit> units) const;
  void gather(llvm::ArrayRef<Unit> units, bool backward);
  void scatter(Unit &unit);
  bool isDivided(mlir::Operation &op) const;
  void shardPersistent();
  void widenShards(llvm::ArrayRef<mlir::Operation *> parameters);
  /// Parameters with their gradients.
  llvm::MapVector<mlir::Operation *, mlir::Value> findTrained();
  void gatherUpdated(llvm::ArrayRef<Unit> units);

  mlir::func::FuncOp function;
  mlir::Block &block;
  GroupSpan group;
  int64_t worldSize;
  /// (X21) The GPUs with the same experts.
  GroupSpan experts;
  /// (X31) The GPUs with the same shards.
  GroupSpan copies;
  /// (X11) Sharded tensors: states (1), gradients (2), parameters (3).
  int stage;
  bool mainGrads, masterWeights;
  bool gathersLate = false;
  mlir::Operation *end;
  int64_t repeat = 1;
};

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_DATAPARALLEL_PARALLELIZER_H
