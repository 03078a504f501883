//===- Servable.cpp - What can be served ----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Servable.h"
#include "gpucost/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Transforms/PositionTables.h"

using namespace mlir;
using namespace gpucost;

LogicalResult gpucost::checkServable(ModuleOp model, const Scenario &scenario) {
  if (scenario.mode == IterationMode::Training)
    return model.emitError("a service does not train; drop --mode=training");
  if (scenario.seq || scenario.past)
    return model.emitError(
        "a service states its lengths by --input-tokens and --output-tokens, "
        "not by --seq and --past");
  return success();
}

static void limit(std::optional<int64_t> &rows, int64_t count) {
  rows = std::min(rows.value_or(count), count);
}

std::optional<int64_t> PositionRows::least() const {
  std::optional<int64_t> rows = rotary;
  if (learned)
    limit(rows, *learned);
  return rows;
}

PositionRows gpucost::countPositions(ModuleOp model) {
  PositionRows rows;
  model.walk([&](Operation *op) {
    if (std::optional<int64_t> counted = countPositionRows(op))
      limit(rows.learned, *counted);
    if (!isa<onnx::GroupQueryAttentionOp, onnx::RotaryEmbeddingOp>(op))
      return;
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (operand.getDefiningOp<onnx::ParameterOp>() && type &&
          type.getRank() == 2 && isa<FloatType>(type.getElementType()))
        limit(rows.rotary, type.getDimSize(0));
    }
  });
  return rows;
}
