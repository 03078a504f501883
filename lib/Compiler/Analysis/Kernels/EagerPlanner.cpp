//===- EagerPlanner.cpp - Copies and layouts of eager PyTorch -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Kernels/EagerPlanner.h"
#include "gpucost/Compiler/Analysis/Kernels/CountWork.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include <climits>

using namespace mlir;
using namespace gpucost;

/// ONNX: batch, channels, height, width.
static constexpr int64_t imageRank = 4;
/// Operands of Slice and BatchNormalization.
static constexpr unsigned axesOperand = 3, stepsOperand = 4, meanOperand = 3;

/// Static ranked type with at least one element; null for anything else.
static RankedTensorType trackedType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || elementCount(type).value_or(0) == 0)
    return {};
  return type;
}

/// (L9) A matmul of the backward pass reads the copy that the forward matmul
/// made of the same operand, or a transposed view of that copy.
bool EagerPlanner::reuseCopy(unsigned operand, RankedTensorType type) {
  auto phase = op->getAttrOfType<PhaseAttr>(phaseAttrName);
  if (!phase || phase.getValue() != Phase::Backward ||
      !isa<onnx::MatMulOp, onnx::GemmOp>(op))
    return false;
  Value value = op->getOperand(operand);
  if (const PlannedCopy *known = contiguous.lookup({value, type})) {
    current.reads.push_back({operand, known, nullptr});
    return true;
  }
  auto transpose = value.getDefiningOp<onnx::TransposeOp>();
  if (!transpose || type.getRank() < 2)
    return false;
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  const PlannedCopy *known =
      contiguous.lookup({transpose->getOperand(0),
                         RankedTensorType::get(shape, type.getElementType())});
  if (known)
    current.reads.push_back({operand, known, transpose});
  return known;
}

void EagerPlanner::copyOperand(unsigned operand, RankedTensorType type,
                               CopyReason reason) {
  // (L9) The backward pass reads the copy that the forward pass made.
  if (reason == CopyReason::Contiguous && reuseCopy(operand, type))
    return;
  Value input = op->getOperand(operand);
  const PlannedRead *earlier = current.readOf(operand);
  copies.push_back(
      {op, input, earlier ? earlier->copy : nullptr, type, reason});
  current.reads.push_back({operand, &copies.back(), nullptr});
  if (reason == CopyReason::Contiguous)
    contiguous[{input, type}] = &copies.back();
}

/// Whether the rows of `value` are contiguous and at equal distances.
bool EagerPlanner::hasEvenRows(Value value) const {
  RankedTensorType type = trackedType(value);
  if (!type || type.getRank() == 0)
    return false;
  int64_t columns = type.getShape().back();
  auto rows = viewStrides(type.getShape(), layouts.get(value),
                          {type.getNumElements() / columns, columns});
  return rows && (columns == 1 || rows->back() == 1);
}

/// (L1) Softmax, norms and convolutions require contiguous operands. The norms
/// of serving stacks require contiguous rows.
void EagerPlanner::requireContiguous(unsigned operand) {
  if (operand >= op->getNumOperands())
    return;
  RankedTensorType type = trackedType(op->getOperand(operand));
  if (type && !layouts.isContiguous(op->getOperand(operand)))
    copyOperand(operand, type, CopyReason::Contiguous);
}

/// Steps of an ONNX Slice per axis; 1 if they are not constants.
static SmallVector<int64_t> sliceSteps(onnx::SliceOp op, int64_t rank) {
  SmallVector<int64_t> steps(rank, 1);
  auto constantInts = [&](unsigned i) -> SmallVector<int64_t> {
    SmallVector<int64_t> ints;
    if (i < op->getNumOperands())
      if (Operation *def = op->getOperand(i).getDefiningOp())
        if (auto dense = def->getAttrOfType<DenseIntElementsAttr>("value"))
          for (const APInt &v : dense.getValues<APInt>())
            ints.push_back(v.getSExtValue());
    return ints;
  };
  SmallVector<int64_t> axes = constantInts(axesOperand),
                       values = constantInts(stepsOperand);
  for (auto [i, step] : llvm::enumerate(values)) {
    int64_t axis = i < axes.size() ? axes[i] : static_cast<int64_t>(i);
    axis += axis < 0 ? rank : 0;
    if (axis >= 0 && axis < rank && step != 0)
      steps[axis] = std::abs(step);
  }
  return steps;
}

/// (L2) Views cost nothing; a reshape that strides cannot express is a copy.
void EagerPlanner::planView() {
  RankedTensorType from = op->getNumOperands() ? trackedType(op->getOperand(0))
                                               : RankedTensorType();
  RankedTensorType to = trackedType(op->getResult(0));
  if (!from || !to)
    return;
  Strides in = layouts.get(op->getOperand(0));
  if (auto transpose = dyn_cast<onnx::TransposeOp>(op)) {
    auto perm = op->getAttrOfType<DenseI64ArrayAttr>("perm");
    Strides out(in.rbegin(), in.rend());
    if (perm && static_cast<size_t>(perm.size()) == in.size())
      for (auto [i, source] : llvm::enumerate(perm.asArrayRef()))
        out[i] = in[source];
    layouts.set(transpose->getResult(0), out);
    return;
  }
  if (isa<onnx::ExpandOp>(op)) {
    Strides out(to.getRank(), 0);
    for (int64_t i = 0; i < from.getRank(); ++i) {
      int64_t target = to.getRank() - from.getRank() + i;
      if (target >= 0 && from.getDimSize(i) == to.getDimSize(target))
        out[target] = in[i];
    }
    layouts.set(op->getResult(0), out);
    return;
  }
  if (auto slice = dyn_cast<onnx::SliceOp>(op)) {
    SmallVector<int64_t> steps = sliceSteps(slice, from.getRank());
    for (auto [stride, step] : llvm::zip_equal(in, steps))
      stride *= step;
    layouts.set(op->getResult(0), in);
    return;
  }
  if (isa<onnx::SplitOp>(op)) {
    for (Value result : op->getResults())
      if (trackedType(result))
        layouts.set(result, in);
    return;
  }
  if (from.getShape() == to.getShape()) {
    layouts.set(op->getResult(0), in);
    return;
  }
  if (isa<onnx::LoopValueOp>(op)) {
    // One slice of a scanned value, in place; other views keep the shape.
    Strides out = contiguousStrides(to.getShape());
    for (int64_t axis = 0; axis < from.getRank(); ++axis) {
      SmallVector<int64_t> rest(from.getShape());
      rest.erase(rest.begin() + axis);
      if (ArrayRef<int64_t>(rest) != to.getShape())
        continue;
      out = in;
      out.erase(out.begin() + axis);
      break;
    }
    layouts.set(op->getResult(0), out);
    return;
  }
  if (std::optional<Strides> view =
          viewStrides(from.getShape(), in, to.getShape())) {
    layouts.set(op->getResult(0), *view);
    return;
  }
  copyOperand(0, from, CopyReason::Contiguous);
  layouts.set(op->getResult(0), contiguousStrides(to.getShape()));
}

/// Whether the elements of the result have more bits.
static bool isWideningCast(Operation *op) {
  if (!isa<onnx::CastOp>(op))
    return false;
  auto bits = [](Value value) -> unsigned {
    Type element = getElementTypeOrSelf(value.getType());
    return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  };
  unsigned from = bits(op->getOperand(0)), to = bits(op->getResult(0));
  return from >= CHAR_BIT && from < to;
}

/// (L3) Elementwise kernels keep the layout of their first full operand;
/// operands that have another layout or are broadcast are indexed.
void EagerPlanner::planElementwise() {
  RankedTensorType to = trackedType(op->getResult(0));
  if (!to)
    return;
  Strides out = contiguousStrides(to.getShape());
  for (Value operand : op->getOperands()) {
    RankedTensorType type = trackedType(operand);
    if (!type || type.getShape() != to.getShape())
      continue;
    Strides strides = layouts.get(operand);
    if (isDense(to.getShape(), strides))
      out = strides;
    break;
  }
  bool strided = false;
  for (Value operand : op->getOperands()) {
    RankedTensorType type = trackedType(operand);
    if (type && type.getShape() == to.getShape())
      strided |= !sameStrides(to.getShape(), layouts.get(operand), out);
  }
  // (L11) PyTorch's casts to a wider format load and store single elements.
  strided |= options.library && isWideningCast(op);
  current.strided = strided;
  for (Value result : op->getResults())
    if (trackedType(result) &&
        cast<RankedTensorType>(result.getType()).getShape() == to.getShape())
      layouts.set(result, out);
}

/// Whether the library can read a matrix in place: one of its two dimensions is
/// contiguous and the other one is a leading dimension.
static bool isMatrixReadable(int64_t rows, int64_t cols, int64_t rowStride,
                             int64_t colStride) {
  bool rowMajor =
      (colStride == 1 || cols == 1) && (rowStride >= cols || rows == 1);
  bool colMajor =
      (rowStride == 1 || rows == 1) && (colStride >= rows || cols == 1);
  return rowMajor || colMajor;
}

/// (L4) A matmul of two batched operands reads each as [batch, rows, cols]; an
/// operand with batch dimensions that cannot be merged is copied. (L5) The
/// operand of a matmul with weights must flatten to [rows, cols].
void EagerPlanner::planContraction() {
  if (op->getNumOperands() < 2)
    return;
  RankedTensorType a = trackedType(op->getOperand(0));
  RankedTensorType b = trackedType(op->getOperand(1));
  RankedTensorType out = trackedType(op->getResult(0));
  if (!a || !b || !out || a.getRank() < 2 || b.getRank() < 2)
    return;
  bool weightProduct = b.getRank() == 2;
  for (unsigned i = 0; i < 2; ++i) {
    RankedTensorType type = i ? b : a;
    if (type.getRank() == 2)
      continue;
    int64_t rank = type.getRank();
    SmallVector<int64_t> shape(type.getShape());
    Strides strides = layouts.get(op->getOperand(i));
    // Broadcast batch dimensions are expanded (stride 0) before they merge.
    if (!weightProduct && out.getRank() >= rank) {
      for (int64_t d = 0; d < rank - 2; ++d) {
        int64_t size = out.getDimSize(out.getRank() - rank + d);
        if (shape[d] == 1 && size != 1) {
          shape[d] = size;
          strides[d] = 0;
        }
      }
    }
    int64_t rows = shape[rank - 2], cols = shape[rank - 1], batch = 1;
    for (int64_t d = 0; d < rank - 2; ++d)
      batch = saturatingProduct(batch, shape[d]);
    bool readable;
    if (weightProduct && i == 0) {
      std::optional<Strides> flat =
          viewStrides(shape, strides, {batch * rows, cols});
      readable =
          flat && isMatrixReadable(batch * rows, cols, (*flat)[0], (*flat)[1]);
    } else {
      std::optional<Strides> merged =
          viewStrides(shape, strides, {batch, rows, cols});
      readable =
          merged && isMatrixReadable(rows, cols, (*merged)[1], (*merged)[2]);
    }
    if (!readable)
      copyOperand(i, RankedTensorType::get(shape, type.getElementType()),
                  CopyReason::Contiguous);
  }
}

/// Strides of a channels-last [n, c, h, w] tensor.
static Strides channelsLastStrides(Sizes shape) {
  return {shape[1] * shape[2] * shape[3], 1, shape[3] * shape[1], shape[1]};
}

/// Whether the strides of `value` are channels-last, as after a transpose.
bool EagerPlanner::hasChannelsLast(Value value) const {
  RankedTensorType type = trackedType(value);
  return type && type.getRank() == imageRank && !layouts.isContiguous(value) &&
         sameStrides(type.getShape(), layouts.get(value),
                     channelsLastStrides(type.getShape()));
}

/// Whether a convolution is a matmul of the filter and each image without
/// conversion.
static bool readsImagesInPlace(Operation *op) {
  WorkAttr work = readWork(op).work;
  const auto *problem = work ? work->getIf<ConvolutionProblem>() : nullptr;
  return problem && problem->readsImagesInPlace(work->inputBits);
}

/// (L6) Tensor-core convolutions compute on channels-last data: for NCHW
/// tensors the library converts input and output inside the call. If the input
/// strides are channels-last, the result is channels-last as well.
void EagerPlanner::planConvolution() {
  if (op->getNumOperands() > 0 && hasChannelsLast(op->getOperand(0)) &&
      !options.channelsLast) {
    current.channelsLast = true;
    if (isa<onnx::ConvWeightGradOp>(op)) {
      RankedTensorType image = trackedType(op->getOperand(1));
      if (image && !hasChannelsLast(op->getOperand(1)))
        copyOperand(1, image, CopyReason::Layout);
    } else if (RankedTensorType out = trackedType(op->getResult(0));
               out && out.getRank() == imageRank) {
      layouts.set(op->getResult(0), channelsLastStrides(out.getShape()));
    }
    return;
  }
  requireContiguous(0);
  RankedTensorType in = trackedType(op->getOperand(0));
  RankedTensorType out = trackedType(op->getResult(0));
  if (!in || !out || in.getRank() != imageRank)
    return;
  if (options.channelsLast) {
    current.channelsLast = true;
    return;
  }
  // 16-bit kernels are only channels-last. TF32 depends on the GPU (C9).
  NumericFormat format = formatOf(in.getElementType());
  bool tensorCores = format == NumericFormat::BF16 ||
                     format == NumericFormat::FP16 ||
                     (isa<onnx::ConvOp>(op) && hasFewBits(format));
  int64_t group = onnx::getInt(op, "group");
  bool depthwise = group > 1 && group == in.getDimSize(1);
  if (!tensorCores || depthwise || readsImagesInPlace(op))
    return;
  // A transposition: either its loads or its stores are strided.
  // Image and filter, or both images of a gradient of the filter.
  copyOperand(0, in, CopyReason::Layout);
  if (RankedTensorType other = trackedType(op->getOperand(1)))
    copyOperand(1, other, CopyReason::Layout);
  copies.push_back({op, op->getResult(0), nullptr, out, CopyReason::Layout});
  current.after = &copies.back();
}

/// (L8) Fused attention writes [batch, length, heads, channels] and returns a
/// view of it: merging the heads does not copy.
void EagerPlanner::planAttention() {
  RankedTensorType out = trackedType(op->getResult(0));
  constexpr int64_t attentionRank = 4;
  if (!out || out.getRank() != attentionRank)
    return;
  int64_t heads = out.getDimSize(1), length = out.getDimSize(2),
          channels = out.getShape().back();
  layouts.set(op->getResult(0),
              {length * heads * channels, channels, heads * channels, 1});
}

/// Batch normalization: its kernel depends on the layout of images (M10),
/// (M13), (M15).
void EagerPlanner::planBatchNorm() {
  auto in = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  bool fixed = isa<onnx::BatchNormalizationOp>(op) &&
               (op->getNumOperands() <= meanOperand ||
                !isa_and_nonnull<onnx::BatchStatisticsOp>(
                    op->getOperand(meanOperand).getDefiningOp()));
  if (!in || in.getRank() <= 2 || (fixed && options.channelsLast))
    return;
  current.fixedStatistics = fixed;
  current.run = 1;
  if (!options.channelsLast)
    for (int64_t size : in.getShape().drop_front(2))
      current.run = saturatingProduct(current.run, std::max<int64_t>(size, 1));
}

OpPlan EagerPlanner::plan(Operation *planned, CostClass shape) {
  op = planned;
  current = {};
  // Other dialects contain their copies as ops.
  if (!isa_and_nonnull<onnx::OnnxDialect>(op->getDialect()))
    return {};
  if (isa<onnx::BatchNormalizationOp, onnx::BatchStatisticsOp,
          onnx::BatchNormReduceGradOp, onnx::BatchNormInputGradOp>(op) &&
      op->getNumOperands() > 0)
    planBatchNorm();
  switch (shape) {
  case CostClass::View:
    planView();
    break;
  case CostClass::Elementwise:
    planElementwise();
    break;
  case CostClass::Contraction:
    planContraction();
    break;
  case CostClass::Convolution:
    planConvolution();
    break;
  case CostClass::Attention:
    planAttention();
    break;
  case CostClass::RowNormalization:
    if (!options.readsEvenRows || !hasEvenRows(op->getOperand(0)))
      requireContiguous(0);
    break;
  case CostClass::Pooling:
    requireContiguous(0);
    break;
  default: // (L7) the other kernels index their operands and write contiguously
    break;
  }
  return std::move(current);
}
