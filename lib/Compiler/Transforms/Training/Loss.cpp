//===- Loss.cpp - Loss and initial gradients ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shapes/Signature.h"
#include "TrainingGraph.h"
#include "VocabularyLoss.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::training;

/// Name of an output in the model file; "" if it has none.
static StringRef outputName(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return "";
  auto names = result.getOwner()->getAttrOfType<ArrayAttr>(
      onnx::OnnxDialect::valueNamesAttrName);
  if (!names || result.getResultNumber() >= names.size())
    return "";
  auto name = dyn_cast<StringAttr>(names[result.getResultNumber()]);
  return name ? name.getValue() : StringRef();
}

/// Whether the output is a hidden state or embedding, without its head.
static bool isFeature(Value output) {
  StringRef name = outputName(output);
  return llvm::any_of(
      ArrayRef<StringRef>{"hidden", "pooler", "embed", "feature", "present"},
      [&](StringRef part) { return name.contains_insensitive(part); });
}

/// Whether the shape matches class scores: rows of two or more classes, or the
/// vocabulary for every position.
static bool looksLikeScores(Value output) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(output.getType()).getShape();
  return (shape.size() == 2 && shape.back() >= 2) ||
         (shape.size() == 3 && shape.back() >= 256);
}

/// Outputs that a loss is computed from: those named logits, or the only one.
static SmallVector<Value> findTargets(ArrayRef<Value> outputs) {
  SmallVector<Value> targets;
  for (Value output : outputs)
    if (outputName(output).contains_insensitive("logits"))
      targets.push_back(output);
  if (targets.empty() && outputs.size() == 1 && !isFeature(outputs.front()) &&
      looksLikeScores(outputs.front()))
    targets.push_back(outputs.front());
  return targets;
}

static Value toSingle(TrainingGraph &graph, Value value,
                      Phase phase = Phase::Forward,
                      StringRef rule = "loss in fp32", int64_t repeat = 1) {
  Type single = Float32Type::get(value.getContext());
  return graph
      .create(onnx::CastOp::getOperationName(), value.getLoc(),
              cast<RankedTensorType>(value.getType()).clone(single), value, {},
              phase, rule, repeat)
      ->getResult(0);
}

/// (B10) Whether the loss belongs to the model, so that nothing else reads the
/// logits, which their gradient may overwrite.
static bool isLossInModel(const Options &options) {
  return options.lossVariant == LossVariant::InPlace ||
         (options.lossVariant == LossVariant::Fused && options.fusesLayers);
}

/// (B10) Megatron's vocab_parallel_cross_entropy: `logits` become scores minus
/// the maximum, exponentials, then probabilities, each overwriting the previous
/// values. `axis` is the vocabulary axis.
static Value crossEntropyInPlace(TrainingGraph &graph, Value logits,
                                 Value labels, int64_t axis) {
  auto type = cast<RankedTensorType>(logits.getType());
  auto rows = cast<RankedTensorType>(labels.getType())
                  .clone(Float32Type::get(logits.getContext()));
  Builder builder(logits.getContext());
  auto create = [&](StringRef name, Type result, ValueRange operands) {
    SmallVector<NamedAttribute> attributes;
    if (result != type && operands.size() == 1)
      attributes = {
          builder.getNamedAttr("axes", builder.getDenseI64ArrayAttr({axis})),
          builder.getNamedAttr("keepdims", builder.getI64IntegerAttr(0))};
    return graph
        .create(name, logits.getLoc(), result, operands, attributes,
                Phase::Forward, "cross-entropy loss", 1)
        ->getResult(0);
  };
  Value largest = create(onnx::ReduceMaxOp::getOperationName(), rows, logits);
  Value scores =
      create(onnx::InPlaceSubOp::getOperationName(), type, {logits, largest});
  Value powers = create(onnx::InPlaceExpOp::getOperationName(), type, scores);
  Value sum = create(onnx::ReduceSumOp::getOperationName(), rows, powers);
  Value probabilities =
      create(onnx::InPlaceDivOp::getOperationName(), type, {powers, sum});
  return create(onnx::InPlaceLossOp::getOperationName(),
                RankedTensorType::get({}, rows.getElementType()),
                {logits, labels, probabilities});
}

/// Cross entropy: log-softmax over the classes, then the target element of each
/// row. Images have their classes in dimension 1.
static Value crossEntropy(TrainingGraph &graph, Value logits) {
  auto type = cast<RankedTensorType>(logits.getType());
  Operation *source = logits.getDefiningOp();
  if (auto gpus =
          source ? source->getAttrOfType<IntegerAttr>(vocabularyShardsAttrName)
                 : IntegerAttr()) {
    OpBuilder beforeEnd(graph.block().getTerminator());
    insertVocabularyLoss(beforeEnd, logits, gpus.getInt());
  }
  int64_t axis = type.getRank() >= 4 ? 1 : type.getRank() - 1;
  Builder builder(logits.getContext());
  // Losses are on autocast's fp32 list: the kernel reads fp16 directly, bf16 is
  // cast first. Without autocast they compute in the format of the logits.
  Type element = type.getElementType();
  bool isHalf = element.getIntOrFloatBitWidth() < 32;
  LossVariant variant = graph.options().lossVariant;
  bool upcast = isHalf && (variant == LossVariant::Upcast ||
                           variant == LossVariant::InPlace);
  bool isFused = variant == LossVariant::Fused;
  if (isHalf && (graph.options().autocast || upcast || isFused))
    element = builder.getF32Type();
  SmallVector<int64_t> rows(type.getShape());
  rows.erase(rows.begin() + axis);
  Value labels = graph.addInput(
      RankedTensorType::get(rows, builder.getI64Type()), logits.getLoc());
  if (variant != LossVariant::InPlace)
    graph.scored.push_back({logits, labels, axis});
  if (isFused) {
    SmallVector<NamedAttribute> attributes;
    if (isLossInModel(graph.options()))
      attributes = {builder.getNamedAttr("in_place", builder.getUnitAttr())};
    return graph
        .create(onnx::FusedLossOp::getOperationName(), logits.getLoc(),
                RankedTensorType::get({}, element), {logits, labels},
                attributes, Phase::Forward, "cross-entropy loss", 1)
        ->getResult(0);
  }
  if (upcast || (graph.options().autocast && type.getElementType().isBF16()))
    logits = toSingle(graph, logits);
  if (graph.options().lossVariant == LossVariant::InPlace)
    return crossEntropyInPlace(graph, logits, labels, axis);
  Operation *probabilities = graph.create(
      onnx::LogSoftmaxOp::getOperationName(), logits.getLoc(),
      RankedTensorType::get(type.getShape(), element), logits,
      builder.getNamedAttr("axis", builder.getI64IntegerAttr(axis)),
      Phase::Forward, "cross-entropy loss", 1);
  return graph
      .create(onnx::NllLossOp::getOperationName(), logits.getLoc(),
              RankedTensorType::get({}, element),
              {probabilities->getResult(0), labels}, {}, Phase::Forward,
              "cross-entropy loss", 1)
      ->getResult(0);
}

static Value meanSquare(TrainingGraph &graph, Value output) {
  if (graph.options().autocast &&
      !cast<RankedTensorType>(output.getType()).getElementType().isF32())
    output = toSingle(graph, output);
  auto type = cast<RankedTensorType>(output.getType());
  Value target = graph.addInput(type, output.getLoc());
  return graph
      .create(onnx::MseLossOp::getOperationName(), output.getLoc(),
              RankedTensorType::get({}, type.getElementType()),
              {output, target}, {}, Phase::Forward, "mean-square loss", 1)
      ->getResult(0);
}

/// (B11) Runs after the backward pass. `cross_entropy` requests a log-softmax
/// in the format of the logits, which autocast respects; its `nll_loss` is on
/// autocast's fp32 list and reads an fp32 copy.
void TrainingGraph::addMetrics() {
  constexpr StringRef rule = "metric of the training loop";
  Builder builder(context());
  for (const ScoredOutput &output : scored)
    for (int64_t i = 0; i < settings.trainMetrics; ++i) {
      Location loc = output.logits.getLoc();
      auto emit = [&](StringRef name, Type type, ValueRange operands,
                      ArrayRef<NamedAttribute> attributes = {}) {
        return create(name, loc, type, operands, attributes, Phase::Backward,
                      rule, settings.gradAccum)
            ->getResult(0);
      };
      Value probabilities = emit(
          onnx::LogSoftmaxOp::getOperationName(), output.logits.getType(),
          output.logits,
          builder.getNamedAttr("axis", builder.getI64IntegerAttr(output.axis)));
      if (!cast<RankedTensorType>(probabilities.getType())
               .getElementType()
               .isF32())
        probabilities = toSingle(*this, probabilities, Phase::Backward, rule,
                                 settings.gradAccum);
      emit(onnx::NllLossOp::getOperationName(),
           RankedTensorType::get({}, builder.getF32Type()),
           {probabilities, output.labels});
    }
}

void TrainingGraph::addLoss() {
  Operation *end = block().getTerminator();
  if (auto sent =
          function->getAttrOfType<DenseI64ArrayAttr>(stageOutputsAttrName)) {
    // (X13) The next stage of a pipeline sends the gradients.
    SmallVector<Value> outputs;
    for (int64_t index : sent.asArrayRef())
      if (index >= 0 && index < static_cast<int64_t>(end->getNumOperands()))
        outputs.push_back(end->getOperand(static_cast<unsigned>(index)));
    end->setOperands({});
    updateSignature(function);
    for (Value output : outputs)
      if (needsGradient(output) && !gradientOf.contains(output))
        gradientOf[output] = addInput(output.getType(), output.getLoc());
    return;
  }
  SmallVector<Value> outputs;
  for (Value operand : end->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (needsGradient(operand) && type && type.getRank() > 0 &&
        !llvm::is_contained(outputs, operand))
      outputs.push_back(operand);
  }
  // A scalar output is already a loss.
  SmallVector<Value> losses;
  for (Value operand : end->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (needsGradient(operand) && type && type.getRank() == 0)
      losses.push_back(operand);
  }
  end->setOperands({});
  updateSignature(function);
  // (B10) With the loss inside the model, its caller does not keep the logits.
  if (!isLossInModel(settings))
    outputsKept = outputs;

  LossKind kind = settings.loss;
  SmallVector<Value> targets = findTargets(outputs);
  if (kind == LossKind::Auto && !losses.empty())
    kind = LossKind::None, targets.clear();
  else if (kind == LossKind::Auto)
    kind = targets.empty() ? LossKind::None : LossKind::CrossEntropy;
  else if (kind != LossKind::None && targets.empty())
    targets = outputs;
  else if (kind == LossKind::None && settings.loss == LossKind::None)
    targets.clear();

  if (kind == LossKind::None && losses.empty()) {
    // Every output receives a gradient.
    for (Value output : outputs)
      gradientOf[output] = addInput(output.getType(), output.getLoc());
    outputsKept = outputs;
    notes.push_back("no loss: gradients start at the outputs");
    return;
  }
  for (Value target : targets) {
    Value loss = kind == LossKind::MeanSquare ? meanSquare(*this, target)
                                              : crossEntropy(*this, target);
    losses.push_back(loss);
    for (Operation *op = loss.getDefiningOp();
         op && op != target.getDefiningOp();
         op = op->getOperand(0).getDefiningOp())
      for (Value result : op->getResults())
        grads.insert(result);
  }
  notes.push_back(kind == LossKind::CrossEntropy ? "loss: cross-entropy"
                  : kind == LossKind::MeanSquare ? "loss: mean square"
                                                 : "loss: as in the file");
  for (Value loss : losses)
    gradientOf[loss] =
        create(onnx::FillOp::getOperationName(), loss.getLoc(), loss.getType(),
               {}, {}, Phase::Backward, "gradient of the loss", 1)
            ->getResult(0);
}
