//===- DecodeForm.cpp - The form of a model that decodes ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecodeForm.h"
#include "gpucost/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Transforms/DimensionNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace gpucost;

static bool hasPastInput(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto names = function.getArgAttrOfType<ArrayAttr>(i, "onnx.dims"))
      for (auto name : names.getAsRange<StringAttr>())
        if (names.size() > 2 && isPastDimension(name.getValue()))
          return true;
  return false;
}

LogicalResult gpucost::decodeForm(ModuleOp model) {
  for (auto function : model.getOps<func::FuncOp>())
    if (hasPastInput(function))
      return success();
  return model.emitError(
      "expected a model with past key/value inputs, of a past dimension of a "
      "customary name (past_sequence_length, past_len, ...): a service decodes "
      "with a KV cache");
}

LogicalResult gpucost::checkServable(ModuleOp model, const Scenario &scenario) {
  if (scenario.mode == IterationMode::Training)
    return model.emitError("a service does not train; drop --mode=training");
  if (scenario.seq || scenario.past)
    return model.emitError(
        "a service states its lengths by --input-tokens and --output-tokens, "
        "not by --seq and --past");
  return decodeForm(model);
}

std::optional<int64_t> gpucost::countPositions(ModuleOp model) {
  std::optional<int64_t> rows;
  model.walk([&](Operation *op) {
    if (!isa<onnx::GroupQueryAttentionOp, onnx::RotaryEmbeddingOp>(op))
      return;
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (operand.getDefiningOp<onnx::ParameterOp>() && type &&
          type.getRank() == 2 && isa<FloatType>(type.getElementType()))
        rows = std::min(rows.value_or(type.getDimSize(0)), type.getDimSize(0));
    }
  });
  return rows;
}
