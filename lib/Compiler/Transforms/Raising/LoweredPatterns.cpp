//===- LoweredPatterns.cpp - Ops that a front end decomposed -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Front ends write batch and group norms with vectors per channel, which they
// compute from statistics and parameters in many orders. The rules here follow
// the small tensors from the statistics to the ops on the whole tensor.

#include "Raiser.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// Dimension of the channels of an image.
static constexpr int64_t channelDim = 1;

/// Whether `value` has one element per channel of `image`: [c, 1, 1], perhaps
/// with leading dimensions of size 1.
static bool isPerChannel(Value value, RankedTensorType image) {
  RankedTensorType type = getStaticType(value);
  if (!type || type.getRank() > image.getRank() ||
      type.getRank() < image.getRank() - channelDim)
    return false;
  int64_t skipped = image.getRank() - type.getRank();
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    int64_t dim = static_cast<int64_t>(i) + skipped;
    if (size != (dim == channelDim ? image.getDimSize(dim) : 1))
      return false;
  }
  return true;
}

/// Whether `value` depends on weights and vectors that are passed as arguments,
/// not on activations.
static bool isOfParameters(Value value) {
  constexpr size_t mostOps = 32;
  SmallVector<Value> worklist = {value};
  for (size_t i = 0; i < worklist.size(); ++i) {
    Value next = worklist[i];
    if (isWeight(next) || getScalar(next))
      continue;
    Operation *def = next.getDefiningOp();
    RankedTensorType type = getStaticType(next);
    if (!def && type && type.getRank() == 1)
      continue;
    if (!def || !onnx::getOpInfo(def) || worklist.size() > mostOps)
      return false;
    worklist.append(def->operand_begin(), def->operand_end());
  }
  return true;
}

/// The variance of a factor 1 / sqrt(variance + epsilon), which the kernel
/// computes; the factor itself if it has another form.
static Value skipRootOfVariance(Value factor) {
  Operation *root = factor.getDefiningOp();
  if (isa_and_nonnull<onnx::ReciprocalOp>(root)) {
    root = root->getOperand(0).getDefiningOp();
    if (!isa_and_nonnull<onnx::SqrtOp>(root))
      return factor;
  } else if (!isa_and_nonnull<onnx::RsqrtOp>(root)) {
    return factor;
  }
  Operation *sum = root->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<onnx::AddOp>(sum) || sum->getNumOperands() != 2)
    return factor;
  for (unsigned side : {0u, 1u})
    if (getScalar(sum->getOperand(1 - side)) &&
        sum->getOperand(side).getType() == factor.getType())
      return sum->getOperand(side);
  return factor;
}

/// (x - mean) * factor * weight + bias with vectors per channel, which the
/// model's statistics define: batch norm in inference.
bool Raiser::raiseBatchNorm(Operation *sub) {
  RankedTensorType type = getStaticType(sub->getOperand(0));
  if (!lowered || !type || type.getRank() < 3 ||
      type != sub->getResult(0).getType() ||
      !isPerChannel(sub->getOperand(1), type))
    return false;
  Match match;
  match.root = sub;
  SmallVector<Value> vectors = {sub->getOperand(1)};
  auto absorb = [&](auto tag) {
    Value result = match.root->getResult(0);
    Operation *user = getOnlyUser(result);
    Value other = matchOther<decltype(tag)>(user, result);
    if (!other || !isPerChannel(other, type))
      return false;
    vectors.push_back(other);
    match.add(match.root);
    match.root = user;
    return true;
  };
  if (!absorb(onnx::MulOp()))
    return false;
  bool hasWeight = absorb(onnx::MulOp());
  if (!absorb(onnx::AddOp()))
    return false;
  if (!llvm::all_of(vectors, isOfParameters))
    return false;
  // Scale, bias, mean and variance; the kernel reads one number of each.
  Value mean = vectors[0], variance = skipRootOfVariance(vectors[1]);
  Value scale = hasWeight ? vectors[2] : variance;
  return replace<onnx::BatchNormalizationOp>(
      match, {sub->getOperand(0), scale, vectors.back(), mean, variance});
}

/// Whether a result is small enough to hold statistics or parameters.
static bool isSmall(Operation *op, int64_t most) {
  RankedTensorType type = op->getNumResults() == 1
                              ? getStaticType(op->getResult(0))
                              : RankedTensorType();
  return type && type.getNumElements() <= most;
}

/// x * scale + shift, where both derive from the mean and variance of groups of
/// x: group norm. `sqrt` takes the root of the variance.
bool Raiser::raiseGroupStatistics(Operation *sqrt) {
  if (!lowered)
    return false;
  // sqrt(mean((g - mean(g))^2) + eps) with g = x as [n, groups, *].
  Operation *sum = sqrt->getOperand(0).getDefiningOp();
  Operation *variance = nullptr;
  if (isa_and_nonnull<onnx::AddOp>(sum))
    for (Value operand : sum->getOperands())
      if (auto mean = operand.getDefiningOp<onnx::ReduceMeanOp>())
        variance = mean;
  Operation *square =
      variance ? variance->getOperand(0).getDefiningOp() : nullptr;
  Operation *sub = isa_and_nonnull<onnx::MulOp>(square) &&
                           square->getOperand(0) == square->getOperand(1)
                       ? square->getOperand(0).getDefiningOp()
                       : nullptr;
  if (!isa_and_nonnull<onnx::SubOp>(sub))
    return false;
  Value grouped = sub->getOperand(0);
  auto split = grouped.getDefiningOp<onnx::ReshapeOp>();
  Value x = split ? split->getOperand(0) : Value();
  RankedTensorType type = x ? getStaticType(x) : RankedTensorType();
  RankedTensorType groups = getStaticType(grouped);
  if (!type || !groups || type.getRank() < 3 || groups.getRank() < 3 ||
      groups.getDimSize(0) != type.getDimSize(0) ||
      type.getDimSize(channelDim) % groups.getDimSize(channelDim) != 0)
    return false;
  int64_t most = type.getDimSize(0) * type.getDimSize(channelDim);
  // From the ops that read x in groups, along small tensors, to x.
  Match match;
  llvm::SetVector<Operation *> inner;
  for (Operation *user : grouped.getUsers())
    inner.insert(user);
  Operation *product = nullptr, *root = nullptr;
  constexpr size_t mostOps = 64;
  for (size_t i = 0; i < inner.size() && i < mostOps; ++i)
    for (Operation *user : inner[i]->getUsers()) {
      Value result = inner[i]->getResult(0);
      user = sqrt->getBlock()->findAncestorOpInBlock(*user);
      if (!user)
        continue;
      if (matchOther<onnx::MulOp>(user, result) == x && x != result)
        product = user;
      else if (user == square || user == variance ||
               (isSmall(user, most) && user->getNumResults() == 1))
        inner.insert(user);
    }
  root = product ? getOnlyUser(product->getResult(0)) : nullptr;
  Value shift =
      matchOther<onnx::AddOp>(root, product ? product->getResult(0) : Value());
  if (!shift || !shift.getDefiningOp() ||
      !inner.contains(shift.getDefiningOp()) || inner.size() >= mostOps)
    return false;
  match.root = root;
  match.inner.append(inner.begin(), inner.end());
  match.add(product);
  if (!match.isClosed())
    return miss(root, "GroupNormalization",
                "a value inside it is used elsewhere");
  Builder builder(sqrt->getContext());
  return replace<onnx::GroupNormalizationOp>(
      match, x,
      builder.getNamedAttr("num_groups", builder.getI64IntegerAttr(
                                             groups.getDimSize(channelDim))));
}

/// The rows that an op reads columns of, both at known positions.
static Operation *findRows(Operation *op) {
  auto isKnown = [](Operation *gather, int64_t fromEnd) {
    RankedTensorType type = getStaticType(gather->getOperand(0));
    return type && type.getRank() > 2 && isWeight(gather->getOperand(1)) &&
           onnx::getInt(gather, "axis") == type.getRank() - fromEnd;
  };
  auto columns = dyn_cast<onnx::GatherOp>(op);
  auto rows = columns ? op->getOperand(0).getDefiningOp<onnx::GatherOp>()
                      : onnx::GatherOp();
  return rows && isKnown(op, 1) && isKnown(rows, 2) ? rows.getOperation()
                                                    : nullptr;
}

/// Whether `op` reads elements of one image at positions that other operands
/// give, into a result with as many dimensions. Returns the image.
static Value matchGatheredImage(Operation *op) {
  if (Operation *rows = findRows(op))
    return rows->getOperand(0);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || op->getNumResults() != 1 || generic.getNumReductionLoops())
    return {};
  Value yielded = generic.getBlock()->getTerminator()->getOperand(0);
  auto extract = yielded.getDefiningOp<tensor::ExtractOp>();
  RankedTensorType out = getStaticType(op->getResult(0));
  if (!extract || !out)
    return {};
  RankedTensorType in = extract.getTensor().getType();
  bool readsPositions = llvm::all_of(op->getOperands(), [&](Value operand) {
    RankedTensorType type = getStaticType(operand);
    return type && (type.getElementType().isIntOrIndex() ||
                    operand == generic.getDpsInitOperand(0)->get());
  });
  return readsPositions && in.getRank() == out.getRank() && in.getRank() > 2 &&
                 in.getShape().take_front(2) == out.getShape().take_front(2)
             ? extract.getTensor()
             : Value();
}

/// Several readings of an image at positions, combined with weights per row and
/// column: resampling.
bool Raiser::raiseResample(Operation *gather) {
  Value image = lowered ? matchGatheredImage(gather) : Value();
  if (!image)
    return false;
  RankedTensorType type = getStaticType(gather->getResult(0));
  if (!resampled.insert(image).second)
    return false;
  // The readings, and what is computed from them alone and from weights.
  llvm::SetVector<Operation *> inner;
  size_t readings = 0;
  auto addReading = [&](Operation *reader) {
    if (!reader || discarded.contains(reader) ||
        matchGatheredImage(reader) != image ||
        reader->getResult(0).getType() != type)
      return;
    readings += inner.insert(reader);
    if (Operation *rows = findRows(reader))
      inner.insert(rows);
  };
  for (Operation *user : image.getUsers()) {
    addReading(block.findAncestorOpInBlock(*user));
    if (isa<onnx::GatherOp>(user))
      for (Operation *columns : user->getUsers())
        addReading(columns);
  }
  constexpr size_t mostOps = 64;
  Operation *root = nullptr;
  for (size_t i = 0; i < inner.size() && i < mostOps; ++i)
    for (Operation *user : inner[i]->getUsers()) {
      if (user->getNumResults() != 1 || user->getResult(0).getType() != type ||
          !isa<onnx::AddOp, onnx::SubOp, onnx::MulOp>(user))
        continue;
      bool isCombined = llvm::all_of(user->getOperands(), [&](Value operand) {
        Operation *def = operand.getDefiningOp();
        RankedTensorType other = getStaticType(operand);
        return (def && inner.contains(def)) ||
               (other && other.getNumElements() <=
                             type.getNumElements() / type.getDimSize(1));
      });
      if (isCombined && inner.insert(user))
        root = user;
    }
  // The nearest element at known positions is one reading.
  bool isNearest =
      readings == 1 && !root &&
      (isa<onnx::GatherOp>(gather) ||
       llvm::all_of(cast<linalg::GenericOp>(gather).getInputs(), isWeight));
  if (isNearest)
    root = gather;
  // Interpolation weighs what it reads.
  bool isWeighted =
      llvm::any_of(inner, [](Operation *op) { return isa<onnx::MulOp>(op); });
  if (!root || !(isNearest || (readings > 1 && isWeighted)) ||
      inner.size() >= mostOps)
    return false;
  Match match;
  match.root = root;
  inner.remove(root);
  match.inner.append(inner.begin(), inner.end());
  return replace<onnx::ResizeOp>(match, image);
}
