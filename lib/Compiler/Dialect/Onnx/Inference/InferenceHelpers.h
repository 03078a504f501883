//===- InferenceHelpers.h - Helpers of inference functions ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the Infer*.cpp files of this folder.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_ONNX_INFERENCE_INFERENCEHELPERS_H
#define GPUCOST_LIB_COMPILER_DIALECT_ONNX_INFERENCE_INFERENCEHELPERS_H

#include "gpucost/Compiler/Dialect/Onnx/Inference/InferenceContext.h"

namespace gpucost::onnx {
class RuleScope;

/// Reads the sizes of the operands; an error if they contradict the rule.
/// (Rules/InferRule.cpp)
llvm::LogicalResult bindRule(InferenceContext &context, RuleScope &scope);

/// Sets the type of result `result` to the type of operand `operand`.
/// (InferTraining.cpp)
llvm::LogicalResult copyType(InferenceContext &context, unsigned result,
                             unsigned operand);
/// The same for pairs (result, operand).
llvm::LogicalResult
copyTypes(InferenceContext &context,
          std::initializer_list<std::pair<unsigned, unsigned>> pairs);

/// `shape` without the normalised `axes`, or with 1 in their place.
/// (InferReduction.cpp)
llvm::SmallVector<int64_t> reduceShape(llvm::ArrayRef<int64_t> shape,
                                       llvm::ArrayRef<int64_t> axes,
                                       bool keepDims);

} // namespace gpucost::onnx

#endif // GPUCOST_LIB_COMPILER_DIALECT_ONNX_INFERENCE_INFERENCEHELPERS_H
