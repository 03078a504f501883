//===- Servable.h - What can be served --------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_SERVE_SERVABLE_H
#define GPUCOST_LIB_SERVE_SERVABLE_H

#include "gpucost/Serve/Serve.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace gpucost {

/// A diagnostic where `scenario` is none of a service. Whether `model` is a
/// causal decoder shows when its step is prepared.
mlir::LogicalResult checkServable(mlir::ModuleOp model,
                                  const Scenario &scenario);

/// The question and the scenario of a model with an encoder, whose lengths then
/// have names of their own; both as they are for other models. A diagnostic
/// where it is asked for what it is not.
mlir::LogicalResult nameEncoder(mlir::ModuleOp model, Scenario &scenario,
                                ServeQuestion &question);

/// Rows of the table of words, the largest that inputs choose rows of; 0: none.
int64_t countWords(mlir::ModuleOp model);

/// Rows of the smallest tables of positions, rotary or learned; of an encoder
/// before the decoder those that its own tokens look up. nullopt where the file
/// has none.
struct PositionRows {
  std::optional<int64_t> rotary, learned, encoder;
  /// Without an encoder's.
  std::optional<int64_t> least() const;
};
PositionRows countPositions(mlir::ModuleOp model);

} // namespace gpucost

#endif // GPUCOST_LIB_SERVE_SERVABLE_H
