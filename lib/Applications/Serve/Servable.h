//===- Servable.h - Checks of servable models -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_SERVE_SERVABLE_H
#define GPUCOST_LIB_APPLICATIONS_SERVE_SERVABLE_H

#include "gpucost/Applications/Serve/Serve.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace gpucost::serve {

/// Emits a diagnostic if `scenario` is not valid for a service. Whether `model`
/// is a causal decoder is checked when its step is prepared.
mlir::LogicalResult checkServable(mlir::ModuleOp model,
                                  const Scenario &scenario);

/// Replaces a model from a configuration by its graph with a cache, for prompts
/// and steps. Diagnoses an encoder, which has none.
mlir::LogicalResult useCache(mlir::ModuleOp model);

/// Adapts the question and the scenario to a model with an encoder, whose
/// lengths have separate names; other models keep both unchanged. Emits a
/// diagnostic if the request does not match the model.
mlir::LogicalResult nameEncoder(mlir::ModuleOp model, Scenario &scenario,
                                ServeQuestion &question);

/// Restricts the output projection of an imported `model` to the last
/// `positions` of each sequence, as in servers; the slice is a view. Returns
/// false if no matmul computes the logits.
bool keepLastLogits(mlir::ModuleOp model, int64_t positions = 1);

/// Rows of the token embedding table, the largest table whose rows inputs
/// select; 0: none.
int64_t countWords(mlir::ModuleOp model);
/// Numbers in this table.
int64_t countWordElements(mlir::ModuleOp model);

/// Rows of the smallest position tables, rotary or learned, and of the table
/// that an encoder's tokens look up. nullopt if the file has none.
struct PositionRows {
  std::optional<int64_t> rotary, learned, encoder;
  /// Without the encoder's table.
  std::optional<int64_t> least() const;
};
PositionRows countPositions(mlir::ModuleOp model);

} // namespace gpucost::serve

#endif // GPUCOST_LIB_APPLICATIONS_SERVE_SERVABLE_H
