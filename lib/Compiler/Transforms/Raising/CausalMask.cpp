//===- CausalMask.cpp - Detection of causal masks -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CausalMask.h"
#include "Matchers.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include <algorithm>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

static constexpr unsigned maxDepth = 32;

/// Numbers of queries and keys in a mask; nullopt unless both are above one.
static std::optional<std::pair<int64_t, int64_t>> getSides(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getRank() < 2)
    return std::nullopt;
  ArrayRef<int64_t> sides = tensor.getShape().take_back(2);
  if (sides[0] < 2 || sides[1] < sides[0])
    return std::nullopt;
  return std::pair(sides[0], sides[1]);
}

/// Converts a number to a position; numbers above any size stay out of range.
static int64_t toPosition(double number) {
  constexpr double limit = 0x1p53;
  return number >= -limit ? static_cast<int64_t>(std::min(number, limit))
                          : -static_cast<int64_t>(limit); // also NaN
}

static bool isView(Operation *op) {
  return isa<onnx::ExpandOp, onnx::UnsqueezeOp, onnx::SqueezeOp,
             onnx::ReshapeOp, onnx::IdentityOp, onnx::CastOp, onnx::CastLikeOp,
             onnx::SliceOp>(op);
}

/// The first of the consecutive positions in `value` along its dimension
/// `fromEnd` (1: the last) if all other dimensions are 1; else nullopt.
static std::optional<int64_t> getFirstPosition(Value value, int64_t fromEnd) {
  RankedTensorType type = getStaticType(value);
  if (!type || type.getRank() < fromEnd ||
      type.getNumElements() != type.getDimSize(type.getRank() - fromEnd))
    return std::nullopt;
  int64_t count = type.getNumElements(), offset = 0;
  for (unsigned depth = 0; depth < maxDepth; ++depth) {
    if (DenseElementsAttr dense = getConstant(value)) {
      if (dense.getNumElements() != count)
        return std::nullopt;
      int64_t first = toPosition(getElement(dense, 0));
      for (int64_t i = 1; i < count; ++i)
        if (getElement(dense, i) != static_cast<double>(first + i))
          return std::nullopt;
      return first + offset;
    }
    Operation *def = value.getDefiningOp();
    if (!def)
      return std::nullopt;
    if (isa<onnx::RangeOp>(def)) {
      std::optional<double> start = getScalar(def->getOperand(0));
      std::optional<double> step = getScalar(def->getOperand(2));
      if (!start || step != 1.0)
        return std::nullopt;
      return toPosition(*start) + offset;
    }
    if (isa<onnx::AddOp>(def)) {
      unsigned side = getScalar(def->getOperand(1)) ? 1 : 0;
      std::optional<double> added = getScalar(def->getOperand(side));
      if (!added)
        return std::nullopt;
      offset += toPosition(*added);
      value = def->getOperand(1 - side);
    } else if (isView(def)) {
      value = def->getOperand(0);
    } else {
      return std::nullopt;
    }
    RankedTensorType inner = getStaticType(value);
    if (!inner || inner.getNumElements() != count)
      return std::nullopt;
  }
  return std::nullopt;
}

/// Whether `keys` contains key positions along the last dimension and `queries`
/// query positions along the previous dimension, with the same start.
static bool arePositions(Value keys, Value queries) {
  std::optional<int64_t> key = getFirstPosition(keys, 1);
  std::optional<int64_t> query = getFirstPosition(queries, 2);
  return key && query && *key == *query &&
         getStaticType(keys).getNumElements() ==
             getStaticType(queries).getNumElements();
}

Causality CausalMask::classifyContents(DenseElementsAttr dense, MaskForm form) {
  auto sides = getSides(dense.getType());
  if (!sides || dense.isSplat())
    return Causality::None;
  auto [it, inserted] = knownContents.try_emplace(
      {dense, static_cast<unsigned>(form)}, Causality::None);
  if (!inserted)
    return it->second;
  auto [queries, keys] = *sides;
  bool isFloat = isa<FloatType>(dense.getElementType());
  if (!isFloat && form == MaskForm::Additive)
    return Causality::None;
  // Elements have few distinct values; only new ones are converted.
  std::optional<APFloat> low;
  bool exact = true;
  for (int64_t i = 0, e = dense.getNumElements(); i < e; ++i) {
    int64_t key = i % keys, query = i / keys % queries;
    bool isZero;
    if (isFloat) {
      APFloat element = *(dense.value_begin<APFloat>() + i);
      isZero = element.isZero();
      if (!isZero && form == MaskForm::Additive &&
          !(low && low->bitwiseIsEqual(element))) {
        if (!isMaskValue(getElement(dense, i)))
          return Causality::None;
        low = element;
      }
    } else {
      isZero = (*(dense.value_begin<APInt>() + i)).isZero();
    }
    bool kept = isZero != (form == MaskForm::Keep);
    bool visible = key <= query + keys - queries;
    if (kept && !visible)
      return Causality::None;
    exact &= kept == visible;
  }
  return it->second = exact ? Causality::Causal : Causality::WithMore;
}

/// Combines masks: And for keep masks, Or for drop masks, addition for additive
/// masks. The result is causal if an operand is causal, and exactly causal if
/// the other operand hides nothing.
Causality CausalMask::combine(Operation *op, MaskForm form, unsigned depth) {
  if (op->getNumOperands() != 2)
    return Causality::None;
  for (unsigned i : {0u, 1u}) {
    Causality causality = classify(op->getOperand(i), form, depth);
    if (causality == Causality::None)
      continue;
    double neutral = form == MaskForm::Keep ? 1.0 : 0.0;
    return getSplat(op->getOperand(1 - i)) == neutral ? causality
                                                      : Causality::WithMore;
  }
  return Causality::None;
}

/// Trilu of a filled tensor: ones below the diagonal, or mask values above it.
static bool isTriangle(Operation *op, MaskForm form) {
  bool isUpper = onnx::getInt(op, "upper") != 0;
  double diagonal = 0;
  if (op->getNumOperands() > 1 &&
      !isa<onnx::NoneType>(op->getOperand(1).getType())) {
    std::optional<double> k = getScalar(op->getOperand(1));
    if (!k)
      return false;
    diagonal = *k;
  }
  std::optional<double> fill = getSplat(op->getOperand(0));
  auto sides = getSides(op->getResult(0).getType());
  if (!fill || !sides || sides->first != sides->second)
    return false;
  if (form == MaskForm::Keep)
    return !isUpper && diagonal == 0 && *fill != 0;
  return isUpper && diagonal == 1 &&
         (form == MaskForm::Drop ? *fill != 0 : isMaskValue(fill));
}

Causality CausalMask::classifyUncached(Value mask, MaskForm form,
                                       unsigned depth) {
  auto sides = getSides(mask.getType());
  Operation *def = mask.getDefiningOp();
  if (!sides || !def || depth > maxDepth)
    return Causality::None;
  if (DenseElementsAttr dense = getConstant(mask))
    return classifyContents(dense, form);
  if (isView(def))
    return getSides(def->getOperand(0).getType()) == sides
               ? classify(def->getOperand(0), form, depth + 1)
               : Causality::None;
  MaskForm opposite = form == MaskForm::Keep ? MaskForm::Drop : MaskForm::Keep;
  bool isAdditive = form == MaskForm::Additive;
  auto exactly = [](bool condition) {
    return condition ? Causality::Causal : Causality::None;
  };
  if (isa<onnx::TriluOp>(def))
    return exactly(isTriangle(def, form));
  if (isAdditive && isa<onnx::WhereOp>(def)) {
    std::optional<double> kept = getSplat(def->getOperand(1));
    std::optional<double> dropped = getSplat(def->getOperand(2));
    if (isMaskValue(dropped)) {
      Causality causality =
          classify(def->getOperand(0), MaskForm::Keep, depth + 1);
      return causality == Causality::None || kept == 0.0 ? causality
                                                         : Causality::WithMore;
    }
    if (isMaskValue(kept)) {
      Causality causality =
          classify(def->getOperand(0), MaskForm::Drop, depth + 1);
      return causality == Causality::None || dropped == 0.0
                 ? causality
                 : Causality::WithMore;
    }
    return Causality::None;
  }
  if (isAdditive && isa<onnx::MulOp>(def)) {
    // (1 - keep) * low
    std::optional<Scaled> product = matchScale(def);
    return product && isMaskValue(product->factor)
               ? classify(product->value, MaskForm::Drop, depth + 1)
               : Causality::None;
  }
  if (isa<onnx::AddOp>(def))
    return isAdditive ? combine(def, form, depth + 1) : Causality::None;
  if (isAdditive)
    return Causality::None;
  if (isa<onnx::NotOp>(def))
    return classify(def->getOperand(0), opposite, depth + 1);
  if (isa<onnx::SubOp>(def))
    return isScalar(def->getOperand(0), 1.0)
               ? classify(def->getOperand(1), opposite, depth + 1)
               : Causality::None;
  if (isa<onnx::EqualOp>(def))
    return getSplat(def->getOperand(1)) == 0.0
               ? classify(def->getOperand(0), opposite, depth + 1)
               : Causality::None;
  bool isKeep = form == MaskForm::Keep;
  if (isKeep ? isa<onnx::AndOp>(def) : isa<onnx::OrOp>(def))
    return combine(def, form, depth + 1);
  Value first = def->getNumOperands() == 2 ? def->getOperand(0) : Value();
  Value second = first ? def->getOperand(1) : Value();
  if (isa<onnx::LessOrEqualOp>(def))
    return exactly(isKeep && arePositions(first, second));
  if (isa<onnx::GreaterOrEqualOp>(def))
    return exactly(isKeep && arePositions(second, first));
  if (isa<onnx::GreaterOp>(def))
    return exactly(!isKeep && arePositions(first, second));
  if (isa<onnx::LessOp>(def))
    return exactly(!isKeep && arePositions(second, first));
  return Causality::None;
}

Causality CausalMask::classify(Value mask, MaskForm form, unsigned depth) {
  std::pair<Value, unsigned> key(mask, static_cast<unsigned>(form));
  auto it = known.find(key);
  if (it != known.end())
    return it->second;
  Causality causality = classifyUncached(mask, form, depth);
  known[key] = causality;
  return causality;
}

Causality CausalMask::classify(Value mask, MaskForm form) {
  return classify(mask, form, 0);
}
