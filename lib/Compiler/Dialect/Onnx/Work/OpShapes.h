//===- OpShapes.h - Shapes and bytes for cost rules -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Helpers of the onnx work rules: an op with its operand and result types and
// its bytes, and the creation of the work attribute.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_OPSHAPES_H
#define GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_OPSHAPES_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/Work/Einsum.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/IR/BuiltinTypes.h"

namespace gpucost::onnx {

/// Data that every rule needs about one op.
struct OpShapes {
  explicit OpShapes(mlir::Operation *op) : op(op) {}

  mlir::RankedTensorType input(unsigned i) const {
    return i < op->getNumOperands() ? mlir::dyn_cast<mlir::RankedTensorType>(
                                          op->getOperand(i).getType())
                                    : mlir::RankedTensorType();
  }
  mlir::RankedTensorType output(unsigned i = 0) const {
    return i < op->getNumResults() ? mlir::dyn_cast<mlir::RankedTensorType>(
                                         op->getResult(i).getType())
                                   : mlir::RankedTensorType();
  }
  // Attributes or their declared defaults, as in OnnxAttributes.h.
  int64_t getInt(llvm::StringRef name) const { return onnx::getInt(op, name); }
  std::optional<int64_t> findInt(llvm::StringRef name) const {
    return onnx::findInt(op, name);
  }
  /// The op with its bytes counted; nullopt if result or bytes are unknown.
  static std::optional<OpShapes> measure(mlir::Operation *op, CostClass shape) {
    OpShapes shapes(op);
    return shapes.output() && shapes.countBytes(shape) ? std::optional(shapes)
                                                       : std::nullopt;
  }
  /// Counts the bytes of all operands and results; false if one is unknown.
  /// Constant integers that configure the op (axes, pads, sizes) are kernel
  /// arguments and not memory traffic, unless `shape` computes with them.
  bool countBytes(CostClass shape);

  mlir::Operation *op;
  int64_t bytesRead = 0, bytesWritten = 0;
};

/// The elements of a constant operand of integers; nullopt if they are not
/// known.
std::optional<llvm::SmallVector<int64_t>> getConstantInts(mlir::Operation *op,
                                                          unsigned i);

/// Bits of one stored element; 32 if the format is unknown.
int64_t bitsOf(mlir::RankedTensorType type);

/// (K3) A kernel reads one row of its rotary tables per position, the same rows
/// for all sequences. Returns the bytes of `use` that are not read (0 if it is
/// not a rotary table), or their sum over all operands; nullopt on overflow.
std::optional<int64_t> unreadRotaryBytes(mlir::OpOperand &use);
std::optional<int64_t> unreadRotaryBytes(mlir::Operation *op);

/// Bytes that the kernel of an op reads from an operand, if the definition of
/// the op states it.
std::optional<int64_t> ruleReadBytes(mlir::OpOperand &use);

/// Bytes of keys and values that chosen positions select; nullopt for other
/// operands.
std::optional<int64_t> chosenKeyBytes(mlir::OpOperand &use);

/// (K5) Bytes of values that are a part of the keys, which the kernel has read;
/// 0 for any other operand.
int64_t sharedValueBytes(mlir::OpOperand &use);

/// (K3) Keys of a cache that are older than the windows of all queries.
int64_t countOldKeys(mlir::Operation *op, int64_t queries, int64_t keys);

/// Whether keys and values (operands 3 and 4) are in blocks [blocks, tokens,
/// heads, size].
bool hasPagedCache(mlir::Operation *op);
/// Bytes of `tokens` rows in such blocks, at most all; nullopt on overflow.
std::optional<int64_t> readBlockBytes(mlir::RankedTensorType blocks,
                                      int64_t tokens);

/// The work of `s`. A count that overflowed is missing, and saturates: models
/// with such a count are errors.
mlir::FailureOr<WorkAttr> makeWork(const OpShapes &s, KernelFamily family,
                                   ElementCost element, const Problem &problem,
                                   std::optional<int64_t> tensorFlops,
                                   std::optional<int64_t> fp32Flops,
                                   std::optional<int64_t> specialOps);

} // namespace gpucost::onnx

#endif // GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_OPSHAPES_H
