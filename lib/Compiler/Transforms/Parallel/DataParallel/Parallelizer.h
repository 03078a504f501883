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

namespace gpucost {

/// Splits the work on one batch across the GPUs of a group that exchanges
/// gradients (X10).
class Parallelizer {
public:
  Parallelizer(mlir::func::FuncOp function, const Settings &settings,
               const GroupSpan &group)
      : function(function), block(function.getBody().front()), group(group),
        worldSize(group.gpus), stage(settings.plan().stage),
        mainGrads(settings.mainGrads == StateFormat::FP32),
        masterWeights(settings.masterWeights == StateFormat::FP32),
        end(block.getTerminator()) {
    if (auto stack = trainingStack(settings.software))
      gathersLate = stack->gathersLate;
  }

  void runDataParallel(int64_t bucketBytes);
  void runSharded();

private:
  CollectiveOp insert(mlir::OpBuilder &builder, CollectiveKind kind,
                      mlir::ValueRange inputs, mlir::TypeRange types,
                      int64_t repeat);
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
  };
  llvm::SmallVector<Unit> findUnits();
  void gather(llvm::ArrayRef<Unit> units, bool backward);
  void scatter(Unit &unit);
  bool isDivided(mlir::Operation &op) const;
  void shardPersistent();
  void widenShards(llvm::ArrayRef<mlir::Operation *> parameters);
  llvm::DenseSet<mlir::Operation *> findTrained();
  void gatherUpdated(llvm::ArrayRef<Unit> units);

  mlir::func::FuncOp function;
  mlir::Block &block;
  GroupSpan group;
  int64_t worldSize;
  /// (X11) Sharded tensors: states (1), gradients (2), parameters (3).
  int stage;
  bool mainGrads, masterWeights;
  bool gathersLate = false;
  mlir::Operation *end;
  int64_t repeat = 1;
};

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_DATAPARALLEL_PARALLELIZER_H
