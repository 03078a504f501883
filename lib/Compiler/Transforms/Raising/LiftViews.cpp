//===- LiftViews.cpp - Views between lifted ops ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Reshapes, transposes and broadcasts that front ends insert between the steps
// of one operation disappear or move to where the rules expect them.

#include "AttentionMatch.h"
#include "LiftRules.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

bool raising::isElementwise(Operation *op) {
  const onnx::OpInfo *info = onnx::getOpInfo(op);
  return info && info->shape == CostClass::Elementwise &&
         op->getNumResults() == 1 && hasStaticTensors(op);
}

bool raising::hasStaticTensors(Operation *op) {
  auto isStatic = [](Value value) { return bool(getStaticType(value)); };
  return llvm::all_of(op->getOperands(), isStatic) &&
         llvm::all_of(op->getResults(), isStatic);
}

/// Two reshapes in a row are one, or none if they restore the original shape.
bool raising::simplifyReshape(Operation *op) {
  auto reshape = dyn_cast<onnx::ReshapeOp>(op);
  if (!reshape)
    return false;
  auto inner = op->getOperand(0).getDefiningOp<onnx::ReshapeOp>();
  if (inner)
    op->setOperand(0, inner->getOperand(0));
  if (op->getOperand(0).getType() != op->getResult(0).getType())
    return bool(inner);
  op->getResult(0).replaceAllUsesWith(op->getOperand(0));
  return true;
}

bool raising::simplifyTranspose(Operation *op) {
  auto outer = dyn_cast<onnx::TransposeOp>(op);
  auto inner = outer ? op->getOperand(0).getDefiningOp<onnx::TransposeOp>()
                     : onnx::TransposeOp();
  if (!inner)
    return false;
  auto permOf = [](Operation *op) {
    return op->getAttrOfType<DenseI64ArrayAttr>("perm");
  };
  if (!permOf(op) || !permOf(inner))
    return false;
  SmallVector<int64_t> both;
  for (int64_t source : permOf(op).asArrayRef())
    both.push_back(permOf(inner).asArrayRef()[source]);
  detach(op);
  op->setOperand(0, inner->getOperand(0));
  op->setAttr("perm", DenseI64ArrayAttr::get(op->getContext(), both));
  if (!llvm::is_sorted(both))
    return false;
  op->getResult(0).replaceAllUsesWith(op->getOperand(0));
  return true;
}

SmallVector<int64_t> raising::withoutUnits(Value value) {
  SmallVector<int64_t> sizes(typeOf(value).getShape());
  llvm::erase(sizes, 1);
  return sizes;
}

/// A transpose that only moves dimensions of size 1 is a reshape; dimensions of
/// size 1 that a reshape inserts before a transpose, or removes after it, are
/// inserted after it.
bool raising::dropUnitsOfTranspose(Operation *op) {
  auto permutation = isa<onnx::TransposeOp>(op)
                         ? op->getAttrOfType<DenseI64ArrayAttr>("perm")
                         : DenseI64ArrayAttr();
  if (!permutation)
    return false;
  Value x = op->getOperand(0);
  ArrayRef<int64_t> in = typeOf(x).getShape();
  SmallVector<int64_t> narrow = withoutUnits(x), order;
  if (narrow.size() == in.size())
    return false;
  for (int64_t source : permutation.asArrayRef())
    if (in[source] != 1)
      order.push_back(source - llvm::count(in.take_front(source), 1));
  auto split = x.getDefiningOp<onnx::ReshapeOp>();
  bool isIdentity = llvm::is_sorted(order);
  bool isSplit = split && withoutUnits(split->getOperand(0)) == narrow;
  bool isMerged = llvm::all_of(op->getUsers(), [&](Operation *user) {
    return isa<onnx::ReshapeOp>(user) &&
           typeOf(user->getResult(0)).getRank() < typeOf(x).getRank() &&
           withoutUnits(user->getResult(0)) == withoutUnits(op->getResult(0));
  });
  if (!isIdentity && !isSplit && !isMerged)
    return false;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  SmallVector<Value> made;
  if (!isIdentity) {
    made.push_back(createReshape(builder, loc, x, narrow));
    made.push_back(createTranspose(builder, loc, made.back(), order));
    x = made.back();
  }
  made.push_back(
      createReshape(builder, loc, x, typeOf(op->getResult(0)).getShape()));
  if (Attribute constant = op->getAttr(onnx::OnnxDialect::constantAttrName))
    for (Value view : made)
      view.getDefiningOp()->setAttr(onnx::OnnxDialect::constantAttrName,
                                    constant);
  op->getResult(0).replaceAllUsesWith(made.back());
  return true;
}

/// Elementwise ops broadcast by themselves.
void raising::readBeforeExpand(Operation *op) {
  if (!isElementwise(op) || op->getNumOperands() < 2)
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    auto expand = operand.get().getDefiningOp<onnx::ExpandOp>();
    if (!expand)
      continue;
    // The others still have the shape of the result.
    bool isCovered = llvm::any_of(op->getOpOperands(), [&](OpOperand &other) {
      return &other != &operand && typeOf(other.get()).getShape() ==
                                       typeOf(op->getResult(0)).getShape();
    });
    if (isCovered)
      operand.set(expand->getOperand(0));
  }
}

/// Dimensions of size 1 before and after a broadcast are not part of it.
bool raising::dropUnitsOfExpand(Operation *op) {
  auto expand = dyn_cast<onnx::ExpandOp>(op);
  if (!expand)
    return false;
  RankedTensorType in = typeOf(op->getOperand(0)),
                   out = typeOf(op->getResult(0));
  int64_t skipped = out.getRank() - in.getRank();
  SmallVector<int64_t> inShape, outShape;
  for (int64_t i = 0; i < out.getRank(); ++i) {
    int64_t before = i < skipped ? 1 : in.getDimSize(i - skipped);
    if (before == 1 && out.getDimSize(i) == 1)
      continue;
    inShape.push_back(before);
    outShape.push_back(out.getDimSize(i));
  }
  if (static_cast<int64_t>(outShape.size()) == out.getRank() ||
      outShape.empty())
    return false;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value source = createReshape(builder, loc, op->getOperand(0), inShape);
  Value wide = createExpand(builder, loc, source, outShape);
  Value result = createReshape(builder, loc, wide, out.getShape());
  if (Attribute constant = op->getAttr(onnx::OnnxDialect::constantAttrName))
    for (Operation *made :
         {source.getDefiningOp(), wide.getDefiningOp(), result.getDefiningOp()})
      made->setAttr(onnx::OnnxDialect::constantAttrName, constant);
  op->getResult(0).replaceAllUsesWith(result);
  return true;
}

/// Leading dimensions of size 1 of a weight do not matter to a broadcast.
void raising::dropUnitDims(Operation *op) {
  if (!isElementwise(op))
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    ArrayRef<int64_t> shape = typeOf(operand.get()).getShape();
    ArrayRef<int64_t> rest =
        shape.drop_while([](int64_t size) { return size == 1; });
    bool isCovered = llvm::any_of(op->getOperands(), [&](Value other) {
      return other != operand.get() &&
             typeOf(other).getRank() == typeOf(op->getResult(0)).getRank();
    });
    if (rest.size() == shape.size() || !isWeight(operand.get()) || !isCovered ||
        typeOf(operand.get()).getNumElements() == 1)
      continue;
    OpBuilder builder(op);
    Value vector = createReshape(builder, op->getLoc(), operand.get(), rest);
    vector.getDefiningOp()->setAttr(onnx::OnnxDialect::constantAttrName,
                                    builder.getUnitAttr());
    operand.set(vector);
  }
}

/// A weight product of rows that were merged before, with their dimensions.
bool raising::splitRows(Operation *op) {
  auto product = dyn_cast<onnx::MatMulOp>(op);
  auto merge = product ? op->getOperand(0).getDefiningOp<onnx::ReshapeOp>()
                       : onnx::ReshapeOp();
  if (!merge || typeOf(op->getOperand(0)).getRank() != 2 ||
      typeOf(op->getOperand(1)).getRank() != 2)
    return false;
  Value rows = merge->getOperand(0);
  ArrayRef<int64_t> before = typeOf(rows).getShape();
  if (before.size() < 3 ||
      before.back() != typeOf(op->getOperand(0)).getShape().back())
    return false;
  RankedTensorType old = typeOf(op->getResult(0));
  SmallVector<int64_t> shape(before);
  shape.back() = old.getShape().back();
  op->setOperand(0, rows);
  op->getResult(0).setType(old.clone(shape));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value merged =
      createReshape(builder, op->getLoc(), op->getResult(0), old.getShape());
  op->getResult(0).replaceAllUsesExcept(merged, merged.getDefiningOp());
  return true;
}

SmallVector<int64_t> raising::swapOfLast(int64_t rank) {
  SmallVector<int64_t> permutation;
  for (int64_t i = 0; i < rank; ++i)
    permutation.push_back(i);
  std::swap(permutation[rank - 1], permutation[rank - 2]);
  return permutation;
}

/// The op behind reshapes, broadcasts and casts of `value`.
static Operation *findMaker(Value value) {
  Operation *def = value.getDefiningOp();
  while (isa_and_nonnull<onnx::CastOp, onnx::ReshapeOp, onnx::ExpandOp>(def))
    def = def->getOperand(0).getDefiningOp();
  return def;
}

/// Whether `value` is the sum of `exp`, or its inverse.
static bool isSumOf(Value value, Operation *exp, bool inverted) {
  Operation *def = findMaker(value);
  if (inverted)
    def = isa_and_nonnull<onnx::ReciprocalOp>(def)
              ? findMaker(def->getOperand(0))
              : nullptr;
  return isa_and_nonnull<onnx::ReduceSumOp>(def) &&
         findMaker(def->getOperand(0)) == exp;
}

/// Whether `value` is a softmax, perhaps written as exp(x) / sum.
static bool isProbability(Value value) {
  Operation *def = findMaker(value);
  if (isa_and_nonnull<onnx::SoftmaxOp>(def))
    return true;
  if (!isa_and_nonnull<onnx::DivOp, onnx::MulOp>(def))
    return false;
  for (unsigned side : {0u, 1u}) {
    Operation *exp = findMaker(def->getOperand(side));
    if (isa_and_nonnull<onnx::ExpOp>(exp) &&
        (isa<onnx::MulOp>(def) || side == 0) &&
        isSumOf(def->getOperand(1 - side), exp, isa<onnx::MulOp>(def)))
      return true;
  }
  return false;
}

/// V^T P^T as (P V)^T: einsums order the operands of a product freely.
bool raising::swapFactors(Operation *op) {
  auto product = dyn_cast<onnx::MatMulOp>(op);
  auto transpose = product
                       ? op->getOperand(1).getDefiningOp<onnx::TransposeOp>()
                       : onnx::TransposeOp();
  if (!transpose || typeOf(op->getOperand(0)).getRank() !=
                        typeOf(op->getOperand(1)).getRank())
    return false;
  SmallVector<int64_t> swap = swapOfLast(typeOf(op->getResult(0)).getRank());
  auto permutation = transpose->getAttrOfType<DenseI64ArrayAttr>("perm");
  if (!permutation || permutation.asArrayRef() != ArrayRef<int64_t>(swap) ||
      !isProbability(transpose->getOperand(0)) ||
      isProbability(op->getOperand(0)))
    return false;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value values = createTranspose(builder, loc, op->getOperand(0), swap);
  Type old = op->getResult(0).getType();
  op->setOperands({transpose->getOperand(0), values});
  SmallVector<int64_t> shape(cast<RankedTensorType>(old).getShape());
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  op->getResult(0).setType(cast<RankedTensorType>(old).clone(shape));
  builder.setInsertionPointAfter(op);
  Value result = createTranspose(builder, loc, op->getResult(0), swap);
  op->getResult(0).replaceAllUsesExcept(result, result.getDefiningOp());
  return true;
}

/// A weight matrix that is repeated for a batch is one matrix.
bool raising::readMatrixBeforeExpand(Operation *op) {
  auto product = dyn_cast<onnx::MatMulOp>(op);
  auto expand = product ? op->getOperand(1).getDefiningOp<onnx::ExpandOp>()
                        : onnx::ExpandOp();
  if (!expand)
    return false;
  Value matrix = expand->getOperand(0);
  ArrayRef<int64_t> shape = typeOf(matrix).getShape();
  if (shape.size() < 2 ||
      shape.take_back(2) != typeOf(op->getOperand(1)).getShape().take_back(2))
    return false;
  if (llvm::any_of(shape.drop_back(2), [](int64_t size) { return size != 1; }))
    return false;
  OpBuilder builder(op);
  if (shape.size() > 2) {
    matrix = createReshape(builder, op->getLoc(), matrix, shape.take_back(2));
    if (isWeight(expand->getOperand(0)))
      matrix.getDefiningOp()->setAttr(onnx::OnnxDialect::constantAttrName,
                                      builder.getUnitAttr());
  }
  op->setOperand(1, matrix);
  return true;
}

/// Batch and heads of a product's operand [batch * heads, rows, cols] before a
/// reshape merged them; empty if there is no such reshape.
static ArrayRef<int64_t> findMergedBatch(Value operand) {
  auto merge = operand.getDefiningOp<onnx::ReshapeOp>();
  if (!merge || typeOf(operand).getRank() != 3)
    return {};
  ArrayRef<int64_t> before = typeOf(merge->getOperand(0)).getShape();
  return before.size() == 4 &&
                 before.take_back(2) == typeOf(operand).getShape().take_back(2)
             ? before.take_front(2)
             : ArrayRef<int64_t>();
}

/// A product of two tensors whose batch and heads were merged, with both
/// dimensions: the merging reshapes move behind it.
bool raising::splitBatch(Operation *op) {
  auto product = dyn_cast<onnx::MatMulOp>(op);
  if (!product || op->getNumOperands() != 2 ||
      typeOf(op->getOperand(0)).getRank() != 3 ||
      typeOf(op->getOperand(1)).getRank() != 3)
    return false;
  ArrayRef<int64_t> batch = findMergedBatch(op->getOperand(0));
  if (batch.empty())
    batch = findMergedBatch(op->getOperand(1));
  RankedTensorType old = typeOf(op->getResult(0));
  if (batch.empty() || batch[0] * batch[1] != old.getDimSize(0))
    return false;
  auto withBatch = [&](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> split(batch);
    split.append({shape[1], shape[2]});
    return split;
  };
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands())
    operand.set(createReshape(builder, op->getLoc(), operand.get(),
                              withBatch(typeOf(operand.get()).getShape())));
  op->getResult(0).setType(old.clone(withBatch(old.getShape())));
  builder.setInsertionPointAfter(op);
  Value merged =
      createReshape(builder, op->getLoc(), op->getResult(0), old.getShape());
  op->getResult(0).replaceAllUsesExcept(merged, merged.getDefiningOp());
  return true;
}

/// f(reshape(x), reshape(y)) as reshape(f(x, y)) where f reads tensors of one
/// shape, and numbers: keeps the steps of a norm on reduced dimensions
/// together.
bool raising::sinkReshape(Operation *op) {
  if (!isElementwise(op))
    return false;
  Operation *reshape = nullptr;
  RankedTensorType out = typeOf(op->getResult(0));
  bool readsVector = isa<onnx::CastOp>(op) && out.getRank() > 0;
  size_t trailing = 0; // dimensions that another operand also has
  for (Value operand : op->getOperands()) {
    if (typeOf(operand).getNumElements() == 1 && getScalar(operand))
      continue;
    // A bias keeps its place if the last dimension stays.
    if (typeOf(operand).getRank() == 1 && isWeight(operand) && out.getRank() &&
        typeOf(operand).getDimSize(0) == out.getShape().back()) {
      readsVector = true;
      continue;
    }
    auto here = operand.getDefiningOp<onnx::ReshapeOp>();
    // A mask is broadcast to leading dimensions.
    if (!here && isa<onnx::WhereOp>(op) && operand == op->getOperand(0)) {
      trailing = typeOf(operand).getRank();
      continue;
    }
    auto shapeOf = [](Operation *view) {
      return std::pair(typeOf(view->getOperand(0)).getShape(),
                       typeOf(view->getResult(0)).getShape());
    };
    if (!here || (reshape && shapeOf(reshape) != shapeOf(here)))
      return false;
    reshape = here;
  }
  if (!reshape || typeOf(reshape->getResult(0)).getShape() !=
                      typeOf(op->getResult(0)).getShape())
    return false;
  // Only dimensions of size 1 may differ.
  Value x = reshape->getOperand(0);
  if (typeOf(x).getRank() == 0 || out.getRank() == 0)
    return false;
  bool keepsLast = typeOf(x).getShape().back() == out.getShape().back();
  bool isUnit = withoutUnits(x) == withoutUnits(op->getResult(0));
  if (trailing > std::min(typeOf(x).getShape().size(), out.getShape().size()) ||
      typeOf(x).getShape().take_back(trailing) !=
          out.getShape().take_back(trailing))
    return false;
  if (typeOf(x).getRank() < out.getRank()) {
    // Dimensions of size 1 in the middle, as of scores.
    if (!isUnit || !keepsLast || out.getShape().back() == 1 ||
        isa<onnx::CastOp>(op))
      return false;
  } else if (typeOf(x).getRank() == out.getRank() ||
             (readsVector ? !keepsLast : !isUnit)) {
    return false;
  }
  Type old = op->getResult(0).getType();
  for (OpOperand &operand : op->getOpOperands())
    if (auto here = operand.get().getDefiningOp<onnx::ReshapeOp>();
        here && typeOf(here->getOperand(0)).getShape() == typeOf(x).getShape())
      operand.set(here->getOperand(0));
  op->getResult(0).setType(
      typeOf(op->getResult(0)).clone(typeOf(x).getShape()));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value back = createReshape(builder, op->getLoc(), op->getResult(0),
                             cast<RankedTensorType>(old).getShape());
  op->getResult(0).replaceAllUsesExcept(back, back.getDefiningOp());
  return true;
}
