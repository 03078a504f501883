//===- DecodeForm.h - The form of a model that decodes ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_SERVE_DECODEFORM_H
#define GPUCOST_LIB_SERVE_DECODEFORM_H

#include "gpucost/Scenario/Scenario.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace gpucost {

/// Checks that `model` has past keys and values as inputs, so that one graph is
/// prefill (past of 0) and decode. A diagnostic where it has none.
mlir::LogicalResult decodeForm(mlir::ModuleOp model);

/// A diagnostic where `scenario` is none of a service, or `model` is no
/// decoder.
mlir::LogicalResult checkServable(mlir::ModuleOp model,
                                  const Scenario &scenario);

/// Rows of the tables of rotary positions; nullopt where the file has none.
std::optional<int64_t> countPositions(mlir::ModuleOp model);

} // namespace gpucost

#endif // GPUCOST_LIB_SERVE_DECODEFORM_H
