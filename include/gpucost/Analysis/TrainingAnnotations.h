//===- TrainingAnnotations.h - Attributes of a training step -- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by gpucost-expand-training and gpucost-parallelize, read by kernel
// formation and the analyses; and what counts as a trainable parameter.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_ANALYSIS_TRAININGANNOTATIONS_H
#define GPUCOST_ANALYSIS_TRAININGANNOTATIONS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpucost {

/// Op: its `Phase`; forward when absent.
inline constexpr llvm::StringLiteral phaseAttrName = "gpucost.phase";
/// Op: its origin, the rule that derived it.
inline constexpr llvm::StringLiteral originAttrName = "gpucost.origin";
/// Op: how often it runs in one step; 1 when absent.
inline constexpr llvm::StringLiteral accumulationCountAttrName =
    "gpucost.accumulation_count";
/// Op: launches of it one after the other, one for each time step or iteration
/// of a loop.
inline constexpr llvm::StringLiteral tripCountAttrName = "gpucost.trip_count";
/// Op: so many copies of it run at the same time, in one launch.
inline constexpr llvm::StringLiteral batchedIterationsAttrName =
    "gpucost.batched_iterations";
/// Op: it stands in a loop whose number of iterations nobody knows.
inline constexpr llvm::StringLiteral unknownTripCountAttrName =
    "gpucost.unknown_trip_count";
/// Function: it has loop bodies; every op of the file says how often it runs.
inline constexpr llvm::StringLiteral loopsAttrName = "gpucost.loops";
/// Module: what had to be assumed about control flow; pairs of op and reason.
inline constexpr llvm::StringLiteral assumptionsAttrName =
    "gpucost.assumptions";
/// Kernel: accumulated passes that its count is the sum of.
inline constexpr llvm::StringLiteral accumulatedAttrName =
    "gpucost.accumulated";
/// Optimizer step: bytes that exist only while the optimizer runs.
inline constexpr llvm::StringLiteral scratchAttrName = "gpucost.scratch";
/// Return op of a training step: its operands are gradients; the value is, for
/// each, the number of its parameter among the trainable ones.
inline constexpr llvm::StringLiteral gradientsAttrName = "gpucost.gradients";
/// Parameter: its `TensorRole` as text; a weight when absent.
inline constexpr llvm::StringLiteral roleAttrName = "gpucost.role";
/// Persistent tensor: GPUs that hold one part each; 1 when absent.
inline constexpr llvm::StringLiteral shardsAttrName = "gpucost.shards";
/// Module: remarks of the training step for the report.
inline constexpr llvm::StringLiteral trainingNotesAttrName =
    "gpucost.training_notes";
/// Op: GPUs that the gradient of its operand is summed over.
inline constexpr llvm::StringLiteral reduceGradientAttrName =
    "gpucost.reduce_gradient";
/// Collective: results take the place of the operands.
inline constexpr llvm::StringLiteral inPlaceAttrName = "gpucost.in_place";

/// In a function with `gpucost.loops`: an op that a pass made runs as
/// often as the op that it was made for, the next one.
void inheritSteps(mlir::Block &block);

/// Stands for the gradient of an op that has no backward rule; `of` names it.
bool isUnknownGradient(mlir::Operation *op);

/// What reports call an op: "onnx.MatMul", "domain::Op" for an operator that
/// only its name is known of, "gradient of onnx.MatMul" for an unknown
/// gradient.
std::string describeOp(mlir::Operation *op);

/// A weight that an optimizer updates: a float `onnx.Parameter` that is neither
/// a scalar nor a buffer of the framework (running statistics, frequencies).
bool isTrainableParameter(mlir::Operation *op);

} // namespace gpucost

#endif // GPUCOST_ANALYSIS_TRAININGANNOTATIONS_H
