//===- TrainingGraph.h - The graph of one training step ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// State shared by the stages of gpucost-expand-training: the block to which
// loss, backward pass and optimizer are appended, and facts about its values.
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
#include "mlir/IR/IRMapping.h"
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
  /// (X11) Tensors sharded across GPUs: states (1), gradients (2), weights (3).
  int stage = 0;
  /// Names of the parameters to train, and of the matrices that Muon updates
  /// (O14).
  NamePatterns trainable, muonParameters;
  /// (O16) Pairs of tensors that L-BFGS keeps.
  int64_t lbfgsHistory = 100;
  Recomputation recompute;
  /// (B9) A recomputation ends with the last value that a gradient reads.
  bool stopsRecomputationEarly = true;
  int64_t gradAccum = 1;
  /// (X18) A stack with fused layers.
  bool fusesLayers = false;
  /// (X13) GPUs of a node that send between two stages of a pipeline.
  int64_t senders = 1;
  /// (X13) GPUs that each send a part of such a message.
  int64_t messageParts = 1;
  /// (B11) Number of cross-entropies in addition to the loss.
  int64_t trainMetrics = 0;
  bool dropout = true, clipGradNorm = false, lossScaling = false;
  /// (O13) The update is part of a CUDA graph.
  bool capturable = false;
  /// The forward pass runs in mixed precision.
  bool autocast = false;
};

/// A checkpointed part of the forward pass: its ops, in order, and those whose
/// results are stored nevertheless.
struct Segment {
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallPtrSet<mlir::Operation *, 8> kept;
};

/// Class scores along `axis` that a loss is computed from.
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

  /// Converts dropout and batch normalization to their training variants.
  /// (TrainingForms.cpp)
  void prepareForward();
  /// Marks trained parameters and every value that leads to one. Returns the
  /// number of trained parameters.
  size_t findTrainable();
  /// Appends the loss; the graph then returns gradients of outputs. (Loss.cpp)
  void addLoss();
  /// Appends the gradient ops of everything that needs them.
  void addBackward();
  /// Sends the gradients of a pipeline stage's inputs to the previous stage.
  void sendGradients();
  /// Appends the metrics that a trainer computes from the outputs. (Loss.cpp)
  void addMetrics();
  /// Appends accumulation, clipping and the parameter update. (Optimizer.cpp)
  void addOptimizer();

  /// (O14) Whether Muon updates a parameter.
  bool isOrthogonalized(mlir::Operation *parameter) const;

  bool needsGradient(mlir::Value value) const { return grads.contains(value); }

  /// Creates an op in `phase` at the end of the block, by its full name.
  /// `rule`: its origin in reports. `repeat`: executions per step.
  mlir::Operation *create(llvm::StringRef name, mlir::Location loc,
                          mlir::TypeRange types, mlir::ValueRange operands,
                          llvm::ArrayRef<mlir::NamedAttribute> attributes,
                          Phase phase, mlir::StringAttr rule, int64_t repeat);
  mlir::Operation *create(llvm::StringRef name, mlir::Location loc,
                          mlir::TypeRange types, mlir::ValueRange operands,
                          llvm::ArrayRef<mlir::NamedAttribute> attributes,
                          Phase phase, llvm::StringRef rule, int64_t repeat) {
    return create(name, loc, types, operands, attributes, phase,
                  mlir::StringAttr::get(context(), rule), repeat);
  }
  /// Creates a persistent tensor that is not in the file.
  mlir::Value createPersistent(mlir::Type type, TensorRole role,
                               mlir::Location loc);
  /// A graph input that the training loop supplies.
  mlir::Value addInput(mlir::Type type, mlir::Location loc);
  /// Adds a gradient of `value`; each further gradient is summed by one kernel.
  void accumulate(mlir::Value value, mlir::Value gradient, mlir::Location loc);

  /// Gradient of every value that has one.
  llvm::DenseMap<mlir::Value, mlir::Value> gradientOf;
  /// Trainable parameters, in program order; frozen ones have no gradient.
  llvm::SmallVector<mlir::Operation *> parameters;
  /// Remarks for the report.
  llvm::SmallVector<std::string> notes;
  /// The inputs of cross-entropies.
  llvm::SmallVector<ScoredOutput> scored;
  /// Model outputs that the caller keeps until the end of the step.
  llvm::SmallVector<mlir::Value> outputsKept;

private:
  /// Arguments that the previous stage of a pipeline sends.
  llvm::SmallVector<mlir::Value> stageInputs();
  void markRepeats();
  void eraseUnreadCopies();
  bool addSharedGradient(mlir::Operation *op);
  void gatherAgain(mlir::Operation *op, mlir::IRMapping &again);
  void activateAgain(mlir::Operation *op, mlir::IRMapping &again);
  void dequantizeAgain(mlir::Operation *op, mlir::IRMapping &again);

  mlir::func::FuncOp function;
  Options settings;
  mlir::StringAttr phaseName, originName; ///< attributes of every created op
  llvm::DenseSet<mlir::Value> grads;
};

/// Parts of the forward pass that are recomputed in the backward pass, in
/// order, without overlap. (Recompute.cpp)
llvm::SmallVector<Segment> findSegments(TrainingGraph &graph,
                                        const Recomputation &recompute);
/// (B9) Each call of the modules that patterns name. (ModuleSegments.cpp)
llvm::SmallVector<Segment> findModules(TrainingGraph &graph,
                                       llvm::ArrayRef<std::string> patterns);

} // namespace gpucost::training

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_TRAININGGRAPH_H
