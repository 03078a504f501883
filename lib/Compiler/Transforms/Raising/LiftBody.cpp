//===- LiftBody.cpp - Bodies of structured ops as operators ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Every step of a body on numbers becomes one elementwise op on tensors; a
// reduction loop becomes a Reduce op that keeps the reduced dimensions.

#include "Lifting.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;
using linalg::LinalgOp;

std::optional<double> raising::getNumber(Value scalar) {
  // Conversions of constants within a body.
  for (int depth = 0; depth < 4; ++depth) {
    Operation *def = scalar.getDefiningOp();
    if (!isa_and_nonnull<arith::TruncFOp, arith::ExtFOp, arith::SIToFPOp,
                         arith::IndexCastOp>(def))
      break;
    scalar = def->getOperand(0);
  }
  Attribute value;
  if (!matchPattern(scalar, m_Constant(&value)))
    return std::nullopt;
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValueAsDouble();
  if (auto number = dyn_cast<IntegerAttr>(value))
    return number.getValue().roundToDouble(
        /*isSigned=*/!number.getType().isInteger(1));
  return std::nullopt;
}

std::optional<double> raising::getFill(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return getNumber(fill.getInputs()[0]);
  // A constant, or one that was lifted before and is broadcast.
  return getSplat(value);
}

namespace {
/// Lifts the body of one op.
class BodyLifter {
public:
  BodyLifter(LinalgOp op, unsigned result, LiftBuilder &builder)
      : op(op), result(op->getResult(result)),
        init(op.getDpsInitOperand(result)), builder(builder),
        ranges(op.getStaticLoopRanges()) {}

  Value lift();

private:
  Value liftStep(Operation *step);
  Value liftSelect(arith::SelectOp select);
  Value liftCompare(Operation *step, StringRef predicate);
  Value liftExtract(tensor::ExtractOp extract);
  Value find(Value scalar);
  Value findOperand(OpOperand &operand);
  Value align(Value value, ArrayRef<int64_t> loopOf);
  Value reduce(Value value, Operation *combiner);
  Value toResult(Value value);

  /// An elementwise op with elements like those of `result`; null if an operand
  /// has no spelling in onnx ops.
  template <typename OpT> Value create(Value result, ValueRange scalars) {
    SmallVector<Value> operands;
    for (Value scalar : scalars)
      operands.push_back(find(scalar));
    return llvm::all_of(operands, [](Value value) { return bool(value); })
               ? builder.createElementwise<OpT>(elementOf(result), operands)
               : Value();
  }
  template <typename OpT> Value create(Operation *step) {
    return create<OpT>(step->getResult(0), step->getOperands());
  }
  Type elementOf(Value scalar) {
    return isa<IndexType>(scalar.getType()) ? builder.getI64Type()
                                            : scalar.getType();
  }

  LinalgOp op;
  OpResult result; ///< the only one that is used
  OpOperand *init;
  LiftBuilder &builder;
  SmallVector<int64_t> ranges;
  llvm::DenseMap<Value, Value> known;
  unsigned steps = 0;
  bool moves = false; ///< an operand is read at other positions
};
} // namespace

/// Longest body that is lifted.
static constexpr unsigned mostSteps = 64;

/// `value`, whose dimensions follow the loops `loopOf` (-1: a single element),
/// with one dimension per loop, of size 1 where it has none.
Value BodyLifter::align(Value value, ArrayRef<int64_t> loopOf) {
  SmallVector<int64_t> permutation;
  for (size_t i = 0; i < loopOf.size(); ++i)
    permutation.push_back(i);
  // Single elements first: the order of the others decides.
  llvm::stable_sort(
      permutation, [&](int64_t a, int64_t b) { return loopOf[a] < loopOf[b]; });
  SmallVector<int64_t> wide;
  for (int64_t loop : loopOf)
    if (loop >= 0)
      wide.push_back(loop);
  if (!llvm::is_sorted(wide))
    value = builder.createTranspose(value, permutation);
  llvm::sort(wide);
  // NumPy broadcasting adds leading dimensions.
  size_t first = wide.empty() ? ranges.size() : wide.front();
  SmallVector<int64_t> shape(ranges.size() - first, 1);
  for (int64_t loop : wide)
    shape[loop - first] = ranges[loop];
  auto type = cast<RankedTensorType>(value.getType());
  bool isLonger = type.getRank() > static_cast<int64_t>(shape.size()) &&
                  type.getRank() <= static_cast<int64_t>(ranges.size());
  if (isLonger)
    shape.insert(shape.begin(), type.getRank() - shape.size(), 1);
  return builder.createReshape(value, shape);
}

Value BodyLifter::findOperand(OpOperand &operand) {
  SmallVector<int64_t> loopOf;
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type) {
    Attribute number;
    return matchPattern(operand.get(), m_Constant(&number)) &&
                   isa<FloatAttr, IntegerAttr>(number)
               ? builder.createScalar(cast<TypedAttr>(number))
               : Value();
  }
  AffineMap map = op.getMatchingIndexingMap(&operand);
  // One number that a front end has written for every element, unless the op
  // only moves a weight.
  DenseElementsAttr dense;
  Type element = type.getElementType();
  bool isNumber =
      isa<FloatType>(element) || element.isInteger(1) || element.isInteger(64);
  bool isMoved = op.getBlock()->getTerminator()->getOperand(0) ==
                 op.getMatchingBlockArgument(&operand);
  if (isNumber && !isMoved && map.getNumResults() == ranges.size() &&
      !ranges.empty() && matchPattern(operand.get(), m_Constant(&dense)) &&
      dense.isSplat())
    return builder.createScalar(dense.getSplatValue<TypedAttr>());
  for (auto [expression, size] :
       llvm::zip_equal(map.getResults(), type.getShape())) {
    auto constant = dyn_cast<AffineConstantExpr>(expression);
    auto loop = dyn_cast<AffineDimExpr>(expression);
    if (constant && constant.getValue() == 0 && size == 1)
      loopOf.push_back(-1);
    else if (loop && ranges[loop.getPosition()] == size &&
             !llvm::is_contained(loopOf, loop.getPosition()))
      loopOf.push_back(size == 1 ? -1
                                 : static_cast<int64_t>(loop.getPosition()));
    else
      return {};
  }
  return align(operand.get(), loopOf);
}

Value BodyLifter::find(Value scalar) {
  auto it = known.find(scalar);
  if (it != known.end())
    return it->second;
  Value found;
  Attribute number;
  if (auto argument = dyn_cast<BlockArgument>(scalar)) {
    if (argument.getOwner() == op.getBlock())
      found = findOperand(op->getOpOperand(argument.getArgNumber()));
  } else if (matchPattern(scalar, m_Constant(&number))) {
    if (isa<FloatAttr, IntegerAttr>(number))
      found = builder.createScalar(cast<TypedAttr>(number));
  } else if (Operation *step = scalar.getDefiningOp();
             step->getBlock() == op.getBlock()) {
    if (++steps <= mostSteps)
      found = liftStep(step);
  } else if (auto extract = dyn_cast<tensor::ExtractOp>(step)) {
    // A number that is computed before.
    if (extract.getIndices().empty())
      found = extract.getTensor();
  }
  return known[scalar] = found;
}

/// A read whose indices are loops or 0, of a transposed or broadcast operand,
/// or at positions that another tensor holds.
Value BodyLifter::liftExtract(tensor::ExtractOp extract) {
  RankedTensorType type = extract.getTensor().getType();
  if (!type.hasStaticShape())
    return {};
  SmallVector<int64_t> loopOf;
  moves = true;
  for (auto [index, size] :
       llvm::zip_equal(extract.getIndices(), type.getShape())) {
    std::optional<int64_t> loop = findLoop(index, ranges);
    if (!loop)
      return liftGather(extract, ranges, builder,
                        [&](Value scalar) { return find(scalar); });
    if ((*loop < 0 ? size != 1 : ranges[*loop] != size) ||
        (*loop >= 0 && llvm::is_contained(loopOf, *loop)))
      return {};
    loopOf.push_back(*loop);
  }
  return align(extract.getTensor(), loopOf);
}

Value BodyLifter::liftCompare(Operation *step, StringRef predicate) {
  // Unordered and unsigned comparisons cost the same.
  if (predicate.size() == 3)
    predicate = predicate.drop_front();
  if (predicate == "eq")
    return create<onnx::EqualOp>(step);
  if (predicate == "lt")
    return create<onnx::LessOp>(step);
  if (predicate == "le")
    return create<onnx::LessOrEqualOp>(step);
  if (predicate == "gt")
    return create<onnx::GreaterOp>(step);
  if (predicate == "ge")
    return create<onnx::GreaterOrEqualOp>(step);
  Value same = predicate == "ne" ? create<onnx::EqualOp>(step) : Value();
  return same ? builder.createElementwise<onnx::NotOp>(
                    elementOf(step->getResult(0)), same)
              : Value();
}

/// max(a, b), min(a, b) or a general selection.
Value BodyLifter::liftSelect(arith::SelectOp select) {
  Value a = select.getTrueValue(), b = select.getFalseValue();
  Operation *test = select.getCondition().getDefiningOp();
  StringRef predicate;
  if (auto compare = dyn_cast_or_null<arith::CmpFOp>(test))
    predicate = stringifyEnum(compare.getPredicate()).drop_front();
  else if (auto compare = dyn_cast_or_null<arith::CmpIOp>(test))
    predicate = stringifyEnum(compare.getPredicate()).take_back(2);
  bool isGreater = predicate == "gt" || predicate == "ge";
  bool isLess = predicate == "lt" || predicate == "le";
  bool isSame = test && test->getNumOperands() == 2 &&
                test->getOperand(0) == a && test->getOperand(1) == b;
  bool isSwapped = test && test->getNumOperands() == 2 &&
                   test->getOperand(0) == b && test->getOperand(1) == a;
  if ((isGreater && isSame) || (isLess && isSwapped))
    return getNumber(b) == 0.0 ? create<onnx::ReluOp>(select, a)
                               : create<onnx::MaxOp>(select, {a, b});
  if ((isLess && isSame) || (isGreater && isSwapped))
    return create<onnx::MinOp>(select, {a, b});
  return create<onnx::WhereOp>(select);
}

/// TOSA clamps to the largest numbers of a format where there is no bound:
/// min(x, largest) and max(x, -largest) are x.
static bool isUnbounded(Operation *step, std::optional<double> bound,
                        double sign) {
  auto format = dyn_cast<FloatType>(step->getResult(0).getType());
  if (!format || !bound)
    return false;
  APFloat largest = APFloat::getLargest(format.getFloatSemantics());
  bool losesInfo;
  largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return sign * *bound >= largest.convertToDouble();
}

Value BodyLifter::liftStep(Operation *step) {
  using Op = Operation *;
  return llvm::TypeSwitch<Op, Value>(step)
      .Case<arith::AddFOp, arith::AddIOp>(
          [&](Op op) { return create<onnx::AddOp>(op); })
      .Case<arith::SubFOp, arith::SubIOp>(
          [&](Op op) { return create<onnx::SubOp>(op); })
      .Case<arith::MulFOp, arith::MulIOp>(
          [&](Op op) { return create<onnx::MulOp>(op); })
      .Case<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>([&](Op op) {
        return getNumber(op->getOperand(0)) == 1.0
                   ? create<onnx::ReciprocalOp>(op->getResult(0),
                                                op->getOperand(1))
                   : create<onnx::DivOp>(op);
      })
      .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp,
            arith::MaxUIOp>([&](Op op) {
        std::optional<double> bound = getNumber(op->getOperand(1));
        if (isUnbounded(op, bound, -1))
          return find(op->getOperand(0));
        return bound == 0.0
                   ? create<onnx::ReluOp>(op->getResult(0), op->getOperand(0))
                   : create<onnx::MaxOp>(op);
      })
      .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp,
            arith::MinUIOp>([&](Op op) {
        return isUnbounded(op, getNumber(op->getOperand(1)), 1)
                   ? find(op->getOperand(0))
                   : create<onnx::MinOp>(op);
      })
      .Case<math::PowFOp, math::FPowIOp>(
          [&](Op op) { return create<onnx::PowOp>(op); })
      .Case<arith::AndIOp>([&](Op op) { return create<onnx::AndOp>(op); })
      .Case<arith::OrIOp>([&](Op op) { return create<onnx::OrOp>(op); })
      .Case<arith::XOrIOp>([&](Op op) {
        return op->getResult(0).getType().isInteger(1) &&
                       getNumber(op->getOperand(1)) == 1.0
                   ? create<onnx::NotOp>(op->getResult(0), op->getOperand(0))
                   : create<onnx::XorOp>(op);
      })
      .Case<arith::NegFOp>([&](Op op) { return create<onnx::NegOp>(op); })
      .Case<math::ExpOp>([&](Op op) { return create<onnx::ExpOp>(op); })
      .Case<math::LogOp>([&](Op op) { return create<onnx::LogOp>(op); })
      .Case<math::SqrtOp>([&](Op op) { return create<onnx::SqrtOp>(op); })
      .Case<math::RsqrtOp>([&](Op op) {
        Value root = create<onnx::SqrtOp>(op);
        return root ? builder.createElementwise<onnx::ReciprocalOp>(
                          elementOf(op->getResult(0)), root)
                    : Value();
      })
      .Case<math::ErfOp>([&](Op op) { return create<onnx::ErfOp>(op); })
      .Case<math::TanhOp>([&](Op op) { return create<onnx::TanhOp>(op); })
      .Case<math::SinOp>([&](Op op) { return create<onnx::SinOp>(op); })
      .Case<math::CosOp>([&](Op op) { return create<onnx::CosOp>(op); })
      .Case<math::AbsFOp, math::AbsIOp>(
          [&](Op op) { return create<onnx::AbsOp>(op); })
      .Case<math::FloorOp>([&](Op op) { return create<onnx::FloorOp>(op); })
      .Case<math::CeilOp>([&](Op op) { return create<onnx::CeilOp>(op); })
      .Case<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
            arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp,
            arith::FPToUIOp, arith::IndexCastOp, arith::IndexCastUIOp>(
          [&](Op op) {
            Value in = find(op->getOperand(0));
            return in ? builder.createCast(in, elementOf(op->getResult(0)))
                      : Value();
          })
      .Case<arith::CmpFOp>([&](arith::CmpFOp op) {
        return liftCompare(op, stringifyEnum(op.getPredicate()));
      })
      .Case<arith::CmpIOp>([&](arith::CmpIOp op) {
        return liftCompare(op, stringifyEnum(op.getPredicate()));
      })
      .Case<arith::SelectOp>([&](arith::SelectOp op) { return liftSelect(op); })
      .Case<tensor::ExtractOp>(
          [&](tensor::ExtractOp op) { return liftExtract(op); })
      .Case<linalg::IndexOp>([&](linalg::IndexOp op) {
        return builder.createPositions(ranges, op.getDim());
      })
      .Default([](Op) { return Value(); });
}

/// Reduces the reduction loops of `value`, which keep one element.
Value BodyLifter::reduce(Value value, Operation *combiner) {
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  SmallVector<int64_t> axes(reduced.begin(), reduced.end());
  SmallVector<int64_t> kept(ranges);
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() != static_cast<int64_t>(ranges.size()))
    return {};
  for (int64_t axis : axes) {
    if (type.getDimSize(axis) != ranges[axis])
      return {};
    kept[axis] = 1;
  }
  for (auto [i, size] : llvm::enumerate(kept))
    size = std::min(size, type.getDimSize(i));
  NamedAttribute attributes[] = {builder.integers("axes", axes),
                                 builder.integer("keepdims", 1)};
  double lowest = -std::numeric_limits<double>::infinity();
  auto startsWith = [&](double neutral) {
    return getFill(init->get()) == neutral;
  };
  auto isBelow = [&](double bound) {
    std::optional<double> number = getFill(init->get());
    return number && *number <= bound;
  };
  auto create = [&](auto reduction, bool isNeutral) {
    return isNeutral ? builder.create<decltype(reduction)>(type.clone(kept),
                                                           value, attributes)
                     : Value();
  };
  bool isTruth = type.getElementType().isInteger(1);
  if (isa<arith::AddFOp, arith::AddIOp>(combiner))
    return create(onnx::ReduceSumOp(), startsWith(0));
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(combiner))
    return create(onnx::ReduceMaxOp(), startsWith(lowest) || isBelow(-65504));
  if (isa<arith::MinimumFOp, arith::MinNumFOp>(combiner))
    return create(onnx::ReduceMinOp(), startsWith(-lowest));
  if (isTruth && isa<arith::AndIOp>(combiner))
    return create(onnx::ReduceMinOp(), startsWith(1));
  if (isTruth && isa<arith::OrIOp>(combiner))
    return create(onnx::ReduceMaxOp(), startsWith(0));
  if (isa<arith::MulFOp>(combiner))
    return create(onnx::ReduceProdOp(), startsWith(1));
  return {};
}

/// `value`, with one dimension per loop, in the layout of the result.
Value BodyLifter::toResult(Value value) {
  auto out = cast<RankedTensorType>(result.getType());
  AffineMap map = op.getMatchingIndexingMap(init);
  SmallVector<int64_t> permutation, shape(ranges);
  llvm::SmallBitVector isWritten(ranges.size());
  for (AffineExpr expression : map.getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(expression);
    if (!loop)
      continue;
    if (isWritten.test(loop.getPosition()))
      return {};
    isWritten.set(loop.getPosition());
    permutation.push_back(loop.getPosition());
  }
  bool isInOrder = llvm::is_sorted(permutation);
  for (size_t i = 0; i < ranges.size(); ++i)
    if (!isWritten.test(i)) {
      // Every iteration of such a parallel loop writes the same elements.
      if (op.getIteratorTypesArray()[i] == utils::IteratorType::parallel &&
          ranges[i] != 1)
        return {};
      shape[i] = 1;
      permutation.push_back(i);
    }
  value = builder.createExpand(value, shape);
  if (!isInOrder)
    value = builder.createTranspose(value, permutation);
  return out.getNumElements() ==
                 cast<RankedTensorType>(value.getType()).getNumElements()
             ? builder.createReshape(value, out.getShape())
             : Value();
}

Value BodyLifter::lift() {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
    return {};
  Value yielded =
      op.getBlock()->getTerminator()->getOperand(result.getResultNumber());
  if (op.getNumReductionLoops()) {
    // Other results, as the position of a maximum, may also read the old value.
    Operation *combiner = yielded.getDefiningOp();
    BlockArgument out = op.getMatchingBlockArgument(init);
    if (!combiner || combiner->getNumOperands() != 2 ||
        !llvm::is_contained(combiner->getOperands(), out) ||
        (op->getNumResults() == 1 && !out.hasOneUse()))
      return {};
    unsigned side = combiner->getOperand(0) == out ? 1 : 0;
    Value value = find(combiner->getOperand(side));
    value = value ? reduce(value, combiner) : Value();
    value = value ? toResult(value) : Value();
    return value && value.getType() == result.getType() ? value : Value();
  }
  Value value = find(yielded);
  value = value ? toResult(value) : Value();
  // A plain copy remains one.
  return value && value.getType() == result.getType() &&
                 (moves || !builder.getOps().empty())
             ? value
             : Value();
}

Value raising::liftBody(LinalgOp op, unsigned result, LiftBuilder &builder) {
  return BodyLifter(op, result, builder).lift();
}
