//===- TrainingGraph.h - The graph of one training step -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the stages of gpucost-expand-training share: the block that grows by the
// ops of loss, backward pass and optimizer, and what is known of its values.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_TRAININGGRAPH_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_TRAININGGRAPH_H

#include "NamePatterns.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GradientContext.h"
#include "gpucost/Core/Scenario/OptimizerKind.h"
#include "gpucost/Core/Scenario/Recomputation.h"
#include "gpucost/Core/Vocabulary/Enums.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace gpucost::training {

struct Options {
  LossKind loss = LossKind::Auto;
  OptimizerKind optimizer = OptimizerKind::AdamW;
  OptimizerVariant variant = OptimizerVariant::Foreach;
  ZeroGradMode zeroGrad = ZeroGradMode::SetToNone;
  LossVariant lossVariant = LossVariant::Eager;
  StateFormat mainGrads = StateFormat::AsIs, masterWeights = StateFormat::AsIs;
  OptimizerStates optimizerStates = OptimizerStates::AsIs;
  /// (X11) What several GPUs divide: states (1), gradients (2), parameters (3).
  int stage = 0;
  /// Names of the parameters to train.
  NamePatterns trainable;
  Recomputation recompute;
  /// (B9) A recomputation ends with the last value that a gradient reads.
  bool stopsRecomputationEarly = true;
  int64_t gradAccum = 1;
  /// (B11) Cross-entropies beside the loss.
  int64_t trainMetrics = 0;
  bool dropout = true, clipGradNorm = false, lossScaling = false;
  /// (O13) The update is part of a CUDA graph.
  bool capturable = false;
  /// The forward pass runs in mixed precision.
  bool autocast = false;
};

/// A checkpointed part of the forward pass: its ops, in order, and those of
/// them whose results are kept all the same.
struct Segment {
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallPtrSet<mlir::Operation *, 8> kept;
};

/// Scores of classes along `axis` that a loss is computed from.
struct ScoredOutput {
  mlir::Value logits, labels;
  int64_t axis;
};

class TrainingGraph {
public:
  TrainingGraph(mlir::func::FuncOp function, const Options &options);

  mlir::Block &block() { return function.getBody().front(); }
  mlir::MLIRContext *context() { return function.getContext(); }
  const Options &options() const { return settings; }

  /// Dropout and batch normalization as training runs them. (TrainingForms.cpp)
  void prepareForward();
  /// Marks parameters that are trained and every value that leads to one.
  /// Returns how many are.
  size_t findTrainable();
  /// Appends the loss; what is left has the gradients of the outputs.
  /// (Loss.cpp)
  void addLoss();
  /// Appends the gradient ops of everything that needs them.
  void addBackward();
  /// Appends what a trainer computes from the outputs to log it. (Loss.cpp)
  void addMetrics();
  /// Appends accumulation, clipping and the parameter update. (Optimizer.cpp)
  void addOptimizer();

  bool needsGradient(mlir::Value value) const { return grads.contains(value); }

  /// An op of `phase` at the end of the block, by its full name. `repeat`: how
  /// often per step.
  mlir::Operation *create(llvm::StringRef name, mlir::Location loc,
                          mlir::TypeRange types, mlir::ValueRange operands,
                          llvm::ArrayRef<mlir::NamedAttribute> attributes,
                          Phase phase, llvm::StringRef rule, int64_t repeat);
  /// A persistent tensor that no file holds.
  mlir::Value createPersistent(mlir::Type type, TensorRole role,
                               mlir::Location loc);
  /// A graph input that the training loop supplies.
  mlir::Value addInput(mlir::Type type, mlir::Location loc);
  /// Another gradient of `value`; several are summed by one kernel each.
  void accumulate(mlir::Value value, mlir::Value gradient, mlir::Location loc);

  /// Gradient of every value that has one.
  llvm::DenseMap<mlir::Value, mlir::Value> gradientOf;
  /// Parameters that can be trained, in program order; frozen ones have no
  /// gradient.
  llvm::SmallVector<mlir::Operation *> parameters;
  /// Remarks for the report.
  llvm::SmallVector<std::string> notes;
  /// What a cross-entropy was computed from.
  llvm::SmallVector<ScoredOutput> scored;
  /// Outputs of the model that its caller keeps until the step ends.
  llvm::SmallVector<mlir::Value> outputsKept;

private:
  void markRepeats();
  void eraseUnreadCopies();
  bool addSharedGradient(mlir::Operation *op);

  mlir::func::FuncOp function;
  Options settings;
  mlir::StringAttr phaseName, originName; ///< of every op that is created
  llvm::DenseSet<mlir::Value> grads;
};

/// Parts of the forward pass that are computed again in the backward pass, in
/// order, without overlap. (Recompute.cpp)
llvm::SmallVector<Segment> findSegments(TrainingGraph &graph,
                                        const Recomputation &recompute);

} // namespace gpucost::training

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_TRAININGGRAPH_H
