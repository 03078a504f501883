//===- LinalgBody.h - Scalar arithmetic of a structured op ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic in one iteration of a linalg structured op, derived only from
// its region. Each scalar op has the cost of the onnx op with the same name.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGBODY_H
#define GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGBODY_H

#include "gpucost/Core/Vocabulary/Enums.h"
#include "mlir/IR/Block.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace gpucost {

/// Textbook cost of one scalar op, as in the onnx dialect's tables.
struct ScalarCost {
  InstructionClass instructions;
  int64_t fp32Flops, specialOps;

  bool isHeavierThan(const ScalarCost &other) const {
    return std::make_pair(specialOps, fp32Flops) >=
           std::make_pair(other.specialOps, other.fp32Flops);
  }
};

/// Cost of one arith, math, complex or index op; nullopt for other ops.
std::optional<ScalarCost> costOfScalarOp(mlir::Operation *op);

/// Cost of one iteration.
struct BodyCost {
  /// Mix of the heaviest op: most special results, then most FLOPs, then last.
  InstructionClass instructions = InstructionClass::None;
  /// Floating-point adds, multiplies, compares, selects; 2 for an fma.
  int64_t fp32Flops = 0;
  /// Results of the special-function unit.
  int64_t specialOps = 0;
  /// Bits read at computed positions (`tensor.extract`, `memref.load`).
  int64_t gatheredBits = 0;

  /// No arithmetic and no cast: the iteration moves a value.
  bool movesOnly() const { return instructions == InstructionClass::None; }
};

/// Counts the ops of `body`; nullopt if one of them is unknown. Calls `visit`,
/// if given, with each scalar op and its cost.
std::optional<BodyCost> countBody(
    mlir::Block &body,
    llvm::function_ref<void(mlir::Operation *, const ScalarCost &)> visit =
        nullptr);

/// Whether `body` is acc + f(a) * g(b), where a and b are its first two
/// arguments and acc its last one. f and g are usually identities or casts, but
/// may subtract a zero point or scale a quantised weight.
bool isMultiplyAccumulate(mlir::Block &body);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGBODY_H
