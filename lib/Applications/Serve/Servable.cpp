//===- Servable.cpp - Checks of servable models ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Servable.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/ConfigurationAttr.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Compiler/Transforms/Shapes/DecoderValues.h"
#include "gpucost/Compiler/Transforms/Shapes/DimensionNames.h"
#include "gpucost/Compiler/Transforms/Shapes/PositionTables.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::serve;

LogicalResult serve::checkServable(ModuleOp model, const Scenario &scenario) {
  if (scenario.mode == IterationMode::Training)
    return model.emitError("a service does not train; drop --mode=training");
  if (resolve(scenario, std::nullopt).plan().pipeline > 1)
    return model.emitError("a service has no stages of a pipeline; use tp");
  if (scenario.seq || scenario.past)
    return model.emitError(
        "a service states its lengths by --input-tokens and --output-tokens, "
        "not by --seq and --past");
  return success();
}

LogicalResult serve::useCache(ModuleOp model) {
  Scenario cached;
  cached.past = 0;
  if (failed(applyForm(model, cached)))
    return failure();
  model->removeAttr(configurationAttrName);
  return success();
}

LogicalResult serve::nameEncoder(ModuleOp model, Scenario &scenario,
                                 ServeQuestion &question) {
  EncoderLengths lengths;
  if (!takesPast(model))
    lengths = nameLengths(model);
  if (lengths.isTied)
    return model.emitError(tiedLengths);
  if (!lengths.hasEncoder) {
    if (question.decoderTokens > 1)
      return model.emitError(
          "--decoder-tokens needs a model with an encoder and a decoder: "
          "inputs whose names begin with 'decoder_', and others");
    return success();
  }
  if (question.prefillChunk)
    return model.emitError("--prefill-chunk needs a model without an encoder, "
                           "which reads its whole input at once");
  question.hasEncoder = true;
  if (!lengths.isFixed) {
    question.encoderTokens = question.inputTokens;
    NamedValues bind = scenario.bind.value_or(NamedValues());
    bind.try_emplace(encoderLengthName.str(), question.encoderTokens);
    question.encoderTokens = bind[encoderLengthName.str()];
    scenario.bind = bind;
  }
  question.inputTokens = question.decoderTokens;
  return success();
}

static RankedTensorType findWords(ModuleOp model) {
  RankedTensorType words;
  model.walk([&](onnx::GatherOp op) {
    Value table = op->getNumOperands() > 1 ? op->getOperand(0) : Value();
    auto type = table ? dyn_cast<RankedTensorType>(table.getType())
                      : RankedTensorType();
    if (type && type.getRank() == 2 && isa<FloatType>(type.getElementType()) &&
        table.getDefiningOp<onnx::ParameterOp>() &&
        (!words || type.getDimSize(0) > words.getDimSize(0)))
      words = type;
  });
  return words;
}

int64_t serve::countWords(ModuleOp model) {
  RankedTensorType words = findWords(model);
  return words ? words.getDimSize(0) : 0;
}

int64_t serve::countWordElements(ModuleOp model) {
  RankedTensorType words = findWords(model);
  return words && words.hasStaticShape() ? words.getNumElements() : 0;
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

/// The tables of `op` and its regions; for an encoder, `decodes` is false.
static void limitBy(Operation *op, bool decodes, PositionRows &rows) {
  std::optional<int64_t> &learned = decodes ? rows.learned : rows.encoder,
                         &rotary = decodes ? rows.rotary : rows.encoder;
  op->walk([&](Operation *op) {
    if (std::optional<int64_t> counted = countPositionRows(op))
      limit(learned, *counted);
    if (std::optional<int64_t> counted = countRotaryRows(op))
      limit(rotary, *counted);
  });
}

PositionRows serve::countPositions(ModuleOp model) {
  PositionRows rows;
  for (auto function : model.getOps<func::FuncOp>())
    for (Block &block : function.getBody()) {
      DecoderValues decoder(block);
      for (Operation &op : block)
        limitBy(&op,
                op.getNumResults() == 0 || decoder.contains(op.getResult(0)),
                rows);
    }
  return rows;
}
