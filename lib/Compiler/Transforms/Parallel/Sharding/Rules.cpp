//===- Rules.cpp - Propagation of sharded dimensions ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardBlock.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxViews.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::sharding;

/// The sharded dimension, counted from the last one, is the same in all
/// operands. Other operands are broadcast along it, weights that can be
/// sharded, or, with heads, tensors that each GPU reads only a part of.
bool ShardBlock::visitPointwise(Operation *op) {
  std::optional<Part> found;
  int64_t fromEnd = 0;
  for (Value operand : op->getOperands()) {
    const Part *part = partOf(operand);
    if (!part || isWeight(operand))
      continue;
    int64_t own = getStaticType(operand).getRank() - part->dim;
    if (found && own != fromEnd)
      return false;
    if (found)
      lanes.unite(found->lane, part->lane);
    found = found.value_or(*part);
    fromEnd = own;
  }
  if (!found)
    return false;
  for (OpOperand &use : op->getOpOperands()) {
    RankedTensorType type = getStaticType(use.get());
    if ((partOf(use.get()) && !isWeight(use.get())) || !type ||
        type.getRank() < fromEnd)
      continue;
    int64_t dim = type.getRank() - fromEnd;
    if (type.getDimSize(dim) == 1)
      continue;
    if (isWeight(use.get())) {
      if (!divideWeight(use, dim, found->lane))
        return false;
    } else if (fromEnd > 2) {
      sliceOperand(use, dim, found->lane);
    } else {
      return false;
    }
  }
  for (Value result : op->getResults()) {
    RankedTensorType type = getStaticType(result);
    if (!type || !divide(result, type.getRank() - fromEnd, found->lane))
      return false;
    Part &part = parts[result];
    part.repeatDim = found->repeatDim, part.queries = found->queries;
  }
  return true;
}

/// Positions and angles are the same for every head.
bool ShardBlock::visitRotary(Operation *op) {
  const Part *part = partOf(op->getOperand(0));
  if (!part)
    return false;
  Lane lane = part->lane;
  int64_t dim = part->dim;
  if (int64_t heads = intOf(op, "num_heads", 0);
      heads > 0 && getStaticType(op->getOperand(0)).getRank() == 3) {
    lanes.limit(lane, heads);
    attributes.push_back({op, "num_heads", lane});
  }
  return dim != getStaticType(op->getOperand(0)).getRank() - 1 ||
                 getStaticType(op->getOperand(0)).getRank() == 3
             ? divide(op->getResult(0), dim, lane)
             : false;
}

/// Number of elements before dimension `dim`.
static int64_t elementsBefore(ArrayRef<int64_t> shape, int64_t dim) {
  int64_t count = 1;
  for (int64_t size : shape.take_front(dim))
    count *= size;
  return count;
}

/// The dimension of `to` with the units of dimension `dim` in `from`: one that
/// contains it, or one of the dimensions it is split into; -1 if there is none.
static int64_t reshapedDim(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                           int64_t dim, int64_t units) {
  int64_t first = elementsBefore(from, dim), end = first * from[dim];
  SmallVector<int64_t> inside;
  for (int64_t j = 0; j < static_cast<int64_t>(to.size()); ++j) {
    int64_t before = elementsBefore(to, j), after = before * to[j];
    if (to[j] <= 1)
      continue;
    if (before <= first && first % before == 0 && after >= end)
      return j;
    if (before >= first && after <= end)
      inside.push_back(j);
  }
  if (inside.empty())
    return -1;
  // Groups of the units, such as those of a norm over several heads.
  bool isGroup = elementsBefore(to, inside[0]) == first && to[inside[0]] > 3 &&
                 to[inside[0]] < units && units % to[inside[0]] == 0;
  if (units < from[dim])
    for (int64_t j : inside)
      if (to[j] % units == 0)
        return isGroup ? inside[0] : j;
  // Queries, keys and values from one matmul: [3, heads, size].
  bool packed = inside.size() > 2 && to[inside[0]] == 3;
  int64_t best = packed ? inside[1] : inside[0];
  return packed || elementsBefore(to, best) == first ? best : -1;
}

bool ShardBlock::visitReshape(Operation *op) {
  const Part *source = partOf(op->getOperand(0));
  RankedTensorType in = getStaticType(op->getOperand(0));
  RankedTensorType out = getStaticType(op->getResult(0));
  if (!source || !in || !out)
    return false;
  Part part = *source;
  int64_t dim = reshapedDim(in.getShape(), out.getShape(), part.dim,
                            lanes.isSplit(part.lane) ? in.getDimSize(part.dim)
                                                     : lanes.units(part.lane));
  if (dim < 0)
    return false;
  if (part.repeatDim < 0)
    return divide(op->getResult(0), dim, part.lane);
  int64_t copies = in.getDimSize(part.repeatDim);
  int64_t first = elementsBefore(in.getShape(), part.dim);
  if (elementsBefore(out.getShape(), dim) * out.getDimSize(dim) <
      first * in.getDimSize(part.dim) * copies)
    return false;
  // Key heads and their copies correspond to the query heads.
  Lane queries = lanes.add(lanes.units(part.lane) * copies);
  lanes.link(queries, part.lane);
  parts[op->getOperand(0)].queries = queries;
  return divide(op->getResult(0), dim, queries);
}

bool ShardBlock::visitTranspose(Operation *op) {
  const Part *part = partOf(op->getOperand(0));
  RankedTensorType out = getStaticType(op->getResult(0));
  auto perm = op->getAttrOfType<DenseI64ArrayAttr>("perm");
  if (!part || !out || (perm && perm.size() != out.getRank()))
    return false;
  for (int64_t i = 0; i < out.getRank(); ++i)
    if ((perm ? perm[i] : out.getRank() - 1 - i) == part->dim)
      return divide(op->getResult(0), i, part->lane);
  return false;
}

/// Slices of all parts, or, along the sharded dimension, the results of one
/// matmul for several readers.
bool ShardBlock::visitSlices(Operation *op) {
  const Part *source = partOf(op->getOperand(0));
  RankedTensorType in = getStaticType(op->getOperand(0));
  if (!source || !in)
    return false;
  auto [dim, lane] = std::pair(source->dim, source->lane);
  for (Value result : op->getResults()) {
    RankedTensorType out = getStaticType(result);
    if (!out || out.getRank() != in.getRank())
      return false;
    int64_t size = out.getDimSize(dim), whole = in.getDimSize(dim);
    Lane own = lane;
    if (size != whole) {
      own = lanes.add(size);
      lanes.addPart(lane, own, size, whole);
    }
    if (!divide(result, dim, own))
      return false;
  }
  return true;
}

/// Whether `value` repeats the same numbers along `dim` for one reader: each
/// GPU can repeat them for its part.
static bool isRepeated(Value value, int64_t dim) {
  auto expand = value.getDefiningOp<onnx::ExpandOp>();
  if (!expand || !value.hasOneUse())
    return false;
  RankedTensorType in = getStaticType(expand->getOperand(0));
  RankedTensorType out = getStaticType(value);
  return in && out && in.getRank() == out.getRank() && in.getDimSize(dim) == 1;
}

/// Appends new keys and values to past ones, which are inputs, or inserts them
/// into the buffer of a cache. Latent attention appends the rotated part, which
/// is the same for all heads, to the keys of each head.
bool ShardBlock::visitCacheUpdate(Operation *op) {
  std::optional<Part> found;
  for (Value operand : op->getOperands())
    if (const Part *part = partOf(operand); part && !found)
      found = *part;
  RankedTensorType out = getStaticType(op->getResult(0));
  if (!found || !out)
    return false;
  bool inserts = isa<onnx::InsertOp>(op);
  int64_t axis = intOf(op, "axis", 0);
  axis += axis < 0 ? out.getRank() : 0;
  if (!inserts && axis == found->dim)
    return false;
  // Positions in the buffer (third operand) are the same for every head.
  unsigned count = inserts ? 2 : op->getNumOperands();
  for (unsigned i = 0; i < count; ++i) {
    RankedTensorType in = getStaticType(op->getOperand(i));
    if (!in || in.getRank() != out.getRank() ||
        in.getDimSize(found->dim) != out.getDimSize(found->dim))
      return false;
    Value operand = op->getOperand(i);
    if (!partOf(operand) && isRepeated(operand, found->dim)
            ? !divide(operand, found->dim, found->lane)
            : !divideOperand(op, i, found->dim, found->lane))
      return false;
  }
  return divide(op->getResult(0), found->dim, found->lane);
}

/// Copies each key head for every query head that shares it.
bool ShardBlock::visitExpand(Operation *op) {
  const Part *source = partOf(op->getOperand(0));
  RankedTensorType in = getStaticType(op->getOperand(0));
  RankedTensorType out = getStaticType(op->getResult(0));
  if (!source || !in || !out || in.getRank() != out.getRank() ||
      in.getDimSize(source->dim) != out.getDimSize(source->dim))
    return false;
  int64_t dim = source->dim, next = dim + 1;
  if (!divide(op->getResult(0), dim, source->lane))
    return false;
  if (next < in.getRank() && in.getDimSize(next) == 1 &&
      out.getDimSize(next) > 1)
    parts[op->getResult(0)].repeatDim = next;
  return true;
}

/// (X7) Cross entropy over a sharded vocabulary.
bool ShardBlock::visitLoss(Operation *op) {
  const Part *part = partOf(op->getOperand(0));
  bool ofLogits =
      part && llvm::any_of(seeds, [&](const Seed &seed) {
        return seed.role == Role::Logits &&
               lanes.componentOf(seed.lane) == lanes.componentOf(part->lane);
      });
  if (!ofLogits)
    return false;
  if (isa<onnx::LogSoftmaxOp>(op))
    return divide(op->getResult(0), part->dim, part->lane);
  losses.push_back({op, part->lane});
  lanes.seal(part->lane);
  return true;
}

bool ShardBlock::visit(Operation *op) {
  auto work = dyn_cast<WorkOpInterface>(op);
  if (!work || op->getNumOperands() == 0)
    return false;
  if (isa<onnx::LogSoftmaxOp, onnx::NllLossOp>(op))
    return visitLoss(op);
  if (isa<onnx::RotaryEmbeddingOp, onnx::ContribRotaryEmbeddingOp>(op))
    return visitRotary(op);
  if (isa<onnx::ConcatOp, onnx::InsertOp>(op))
    return visitCacheUpdate(op);
  if (isa<onnx::TransposeOp>(op))
    return visitTranspose(op);
  if (isa<onnx::ExpandOp>(op))
    return visitExpand(op);
  if (isa<onnx::CausalConvWithStateOp>(op))
    return visitCausalConvolution(op);
  if (isa<onnx::LinearAttentionOp>(op))
    return visitLinearAttention(op);
  if (isa<onnx::IdentityOp, onnx::SliceOp, onnx::SplitOp>(op))
    return visitSlices(op);
  if (onnx::isReshape(op))
    return visitReshape(op);
  switch (work.getCostClass()) {
  case CostClass::Elementwise:
    return visitPointwise(op);
  case CostClass::Contraction:
    return visitProduct(op);
  case CostClass::Attention:
    return visitAttention(op);
  case CostClass::RowNormalization: {
    // Along the last dimension.
    const Part *part = partOf(op->getOperand(0));
    RankedTensorType in = getStaticType(op->getOperand(0));
    return part && in && part->dim != in.getRank() - 1 &&
           divide(op->getResult(0), part->dim, part->lane);
  }
  default:
    return isa<onnx::DropoutOp>(op) && visitPointwise(op);
  }
}
