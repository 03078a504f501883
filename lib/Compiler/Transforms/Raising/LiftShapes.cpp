//===- LiftShapes.cpp - Reductions, products and broadcasts of views ------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Reductions, products and broadcasts read what views were made of: einsums and
// layouts of other libraries permute dimensions before and after them.

#include "AttentionMatch.h"
#include "LiftRules.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

Value raising::createExpand(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<int64_t> shape) {
  return onnx::ExpandOp::create(builder, loc, Type(typeOf(value).clone(shape)),
                                {value, createIntegers(builder, loc, shape)})
      ->getResult(0);
}

Value raising::createNumber(OpBuilder &builder, Location loc, int64_t number) {
  auto type = RankedTensorType::get({}, builder.getI64Type());
  return onnx::ConstantOp::create(
             builder, loc, Type(type), ValueRange(),
             builder.getNamedAttr("value",
                                  DenseElementsAttr::get(type, number)))
      ->getResult(0);
}

/// A broadcast of a broadcast whose dimensions were merged in between, as
/// repetitions along two dimensions, is one broadcast.
bool raising::joinExpands(Operation *op) {
  auto outer = dyn_cast<onnx::ExpandOp>(op);
  auto view = outer ? op->getOperand(0).getDefiningOp<onnx::ReshapeOp>()
                    : onnx::ReshapeOp();
  auto inner = view ? view->getOperand(0).getDefiningOp<onnx::ExpandOp>()
                    : onnx::ExpandOp();
  if (!inner || !view->getResult(0).hasOneUse() ||
      !inner->getResult(0).hasOneUse())
    return false;
  RankedTensorType narrow = typeOf(inner->getOperand(0)),
                   wide = typeOf(inner->getResult(0)),
                   merged = typeOf(view->getResult(0)),
                   out = typeOf(op->getResult(0));
  if (merged.getRank() != out.getRank())
    return false;
  int64_t skipped = wide.getRank() - narrow.getRank();
  SmallVector<int64_t> inShape, outShape;
  int64_t next = 0;
  for (auto [size, target] :
       llvm::zip_equal(merged.getShape(), out.getShape())) {
    if (size == 1) {
      inShape.push_back(1);
      outShape.push_back(target);
      continue;
    }
    int64_t product = 1;
    while (product < size && next < wide.getRank()) {
      product *= wide.getDimSize(next);
      inShape.push_back(next < skipped ? 1 : narrow.getDimSize(next - skipped));
      outShape.push_back(wide.getDimSize(next++));
    }
    if (product != size)
      return false;
  }
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value source = createReshape(builder, loc, inner->getOperand(0), inShape);
  Value expanded = createExpand(builder, loc, source, outShape);
  op->getResult(0).replaceAllUsesWith(
      createReshape(builder, loc, expanded, out.getShape()));
  return true;
}

static bool isReduction(Operation *op) {
  return isa<onnx::ReduceSumOp, onnx::ReduceMeanOp, onnx::ReduceMaxOp,
             onnx::ReduceMinOp>(op) &&
         op->getNumOperands() == 1 && onnx::getInt(op, "keepdims") != 0;
}

/// Moves the view behind a reduction, which then reads `x` along `axes`.
static void reduceBefore(Operation *op, Value x, ArrayRef<int64_t> axes,
                         llvm::function_ref<Value(OpBuilder &)> view) {
  SmallVector<int64_t> shape(typeOf(x).getShape());
  for (int64_t axis : axes)
    shape[axis] = 1;
  op->setOperand(0, x);
  op->setAttr("axes", DenseI64ArrayAttr::get(op->getContext(), axes));
  op->getResult(0).setType(typeOf(op->getResult(0)).clone(shape));
  detach(op);
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value result = view(builder);
  op->getResult(0).replaceAllUsesExcept(result, result.getDefiningOp());
}

/// A reduction of a permuted tensor is one of the tensor.
static bool reduceBeforeTranspose(Operation *op, ArrayRef<int64_t> axes) {
  auto transpose = op->getOperand(0).getDefiningOp<onnx::TransposeOp>();
  auto permutation = transpose
                         ? transpose->getAttrOfType<DenseI64ArrayAttr>("perm")
                         : DenseI64ArrayAttr();
  if (!permutation)
    return false;
  SmallVector<int64_t> order(permutation.asArrayRef()), moved;
  for (int64_t axis : axes)
    moved.push_back(order[axis]);
  llvm::sort(moved);
  reduceBefore(op, transpose->getOperand(0), moved, [&](OpBuilder &builder) {
    return createTranspose(builder, op->getLoc(), op->getResult(0), order);
  });
  return true;
}

/// So is a reduction of a tensor with additional dimensions of size 1.
static bool reduceBeforeUnits(Operation *op, ArrayRef<int64_t> axes) {
  auto reshape = op->getOperand(0).getDefiningOp<onnx::ReshapeOp>();
  Value x = reshape ? reshape->getOperand(0) : Value();
  if (!x || typeOf(x).getRank() >= typeOf(op->getOperand(0)).getRank() ||
      withoutUnits(x) != withoutUnits(op->getOperand(0)))
    return false;
  // Places of the other dimensions in `x`.
  SmallVector<int64_t> places, moved;
  for (auto [i, size] : llvm::enumerate(typeOf(x).getShape()))
    if (size != 1)
      places.push_back(static_cast<int64_t>(i));
  ArrayRef<int64_t> shape = typeOf(op->getOperand(0)).getShape();
  for (int64_t axis : axes) {
    if (shape[axis] == 1)
      return false;
    int64_t before = axis - llvm::count(shape.take_front(axis), 1);
    moved.push_back(places[before]);
  }
  SmallVector<int64_t> old(typeOf(op->getResult(0)).getShape());
  reduceBefore(op, x, moved, [&](OpBuilder &builder) {
    return createReshape(builder, op->getLoc(), op->getResult(0), old);
  });
  return true;
}

bool raising::reduceBeforeViews(Operation *op) {
  // Norms and softmax read a view together with its mean or sum.
  if (!isReduction(op) || !op->getOperand(0).hasOneUse())
    return false;
  auto given = onnx::findInts(op, "axes");
  int64_t rank = typeOf(op->getOperand(0)).getRank();
  if (!given || given->empty() || llvm::any_of(*given, [&](int64_t axis) {
        return axis < 0 || axis >= rank;
      }))
    return false;
  SmallVector<int64_t> axes(given->begin(), given->end());
  return reduceBeforeTranspose(op, axes) || reduceBeforeUnits(op, axes);
}

/// What a transpose of the last two dimensions reads; null for other values.
static Value findSwapped(Value value) {
  auto transpose = value.getDefiningOp<onnx::TransposeOp>();
  auto permutation = transpose
                         ? transpose->getAttrOfType<DenseI64ArrayAttr>("perm")
                         : DenseI64ArrayAttr();
  return permutation && permutation.size() >= 2 &&
                 permutation.asArrayRef() ==
                     ArrayRef(swapOfLast(permutation.size()))
             ? transpose->getOperand(0)
             : Value();
}

/// (B^T A^T)^T as A B.
bool raising::swapProduct(Operation *op) {
  Value swapped =
      findSwapped(op->getNumResults() == 1 ? op->getResult(0) : Value());
  auto product =
      swapped ? swapped.getDefiningOp<onnx::MatMulOp>() : onnx::MatMulOp();
  if (!product || !swapped.hasOneUse() || product->getNumOperands() != 2)
    return false;
  Value b = findSwapped(product->getOperand(0)),
        a = findSwapped(product->getOperand(1));
  if (!a || !b)
    return false;
  OpBuilder builder(op);
  Value result = onnx::MatMulOp::create(builder, product->getLoc(),
                                        op->getResult(0).getType(), {a, b})
                     ->getResult(0);
  op->getResult(0).replaceAllUsesWith(result);
  return true;
}
