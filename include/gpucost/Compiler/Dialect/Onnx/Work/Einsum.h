//===- Einsum.h - The equation of an Einsum ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_ONNX_WORK_EINSUM_H
#define GPUCOST_COMPILER_DIALECT_ONNX_WORK_EINSUM_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace gpucost::onnx {

/// An Einsum of two operands as (first, second, result).
struct EinsumTerms {
  std::string first, second, result;
};

/// Nullopt for an equation of another form.
std::optional<EinsumTerms> parseEinsum(mlir::Operation *op);

/// Any Einsum, one letter per dimension; "..." becomes digits that end with
/// '0'.
struct EinsumLetters {
  llvm::SmallVector<std::string> terms; ///< one per operand
  std::string result;
};

/// Nullopt if the equation does not match the operands, whose types are static.
std::optional<EinsumLetters> readEinsum(mlir::Operation *op);

} // namespace gpucost::onnx

#endif // GPUCOST_COMPILER_DIALECT_ONNX_WORK_EINSUM_H
