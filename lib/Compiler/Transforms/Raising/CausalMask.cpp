//===- CausalMask.cpp - Detection of causal masks -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CausalMask.h"
#include "Matchers.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxViews.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

static constexpr unsigned maxDepth = 32;

namespace {
/// Numbers of queries and keys in a mask.
struct Sides {
  int64_t queries, keys;

  bool operator==(const Sides &other) const {
    return queries == other.queries && keys == other.keys;
  }
  /// The distance of a key that is `ahead` positions after the query when both
  /// are counted from their first.
  int64_t distanceOf(int64_t ahead) const { return keys - queries - ahead; }
};
} // namespace

/// nullopt unless there are several queries, and keys for all of them.
static std::optional<Sides> getSides(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getRank() < 2)
    return std::nullopt;
  ArrayRef<int64_t> sides = tensor.getShape().take_back(2);
  if (sides[0] < 2 || sides[1] < sides[0])
    return std::nullopt;
  return Sides{sides[0], sides[1]};
}

/// Converts a number to a position; numbers above any size stay out of range.
static int64_t toPosition(double number) {
  constexpr double limit = 0x1p53;
  return number >= -limit ? static_cast<int64_t>(std::min(number, limit))
                          : -static_cast<int64_t>(limit); // also NaN
}

/// A slice with negative steps would reverse the mask.
static bool hasUnitSteps(Operation *slice) {
  constexpr unsigned stepsOperand = 4; // of onnx.Slice
  if (slice->getNumOperands() <= stepsOperand ||
      isa<NoneType>(slice->getOperand(stepsOperand).getType()))
    return true;
  DenseElementsAttr steps = getConstant(slice->getOperand(stepsOperand));
  return steps && llvm::all_of(steps.getValues<APInt>(),
                               [](const APInt &step) { return step == 1; });
}

/// Whether keys and queries of `op` have the order of its operand.
static bool isView(Operation *op) {
  return isa<onnx::SliceOp>(op) ? hasUnitSteps(op)
                                : onnx::keepsOrder(op) || onnx::isCast(op);
}

static MaskForm getOpposite(MaskForm form) {
  return form == MaskForm::Keep ? MaskForm::Drop : MaskForm::Keep;
}

/// The keys that two masks leave together.
static KeyBand intersect(KeyBand a, KeyBand b) {
  return {std::max(a.nearest, b.nearest), std::min(a.farthest, b.farthest),
          a.isExact && b.isExact};
}

static KeyBand atLeast(int64_t distance) { return {distance, INT64_MAX, true}; }
static KeyBand atMost(int64_t distance) { return {INT64_MIN, distance, true}; }

/// Distances of the kept elements. Positions before the last are not exact.
KeyBand CausalMask::ofContents(DenseElementsAttr dense, MaskForm form) {
  auto sides = getSides(dense.getType());
  bool isFloat = isa<FloatType>(dense.getElementType());
  if (!sides || dense.isSplat() || (!isFloat && form == MaskForm::Additive))
    return {};
  auto [it, inserted] =
      knownContents.try_emplace({dense, static_cast<unsigned>(form)});
  if (!inserted)
    return it->second;
  // Elements have few distinct values; only new ones are converted.
  std::optional<APFloat> low;
  KeyBand band{INT64_MAX, INT64_MIN, true};
  int64_t count = dense.getNumElements(), size = sides->queries * sides->keys;
  std::vector<bool> kept(count);
  auto distanceOf = [&](int64_t i) {
    return sides->distanceOf(i % sides->keys - i % size / sides->keys);
  };
  for (int64_t i = 0; i < count; ++i) {
    bool isZero;
    if (isFloat) {
      APFloat element = *(dense.value_begin<APFloat>() + i);
      isZero = element.isZero();
      if (!isZero && form == MaskForm::Additive &&
          !(low && low->bitwiseIsEqual(element))) {
        if (!isMaskValue(getElement(dense, i)))
          return {};
        low = element;
      }
    } else {
      isZero = (*(dense.value_begin<APInt>() + i)).isZero();
    }
    kept[i] = isZero != (form == MaskForm::Keep);
    if (!kept[i])
      continue;
    band.nearest = std::min(band.nearest, distanceOf(i));
    band.farthest = std::max(band.farthest, distanceOf(i));
  }
  for (int64_t i = 0; i < count && band.isExact; ++i)
    band.isExact = kept[i] == (distanceOf(i) >= band.nearest &&
                               distanceOf(i) <= band.farthest);
  return it->second = band;
}

/// Trilu of a filled tensor: ones below the diagonal, or mask values above it.
static KeyBand ofTriangle(Operation *op, MaskForm form) {
  bool isUpper = onnx::getInt(op, "upper") != 0;
  std::optional<double> diagonal = 0.0;
  if (op->getNumOperands() > 1 &&
      !isa<onnx::NoneType>(op->getOperand(1).getType()))
    diagonal = getScalar(op->getOperand(1));
  std::optional<double> fill = getSplat(op->getOperand(0));
  auto sides = getSides(op->getResult(0).getType());
  bool isFilled =
      form == MaskForm::Additive ? isMaskValue(fill) : fill.value_or(0) != 0;
  if (!diagonal || !sides || !isFilled)
    return {};
  // Elements of the triangle are at most (upper: at least) `k` ahead.
  int64_t k = toPosition(*diagonal);
  if (form == MaskForm::Keep)
    return isUpper ? atMost(sides->distanceOf(k))
                   : atLeast(sides->distanceOf(k));
  return isUpper ? atLeast(sides->distanceOf(k - 1))
                 : atMost(sides->distanceOf(k + 1));
}

/// Where(condition, 0, lowest) or Where(condition, lowest, 0).
KeyBand CausalMask::ofSelection(Operation *op) {
  for (unsigned low : {2u, 1u}) {
    if (!isMaskValue(getSplat(op->getOperand(low))))
      continue;
    KeyBand band =
        findBand(op->getOperand(0), low == 2 ? MaskForm::Keep : MaskForm::Drop);
    band.isExact &= getSplat(op->getOperand(3 - low)) == 0.0;
    return band;
  }
  return {};
}

/// |a - b| compared with a number, where one of a and b are positions of keys,
/// the other those of queries: keys at both sides of the query.
KeyBand CausalMask::ofDistance(Operation *op, MaskForm form) {
  for (unsigned side : {0u, 1u}) {
    auto absolute = op->getOperand(side).getDefiningOp<onnx::AbsOp>();
    std::optional<Progression> limit =
        progressions.find(op->getOperand(1 - side));
    if (!absolute || !limit || !limit->isUniform())
      continue;
    auto difference = absolute->getOperand(0).getDefiningOp<onnx::SubOp>();
    auto sides = getSides(op->getResult(0).getType());
    bool isLess = isa<onnx::LessOp, onnx::LessOrEqualOp>(op) == (side == 0);
    bool hasEqual = isa<onnx::LessOrEqualOp, onnx::GreaterOrEqualOp>(op);
    if (!difference || !sides || isLess != (form == MaskForm::Keep))
      return {};
    std::optional<Progression> keys =
        progressions.find(difference->getOperand(0));
    std::optional<Progression> queries =
        progressions.find(difference->getOperand(1));
    if (keys && keys->fromEnd != 1)
      std::swap(keys, queries);
    if (!keys || !queries || keys->fromEnd != 1 || queries->fromEnd != 2 ||
        keys->slope != 1 || queries->slope != 1)
      return {};
    int64_t distance =
        sides->distanceOf(toPosition(queries->first - keys->first));
    bool keepsEqual = hasEqual == (form == MaskForm::Keep);
    int64_t reach = toPosition(keepsEqual ? std::floor(limit->first)
                                          : std::ceil(limit->first) - 1);
    if (reach < 0)
      return {};
    return {distance - reach, distance + reach, true};
  }
  return {};
}

/// Positions of keys compared with positions of queries.
KeyBand CausalMask::ofComparison(Operation *op, MaskForm form) {
  auto sides = getSides(op->getResult(0).getType());
  if (!sides)
    return {};
  std::optional<Progression> keys = progressions.find(op->getOperand(0));
  std::optional<Progression> queries = progressions.find(op->getOperand(1));
  bool isLess = isa<onnx::LessOp, onnx::LessOrEqualOp>(op);
  // a - b <= c and c >= a - b ask the same as a <= b + c.
  for (unsigned side : {0u, 1u}) {
    Value compared = op->getOperand(side);
    while (auto cast = compared.getDefiningOp<onnx::CastOp>())
      compared = cast->getOperand(0);
    auto difference = compared.getDefiningOp<onnx::SubOp>();
    const std::optional<Progression> &limit = side == 0 ? queries : keys;
    if (!difference || !limit || !limit->isUniform())
      continue;
    double offset = limit->first;
    keys = progressions.find(difference->getOperand(0));
    queries = progressions.find(difference->getOperand(1));
    if (queries)
      queries->first += offset;
    if (side == 1)
      isLess = !isLess;
    break;
  }
  bool hasEqual = isa<onnx::LessOrEqualOp, onnx::GreaterOrEqualOp>(op);
  if (keys && keys->fromEnd != 1) {
    std::swap(keys, queries);
    isLess = !isLess;
  }
  if (!keys || !queries || keys->fromEnd != 1 || queries->fromEnd != 2 ||
      keys->slope != 1 || queries->slope != 1)
    return {};
  if (form == MaskForm::Drop) {
    isLess = !isLess;
    hasEqual = !hasEqual;
  }
  // Where both are equal.
  int64_t distance =
      sides->distanceOf(toPosition(queries->first - keys->first));
  return isLess ? atLeast(distance + !hasEqual) : atMost(distance - !hasEqual);
}

KeyBand CausalMask::ofOp(Operation *op, MaskForm form) {
  bool isAdditive = form == MaskForm::Additive;
  if (isa<onnx::TriluOp>(op))
    return ofTriangle(op, form);
  // Masks that hide keys together.
  bool isUnion = isAdditive               ? isa<onnx::AddOp>(op)
                 : form == MaskForm::Keep ? isa<onnx::AndOp>(op)
                                          : isa<onnx::OrOp>(op);
  if (isUnion && op->getNumOperands() == 2)
    return intersect(findBand(op->getOperand(0), form),
                     findBand(op->getOperand(1), form));
  if (isAdditive && isa<onnx::WhereOp>(op))
    return ofSelection(op);
  if (isAdditive && isa<onnx::MulOp>(op)) {
    // (1 - keep) * low
    std::optional<Scaled> product = matchScale(op);
    return product && isMaskValue(product->factor)
               ? findBand(product->value, MaskForm::Drop)
               : KeyBand();
  }
  if (isAdditive)
    return {};
  if (isa<onnx::NotOp>(op))
    return findBand(op->getOperand(0), getOpposite(form));
  if (isa<onnx::SubOp>(op) && isScalar(op->getOperand(0), 1.0))
    return findBand(op->getOperand(1), getOpposite(form));
  if (isa<onnx::EqualOp>(op) && getSplat(op->getOperand(1)) == 0.0)
    return findBand(op->getOperand(0), getOpposite(form));
  if (!isa<onnx::LessOp, onnx::LessOrEqualOp, onnx::GreaterOp,
           onnx::GreaterOrEqualOp>(op))
    return {};
  KeyBand band = ofDistance(op, form);
  return band.isExact ? band : ofComparison(op, form);
}

KeyBand CausalMask::findUncached(Value mask, MaskForm form) {
  // Masks that hide nothing.
  if (std::optional<Progression> same = progressions.find(mask);
      same && same->isUniform()) {
    bool keepsAll = (same->first != 0) == (form == MaskForm::Keep);
    return keepsAll ? KeyBand{INT64_MIN, INT64_MAX, true} : KeyBand();
  }
  auto sides = getSides(mask.getType());
  Operation *def = mask.getDefiningOp();
  if (!sides || !def)
    return {};
  if (DenseElementsAttr dense = getConstant(mask))
    return ofContents(dense, form);
  if (!isView(def))
    return ofOp(def, form);
  return getSides(def->getOperand(0).getType()) == sides
             ? findBand(def->getOperand(0), form)
             : KeyBand();
}

KeyBand CausalMask::findBand(Value mask, MaskForm form) {
  std::pair<Value, unsigned> key(mask, static_cast<unsigned>(form));
  auto it = known.find(key);
  if (it != known.end())
    return it->second;
  if (depth > maxDepth)
    return {};
  ++depth;
  KeyBand band = findUncached(mask, form);
  --depth;
  known[key] = band;
  return band;
}

SmallVector<Operation *, 4> raising::matchHiddenRows(Operation *select, Value p,
                                                     Value scores) {
  if (!isa<onnx::WhereOp>(select) || select->getOperand(2) != p ||
      getSplat(select->getOperand(1)) != 0.0)
    return {};
  SmallVector<Operation *, 4> ops = {select};
  Value value = select->getOperand(0);
  while (Operation *op = value.getDefiningOp()) {
    ops.push_back(op);
    if (isa<onnx::EqualOp>(op)) {
      value = op->getOperand(0);
      if (!isMaskValue(getScalar(op->getOperand(1))))
        return {};
    } else if (isa<onnx::ReduceMinOp, onnx::CastOp, onnx::NotOp,
                   onnx::ReduceMaxOp>(op)) {
      value = op->getOperand(0);
    } else {
      return {};
    }
    if (value == scores)
      return ops;
  }
  return {};
}
