//===- LinalgTraffic.h - Bytes of a structured op ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compulsory traffic: each tensor that the body reads is counted once, and each
// result once. For tensors and memrefs.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGTRAFFIC_H
#define GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGTRAFFIC_H

#include "gpucost/Core/Vocabulary/Enums.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace gpucost {

/// Bytes read and written by one launch.
struct Traffic {
  int64_t bytesRead = 0, bytesWritten = 0;
  /// Of the first floating-point input, the first input, or the result.
  mlir::Type inputElement;
  NumericFormat format = NumericFormat::FP32;
  int64_t inputBits = 32, outputBits = 32;
  /// Whether the indices of a non-scalar operand differ from the result's.
  bool strided = false;
};

/// Nullopt if a type is dynamic or has no size. `gatheredBits` are read in each
/// of `iterations`, in addition to the operands.
std::optional<Traffic> countTraffic(mlir::linalg::LinalgOp op,
                                    int64_t iterations, int64_t gatheredBits);

/// The tensors whose elements the body reads, each once; not a destination that
/// was only initialized.
llvm::SmallVector<mlir::OpOperand *, 4> operandsRead(mlir::linalg::LinalgOp op);

/// Whether `op` only repeats its input along additional dimensions, for ops
/// that can read the input instead.
bool isBroadcastView(mlir::linalg::LinalgOp op);

/// Whether `op` writes one scalar to all elements and every use of the result
/// is the destination of a structured op.
bool onlyInitializesAccumulators(mlir::linalg::LinalgOp op);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGTRAFFIC_H
