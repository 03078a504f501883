//===- SequenceWork.cpp - Work of state spaces and experts ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpShapes.h"
#include "PackedElements.h"
#include "WorkRules.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

FailureOr<WorkAttr> gpucost::onnx::causalConvWork(Operation *op,
                                                  CostClass shape,
                                                  ElementCost element) {
  OpShapes s(op);
  std::optional<int64_t> results = elementCount(s.output());
  RankedTensorType weight = s.input(1);
  std::optional<int64_t> taps = elementCount(weight);
  if (!results || !taps || weight.getRank() < 3 || weight.getDimSize(0) <= 0 ||
      !s.countBytes(shape))
    return failure();
  StringRef activation = onnx::getString(op, "activation");
  bool gated = activation == "silu" || activation == "swish";
  int64_t channels = weight.getDimSize(0), length = *taps / channels;
  int64_t each = 2 * length + (gated ? 3 : 0);
  auto make = [&](KernelFamily family, const Problem &problem) {
    return makeWork(s, family, element, problem, 0,
                    checkedProduct({*results, each}),
                    checkedProduct({*results, gated ? 2 : 0}));
  };
  std::optional<int64_t> rows =
      checkedProduct({s.output().getDimSize(0), channels});
  if (weight.getRank() != 3 || !rows)
    return make(KernelFamily::Elementwise, ElementsProblem{*results, true});
  CausalConvolutionProblem problem;
  problem.batch = s.output().getDimSize(0);
  problem.length = *rows > 0 ? *results / *rows : 0;
  problem.channels = channels;
  problem.taps = length;
  problem.snapshots = std::max<int64_t>(s.getInt("state_window"), 1);
  return make(KernelFamily::CausalConvolution, problem);
}

/// Whether an operand has a part for each expert: weights, or their scales,
/// zero points and biases.
static bool isOfExperts(Operation *op, unsigned index,
                        const ExpertLayer &layer) {
  auto type = dyn_cast<RankedTensorType>(op->getOperand(index).getType());
  return type && type.getRank() >= 2 && type.getDimSize(0) == layer.local();
}

/// Whether an operand contains expert weights; block scales have a float type.
static bool isExpertWeight(Operation *op, unsigned index,
                           const ExpertLayer &layer) {
  auto type = dyn_cast<RankedTensorType>(op->getOperand(index).getType());
  return isOfExperts(op, index, layer) && type.getRank() == 3 &&
         (type.getElementType().isIntOrIndex() || !isa<QMoEOp>(op));
}

/// The numbers of an annotation `expertLoads`.
static bool readLoads(ArrayRef<double> numbers, ExpertLoads &loads) {
  if (numbers.size() != 1 + loads.copies.size() ||
      !llvm::all_of(numbers, [](double each) {
        return std::isfinite(each) && each >= 0;
      }))
    return false;
  loads.excess = numbers.front();
  llvm::copy(numbers.drop_front(), loads.copies.begin());
  return true;
}

/// Operands: rows, router, then the weights [experts, ...] with three or more
/// dimensions, of which the second is the down projection. Weights narrower
/// than 8 bits are packed in bytes. `weightBits` becomes the average of the
/// weights, without scales beside them, `inner` the hidden units of an expert.
static std::optional<ExpertLayer> readLayer(Operation *op, int64_t &weightBits,
                                            int64_t &inner) {
  if (!isa<MoEOp, QMoEOp, MoEPackedOp>(op) || op->getNumOperands() < 3)
    return std::nullopt;
  OpShapes s(op);
  RankedTensorType in = s.input(0), router = s.input(1);
  if (!in || !router || in.getRank() < 2 || router.getRank() == 0)
    return std::nullopt;
  ExpertLayer layer;
  int64_t hidden = in.getShape().back();
  layer.experts = router.getShape().back();
  layer.chosen = s.getInt("k");
  if (hidden <= 0 || layer.experts <= 0 || layer.chosen <= 0)
    return std::nullopt;
  if (auto shards = op->getAttrOfType<IntegerAttr>(expertShardsAttrName))
    layer.shards = shards.getInt();
  if (auto redundant = op->getAttrOfType<IntegerAttr>(redundantExpertsAttrName))
    layer.redundant = redundant.getInt();
  if (layer.shards < 1 || (layer.experts + layer.redundant) % layer.shards)
    return std::nullopt;
  if (auto loads = op->getAttrOfType<DenseF64ArrayAttr>(expertLoadsAttrName))
    if (!readLoads(loads.asArrayRef(), layer.loads))
      return std::nullopt;
  if (auto given = op->getAttrOfType<IntegerAttr>(activeExpertsAttrName))
    layer.active = given.getInt();
  layer.worst = op->hasAttr(worstBalanceAttrName);
  layer.shared = op->hasAttr(sharedTokensAttrName);
  layer.busiest = layer.shards > 1;
  int64_t local = layer.local();
  bool quantized = isa<QMoEOp>(op);
  int64_t weights = 0, allBits = 0;
  weightBits = inner = 0;
  int64_t projections = 0;
  for (unsigned i = 2; i < op->getNumOperands(); ++i) {
    RankedTensorType type = s.input(i);
    if (!isOfExperts(op, i, layer))
      continue;
    std::optional<int64_t> count = elementCount(type);
    if (!count)
      return std::nullopt;
    std::optional<int64_t> stored =
        checkedProduct({*count / local, bitsOf(type)});
    if (!stored)
      return std::nullopt;
    allBits = saturatingSum(allBits, *stored);
    if (!isExpertWeight(op, i, layer))
      continue;
    weightBits = saturatingSum(weightBits, *stored);
    int64_t bits = getExpertBits(op, i);
    bool packed =
        quantized && type.getElementType().isInteger(8) && bits > 0 && bits < 8;
    std::optional<int64_t> numbers =
        checkedProduct({*count / local, packed ? 8 / bits : 1});
    // Blocks of any format: rows of as many weights as the layer has inputs.
    if (isa<MoEPackedOp>(op))
      numbers = checkedProduct(
          {type.getDimSize(1), i == 4 ? s.input(2).getDimSize(1) : hidden});
    if (!numbers)
      return std::nullopt;
    weights = saturatingSum(weights, *numbers);
    if (++projections == 2)
      inner = *numbers / hidden;
  }
  layer.columns = weights / hidden;
  if (layer.columns == 0)
    return std::nullopt;
  layer.bytes = allBits / 8;
  weightBits = std::max<int64_t>(weightBits / weights, 1);
  return layer;
}

std::optional<ExpertLayer> gpucost::onnx::readExpertLayer(Operation *op) {
  int64_t weightBits = 0, inner = 0;
  return readLayer(op, weightBits, inner);
}

/// If the experts are sharded, the rows are the tokens that this GPU received,
/// and the router has the GPU's original tokens.
std::optional<int64_t> gpucost::onnx::countExpertTokens(Operation *op) {
  OpShapes s(op);
  bool divided = op->hasAttr(expertShardsAttrName);
  RankedTensorType type = s.input(divided ? 1 : 0);
  std::optional<int64_t> elements = elementCount(type);
  if (!elements || type.getRank() == 0 || type.getShape().back() <= 0)
    return std::nullopt;
  return *elements / type.getShape().back();
}

/// Bytes of keys or values outside the window of every query.
static int64_t unreadKeys(OpOperand &use, const AttentionProblem &problem,
                          int64_t bytes) {
  auto type = dyn_cast<RankedTensorType>(use.get().getType());
  int64_t unread =
      countOldKeys(use.getOwner(), problem.queryLength, problem.kvLength);
  int cache = getOpInfo(use.getOwner())->cacheOperand;
  unsigned keys =
      cache >= 0 && hasOperand(use.getOwner(), static_cast<unsigned>(cache))
          ? static_cast<unsigned>(cache)
          : 1;
  unsigned index = use.getOperandNumber();
  if (hasPagedCache(use.getOwner()) && (index == 3 || index == 4) && type &&
      type.getRank() == 4)
    return bytes -
           readBlockBytes(type, saturatingProduct(problem.batch,
                                                  problem.kvLength - unread))
               .value_or(bytes);
  if (problem.backward || unread == 0 || !type || type.getRank() < 3 ||
      (index != keys && index != keys + 1))
    return 0;
  int64_t tokens = type.getDimSize(type.getRank() == 4 ? 2 : 1);
  return tokens > 0 ? bytes / tokens * std::min(unread, tokens) : 0;
}

int64_t gpucost::onnx::countReadBytes(OpOperand &use, const KernelWork &work) {
  Operation *op = use.getOwner();
  if (std::optional<int64_t> stated = ruleReadBytes(use))
    return *stated;
  if (std::optional<int64_t> chosen = chosenKeyBytes(use))
    return *chosen;
  int64_t bytes = byteCount(use.get().getType()).value_or(0) -
                  unreadRotaryBytes(use).value_or(0) - sharedValueBytes(use);
  if (const auto *problem = work.getIf<AttentionProblem>();
      problem && getOpInfo(op))
    return bytes - unreadKeys(use, *problem, bytes);
  if (!isa<MoEOp, QMoEOp, MoEPackedOp>(op) || use.getOperandNumber() < 2)
    return bytes;
  std::optional<ExpertLayer> layer = readExpertLayer(op);
  std::optional<int64_t> tokens = countExpertTokens(op);
  if (!layer || !tokens || *tokens == 0 ||
      !isOfExperts(op, use.getOperandNumber(), *layer))
    return bytes;
  return readBytes(*layer, useOf(*layer, *tokens), bytes);
}

/// (E1) Each row visits `k` experts, whose weights are read once.
FailureOr<WorkAttr> gpucost::onnx::expertsWork(Operation *op, CostClass shape,
                                               ElementCost) {
  OpShapes s(op);
  int64_t weightBits = 0, inner = 0;
  std::optional<ExpertLayer> layer = readLayer(op, weightBits, inner);
  std::optional<int64_t> tokens = countExpertTokens(op);
  if (!layer || !tokens || *tokens == 0 || !s.countBytes(shape))
    return failure();
  RankedTensorType in = s.input(0);
  int64_t hidden = in.getShape().back();
  ExpertUse use = useOf(*layer, *tokens);
  s.bytesRead -= use.unread;
  MatmulProblem problem{
      use.items,        use.rows,
      use.columns,      hidden,
      /*linear=*/false, weightBits == bitsOf(in) ? 0 : weightBits};
  if (inner > 0) {
    problem.experts = layer->local();
    problem.choices = layer->chosen;
    problem.shards = layer->shards;
    problem.inner = inner;
    problem.gated = layer->columns > 2 * inner;
    problem.busiest = layer->busiest && !layer->worst && !layer->active;
    problem.exchanged = op->hasAttr(exchangedRowsAttrName) ? *tokens : 0;
  }
  return makeWork(s, KernelFamily::Matmul, {InstructionClass::None, 0, 0},
                  problem,
                  checkedProduct({2, use.pairs, layer->columns, hidden}), 0, 0);
}
