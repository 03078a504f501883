//===- GroupedAttention.cpp - Attention whose queries share keys ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// jax.nn.dot_product_attention of grouped heads multiplies the queries of a
// group, as rows of one matrix, with the keys of the group. Shapes: b batch, g
// groups, r heads of a group, s queries, t keys, d size of a head.

#include "AttentionMatch.h"
#include "Raiser.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// What a transpose with this permutation reads; null for other values.
static Value findPermuted(Value value, ArrayRef<int64_t> permutation) {
  auto transpose = value.getDefiningOp<onnx::TransposeOp>();
  auto given = transpose ? transpose->getAttrOfType<DenseI64ArrayAttr>("perm")
                         : DenseI64ArrayAttr();
  return given && given.asArrayRef() == permutation ? transpose->getOperand(0)
                                                    : Value();
}

static bool hasShape(Value value, ArrayRef<int64_t> shape) {
  RankedTensorType type = value ? getStaticType(value) : RankedTensorType();
  return type && type.getShape() == shape;
}

/// What a reshape to `shape` reads; null for other values.
static Value findReshaped(Value value, ArrayRef<int64_t> shape) {
  auto reshape =
      value ? value.getDefiningOp<onnx::ReshapeOp>() : onnx::ReshapeOp();
  return reshape && hasShape(value, shape) ? reshape->getOperand(0) : Value();
}

/// The result of the only user of `value`, if it is an `OpT`; null otherwise.
template <typename OpT> static Value getUserResult(Value value) {
  Operation *user = value ? getOnlyUser(value) : nullptr;
  return isa_and_nonnull<OpT>(user) ? user->getResult(0) : Value();
}

bool Raiser::raiseGroupedAttention(Operation *softmax) {
  RankedTensorType scores = getStaticType(softmax->getOperand(0));
  if (!lowered || !joinsAttention || !scores || scores.getRank() != 5)
    return false;
  int64_t axis = onnx::getInt(softmax, "axis");
  if (axis != -1 && axis != 4)
    return false;
  ArrayRef<int64_t> sizes = scores.getShape();
  int64_t r = sizes[0], b = sizes[1], g = sizes[2], s = sizes[3], t = sizes[4];
  Match match;
  match.add(softmax);
  // Scores [r, b, g, s, t] of a product [b, g, s * r, t].
  Value value = softmax->getOperand(0), mask;
  if (auto select = value.getDefiningOp<onnx::WhereOp>()) {
    mask = select->getOperand(0);
    if (!isMaskValue(getSplat(select->getOperand(2))) ||
        !hasShape(mask, {s, t}))
      return false;
    match.add(select);
    value = select->getOperand(1);
  }
  Value permuted = findPermuted(value, {3, 0, 1, 2, 4});
  if (!permuted)
    return false;
  match.add(value.getDefiningOp());
  value = permuted;
  double scale = 1;
  while (std::optional<Scaled> scaled = matchScale(value.getDefiningOp())) {
    match.add(value.getDefiningOp());
    scale *= scaled->factor;
    value = scaled->value;
  }
  Value rows = findReshaped(value, {b, g, s, r, t});
  auto product = rows && hasShape(rows, {b, g, s * r, t})
                     ? rows.getDefiningOp<onnx::MatMulOp>()
                     : onnx::MatMulOp();
  if (!product)
    return false;
  match.add(value.getDefiningOp());
  match.add(product);
  RankedTensorType keys = getStaticType(product->getOperand(1));
  if (!keys || keys.getRank() != 4)
    return false;
  int64_t d = keys.getDimSize(2);
  Value queries = findReshaped(product->getOperand(0), {b, g, s * r, d});
  queries = queries ? findPermuted(queries, {0, 2, 1, 3, 4}) : Value();
  if (!hasShape(keys ? product->getOperand(1) : Value(), {b, g, d, t}) ||
      !hasShape(queries, {b, s, g, r, d}))
    return false;
  // [b, g, d, t] of the values times [b, g, t, r * s].
  Value turned = getUserResult<onnx::TransposeOp>(softmax->getResult(0));
  Value columns = getUserResult<onnx::ReshapeOp>(turned);
  Value second = getUserResult<onnx::MatMulOp>(columns);
  Value split = getUserResult<onnx::ReshapeOp>(second);
  Value result = getUserResult<onnx::TransposeOp>(split);
  if (!result || !findPermuted(turned, {1, 2, 4, 0, 3}) ||
      !hasShape(columns, {b, g, t, r * s}) ||
      second.getDefiningOp()->getOperand(1) != columns ||
      !findPermuted(result, {0, 4, 1, 3, 2}))
    return false;
  Value values = second.getDefiningOp()->getOperand(0);
  if (!hasShape(values, {b, g, d, t}) || !hasShape(split, {b, g, d, r, s}))
    return false;
  for (Value inner : {turned, columns, second, split})
    match.add(inner.getDefiningOp());
  match.root = result.getDefiningOp();
  if (!match.isClosed() || !match.runsTogether())
    return miss(softmax, "Attention",
                "scores or probabilities are used elsewhere");

  KeyBand band = mask ? masks.findBand(mask, MaskForm::Keep) : KeyBand();
  bool causal =
      mask && band.isCausal() && band.isExact && band.farthest >= t - 1;
  OpBuilder builder(match.root);
  Location loc = fuseLocations(match);
  auto heads = [&](Value each, ArrayRef<int64_t> permutation) {
    return createTranspose(builder, loc, each, permutation);
  };
  SmallVector<Value> operands = {
      heads(createReshape(builder, loc, queries, {b, s, g * r, d}),
            {0, 2, 1, 3}),
      heads(product->getOperand(1), {0, 1, 3, 2}), heads(values, {0, 1, 3, 2})};
  if (mask && !causal)
    operands.push_back(mask);
  RankedTensorType type = getStaticType(queries).clone({b, g * r, s, d});
  Operation *fused = onnx::FusedAttentionOp::create(
      builder, loc, TypeRange(Type(type)), operands,
      {builder.getNamedAttr("is_causal", builder.getI64IntegerAttr(causal)),
       builder.getNamedAttr("scale", builder.getF32FloatAttr(scale))});
  Value merged = createReshape(
      builder, loc, heads(fused->getResult(0), {0, 2, 1, 3}), {b, s, g, r, d});
  finish(match, fused, merged.getDefiningOp());
  return true;
}
