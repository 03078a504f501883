//===- LinalgTraffic.h - Bytes of a structured op ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compulsory traffic: each tensor that the body reads counted once, each result
// once. On tensors and on memrefs.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGTRAFFIC_H
#define GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGTRAFFIC_H

#include "gpucost/Core/Vocabulary/Enums.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include <optional>

namespace gpucost {

/// What goes in and out of one launch.
struct Traffic {
  int64_t bytesRead = 0, bytesWritten = 0;
  /// Of the first floating-point input, else the first input, else the result.
  NumericFormat format = NumericFormat::FP32;
  int64_t inputBits = 32, outputBits = 32;
  /// An operand of more than one element is indexed otherwise than the result.
  bool strided = false;
};

/// Nullopt when a type is dynamic or has no size. `gatheredBits` are read at
/// each of `iterations` besides the operands.
std::optional<Traffic> countTraffic(mlir::linalg::LinalgOp op,
                                    int64_t iterations, int64_t gatheredBits);

/// Whether `op` only repeats its input along further dimensions, for ops that
/// read the input itself then.
bool isBroadcastView(mlir::linalg::LinalgOp op);

/// Whether `op` writes one scalar everywhere and every use of that value is the
/// destination of a structured op.
bool onlyInitializesAccumulators(mlir::linalg::LinalgOp op);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGTRAFFIC_H
