//===- SelectionWork.cpp - Work of selection, compaction, sorting ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (T1) to (T5): each kernel is a pass over the elements of its first operand,
// which also bounds sizes that depend on data.

#include "OpShapes.h"
#include "WorkRules.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

/// The type with `most` for each unknown size.
static RankedTensorType bounded(RankedTensorType type, int64_t most) {
  SmallVector<int64_t> dims(type.getShape());
  for (int64_t &dim : dims)
    if (ShapedType::isDynamic(dim))
      dim = most;
  return RankedTensorType::get(dims, type.getElementType());
}

/// Maximum of an unknown dimension: the axis, or the number of elements.
static int64_t longest(const OpShapes &s, int64_t elements) {
  std::optional<int64_t> axis = s.findInt("axis");
  RankedTensorType in = s.input(0);
  if (!axis || *axis < -in.getRank() || *axis >= in.getRank())
    return elements;
  return in.getDimSize(*axis + (*axis < 0 ? in.getRank() : 0));
}

/// Bytes of the results: an operator writes used ones, a kernel writes all.
static bool countResults(OpShapes &s, int64_t most) {
  bool all = getOpInfo(s.op)->isInternal;
  for (OpResult result : s.op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || (!all && result.use_empty() && result.getResultNumber() != 0))
      continue;
    if (!addBytes(s.bytesWritten, byteCount(bounded(type, most))))
      return false;
  }
  return true;
}

static FailureOr<WorkAttr> elementsWork(OpShapes &s, ElementCost element,
                                        int64_t count) {
  return makeWork(s, KernelFamily::Elementwise, element,
                  ElementsProblem{count, /*strided=*/false}, 0,
                  checkedProduct({count, element.fp32Flops}), 0);
}

/// Every operand read once, every result written once.
FailureOr<WorkAttr> gpucost::onnx::passWork(Operation *op, CostClass,
                                            ElementCost element) {
  OpShapes s(op);
  std::optional<int64_t> in = elementCount(s.input(0));
  if (!in || !s.output())
    return failure();
  for (Value operand : op->getOperands()) {
    // The number of elements to select is an argument of the kernel.
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (type && (operand == op->getOperand(0) || type.getRank() > 0) &&
        !operand.getDefiningOp<onnx::ConstantOp>() &&
        !addBytes(s.bytesRead, byteCount(type)))
      return failure();
  }
  if (!countResults(s, longest(s, *in)))
    return failure();
  return elementsWork(s, element, *in);
}

FailureOr<WorkAttr> gpucost::onnx::keyChoiceWork(Operation *op, CostClass,
                                                 ElementCost element) {
  OpShapes s(op);
  RankedTensorType in = s.input(0);
  std::optional<int64_t> count = elementCount(in);
  if (!count || *count == 0 || in.getRank() == 0 || !s.output() ||
      !addBytes(s.bytesRead, byteCount(in)) ||
      !countResults(s, longest(s, *count)))
    return failure();
  RowsProblem rows;
  rows.cols = in.getShape().back();
  rows.rows = *count / rows.cols;
  rows.pass = RowsPass::Choice;
  return makeWork(s, KernelFamily::Reduction, element, rows, 0,
                  checkedProduct({*count, element.fp32Flops}),
                  checkedProduct({*count, element.specialOps}));
}

/// Only selected elements are read and written; positions are read.
FailureOr<WorkAttr> gpucost::onnx::selectedWork(Operation *op, CostClass,
                                                ElementCost element) {
  OpShapes s(op);
  std::optional<int64_t> in = elementCount(s.input(0));
  if (!in || !s.output() || !countResults(s, longest(s, *in)))
    return failure();
  s.bytesRead = s.bytesWritten;
  for (Value operand : op->getOperands().drop_front())
    if (!addBytes(s.bytesRead, byteCount(operand.getType())))
      return failure();
  std::optional<int64_t> count =
      elementCount(bounded(s.output(), longest(s, *in)));
  return count ? elementsWork(s, element, *count)
               : FailureOr<WorkAttr>(failure());
}

/// (T5) Boxes [batch, n, 4], scores [batch, classes, n]: each box is compared
/// with the kept boxes of its class, at most `max_output_boxes_per_class`.
FailureOr<WorkAttr> gpucost::onnx::suppressionWork(Operation *op, CostClass,
                                                   ElementCost element) {
  OpShapes s(op);
  RankedTensorType boxes = s.input(0), scores = s.input(1);
  if (!boxes || !scores || !boxes.hasStaticShape() ||
      !scores.hasStaticShape() || boxes.getRank() != 3 ||
      scores.getRank() != 3 || !s.output())
    return failure();
  int64_t n = scores.getDimSize(2), kept = n;
  if (op->getNumOperands() > 2)
    if (Operation *def = op->getOperand(2).getDefiningOp())
      if (auto value = def->getAttrOfType<DenseIntElementsAttr>("value"))
        if (value.getNumElements() == 1)
          kept = std::clamp<int64_t>(
              (*value.value_begin<APInt>()).getSExtValue(), 0, n);
  std::optional<int64_t> lists =
      checkedProduct({scores.getDimSize(0), scores.getDimSize(1)});
  std::optional<int64_t> pairs =
      lists ? checkedProduct({*lists, n, kept}) : std::nullopt;
  std::optional<int64_t> rows =
      lists ? checkedProduct({*lists, kept}) : std::nullopt;
  if (!pairs || !rows || !addBytes(s.bytesRead, byteCount(boxes)) ||
      !addBytes(s.bytesRead, byteCount(scores)) || !countResults(s, *rows))
    return failure();
  return makeWork(s, KernelFamily::Elementwise, element,
                  ElementsProblem{*pairs, /*strided=*/true}, 0,
                  checkedProduct({*pairs, element.fp32Flops}), 0);
}
