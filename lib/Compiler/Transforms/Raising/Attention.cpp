//===- Attention.cpp - softmax(Q K^T) V as one kernel ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Two origins look similar. Eager attention of a model scales the scores once
// and launches each op; it becomes one kernel on request and in compiled code
// (L17).
// F.scaled_dot_product_attention ran as one kernel; its export is recognized by
// sqrt(scale) on both Q and K^T, or by torchlib's K^T, a transpose of three
// dimensions between two reshapes.

#include "AttentionMatch.h"
#include "Raiser.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

//===----------------------------------------------------------------------===//
// Matching of scores and probabilities
//===----------------------------------------------------------------------===//

/// Views that split or merge leading dimensions of scores.
static bool isScoreView(Operation *op) {
  if (!isa_and_nonnull<onnx::ReshapeOp, onnx::IdentityOp, onnx::ExpandOp>(op))
    return false;
  RankedTensorType in = getStaticType(op->getOperand(0));
  RankedTensorType out = getStaticType(op->getResult(0));
  return in && out && in.getRank() >= 2 && out.getRank() >= 2 &&
         in.getNumElements() == out.getNumElements() &&
         in.getShape().take_back(2) == out.getShape().take_back(2);
}

/// The index of the operand with the scores; nullopt where the scores start.
static std::optional<unsigned> getScoresOperand(Operation *op, unsigned depth);

static bool leadsToProduct(Value value, unsigned depth) {
  Operation *def = value.getDefiningOp();
  return def && depth < 8 &&
         (isa<onnx::MatMulOp>(def) || getScoresOperand(def, depth + 1));
}

static std::optional<unsigned> getScoresOperand(Operation *op, unsigned depth) {
  unsigned first = 0, count = 0;
  if (isa<onnx::CastOp>(op) || isScoreView(op))
    count = 1;
  else if (isa<onnx::MulOp, onnx::DivOp, onnx::AddOp, onnx::MaxOp>(op))
    count = 2;
  else if (isa<onnx::WhereOp>(op))
    first = 1, count = 3;
  for (unsigned i = first; i < count && i < op->getNumOperands(); ++i)
    if (leadsToProduct(op->getOperand(i), depth))
      return i;
  return std::nullopt;
}

bool AttentionMatch::setMask(Value value, MaskForm form) {
  // A scale after the mask would also scale the mask.
  if (moreMask || std::abs(scale - 1) > 1e-6)
    return false;
  if (mask) {
    RankedTensorType type = getStaticType(value), first = getStaticType(mask);
    if (maskForm != MaskForm::Additive || form != MaskForm::Additive || !type ||
        !first || type.getElementType() != first.getElementType() ||
        type.getRank() > 4 || first.getRank() > 4)
      return false;
    moreMask = value;
    return true;
  }
  mask = value;
  maskForm = form;
  return true;
}

/// Scale, mask, casts and views between Q K^T and the softmax.
bool AttentionMatch::matchScores(Operation *softmax) {
  Value value = softmax->getOperand(0);
  while (Operation *op = value.getDefiningOp()) {
    if (RankedTensorType type = getStaticType(value);
        type && type.getRank() == 4)
      scoresType = type;
    match.add(op);
    if (isa<onnx::MatMulOp>(op)) {
      product = op;
      return true;
    }
    std::optional<unsigned> through = getScoresOperand(op, 0);
    if (!through)
      return false;
    value = op->getOperand(*through);
    if (isa<onnx::CastOp>(op) || isScoreView(op))
      continue;
    if (std::optional<Scaled> scaled = matchScale(op)) {
      if (scaled->value != value)
        return false;
      scale *= scaled->factor;
    } else if (isa<onnx::AddOp>(op)) {
      Value other = op->getOperand(1 - *through);
      // Adding the same number to all scores does not change the softmax; the
      // mask of one new token folds to such a number.
      if (!getSplat(other) && !setMask(other, MaskForm::Additive))
        return false;
    } else if (isa<onnx::MaxOp>(op)) {
      // Older models clamp the masked scores to the lowest number.
      if (op->getNumOperands() != 2 ||
          !isMaskValue(getScalar(op->getOperand(1 - *through))))
        return false;
    } else if (isa<onnx::WhereOp>(op)) {
      if (!isMaskValue(getSplat(op->getOperand(3 - *through))) ||
          !setMask(op->getOperand(0),
                   *through == 1 ? MaskForm::Keep : MaskForm::Drop))
        return false;
    } else {
      return false;
    }
  }
  return false;
}

/// Matches casts, dropout and views between the softmax and the matmul with V.
bool AttentionMatch::matchProbabilities(Operation *softmax) {
  match.add(softmax);
  Value value = softmax->getResult(0);
  for (unsigned depth = 0; depth < 8; ++depth) {
    Operation *user = getOnlyUser(value);
    if (!user) {
      // where(isnan(p), 0, p): for rows that a boolean mask hides completely.
      Operation *isNan = nullptr, *select = nullptr;
      for (Operation *candidate : value.getUsers())
        (isa<onnx::IsNaNOp>(candidate) ? isNan : select) = candidate;
      if (!isNan || !isa_and_nonnull<onnx::WhereOp>(select) ||
          select->getOperand(0) != isNan->getResult(0) ||
          select->getOperand(2) != value)
        return false;
      match.add(isNan);
      user = select;
    } else if (isa<onnx::MatMulOp>(user)) {
      match.root = user;
      v = user->getOperand(1);
      return user->getOperand(0) == value && v != value;
    } else if (auto ops = matchHiddenRows(user, value, softmax->getOperand(0));
               !ops.empty()) {
      match.inner.append(ops.begin(), ops.end());
      fromSdpa = true;
    } else if (!isa<onnx::CastOp, onnx::DropoutOp>(user) &&
               !isScoreView(user)) {
      return false;
    }
    match.add(user);
    value = user->getResult(0);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Q, K and V
//===----------------------------------------------------------------------===//

/// Removes a scalar factor from an operand of Q K^T, which the kernel applies.
static Value peelScale(Value value, std::optional<double> &factor,
                       Match &match) {
  std::optional<Scaled> scaled = matchScale(value.getDefiningOp());
  if (!scaled || !value.hasOneUse() ||
      scaled->value.getType() != value.getType())
    return value;
  factor = scaled->factor;
  match.add(value.getDefiningOp());
  return scaled->value;
}

/// Looks through the transpose of K. Without one, K^T must be transposed.
void AttentionMatch::matchKey(Value transposed) {
  RankedTensorType type = cast<RankedTensorType>(transposed.getType());
  int64_t rank = type.getRank();
  k = transposed;
  keyPermutation.clear();
  Operation *def = transposed.getDefiningOp();
  if (isa_and_nonnull<onnx::TransposeOp>(def)) {
    auto perm = def->getAttrOfType<DenseI64ArrayAttr>("perm");
    RankedTensorType source = getStaticType(def->getOperand(0));
    if (perm && perm.size() == rank && source && source.getRank() == rank) {
      keyPermutation.assign(perm.asArrayRef().begin(), perm.asArrayRef().end());
      k = def->getOperand(0);
    }
  } else if (isa_and_nonnull<onnx::ReshapeOp>(def) && rank == 4) {
    Operation *inner = def->getOperand(0).getDefiningOp();
    Operation *merge = isa_and_nonnull<onnx::TransposeOp>(inner)
                           ? inner->getOperand(0).getDefiningOp()
                           : nullptr;
    auto perm = merge ? inner->getAttrOfType<DenseI64ArrayAttr>("perm")
                      : DenseI64ArrayAttr();
    RankedTensorType source = isa_and_nonnull<onnx::ReshapeOp>(merge)
                                  ? getStaticType(merge->getOperand(0))
                                  : RankedTensorType();
    Value heads = source ? merge->getOperand(0) : Value();
    // Repeated heads, [b, kv, group, t, d], merge in the same reshape.
    if (source && source.getRank() == 5 &&
        source.getDimSize(0) == type.getDimSize(0) &&
        source.getDimSize(1) * source.getDimSize(2) == type.getDimSize(1)) {
      OpBuilder builder(merge);
      heads = createReshape(builder, merge->getLoc(), heads,
                            {source.getDimSize(0), type.getDimSize(1),
                             source.getDimSize(3), source.getDimSize(4)});
      source = getStaticType(heads);
      mergedHeads = heads.getDefiningOp();
    }
    if (perm && perm.asArrayRef() == ArrayRef<int64_t>{0, 2, 1} && source &&
        source.getRank() == 4 &&
        source.getShape().take_front(2) == type.getShape().take_front(2) &&
        source.getDimSize(2) == type.getDimSize(3) &&
        source.getDimSize(3) == type.getDimSize(2)) {
      k = heads;
      keyPermutation = {0, 1, 3, 2};
      fromSdpa = true;
    }
  }
  if (keyPermutation.empty())
    for (int64_t i = 0; i < rank; ++i)
      keyPermutation.push_back(i);
  std::swap(keyPermutation[rank - 1], keyPermutation[rank - 2]);
  if (llvm::is_sorted(keyPermutation))
    keyPermutation.clear();
}

/// Looks through slices that keep everything, as x[:, :, None] exports.
static Value skipWholeSlices(Value value) {
  while (auto slice = value.getDefiningOp<onnx::SliceOp>()) {
    if (slice->getOperand(0).getType() != value.getType())
      break;
    value = slice->getOperand(0);
  }
  return value;
}

/// Repeated heads of grouped-query attention: [b, kv, t, d] unsqueezed,
/// expanded to [b, kv, group, t, d] and merged to [b, kv * group, t, d].
static Value matchRepeatedHeads(Value value) {
  auto merge = value.getDefiningOp<onnx::ReshapeOp>();
  auto expand = merge ? merge->getOperand(0).getDefiningOp<onnx::ExpandOp>()
                      : onnx::ExpandOp();
  Operation *split =
      expand ? skipWholeSlices(expand->getOperand(0)).getDefiningOp() : nullptr;
  if (!isa_and_nonnull<onnx::UnsqueezeOp, onnx::ReshapeOp>(split))
    return {};
  RankedTensorType from = getStaticType(split->getOperand(0));
  RankedTensorType wide = getStaticType(expand->getResult(0));
  RankedTensorType to = getStaticType(value);
  if (!from || !wide || !to || from.getRank() != 4 || wide.getRank() != 5 ||
      to.getRank() != 4)
    return {};
  ArrayRef<int64_t> a = from.getShape(), e = wide.getShape(), b = to.getShape();
  bool repeats = e[0] == a[0] && e[1] == a[1] && e[3] == a[2] && e[4] == a[3] &&
                 b[0] == a[0] && b[1] == e[1] * e[2] && b[2] == a[2] &&
                 b[3] == a[3];
  return repeats ? split->getOperand(0) : Value();
}

bool AttentionMatch::matchOperands() {
  RankedTensorType left = getStaticType(product->getOperand(0));
  RankedTensorType right = getStaticType(product->getOperand(1));
  RankedTensorType values = getStaticType(v);
  if (!left || !right || !values || left.getRank() != right.getRank() ||
      left.getRank() != values.getRank() || left.getRank() < 3 ||
      left.getRank() > 4 || product->getOperand(0) == product->getOperand(1))
    return false;
  int64_t rank = left.getRank();
  if (left.getShape().drop_back(2) != right.getShape().drop_back(2) ||
      left.getShape().drop_back(2) != values.getShape().drop_back(2) ||
      values.getDimSize(rank - 2) != right.getDimSize(rank - 1))
    return false;
  std::optional<double> queryScale, keyScale;
  q = peelScale(product->getOperand(0), queryScale, match);
  Value transposed = peelScale(product->getOperand(1), keyScale, match);
  scale *= queryScale.value_or(1) * keyScale.value_or(1);
  matchKey(transposed);
  fromSdpa |= queryScale && keyScale &&
              std::abs(*queryScale - *keyScale) <= 4e-3 * std::abs(*queryScale);
  return true;
}

void raising::foldRepeatedHeads(Value &keys, Value &values) {
  Value k = matchRepeatedHeads(keys), v = matchRepeatedHeads(values);
  if (!k || !v ||
      getStaticType(k).getDimSize(1) != getStaticType(v).getDimSize(1))
    return;
  keys = k;
  values = v;
}

void AttentionMatch::foldRepeatedHeads() {
  if (keyPermutation.empty())
    raising::foldRepeatedHeads(k, v);
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

bool Raiser::raiseAttention(Operation *softmax) {
  AttentionMatch found;
  bool isRaised = raiseAttention(softmax, found);
  // The kernel may read the heads before they are repeated.
  if (found.mergedHeads)
    discard(found.mergedHeads);
  return isRaised;
}

bool Raiser::raiseAttention(Operation *softmax, AttentionMatch &found) {
  RankedTensorType scores = getStaticType(softmax->getOperand(0));
  int64_t axis = onnx::getInt(softmax, "axis");
  if (!scores || scores.getRank() < 3 ||
      (axis != -1 && axis != scores.getRank() - 1) ||
      !found.matchScores(softmax) || !found.matchProbabilities(softmax) ||
      !found.matchOperands())
    return false;
  if (!found.match.isClosed())
    return miss(softmax, "Attention",
                "scores or probabilities are used elsewhere");
  RankedTensorType resultType = getStaticType(found.match.root->getResult(0));
  if (!resultType || resultType.getRank() != getStaticType(found.v).getRank())
    return false;
  if (!found.fromSdpa && !joinsAttention)
    return miss(softmax, "Attention",
                "the model launches matmuls and softmax separately; "
                "--attention=flash and --runtime=compiled fuse them into one "
                "kernel");

  bool causal = false;
  int64_t window = 0;
  std::optional<KeyBand> sides;
  for (Value *mask : {&found.mask, &found.moreMask}) {
    KeyBand band = *mask ? masks.findBand(*mask, found.maskForm) : KeyBand();
    if (attention == AttentionMode::Flash && band.isTwoSided() && !sides) {
      sides = band;
      *mask = Value();
      continue;
    }
    bool isWindowed = band.farthest < scores.getShape().back() - 1;
    // PyTorch's kernel cannot detect that an explicit mask is causal. Hugging
    // Face omits a mask that hides nothing else.
    if (!band.isCausal() || band.farthest < 0 ||
        (attention != AttentionMode::Flash && (isWindowed || !band.isExact)))
      continue;
    causal = true;
    if (isWindowed)
      window = window ? std::min(window, band.farthest + 1) : band.farthest + 1;
    if (band.isExact)
      *mask = Value();
  }
  if (!found.mask)
    std::swap(found.mask, found.moreMask);
  // With a mask, Hugging Face repeats the heads before it calls the kernel.
  if (attention != AttentionMode::AsIs || !found.mask)
    found.foldRepeatedHeads();

  OpBuilder builder(found.match.root);
  Location loc = fuseLocations(found.match);
  Value q = found.q, k = found.k, v = found.v;
  if (!found.keyPermutation.empty())
    k = createTranspose(builder, loc, k, found.keyPermutation);
  RankedTensorType type = resultType;
  if (resultType.getRank() == 3) {
    // [batch * heads, length, head_dim]; a view of the scores may define both.
    int64_t batch = 1, heads = resultType.getDimSize(0);
    if (found.scoresType &&
        found.scoresType.getDimSize(0) * found.scoresType.getDimSize(1) ==
            heads) {
      batch = found.scoresType.getDimSize(0);
      heads = found.scoresType.getDimSize(1);
    }
    for (Value *value : {&q, &k, &v}) {
      auto sides =
          cast<RankedTensorType>(value->getType()).getShape().take_back(2);
      *value = createReshape(builder, loc, *value,
                             {batch, heads, sides[0], sides[1]});
    }
    type = resultType.clone(
        {batch, heads, resultType.getDimSize(1), resultType.getDimSize(2)});
  }
  SmallVector<Value> operands = {q, k, v};
  if (found.moreMask)
    found.mask = createSum(builder, loc, found.moreMask, found.mask);
  if (found.mask && found.maskForm == MaskForm::Drop) {
    Value &negated = negatedMasks[found.mask];
    if (!negated)
      negated = onnx::NotOp::create(builder, loc,
                                    TypeRange(found.mask.getType()), found.mask)
                    ->getResult(0);
    operands.push_back(negated);
  } else if (found.mask) {
    operands.push_back(found.mask);
  }
  SmallVector<NamedAttribute> attributes = {
      builder.getNamedAttr("is_causal", builder.getI64IntegerAttr(causal)),
      builder.getNamedAttr("scale", builder.getF32FloatAttr(found.scale))};
  if (window)
    attributes.push_back(builder.getNamedAttr(
        "local_window_size", builder.getI64IntegerAttr(window)));
  if (sides) {
    attributes.push_back(builder.getNamedAttr(
        "left_window_size", builder.getI64IntegerAttr(sides->farthest)));
    attributes.push_back(builder.getNamedAttr(
        "right_window_size", builder.getI64IntegerAttr(-sides->nearest)));
  }
  Operation *fused = onnx::FusedAttentionOp::create(
      builder, loc, TypeRange(Type(type)), operands, attributes);
  Operation *result = fused;
  if (type != resultType)
    result =
        createReshape(builder, loc, fused->getResult(0), resultType.getShape())
            .getDefiningOp();
  finish(found.match, fused, result);
  if (attention == AttentionMode::Eager)
    expandAttention(fused);
  return true;
}
