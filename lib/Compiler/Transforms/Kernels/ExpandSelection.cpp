//===- ExpandSelection.cpp - gpucost-expand-selection ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The kernels of PyTorch's sort, topk, nonzero and unique: CUB's radix sort
// with 8 bits per pass, its single-pass selection with a scan, ATen's selection
// of the k-th element with 8 bits per pass.

#include "Raising/OpExpander.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace gpucost {
#define GEN_PASS_DEF_EXPANDSELECTIONPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// Slices up to this length are sorted by one kernel (ATen's small sort).
static constexpr int64_t maxSmallSort = 4096;
static constexpr int64_t digitBits = 8, digits = 1 << digitBits;

/// Returns 0 if the number overflows.
static int64_t countElements(RankedTensorType type) {
  return elementCount(type).value_or(0);
}

namespace {

class Selection : public OpExpander {
public:
  explicit Selection(Operation *op) : OpExpander(op) {}
  /// Returns true if the operator was replaced.
  bool run();

private:
  struct Pairs {
    Value keys, positions;
  };
  template <typename OpT>
  Operation *emit(TypeRange types, ValueRange operands) {
    Operation *created = createOp<OpT>(types, operands);
    // Trip counts and phase.
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (attribute.getName().strref().starts_with("gpucost."))
        created->setAttr(attribute.getName(), attribute.getValue());
    return created;
  }
  RankedTensorType positionsOf(ArrayRef<int64_t> shape) {
    // 64 bits, unless the op states another type, as in files of JAX.
    auto stated = op->getNumResults() > 1
                      ? dyn_cast<RankedTensorType>(op->getResult(1).getType())
                      : RankedTensorType();
    bool isInteger = stated && isa<IntegerType>(stated.getElementType());
    return RankedTensorType::get(shape, isInteger ? stated.getElementType()
                                                  : builder.getI64Type());
  }
  Value count(Value keys, int64_t slices);
  Pairs sort(Pairs pairs, int64_t length);
  Pairs sortAll(Value keys, int64_t length);
  void wait(Operation *kernel) {
    kernel->setAttr(synchronizesAttrName, builder.getUnitAttr());
  }

  bool expandTopK();
  bool expandNonZero();
  bool expandCompress();
  void sortForUnique();
  void sortScores();
};

} // namespace

/// Histogram of the digits in each slice.
Value Selection::count(Value keys, int64_t slices) {
  auto type = RankedTensorType::get({slices, digits}, builder.getI32Type());
  return emit<onnx::RadixCountOp>(TypeRange(Type(type)), keys)->getResult(0);
}

/// (T1) Keys with positions, slices of `length` elements.
Selection::Pairs Selection::sort(Pairs pairs, int64_t length) {
  auto type = cast<RankedTensorType>(pairs.keys.getType());
  SmallVector<Type> both = {pairs.keys.getType(), pairs.positions.getType()};
  auto pass = [&](ValueRange operands) {
    Operation *created = emit<onnx::RadixPassOp>(both, operands);
    pairs = {created->getResult(0), created->getResult(1)};
  };
  if (length <= maxSmallSort) {
    pass({pairs.keys, pairs.positions});
    return pairs;
  }
  int64_t bits = storedBits(type.getElementType()).value_or(32);
  int64_t passes = std::max<int64_t>((bits + digitBits - 1) / digitBits, 1);
  Value counts = count(pairs.keys,
                       saturatingProduct(countElements(type) / length, passes));
  for (int64_t i = 0; i < passes; ++i)
    pass({pairs.keys, pairs.positions, counts});
  return pairs;
}

/// The same for keys in their original order: first writes the positions.
Selection::Pairs Selection::sortAll(Value keys, int64_t length) {
  auto type = cast<RankedTensorType>(keys.getType());
  Value positions =
      emit<onnx::FillOp>(TypeRange(Type(positionsOf(type.getShape()))), {})
          ->getResult(0);
  return sort({keys, positions}, length);
}

/// (T1) All elements: a sort. (T2) Otherwise the k-th element by its digits, a
/// gather, and a sort of the selected elements.
bool Selection::expandTopK() {
  RankedTensorType type = in(0);
  if (!type || !out(0) || type.getRank() == 0 || out(0).getRank() == 0)
    return false;
  int64_t axis = onnx::getInt(op, "axis"), rank = type.getRank();
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis >= rank || out(0).getRank() != rank)
    return false;
  int64_t length = type.getDimSize(axis), k = out(0).getDimSize(axis);
  if (countElements(type) == 0 || k <= 0)
    return false;
  int64_t slices = countElements(type) / length;
  Value keys = op->getOperand(0);
  Pairs found;
  if (k == length) {
    found = sortAll(keys, length);
  } else {
    int64_t bits = storedBits(type.getElementType()).value_or(32);
    SmallVector<Value> operands = {keys};
    for (int64_t done = 0; done < bits; done += digitBits)
      operands.push_back(count(keys, slices));
    Type types[] = {out(0), positionsOf(out(0).getShape())};
    Operation *gather = emit<onnx::RadixSelectOp>(types, operands);
    found = {gather->getResult(0), gather->getResult(1)};
    if (k > 1 && onnx::getInt(op, "sorted"))
      found = sort(found, k);
  }
  give(0, found.keys);
  if (op->getNumResults() > 1)
    give(1, found.positions);
  return true;
}

/// (T3) A count, for which the host waits; nonzero positions; coordinates.
bool Selection::expandNonZero() {
  RankedTensorType type = in(0);
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !result || result.getRank() != 2 || countElements(type) == 0)
    return false;
  Value counted = count(op->getOperand(0), 1);
  wait(counted.getDefiningOp());
  int64_t found =
      result.isDynamicDim(1) ? countElements(type) : result.getDimSize(1);
  Value positions =
      emit<onnx::RadixSelectOp>(TypeRange(Type(positionsOf({found}))),
                                {op->getOperand(0), counted})
          ->getResult(0);
  give(0, emit<onnx::RadixSelectOp>(TypeRange(Type(result)), positions)
              ->getResult(0));
  return true;
}

/// (T3) The condition is counted and converted to positions; the operator's
/// original kernel gathers the selected elements.
bool Selection::expandCompress() {
  RankedTensorType condition = in(1);
  if (!condition || !in(0) || countElements(condition) == 0)
    return false;
  Value counted = count(op->getOperand(1), 1);
  wait(counted.getDefiningOp());
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  int64_t found = countElements(condition);
  if (result && result.hasStaticShape()) {
    int64_t i = onnx::getInt(op, "axis");
    i += i < 0 ? result.getRank() : 0;
    if (i >= 0 && i < result.getRank())
      found = std::min(found, result.getDimSize(i));
  }
  Value positions =
      emit<onnx::RadixSelectOp>(TypeRange(Type(positionsOf({found}))),
                                {op->getOperand(1), counted})
          ->getResult(0);
  op->setOperand(1, positions);
  return false;
}

/// (T4) Sorts the elements, so that the first of equal ones can be selected.
void Selection::sortForUnique() {
  if (!in(0) || countElements(in(0)) == 0)
    return;
  Pairs sorted = sortAll(op->getOperand(0), countElements(in(0)));
  op->setOperands({sorted.keys, sorted.positions});
  wait(op);
}

/// (T5) Sorts the boxes of each class by score.
void Selection::sortScores() {
  if (!in(1) || in(1).getRank() != 3 || countElements(in(1)) == 0)
    return;
  op->setOperand(1, sortAll(op->getOperand(1), in(1).getDimSize(2)).keys);
  wait(op);
}

bool Selection::run() {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<onnx::TopKOp>([&](auto) { return expandTopK(); })
      .Case<onnx::NonZeroOp>([&](auto) { return expandNonZero(); })
      .Case<onnx::CompressOp>([&](auto) { return expandCompress(); })
      .Case<onnx::UniqueOp>([&](auto) {
        sortForUnique();
        return false;
      })
      .Case<onnx::NonMaxSuppressionOp>([&](auto) {
        sortScores();
        return false;
      })
      .Default([](Operation *) { return false; });
}

namespace {
struct ExpandSelectionPass
    : public gpucost::impl::ExpandSelectionPassBase<ExpandSelectionPass> {
  using ExpandSelectionPassBase::ExpandSelectionPassBase;

  void runOnOperation() override {
    getOperation().walk([&](func::FuncOp function) {
      if (function.isExternal())
        return;
      for (Block &block : function.getBody())
        for (Operation &op :
             llvm::make_early_inc_range(block.without_terminator()))
          // Ops that depend only on weights run before the iteration.
          if (!op.hasAttr(onnx::OnnxDialect::constantAttrName) &&
              Selection(&op).run())
            op.erase();
    });
  }
};
} // namespace
