//===- LiftFormats.cpp - Formats of lifted ops ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Front ends compute in a wider format between casts, and the variance of a
// norm in fp64; frameworks launch one kernel on the narrow format.

#include "AttentionMatch.h"
#include "LiftRules.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include <climits>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// A cast to a wider float format and back.
bool raising::simplifyCast(Operation *op) {
  auto narrow = dyn_cast<onnx::CastOp>(op);
  auto widen =
      narrow ? op->getOperand(0).getDefiningOp<onnx::CastOp>() : onnx::CastOp();
  if (!widen || widen->getOperand(0).getType() != op->getResult(0).getType())
    return false;
  Type small = typeOf(op->getResult(0)).getElementType();
  Type wide = typeOf(widen->getResult(0)).getElementType();
  if (!isa<FloatType>(small) || !isa<FloatType>(wide) ||
      small.getIntOrFloatBitWidth() >= wide.getIntOrFloatBitWidth())
    return false;
  detach(op);
  op->getResult(0).replaceAllUsesWith(widen->getOperand(0));
  return true;
}

/// Whether a convolution or pooling computes `value`, perhaps in another
/// layout.
static bool isImage(Value value) {
  Operation *def = value.getDefiningOp();
  while (isa_and_nonnull<onnx::ReshapeOp, onnx::TransposeOp>(def))
    def = def->getOperand(0).getDefiningOp();
  return isa_and_nonnull<onnx::ConvOp, onnx::ConvTransposeOp,
                         onnx::AveragePoolOp, onnx::LpPoolOp, onnx::MaxPoolOp>(
      def);
}

/// The cast of a convolution's or pooling's result to fp32 moves behind a
/// change of the layout or a split of dimensions, to the op that computes.
bool raising::sinkCastOfImage(Operation *op) {
  bool isView =
      isa<onnx::TransposeOp>(op) ||
      (isa<onnx::ReshapeOp>(op) && typeOf(op->getResult(0)).getRank() >
                                       typeOf(op->getOperand(0)).getRank());
  auto cast =
      isView ? op->getOperand(0).getDefiningOp<onnx::CastOp>() : onnx::CastOp();
  if (!cast || !cast->getResult(0).hasOneUse() || !isImage(cast->getOperand(0)))
    return false;
  Type to = op->getResult(0).getType();
  detach(op);
  op->setOperand(0, cast->getOperand(0));
  op->getResult(0).setType(mlir::cast<RankedTensorType>(to).clone(
      getElementTypeOrSelf(op->getOperand(0).getType())));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Operation *moved =
      onnx::CastOp::create(builder, op->getLoc(), to, op->getResult(0));
  op->getResult(0).replaceAllUsesExcept(moved->getResult(0), moved);
  return true;
}

/// A reduction of widened 16-bit numbers whose result is narrowed again is a
/// reduction of the narrow numbers: kernels accumulate in fp32 in any case.
bool raising::narrowReduction(Operation *op) {
  auto narrow = dyn_cast<onnx::CastOp>(op);
  if (!narrow)
    return false;
  Operation *reduce = op->getOperand(0).getDefiningOp();
  Operation *view = isa_and_nonnull<onnx::ReshapeOp>(reduce) ? reduce : nullptr;
  if (view)
    reduce = view->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<onnx::ReduceSumOp, onnx::ReduceMeanOp, onnx::ReduceMaxOp,
                       onnx::ReduceMinOp>(reduce) ||
      !reduce->getResult(0).hasOneUse() || !op->getOperand(0).hasOneUse())
    return false;
  auto widen = reduce->getOperand(0).getDefiningOp<onnx::CastOp>();
  Type small = typeOf(op->getResult(0)).getElementType();
  constexpr unsigned halfBits = 16;
  if (!widen || !isa<FloatType>(small) ||
      small.getIntOrFloatBitWidth() != halfBits ||
      typeOf(widen->getOperand(0)).getElementType() != small ||
      !typeOf(widen->getResult(0)).getElementType().isF32())
    return false;
  for (Operation *changed : {reduce, view})
    if (changed) {
      detach(changed);
      changed->getResult(0).setType(typeOf(changed->getResult(0)).clone(small));
    }
  reduce->setOperand(0, widen->getOperand(0));
  detach(op);
  op->getResult(0).replaceAllUsesWith(op->getOperand(0));
  return true;
}

/// A parameter of a quantised matrix of `shape`: a number, one per row or per
/// column, or one per block of columns, [rows, blocks]; null for other shapes.
static Value findBlockParameter(Value parameter, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> sizes = typeOf(parameter).getShape();
  if (sizes.size() > shape.size())
    return {};
  size_t skipped = shape.size() - sizes.size();
  SmallVector<size_t> wide;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (size == 1)
      continue;
    if (size != shape[i + skipped])
      return {};
    wide.push_back(i + skipped);
  }
  bool isLeading = wide.empty() || (wide.back() + 1 == wide.size() &&
                                    wide.size() < shape.size());
  if (!isLeading && wide.size() != 1)
    return {};
  while (auto reshape = parameter.getDefiningOp<onnx::ReshapeOp>())
    parameter = reshape->getOperand(0);
  return parameter;
}

/// (integers - zero) * scale, with one scale for all elements, per row, or per
/// block of a row, as the operator that products of quantised weights read.
bool raising::makeDequantize(Operation *op) {
  if (!isa<onnx::MulOp>(op) || op->getNumOperands() != 2 ||
      !hasStaticTensors(op))
    return false;
  for (unsigned side : {0u, 1u}) {
    Operation *cast = op->getOperand(side).getDefiningOp();
    Value scale = op->getOperand(1 - side), zero;
    if (isa_and_nonnull<onnx::SubOp>(cast)) {
      zero = cast->getOperand(1);
      cast = cast->getOperand(0).getDefiningOp();
    }
    if (!isa_and_nonnull<onnx::CastOp>(cast) || !isDequantisation(cast))
      continue;
    RankedTensorType type = typeOf(op->getResult(0));
    Value integers = cast->getOperand(0);
    SmallVector<Value> parameters;
    for (Value parameter : {scale, zero})
      if (parameter)
        parameters.push_back(findBlockParameter(parameter, type.getShape()));
    if (typeOf(integers).getShape() != type.getShape() ||
        !llvm::all_of(parameters, [](Value value) { return bool(value); }))
      continue;
    OpBuilder builder(op);
    Location loc = op->getLoc();
    // Compilers pass weights as arguments.
    if (isa<BlockArgument>(integers)) {
      Operation *known =
          onnx::IdentityOp::create(builder, loc, integers.getType(), integers);
      known->setAttr(onnx::OnnxDialect::constantAttrName,
                     builder.getUnitAttr());
      integers = known->getResult(0);
    }
    // Blocks of a row, [rows, blocks, size], are a matrix for the product.
    SmallVector<int64_t> matrix(type.getShape());
    while (matrix.size() > 2) {
      int64_t last = matrix.pop_back_val();
      matrix.back() *= last;
    }
    if (matrix != type.getShape()) {
      integers = createReshape(builder, loc, integers, matrix);
      integers.getDefiningOp()->setAttr(onnx::OnnxDialect::constantAttrName,
                                        builder.getUnitAttr());
    }
    SmallVector<Value> operands = {integers};
    operands.append(parameters);
    Operation *made = onnx::DequantizeLinearOp::create(
        builder, loc, Type(type.clone(matrix)), operands);
    op->getResult(0).replaceAllUsesWith(
        matrix == type.getShape()
            ? made->getResult(0)
            : createReshape(builder, loc, made->getResult(0), type.getShape()));
    return true;
  }
  return false;
}

void raising::dequantizeInProducts(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!makeDequantize(&op))
      continue;
    // The op, its subtraction and its cast, unless others read these.
    SmallVector<Operation *> unused = {&op};
    while (!unused.empty()) {
      Operation *next = unused.pop_back_val();
      if (!isOpTriviallyDead(next))
        continue;
      for (Value operand : next->getOperands())
        if (Operation *def = operand.getDefiningOp();
            isa_and_nonnull<onnx::SubOp, onnx::CastOp>(def) &&
            !llvm::is_contained(unused, def))
          unused.push_back(def);
      next->erase();
    }
  }
}

/// Integers that are widened before they become floats.
bool raising::joinCasts(Operation *op) {
  auto outer = dyn_cast<onnx::CastOp>(op);
  auto inner =
      outer ? op->getOperand(0).getDefiningOp<onnx::CastOp>() : onnx::CastOp();
  auto elementOf = [](Value value) {
    return getElementTypeOrSelf(value.getType());
  };
  if (!inner || !isa<FloatType>(elementOf(op->getResult(0))) ||
      !elementOf(inner->getResult(0)).isInteger() ||
      !elementOf(inner->getOperand(0)).isInteger() ||
      elementOf(inner->getOperand(0)).getIntOrFloatBitWidth() >
          elementOf(inner->getResult(0)).getIntOrFloatBitWidth())
    return false;
  op->setOperand(0, inner->getOperand(0));
  return true;
}

/// A cast of a weight before a reshape moves behind it, to the op that reads
/// it.
bool raising::sinkCast(Operation *op) {
  auto reshape = dyn_cast<onnx::ReshapeOp>(op);
  auto cast = reshape ? op->getOperand(0).getDefiningOp<onnx::CastOp>()
                      : onnx::CastOp();
  if (!cast || !op->hasAttr(onnx::OnnxDialect::constantAttrName))
    return false;
  RankedTensorType from = typeOf(cast->getOperand(0));
  Type to = op->getResult(0).getType();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  op->setOperand(0, cast->getOperand(0));
  op->getResult(0).setType(from.clone(typeOf(op->getResult(0)).getShape()));
  Operation *moved =
      onnx::CastOp::create(builder, cast->getLoc(), to, op->getResult(0));
  moved->setAttr(onnx::OnnxDialect::constantAttrName, builder.getUnitAttr());
  op->getResult(0).replaceAllUsesExcept(moved->getResult(0), moved);
  return true;
}

static bool isDouble(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isF64();
}

/// The ops that fp64 tensors connect with `cast`. Null in `narrow` if others
/// than casts from and to one format lead in and out.
static llvm::SetVector<Operation *> findDoubles(Operation *cast, Type &narrow) {
  llvm::SetVector<Operation *> region;
  region.insert(cast);
  bool isClosed = true;
  for (size_t i = 0; i < region.size(); ++i) {
    Operation *op = region[i];
    bool isCast = isa<onnx::CastOp>(op);
    isClosed &= onnx::getOpInfo(op) && op->getNumResults() == 1;
    for (Value operand : op->getOperands())
      if (isDouble(operand)) {
        Operation *def = operand.getDefiningOp();
        isClosed &= def != nullptr;
        if (def)
          region.insert(def);
      }
    for (Value result : op->getResults())
      if (isDouble(result))
        for (Operation *user : result.getUsers())
          region.insert(user);
      else
        isClosed &= isCast;
    if (!isCast || op->getNumResults() != 1)
      continue;
    for (Value end : {op->getOperand(0), Value(op->getResult(0))})
      if (!isDouble(end)) {
        Type format = getElementTypeOrSelf(end.getType());
        isClosed &= !narrow || narrow == format;
        narrow = format;
      }
  }
  if (!isClosed || !isa_and_nonnull<FloatType>(narrow))
    narrow = Type();
  return region;
}

/// Computes in the narrower format what is only widened to fp64 in between:
/// the variance of a norm.
/// Returns whether anything changed.
bool raising::dropDoubles(Block &block) {
  bool changed = false;
  llvm::DenseSet<Operation *> seen;
  SmallVector<Operation *> casts;
  for (Operation &op : block)
    if (isa<onnx::CastOp>(op) && isDouble(op.getResult(0)))
      casts.push_back(&op);
  for (Operation *cast : casts) {
    if (seen.contains(cast))
      continue;
    Type narrow;
    auto region = findDoubles(cast, narrow);
    seen.insert(region.begin(), region.end());
    if (!narrow)
      continue;
    changed = true;
    for (Operation *op : region)
      if (isa<onnx::CastOp>(op)) {
        detach(op);
        op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      } else {
        op->getResult(0).setType(typeOf(op->getResult(0)).clone(narrow));
      }
  }
  return changed;
}

/// Whether a kernel computes in fp32 whatever the format of its operands is.
static bool accumulatesInSingle(Operation *op) {
  const onnx::OpInfo *info = onnx::getOpInfo(op);
  return info && op->getNumResults() >= 1 && !isa<onnx::CastOp>(op) &&
         (info->shape == CostClass::Elementwise ||
          info->shape == CostClass::RowNormalization ||
          info->shape == CostClass::Attention ||
          isa<onnx::BatchNormalizationOp, onnx::MatMulOp, onnx::ConvOp,
              onnx::ResizeOp>(op));
}

/// The value that `value` widens from format `to`, through views of it, which
/// are repeated for the narrow value; null if there is none.
static Value findNarrow(Value value, Type to) {
  Operation *def = value.getDefiningOp();
  if (isa_and_nonnull<onnx::CastOp>(def))
    return getElementTypeOrSelf(def->getOperand(0).getType()) == to
               ? def->getOperand(0)
               : Value();
  if (!isa_and_nonnull<onnx::ReshapeOp, onnx::ExpandOp, onnx::TransposeOp>(def))
    return {};
  Value source = findNarrow(def->getOperand(0), to);
  if (!source)
    return {};
  OpBuilder builder(def);
  Operation *view = builder.clone(*def);
  detach(view);
  view->setOperand(0, source);
  view->getResult(0).setType(typeOf(value).clone(to));
  return view->getResult(0);
}

/// An op between casts from and to one format is one kernel on that format.
void Lifting::narrow() {
  for (Operation &op : block) {
    if (!accumulatesInSingle(&op) || op.getResult(0).use_empty())
      continue;
    auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
    if (!type || !type.getElementType().isF32())
      continue;
    Type to;
    bool isNarrowed =
        llvm::all_of(op.getResult(0).getUsers(), [&](Operation *user) {
          if (!isa<onnx::CastOp>(user))
            return false;
          Type here = getElementTypeOrSelf(user->getResult(0).getType());
          bool isSame = !to || to == here;
          to = here;
          return isSame;
        });
    if (!isNarrowed || !isa<FloatType>(to) || to.getIntOrFloatBitWidth() != 16)
      continue;
    // Norms read parameters in another format, and attention reads masks.
    CostClass shape = onnx::getOpInfo(&op)->shape;
    unsigned firstOther = shape == CostClass::RowNormalization  ? 1
                          : isa<onnx::BatchNormalizationOp>(op) ? 1
                          : shape == CostClass::Attention       ? 3
                                                                : UINT_MAX;
    SmallVector<std::pair<unsigned, Value>> sources;
    bool isWidened = false;
    bool matches = llvm::all_of(op.getOpOperands(), [&](OpOperand &operand) {
      auto given = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!given || !given.getElementType().isF32())
        return true;
      Value value = operand.get();
      if (Value narrow = findNarrow(value, to)) {
        isWidened = true;
        sources.push_back({operand.getOperandNumber(), narrow});
        return true;
      }
      return getScalar(value).has_value() ||
             operand.getOperandNumber() >= firstOther;
    });
    if (!matches || !isWidened)
      continue;
    for (auto [operand, value] : sources)
      op.setOperand(operand, value);
    op.getResult(0).setType(type.clone(to));
    detach(&op);
    // Repeated heads were hidden by the casts.
    constexpr unsigned plainOperands = 3;
    if (isa<onnx::FusedAttentionOp>(op) &&
        op.getNumOperands() == plainOperands) {
      Value keys = op.getOperand(1), values = op.getOperand(2);
      foldRepeatedHeads(keys, values);
      op.setOperand(1, keys);
      op.setOperand(2, values);
    }
    for (Operation *user :
         llvm::make_early_inc_range(op.getResult(0).getUsers())) {
      detach(user);
      user->getResult(0).replaceAllUsesWith(op.getResult(0));
    }
  }
}
