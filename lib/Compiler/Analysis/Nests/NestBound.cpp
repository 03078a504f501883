//===- NestBound.cpp - Minimal traffic of a CTA-mapped loop nest ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexRange.h"
#include "gpucost/Compiler/Analysis/Nests/BlockNest.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gpucost;
using linalg::LinalgOp;

namespace {

/// Bytes that a nest certainly accesses, for each outside tensor or buffer. It
/// may find in a cache what it wrote before.
class NestBound {
public:
  explicit NestBound(Operation *nest) : nest(nest) {}
  NestBytes count();

private:
  /// A part of `base`, with its extents over all iterations.
  struct Slice {
    Value base;
    SmallVector<PerLevel<int64_t>> dims;
  };
  void visit(Operation *op);
  std::optional<Slice> find(Value value);
  std::optional<Slice> slice(Value source, ArrayRef<OpFoldResult> offsets,
                             ArrayRef<OpFoldResult> sizes);
  void access(std::optional<Slice> part, bool reads, bool writes);
  void accessWhole(Value value, bool reads, bool writes);

  Operation *nest;
  NestCounters counters;
  llvm::DenseMap<Value, Slice> slices;
  llvm::MapVector<Value, int64_t> read, written; ///< bytes
};

} // namespace

std::optional<NestBound::Slice> NestBound::find(Value value) {
  if (auto it = slices.find(value); it != slices.end())
    return it->second;
  ShapedType type = shapedType(value);
  if (nest->isAncestor(value.getParentBlock()->getParentOp()) || !type ||
      !type.hasStaticShape())
    return std::nullopt;
  Slice all{value, {}};
  for (int64_t size : type.getShape()) {
    PerLevel<int64_t> dim;
    for (TileLevel level : tileLevels)
      dim[level] = size;
    all.dims.push_back(dim);
  }
  return all;
}

std::optional<NestBound::Slice> NestBound::slice(Value source,
                                                 ArrayRef<OpFoldResult> offsets,
                                                 ArrayRef<OpFoldResult> sizes) {
  std::optional<Slice> part = find(source);
  if (!part || part->dims.size() != offsets.size())
    return std::nullopt;
  uint64_t moving = 0;
  for (auto [dim, offset, size] : llvm::zip_equal(part->dims, offsets, sizes)) {
    auto covered = coveredBy(counters, offset, size, dim, moving);
    if (!covered)
      return std::nullopt;
    dim = *covered;
  }
  return part;
}

void NestBound::access(std::optional<Slice> part, bool reads, bool writes) {
  if (!part)
    return;
  std::optional<int64_t> bits =
      storedBits(shapedType(part->base).getElementType());
  int64_t totalBits = bits.value_or(0);
  for (const PerLevel<int64_t> &dim : part->dims)
    totalBits = saturatingProduct(totalBits, dim[TileLevel::Whole]);
  for (auto [does, list] :
       {std::pair(reads, &read), std::pair(writes, &written)})
    if (does && !(list == &read && written.contains(part->base)))
      (*list)[part->base] = std::max((*list)[part->base], totalBits / 8);
}

void NestBound::accessWhole(Value value, bool reads, bool writes) {
  if (shapedType(value))
    access(find(value), reads, writes);
}

void NestBound::visit(Operation *op) {
  size_t outer = counters.size();
  // An offset that depends on a counter with an unknown range is unknown.
  if (isLoop(op) || op == nest)
    (void)counters.add(op, CounterLevel::Sequential);
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    for (auto [argument, init] :
         llvm::zip_equal(forall.getRegionIterArgs(), forall.getOutputs()))
      if (std::optional<Slice> part = find(init))
        slices[argument] = *part;
  auto one = [&](unsigned count) {
    return SmallVector<OpFoldResult>(
        count, IntegerAttr::get(IndexType::get(op->getContext()), 1));
  };
  if (isa<tensor::ExtractSliceOp, memref::SubViewOp>(op)) {
    auto view = cast<OffsetSizeAndStrideOpInterface>(op);
    llvm::SmallBitVector dropped =
        isa<memref::SubViewOp>(op)
            ? cast<memref::SubViewOp>(op).getDroppedDims()
            : cast<tensor::ExtractSliceOp>(op).getDroppedDims();
    if (dropped.none())
      if (auto part = slice(op->getOperand(0), view.getMixedOffsets(),
                            view.getMixedSizes()))
        slices[op->getResult(0)] = *part;
  } else if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op)) {
    access(slice(insert.getDest(), insert.getMixedOffsets(),
                 insert.getMixedSizes()),
           false, true);
  } else if (auto transfer = dyn_cast<VectorTransferOpInterface>(op)) {
    SmallVector<OpFoldResult> offsets(transfer.getIndices().begin(),
                                      transfer.getIndices().end());
    SmallVector<OpFoldResult> sizes = one(offsets.size());
    AffineMap map = transfer.getPermutationMap();
    Builder builder(op->getContext());
    for (auto [i, expr] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        sizes[dim.getPosition()] =
            builder.getIndexAttr(transfer.getVectorType().getDimSize(i));
    bool writes = isa<vector::TransferWriteOp>(op);
    if (!transfer.getMask())
      access(slice(transfer.getBase(), offsets, sizes), !writes, writes);
  } else if (isa<memref::LoadOp, memref::StoreOp>(op)) {
    bool writes = isa<memref::StoreOp>(op);
    auto indices = op->getOperands().drop_front(writes ? 2 : 1);
    access(slice(op->getOperand(writes),
                 llvm::to_vector_of<OpFoldResult>(indices),
                 one(indices.size())),
           !writes, writes);
  } else if (auto structured = dyn_cast<LinalgOp>(op)) {
    for (OpOperand &operand : op->getOpOperands())
      accessWhole(operand.get(),
                  structured.payloadUsesValueFromOperand(&operand),
                  structured.isDpsInit(&operand) &&
                      structured.hasPureBufferSemantics());
  } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    accessWhole(copy.getSource(), true, false);
    accessWhole(copy.getTarget(), false, true);
  }
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        visit(&inner);
  counters.truncate(outer);
}

NestBytes NestBound::count() {
  visit(nest);
  NestBytes bytes;
  for (auto [value, each] : read)
    bytes.read = saturatingSum(bytes.read, each);
  for (auto [value, each] : written)
    bytes.written = saturatingSum(bytes.written, each);
  return bytes;
}

NestBytes gpucost::boundNestBytes(Operation *nest) {
  return NestBound(nest).count();
}
