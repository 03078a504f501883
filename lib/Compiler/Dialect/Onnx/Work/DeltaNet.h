//===- DeltaNet.h - Sizes of GatedDeltaNet ----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_DELTANET_H
#define GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_DELTANET_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace gpucost::onnx {

struct DeltaNetSizes {
  llvm::SmallVector<int64_t> tokens; ///< leading sizes of the queries
  int64_t batch = 0, heads = 0, valueHeads = 0;
  int64_t keySize = 0, valueSize = 0;
  int64_t gates = 0; ///< decays per token: one per head, or per key channel
};

/// Operands 0 to 6 of the op; null after `problem` says what contradicts the
/// operator, or if a size is unknown (an empty text).
std::optional<DeltaNetSizes> readDeltaNet(mlir::Operation *op,
                                          std::string &problem);

} // namespace gpucost::onnx

#endif // GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_DELTANET_H
