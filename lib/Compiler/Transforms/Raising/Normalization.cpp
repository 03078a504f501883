//===- Normalization.cpp - LayerNorm, RMSNorm, GroupNorm ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Raiser.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// Number of trailing axes that a ReduceMean with kept dimensions averages;
/// nullopt for other reductions.
static std::optional<int64_t> matchTrailingMean(Operation *op) {
  if (!isa_and_nonnull<onnx::ReduceMeanOp>(op))
    return std::nullopt;
  RankedTensorType in = getStaticType(op->getOperand(0));
  if (!in || onnx::getInt(op, "keepdims") == 0)
    return std::nullopt;
  SmallVector<int64_t> axes;
  if (auto given = onnx::findInts(op, "axes")) {
    axes.assign(given->begin(), given->end());
  } else if (DenseElementsAttr dense = op->getNumOperands() > 1
                                           ? getConstant(op->getOperand(1))
                                           : DenseElementsAttr()) {
    for (int64_t i = 0, e = dense.getNumElements(); i < e; ++i)
      axes.push_back(saturatingInt(getElement(dense, i)));
  }
  for (int64_t &axis : axes)
    axis += axis < 0 ? in.getRank() : 0;
  llvm::sort(axes);
  int64_t count = axes.size();
  for (int64_t i = 0; i < count; ++i)
    if (axes[i] != in.getRank() - count + i)
      return std::nullopt;
  return count ? std::optional(count) : std::nullopt;
}

/// x - mean(x), optionally cast to a wider format; adds its ops to the match.
/// Null if `centred` has another form or uses another `x`.
static Value matchCentred(Value centred, Value x, Match &match,
                          std::optional<int64_t> &axes) {
  Operation *cast = centred.getDefiningOp();
  Operation *sub = cast;
  if (isa_and_nonnull<onnx::CastOp>(cast)) {
    match.add(cast);
    sub = cast->getOperand(0).getDefiningOp();
  }
  if (!isa_and_nonnull<onnx::SubOp>(sub) || (x && sub->getOperand(0) != x))
    return {};
  Operation *mean = sub->getOperand(1).getDefiningOp();
  axes = matchTrailingMean(mean);
  if (!axes || mean->getOperand(0) != sub->getOperand(0))
    return {};
  match.add(sub);
  match.add(mean);
  return sub->getOperand(0);
}

/// Matches a Mul or Add with a weight of shape `shape`.
template <typename OpT>
static Value absorbWeight(Match &match, ArrayRef<int64_t> shape) {
  Value result = match.root->getResult(0);
  Operation *user = getOnlyUser(result);
  Value weight = matchOther<OpT>(user, result);
  RankedTensorType type = weight ? getStaticType(weight) : RankedTensorType();
  if (!type || type.getShape() != shape || !isWeight(weight))
    return {};
  match.add(match.root);
  match.root = user;
  return weight;
}

namespace {
/// sqrt(mean(value^2) + epsilon) over a number of trailing axes.
struct RootMeanSquare {
  Value value;
  int64_t axes;
  double epsilon;
};
} // namespace

static std::optional<RootMeanSquare> matchRootMeanSquare(Operation *sqrt,
                                                         Match &match) {
  Operation *sum = sqrt->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<onnx::AddOp>(sum) || sum->getNumOperands() != 2)
    return std::nullopt;
  unsigned side = getScalar(sum->getOperand(1)) ? 1 : 0;
  std::optional<double> epsilon = getScalar(sum->getOperand(side));
  Operation *mean = sum->getOperand(1 - side).getDefiningOp();
  std::optional<int64_t> axes = matchTrailingMean(mean);
  Operation *square = axes ? mean->getOperand(0).getDefiningOp() : nullptr;
  bool isPower = isa_and_nonnull<onnx::PowOp>(square) &&
                 isScalar(square->getOperand(1), 2.0);
  bool isProduct = isa_and_nonnull<onnx::MulOp>(square) &&
                   square->getOperand(0) == square->getOperand(1);
  if (!epsilon || (!isPower && !isProduct))
    return std::nullopt;
  for (Operation *op : {sqrt, sum, mean, square})
    match.add(op);
  return RootMeanSquare{square->getOperand(0), *axes, *epsilon};
}

/// (x - mean) / sqrt(mean((x - mean)^2) + eps) * weight + bias over the
/// trailing axes. Since opset 17, nn.LayerNorm is exported as
/// LayerNormalization; such a chain then comes from separate ops in the model,
/// which launch one by one.
bool Raiser::raiseLayerNorm(Operation *sqrt) {
  Match match;
  std::optional<RootMeanSquare> root = matchRootMeanSquare(sqrt, match);
  if (!root)
    return false;
  int64_t axes = root->axes;
  std::optional<int64_t> meanAxes;
  Value centred = root->value;
  Value x = matchCentred(centred, Value(), match, meanAxes);
  RankedTensorType type = x ? getStaticType(x) : RankedTensorType();
  if (!type || meanAxes != axes)
    return false;

  // centred / sqrt(...), or centred * (1 / sqrt(...)).
  Operation *quotient = getOnlyUser(sqrt->getResult(0));
  Value numerator;
  if (isa_and_nonnull<onnx::ReciprocalOp>(quotient)) {
    match.add(quotient);
    Value inverse = quotient->getResult(0);
    quotient = getOnlyUser(inverse);
    numerator = matchOther<onnx::MulOp>(quotient, inverse);
  } else if (isa_and_nonnull<onnx::DivOp>(quotient) &&
             quotient->getOperand(1) == sqrt->getResult(0)) {
    numerator = quotient->getOperand(0);
  }
  // Exporters without common subexpression elimination subtract the mean twice.
  if (!numerator ||
      (numerator != centred &&
       (matchCentred(numerator, x, match, meanAxes) != x || meanAxes != axes)))
    return false;
  match.root = quotient;
  if (Operation *cast = getOnlyUser(quotient->getResult(0));
      isa_and_nonnull<onnx::CastOp>(cast) &&
      isa<onnx::CastOp>(centred.getDefiningOp())) {
    match.add(quotient);
    match.root = cast;
  }

  if (opset >= 17 && !canFuse(match, "LayerNormalization"))
    return false;
  SmallVector<Value> operands = {x};
  ArrayRef<int64_t> shape = type.getShape().take_back(axes);
  if (Value weight = absorbWeight<onnx::MulOp>(match, shape)) {
    operands.push_back(weight);
    if (Value bias = absorbWeight<onnx::AddOp>(match, shape))
      operands.push_back(bias);
  }
  Builder builder(sqrt->getContext());
  return replace<onnx::LayerNormalizationOp>(
      match, operands,
      {builder.getNamedAttr("axis", builder.getI64IntegerAttr(-axes)),
       builder.getNamedAttr("epsilon",
                            builder.getF32FloatAttr(root->epsilon))});
}

/// x / sqrt(mean(x^2) + eps) * weight, which models contain as separate ops;
/// the kernel includes the surrounding casts to fp32.
bool Raiser::raiseRMSNorm(Operation *sqrt) {
  Match match;
  std::optional<RootMeanSquare> root = matchRootMeanSquare(sqrt, match);
  if (!root)
    return false;
  int64_t axes = root->axes;
  Value x = root->value;

  // x / sqrt(...), x * (1 / sqrt(...)), or the reciprocal as a quotient.
  Operation *quotient = getOnlyUser(sqrt->getResult(0));
  Value divisor = sqrt->getResult(0);
  if (isa_and_nonnull<onnx::ReciprocalOp>(quotient) ||
      (isa_and_nonnull<onnx::DivOp>(quotient) &&
       isScalar(quotient->getOperand(0), 1.0))) {
    match.add(quotient);
    divisor = quotient->getResult(0);
    quotient = getOnlyUser(divisor);
    if (matchOther<onnx::MulOp>(quotient, divisor) != x)
      return false;
  } else if (!isa_and_nonnull<onnx::DivOp>(quotient) ||
             quotient->getOperand(0) != x ||
             quotient->getOperand(1) != divisor) {
    return false;
  }
  match.root = quotient;
  if (!canFuse(match, "RMSNormalization"))
    return false;
  Operation *narrow = getOnlyUser(quotient->getResult(0));
  Operation *widen = x.getDefiningOp();
  if (isa_and_nonnull<onnx::CastOp>(narrow) &&
      isa_and_nonnull<onnx::CastOp>(widen) &&
      widen->getOperand(0).getType() == narrow->getResult(0).getType()) {
    match.add(quotient);
    match.root = narrow;
    x = widen->getOperand(0);
    // The fp32 copy may have other readers: a residual stored in fp32.
    if (llvm::all_of(widen->getUsers(), [&](Operation *user) {
          return llvm::is_contained(match.inner, user);
        }))
      match.add(widen);
  }
  RankedTensorType type = getStaticType(x);
  if (!type)
    return false;
  SmallVector<Value> operands = {x};
  if (Value weight =
          absorbWeight<onnx::MulOp>(match, type.getShape().take_back(axes)))
    operands.push_back(weight);
  Builder builder(sqrt->getContext());
  return replace<onnx::RMSNormalizationOp>(
      match, operands,
      {builder.getNamedAttr("axis", builder.getI64IntegerAttr(-axes)),
       builder.getNamedAttr("epsilon",
                            builder.getF32FloatAttr(root->epsilon))});
}

/// Whether all elements of `weight` may be `value`; true if they are unknown.
static bool maySplat(Value weight, double value) {
  std::optional<double> known = getSplat(weight);
  return known ? *known == value : isWeight(weight);
}

/// GroupNorm before opset 21: x as [n, groups, *], instance normalization with
/// weights of one, back to the shape of x, then weight and bias per channel.
/// For many groups, exporters write the ones and zeros as parameters. Front
/// ends of compilers normalize the rows instead, in fp32.
bool Raiser::raiseGroupNorm(Operation *norm) {
  bool isInstance = isa<onnx::InstanceNormalizationOp>(norm);
  if (norm->getNumOperands() != (isInstance ? 3 : 1) ||
      (!isInstance && (!lowered || onnx::getInt(norm, "axis") != -1)))
    return false;
  Match match;
  match.add(norm);
  Operation *split = norm->getOperand(0).getDefiningOp();
  Operation *merge = getOnlyUser(norm->getResult(0));
  bool isNarrowed = !isInstance && isa_and_nonnull<onnx::CastOp>(merge);
  if (isNarrowed) {
    match.add(merge);
    merge = getOnlyUser(merge->getResult(0));
  }
  if (!isa_and_nonnull<onnx::ReshapeOp>(split) ||
      !isa_and_nonnull<onnx::ReshapeOp>(merge) ||
      (isInstance && (!maySplat(norm->getOperand(1), 1.0) ||
                      !maySplat(norm->getOperand(2), 0.0))))
    return false;
  Value x = split->getOperand(0);
  if (isNarrowed) {
    auto widen = x.getDefiningOp<onnx::CastOp>();
    if (!widen)
      return false;
    x = widen->getOperand(0);
  }
  RankedTensorType type = getStaticType(x);
  RankedTensorType grouped = getStaticType(split->getResult(0));
  if (!type || !grouped || type != merge->getResult(0).getType() ||
      type.getRank() < 3 || grouped.getRank() != 3 ||
      grouped.getDimSize(0) != type.getDimSize(0) ||
      type.getDimSize(1) % grouped.getDimSize(1) != 0)
    return false;
  match.root = merge;
  SmallVector<Value> operands = {x};
  SmallVector<int64_t> perChannel(type.getRank() - 1, 1);
  perChannel[0] = type.getDimSize(1);
  if (Value weight = absorbWeight<onnx::MulOp>(match, perChannel)) {
    operands.push_back(weight);
    if (Value bias = absorbWeight<onnx::AddOp>(match, perChannel))
      operands.push_back(bias);
  }
  bool known = !isInstance ||
               (getSplat(norm->getOperand(1)) && getSplat(norm->getOperand(2)));
  if (!known && operands.size() != 3)
    return false;
  Builder builder(norm->getContext());
  SmallVector<NamedAttribute> attributes = {builder.getNamedAttr(
      "num_groups", builder.getI64IntegerAttr(grouped.getDimSize(1)))};
  if (Attribute epsilon = norm->getAttr("epsilon"))
    attributes.push_back(builder.getNamedAttr("epsilon", epsilon));
  return replace<onnx::GroupNormalizationOp>(match, operands, attributes);
}
