//===- OnnxWork.cpp - Exact work of onnx ops by cost class ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One rule per cost class, and the rules of ops that differ from it. Every
// product of dimensions is checked; an overflow or an unknown shape fails, and
// the caller lists the op in the coverage report.

#include "OpShapes.h"
#include "WorkRules.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

bool OpShapes::countBytes(CostClass shape) {
  bool computes = shape == CostClass::Elementwise ||
                  shape == CostClass::Gather || shape == CostClass::Contraction;
  SmallVector<Value, 4> seen;
  for (Value operand : op->getOperands()) {
    if (isa<::gpucost::onnx::NoneType>(operand.getType()) ||
        llvm::is_contained(seen, operand))
      continue;
    seen.push_back(operand);
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!computes && operand != op->getOperand(0) && type &&
        type.getElementType().isIntOrIndex() &&
        operand.getDefiningOp<ConstantOp>())
      continue;
    if (!addBytes(bytesRead, storageBytes(operand)))
      return false;
  }
  for (Value result : op->getResults()) {
    if (isa<::gpucost::onnx::NoneType>(result.getType()) ||
        (result.use_empty() && result != op->getResult(0)))
      continue;
    if (!addBytes(bytesWritten, byteCount(result.getType())))
      return false;
  }
  return true;
}

int64_t gpucost::onnx::bitsOf(RankedTensorType type) {
  return storedBits(type.getElementType()).value_or(32);
}

FailureOr<WorkAttr> gpucost::onnx::makeWork(
    const OpShapes &s, KernelFamily family, ElementCost element,
    const Problem &problem, std::optional<int64_t> tensorFlops,
    std::optional<int64_t> fp32Flops, std::optional<int64_t> specialOps) {
  RankedTensorType in = s.input(0) ? s.input(0) : s.output();
  return WorkAttr::get(s.op->getContext(), {family,
                                            element.instructions,
                                            formatOf(in.getElementType()),
                                            bitsOf(in),
                                            bitsOf(s.output()),
                                            problem,
                                            {tensorFlops.value_or(INT64_MAX),
                                             fp32Flops.value_or(INT64_MAX),
                                             specialOps.value_or(INT64_MAX),
                                             s.bytesRead,
                                             s.bytesWritten,
                                             {}}});
}

/// Integer and boolean arithmetic is not a FLOP.
static bool computesOnFloats(Operation *op) {
  auto isFloatTensor = [](Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    return type && isa<FloatType>(type.getElementType());
  };
  return llvm::any_of(op->getOperands(), isFloatTensor) ||
         llvm::any_of(op->getResults(), isFloatTensor);
}

/// The normalization that `op` is a part of, as far as kernels depend on it. A
/// sum with its norm counts as a sum.
static NormKind normOf(Operation *op) {
  if (op->hasAttr(runAttrName))
    return NormKind::Batch;
  if (isa<LayerNormalizationOp>(op))
    return NormKind::Layer;
  if (isa<RMSNormalizationOp, SimplifiedLayerNormalizationOp>(op))
    return NormKind::Rms;
  return isa<GroupNormOp, GroupNormalizationOp, InstanceNormalizationOp>(op)
             ? NormKind::Group
             : NormKind::None;
}

static RowsPass passOf(Operation *op) {
  if (isa<NormWeightGradOp>(op))
    return RowsPass::WeightGradient;
  return isa<SoftmaxOp, LogSoftmaxOp>(op) ? RowsPass::Forward
                                          : RowsPass::Unstated;
}

/// (Q7) Columns of the activation that `s.op` narrows to fp8 with one scale; 0:
/// another op.
static int64_t quantizedColumns(OpShapes &s) {
  RankedTensorType in = s.input(0), out = s.output();
  if (!isa<QuantizeLinearOp>(s.op) || !in || !out || in.getRank() == 0 ||
      bitsOf(in) != 16 || bitsOf(out) != CHAR_BIT ||
      !isa<FloatType>(out.getElementType()))
    return 0;
  RankedTensorType scale = s.input(1);
  bool isOne = !scale || elementCount(scale) == int64_t(1);
  return isOne ? in.getShape().back() : 0;
}

static FailureOr<WorkAttr> elementsWork(OpShapes &s, KernelFamily family,
                                        ElementCost element, bool strided,
                                        int64_t perElement = 1) {
  std::optional<int64_t> count = elementCount(s.output());
  if (!count)
    return failure();
  int64_t factor = computesOnFloats(s.op) ? perElement : 0;
  strided |= s.op->hasAttr(stridedAttrName);
  ElementsProblem problem{*count, strided};
  problem.quantizedColumns = quantizedColumns(s);
  RankedTensorType in = s.input(0);
  if (s.op->hasAttr(runAttrName) && in && in.getRank() > 1) {
    problem.norm = NormKind::Batch;
    problem.channels =
        s.op->hasAttr(fixedStatisticsAttrName) ? 0 : in.getDimSize(1);
    problem.run = s.getInt(runAttrName);
  }
  return makeWork(s, family, element, problem, /*tensorFlops=*/0,
                  checkedProduct({*count, element.fp32Flops, factor}),
                  checkedProduct({*count, element.specialOps, factor}));
}

/// A tensor without dimensions in device memory: a fill that an op or, once
/// kernels are formed, a kernel runs. A number of the file is an argument.
static bool isDeviceScalar(Value value) {
  if (!isFloatScalar(value.getType()))
    return false;
  Operation *def = value.getDefiningOp();
  if (auto kernel = dyn_cast_or_null<KernelOp>(def))
    def =
        kernel.getBody().front().getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_nonnull<ConstantOfShapeOp>(def);
}

/// The kernel must compute indices for a broadcast operand, except for a
/// number.
static bool hasBroadcastOperand(OpShapes &s) {
  std::optional<int64_t> count = elementCount(s.output());
  return llvm::any_of(s.op->getOperands(), [&](Value operand) {
    std::optional<int64_t> n = elementCount(operand.getType());
    return n && n != count && (*n != 1 || isDeviceScalar(operand));
  });
}

/// `run`: adjacent elements of a row if the op does not state them; 0: all.
static FailureOr<WorkAttr> rowsWork(OpShapes &s, KernelFamily family,
                                    ElementCost element, int64_t rows,
                                    int64_t cols, int64_t run = 0) {
  std::optional<int64_t> count = checkedProduct({rows, cols});
  if (!count)
    return failure();
  if (s.op->hasAttr(runAttrName))
    run = s.getInt(runAttrName);
  return makeWork(s, family, element,
                  RowsProblem{rows, cols, normOf(s.op), run, passOf(s.op)}, 0,
                  checkedProduct({*count, element.fp32Flops}),
                  checkedProduct({*count, element.specialOps}));
}

/// Each sample is normalised in `groups` channel groups.
static FailureOr<WorkAttr> groupsWork(OpShapes &s, ElementCost element,
                                      int64_t groups) {
  RankedTensorType in = s.input(0);
  std::optional<int64_t> count = elementCount(in);
  if (!count || in.getRank() == 0)
    return failure();
  std::optional<int64_t> rows = checkedProduct({in.getDimSize(0), groups});
  if (!rows || *rows == 0)
    return rowsWork(s, KernelFamily::Normalization, element, 0, 0);
  return rowsWork(s, KernelFamily::Normalization, element, *rows,
                  *count / *rows);
}

FailureOr<WorkAttr> gpucost::onnx::instanceNormWork(Operation *op,
                                                    CostClass shape,
                                                    ElementCost element) {
  auto s = OpShapes::measure(op, shape);
  if (!s || !s->input(0))
    return failure();
  RankedTensorType in = s->input(0);
  return groupsWork(*s, element, in.getRank() > 1 ? in.getDimSize(1) : 1);
}

FailureOr<WorkAttr> gpucost::onnx::groupNormWork(Operation *op, CostClass shape,
                                                 ElementCost element) {
  auto s = OpShapes::measure(op, shape);
  if (!s)
    return failure();
  return groupsWork(*s, element, s->getInt("num_groups"));
}

FailureOr<WorkAttr> gpucost::onnx::rowNormalizationWork(Operation *op,
                                                        CostClass shape,
                                                        ElementCost element) {
  auto measured = OpShapes::measure(op, shape);
  if (!measured)
    return failure();
  OpShapes &s = *measured;
  RankedTensorType in = s.input(0);
  std::optional<int64_t> count = elementCount(in);
  if (!count || in.getRank() == 0)
    return failure();
  int64_t rank = in.getRank(), cols = 1;
  bool softmax = element.instructions == InstructionClass::Softmax;
  int64_t axis = s.findInt("axis").value_or(-1);
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis >= rank)
    return failure();
  // Softmax is computed along one axis (up to opset 12 over all axes from
  // `axis`, like a norm), and a norm over all axes from `axis`.
  bool oneAxis = softmax && !s.op->hasAttr(rowsFromAxisAttrName);
  for (int64_t i = axis; i < (oneAxis ? axis + 1 : rank); ++i)
    cols = saturatingProduct(cols, in.getDimSize(i));
  int64_t rows = cols ? *count / cols : 0;
  return rowsWork(s,
                  softmax ? KernelFamily::Softmax : KernelFamily::Normalization,
                  element, rows, cols);
}

/// Whether a reduction keeps the last dimension: the rows that it adds are not
/// contiguous.
static bool addsRowsApart(OpShapes &s) {
  RankedTensorType in = s.input(0), out = s.output();
  if (!in || in.getRank() == 0 || in.getShape().back() <= 1)
    return false;
  int64_t last = in.getRank() - 1;
  auto axes = getConstantInts(s.op, 1);
  if (auto attribute = s.op->getAttrOfType<DenseI64ArrayAttr>("axes"))
    axes = llvm::to_vector(attribute.asArrayRef());
  if (axes && !axes->empty())
    return llvm::none_of(*axes,
                         [&](int64_t i) { return i == last || i == -1; });
  // Gradients of broadcast operands state only the type of the result; that of
  // a convolution's bias has the channels, dimension 1 of images.
  if (out.getRank() == 0 || out.getShape().back() != in.getShape().back())
    return false;
  return in.getRank() <= 2 || out.getRank() > 1 ||
         in.getDimSize(1) != out.getShape().back();
}

/// Every result combines the same number of operand elements.
static FailureOr<WorkAttr> reducedWork(OpShapes &s, ElementCost element) {
  std::optional<int64_t> in = elementCount(s.input(0));
  std::optional<int64_t> out = elementCount(s.output());
  if (!in || !out)
    return failure();
  return rowsWork(
      s, KernelFamily::Reduction, element, *out, *out ? *in / *out : 0,
      passOf(s.op) == RowsPass::Unstated && addsRowsApart(s) ? 1 : 0);
}

FailureOr<WorkAttr> gpucost::onnx::reductionWork(Operation *op, CostClass shape,
                                                 ElementCost element) {
  auto s = OpShapes::measure(op, shape);
  if (!s)
    return failure();
  return reducedWork(*s, element);
}

/// (R2) The pointwise part of one step: gates, state, results.
static FailureOr<WorkAttr> cellWork(OpShapes &s, ElementCost element,
                                    RankedTensorType gates,
                                    RankedTensorType hidden) {
  if (!gates || !hidden || gates.getRank() != 3 || hidden.getRank() != 3)
    return failure();
  std::optional<int64_t> states =
      checkedProduct({hidden.getDimSize(1), hidden.getDimSize(2)});
  std::optional<int64_t> all =
      checkedProduct({gates.getDimSize(1), gates.getDimSize(2)});
  std::optional<int64_t> flops =
      states ? checkedProduct({*states, element.fp32Flops}) : std::nullopt;
  if (!states || !all || !flops)
    return failure();
  int64_t bytes = bitsOf(hidden) / 8;
  // Forward reads both matmul results and the cell, writes gates and states.
  s.bytesRead = (2 * *all + *states) * bytes;
  s.bytesWritten = (*all + 2 * *states) * bytes;
  return makeWork(s, KernelFamily::Elementwise, element,
                  ElementsProblem{*states, false}, 0, *flops,
                  checkedProduct({*states, element.specialOps}));
}

FailureOr<WorkAttr> gpucost::onnx::recurrentCellWork(Operation *op,
                                                     CostClass shape,
                                                     ElementCost element) {
  auto s = OpShapes::measure(op, shape);
  if (!s)
    return failure();
  return cellWork(*s, element, s->input(0), s->output());
}

FailureOr<WorkAttr> gpucost::onnx::recurrentCellGradWork(Operation *op,
                                                         CostClass shape,
                                                         ElementCost element) {
  auto s = OpShapes::measure(op, shape);
  if (!s)
    return failure();
  return cellWork(*s, element, s->input(1), s->input(2));
}

FailureOr<WorkAttr> gpucost::onnx::poolingWork(Operation *op, CostClass shape,
                                               ElementCost element) {
  auto measured = OpShapes::measure(op, shape);
  if (!measured)
    return failure();
  OpShapes &s = *measured;
  auto window = s.op->getAttrOfType<DenseI64ArrayAttr>("kernel_shape");
  if (!window)
    return reducedWork(s, {InstructionClass::Reduce, element.fp32Flops, 0});
  std::optional<int64_t> taps = checkedProductOf(window.asArrayRef());
  if (!taps)
    return failure();
  return elementsWork(s, KernelFamily::Pooling, element, /*strided=*/true,
                      *taps);
}

/// Only operand `update` is read, and written in the type of the result;
/// operand `base`, whose memory the result reuses, is not moved.
static FailureOr<WorkAttr> updateWork(Operation *op, CostClass shape,
                                      ElementCost element, unsigned update,
                                      unsigned base) {
  auto measured = OpShapes::measure(op, shape);
  if (!measured || op->getNumOperands() <= std::max(update, base))
    return failure();
  OpShapes &s = *measured;
  Value part = op->getOperand(update);
  std::optional<int64_t> all = storageBytes(op->getOperand(base));
  std::optional<int64_t> count = elementCount(part.getType());
  if (!all || !count || !s.output(0))
    return failure();
  std::optional<int64_t> bits = checkedProduct({*count, bitsOf(s.output(0))});
  if (!bits)
    return failure();
  if (part != op->getOperand(base))
    s.bytesRead -= *all;
  s.bytesWritten = *bits / 8;
  return makeWork(s, KernelFamily::Embedding, element,
                  ElementsProblem{*count, /*strided=*/true}, 0, 0, 0);
}

/// (B7), (K1) Operands: the inserted part, the base.
FailureOr<WorkAttr> gpucost::onnx::insertWork(Operation *op, CostClass shape,
                                              ElementCost element) {
  return updateWork(op, shape, element, /*update=*/0, /*base=*/1);
}

/// (K1) Operands: the cache, the update.
FailureOr<WorkAttr> gpucost::onnx::tensorScatterWork(Operation *op,
                                                     CostClass shape,
                                                     ElementCost element) {
  return updateWork(op, shape, element, /*update=*/1, /*base=*/0);
}

/// One log-probability and one label per row, summed.
FailureOr<WorkAttr> gpucost::onnx::nllLossWork(Operation *op, CostClass shape,
                                               ElementCost element) {
  auto measured = OpShapes::measure(op, shape);
  if (!measured)
    return failure();
  OpShapes &s = *measured;
  std::optional<int64_t> rows = elementCount(s.input(1));
  std::optional<int64_t> labels = byteCount(s.input(1));
  if (!rows || !labels || !s.input(0))
    return failure();
  s.bytesRead = saturatingSum(*labels, *rows * (bitsOf(s.input(0)) / 8));
  return makeWork(s, KernelFamily::Embedding, element,
                  ElementsProblem{*rows, /*strided=*/true}, 0, *rows, 0);
}

/// (B10) The maximum of each row, then the sum of exponentials: two passes.
FailureOr<WorkAttr> gpucost::onnx::fusedLossWork(Operation *op, CostClass shape,
                                                 ElementCost element) {
  auto s = OpShapes::measure(op, shape);
  if (!s)
    return failure();
  std::optional<int64_t> scores = elementCount(s->input(0));
  std::optional<int64_t> rows = elementCount(s->input(1));
  std::optional<int64_t> bytes = byteCount(s->input(0));
  if (!scores || !rows || !bytes)
    return failure();
  s->bytesRead = saturatingSum(s->bytesRead, *bytes);
  return rowsWork(*s, KernelFamily::Reduction, element, *rows,
                  *rows ? *scores / *rows : 0);
}

FailureOr<WorkAttr> gpucost::onnx::noKernelWork(Operation *op, CostClass shape,
                                                ElementCost) {
  auto s = OpShapes::measure(op, shape);
  if (!s)
    return failure();
  s->bytesRead = s->bytesWritten = 0;
  return elementsWork(*s, KernelFamily::DataMovement,
                      {InstructionClass::None, 0, 0}, /*strided=*/false);
}

FailureOr<WorkAttr> gpucost::onnx::elementwiseWork(Operation *op,
                                                   CostClass shape,
                                                   ElementCost element) {
  auto s = OpShapes::measure(op, shape);
  if (!s)
    return failure();
  return elementsWork(*s, KernelFamily::Elementwise, element,
                      element.instructions != InstructionClass::BatchNorm &&
                          hasBroadcastOperand(*s));
}

/// The tables follow the rotated operands.
static bool isRotaryTable(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned index = use.getOperandNumber();
  auto type = dyn_cast<RankedTensorType>(use.get().getType());
  if (!type || type.getRank() != 2 || !isa<FloatType>(type.getElementType()))
    return false;
  if (isa<GroupQueryAttentionOp>(op))
    return index >= firstRotaryTable && index < endOfRotaryTables;
  if (isa<PagedAttentionOp>(op))
    return index == 8 || index == 9;
  if (isa<DynamicSparseAttentionOp>(op))
    return index == 11 || index == 12;
  if (isa<SparsePagedAttentionOp>(op))
    return index == 14 || index == 15;
  return isa<RotaryEmbeddingOp>(op) && index >= op->getNumResults();
}

std::optional<int64_t> gpucost::onnx::unreadRotaryBytes(OpOperand &use) {
  auto rotated =
      dyn_cast<RankedTensorType>(use.getOwner()->getOperand(0).getType());
  if (!isRotaryTable(use) || !rotated || rotated.getRank() < 2)
    return 0;
  auto table = cast<RankedTensorType>(use.get().getType());
  int64_t positions = rotated.getDimSize(rotated.getRank() - 2);
  if (rotated.getRank() == 2) // rows of tokens
    positions = rotated.getDimSize(0);
  std::optional<int64_t> bits =
      checkedProduct({std::max<int64_t>(table.getDimSize(0) - positions, 0),
                      table.getDimSize(1), bitsOf(table)});
  return bits ? std::optional(*bits / 8) : std::nullopt;
}

std::optional<int64_t> gpucost::onnx::unreadRotaryBytes(Operation *op) {
  int64_t unread = 0;
  for (OpOperand &use : op->getOpOperands()) {
    std::optional<int64_t> bytes = unreadRotaryBytes(use);
    if (!bytes)
      return std::nullopt;
    unread = saturatingSum(unread, *bytes);
  }
  return unread;
}

/// Elements of `type` that are rotated: the first `rotary_embedding_dim` of
/// each head, or all.
static std::optional<int64_t> countRotated(Operation *op, Type type) {
  std::optional<int64_t> count = elementCount(type);
  int64_t rotated = onnx::getInt(op, "rotary_embedding_dim");
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!count || rotated <= 0 || tensor.getRank() < 3)
    return count;
  int64_t head = tensor.getShape().back();
  if (tensor.getRank() == 3)
    head /= std::max<int64_t>(onnx::getInt(op, "num_heads"), 1);
  return rotated < head ? *count / head * rotated : *count;
}

FailureOr<WorkAttr> gpucost::onnx::contribRotaryWork(Operation *op,
                                                     CostClass shape,
                                                     ElementCost element) {
  FailureOr<WorkAttr> all = elementwiseWork(op, shape, element);
  if (failed(all))
    return all;
  KernelWork work = all->getValue();
  std::optional<int64_t> rotated = countRotated(op, op->getResult(0).getType());
  std::optional<int64_t> flops =
      rotated ? checkedProduct({*rotated, element.fp32Flops}) : std::nullopt;
  if (!flops)
    return failure();
  work.count.fp32Flops = std::min(work.count.fp32Flops, *flops);
  return WorkAttr::get(op->getContext(), work);
}

FailureOr<WorkAttr> gpucost::onnx::rotaryWork(Operation *op, CostClass shape,
                                              ElementCost element) {
  FailureOr<WorkAttr> first = contribRotaryWork(op, shape, element);
  if (failed(first))
    return first;
  KernelWork work = first->getValue();
  auto problem = work.as<ElementsProblem>();
  // A result that is larger than its operand has parts that are not rotated.
  for (Value result : op->getResults().drop_front()) {
    std::optional<int64_t> more = elementCount(result.getType());
    Value part = op->getOperand(cast<OpResult>(result).getResultNumber());
    std::optional<int64_t> rotated = countRotated(op, part.getType());
    std::optional<int64_t> flops =
        rotated ? checkedProduct({*rotated, element.fp32Flops}) : std::nullopt;
    if (!more || !flops)
      return failure();
    problem.elements = saturatingSum(problem.elements, *more);
    work.count.fp32Flops = saturatingSum(work.count.fp32Flops, *flops);
  }
  problem.strided = false; // no broadcast: rows of tables and heads are read
  work.problem = problem;
  std::optional<int64_t> unread = unreadRotaryBytes(op);
  if (!unread)
    return failure();
  work.count.bytesRead -= *unread;
  return WorkAttr::get(op->getContext(), work);
}

FailureOr<WorkAttr> gpucost::onnx::movementWork(Operation *op, CostClass shape,
                                                ElementCost element) {
  auto s = OpShapes::measure(op, shape);
  if (!s)
    return failure();
  // PyTorch copies a permuted view.
  return elementsWork(*s, KernelFamily::DataMovement, element,
                      /*strided=*/isa<DepthToSpaceOp, SpaceToDepthOp>(op));
}

/// The operand is the slice of one iteration.
FailureOr<WorkAttr> gpucost::onnx::loopStackWork(Operation *op, CostClass shape,
                                                 ElementCost element) {
  auto s = OpShapes::measure(op, shape);
  if (!s)
    return failure();
  s->bytesRead = s->bytesWritten;
  return elementsWork(*s, KernelFamily::DataMovement, element,
                      /*strided=*/false);
}

/// Only the gathered rows are read, not the whole table.
FailureOr<WorkAttr> gpucost::onnx::gatherWork(Operation *op, CostClass shape,
                                              ElementCost element) {
  auto s = OpShapes::measure(op, shape);
  if (!s || op->getNumOperands() == 0)
    return failure();
  std::optional<int64_t> table = storageBytes(op->getOperand(0));
  if (table && s->bytesWritten < *table)
    s->bytesRead += s->bytesWritten - *table;
  return elementsWork(*s, KernelFamily::Embedding, element, /*strided=*/true);
}

/// With a reduction, each update is added to an element (or compared with it).
FailureOr<WorkAttr> gpucost::onnx::scatterWork(Operation *op, CostClass shape,
                                               ElementCost element) {
  FailureOr<WorkAttr> moved = gatherWork(op, shape, element);
  StringRef reduction = onnx::getString(op, "reduction");
  if (failed(moved) || reduction == "none" || !computesOnFloats(op))
    return moved;
  std::optional<int64_t> updates = elementCount(OpShapes(op).input(2));
  if (!updates)
    return failure();
  KernelWork work = moved->getValue();
  work.count.fp32Flops = saturatingSum(work.count.fp32Flops, *updates);
  return WorkAttr::get(op->getContext(), work);
}

FailureOr<WorkAttr> gpucost::onnx::unknownWork(Operation *, CostClass,
                                               ElementCost) {
  return failure();
}
