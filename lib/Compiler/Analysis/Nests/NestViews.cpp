//===- NestViews.cpp - Slices and reshapes of one tile --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestReader.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace gpucost;

Value NestReader::view(Value tensor, ArrayRef<int64_t> shape,
                       const llvm::SmallBitVector &dropped) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape && dropped.none())
    return tensor;
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0)),
      strides(shape.size(), builder.getIndexAttr(1)), sizes;
  Shape kept;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    sizes.push_back(builder.getIndexAttr(size));
    if (dropped.empty() || !dropped.test(dim))
      kept.push_back(size);
  }
  Operation *slice = tensor::ExtractSliceOp::create(
      builder, nest->getLoc(),
      RankedTensorType::get(kept, type.getElementType()), tensor, offsets,
      sizes, strides);
  addMember(slice);
  return slice->getResult(0);
}

/// (J1) Extents of a slice over all iterations and over those of one CTA.
std::optional<Part> NestReader::slice(const Part &source,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes,
                                      const llvm::SmallBitVector &dropped) {
  if (source.kind != Part::Data)
    return source;
  Part part = source;
  part.extents = {};
  part.moving.clear();
  if (source.map || offsets.size() != source.extents[TileLevel::Whole].size())
    return std::nullopt;
  Shape all; // including the dimensions that the result does not have
  for (size_t dim = 0; dim < offsets.size(); ++dim) {
    PerLevel<int64_t> around;
    for (TileLevel level : tileLevels)
      around[level] = source.extents[level][dim];
    uint64_t moving = source.moving[dim];
    auto covered =
        coveredBy(counters, offsets[dim], sizes[dim], around, moving);
    if (!covered)
      return std::nullopt;
    // A dropped dimension selects one instance.
    all.push_back(dropped.test(dim) ? 1 : (*covered)[TileLevel::Whole]);
    if (dropped.test(dim))
      continue;
    for (TileLevel level : tileLevels)
      part.extents[level].push_back((*covered)[level]);
    part.moving.push_back(moving);
  }
  part.tensor = view(source.tensor, all, dropped);
  return part;
}

bool NestReader::visitSlice(Operation *op, OffsetSizeAndStrideOpInterface slice,
                            const llvm::SmallBitVector &dropped) {
  std::optional<Part> source = find(op->getOperand(0));
  std::optional<Part> part = source
                                 ? this->slice(*source, slice.getMixedOffsets(),
                                               slice.getMixedSizes(), dropped)
                                 : std::nullopt;
  if (!part)
    return fail(op);
  parts[op->getResult(0)] = *part;
  return true;
}

/// The slice whose dropped dimensions `op` restores; null for other ops.
static OffsetSizeAndStrideOpInterface findRestoredSlice(Operation *op) {
  Operation *def = op->getOperand(0).getDefiningOp();
  if (!isa<tensor::ExpandShapeOp, memref::ExpandShapeOp>(op) ||
      !isa_and_nonnull<tensor::ExtractSliceOp, memref::SubViewOp>(def))
    return {};
  auto slice = cast<OffsetSizeAndStrideOpInterface>(def);
  ArrayRef<int64_t> shape = shapedType(op->getResult(0)).getShape();
  return slice.getStaticSizes() == shape ? slice
                                         : OffsetSizeAndStrideOpInterface();
}

/// (J6) A reshape of a tile is a reshape of the whole tensor.
bool NestReader::visitReshape(Operation *op) {
  if (OffsetSizeAndStrideOpInterface slice = findRestoredSlice(op)) {
    std::optional<Part> source = find(slice->getOperand(0));
    std::optional<Part> part =
        source
            ? this->slice(*source, slice.getMixedOffsets(),
                          slice.getMixedSizes(),
                          llvm::SmallBitVector(slice.getStaticSizes().size()))
            : std::nullopt;
    if (part) {
      parts[op->getResult(0)] = *part;
      return true;
    }
  }
  SmallVector<ReassociationIndices> groups;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    groups = expand.getReassociationIndices();
  else if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
    groups = expand.getReassociationIndices();
  else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    groups = collapse.getReassociationIndices();
  else
    groups = cast<memref::CollapseShapeOp>(op).getReassociationIndices();
  std::optional<Part> source = findInOrder(op->getOperand(0), op);
  if (!source)
    return fail(op);
  std::optional<Part> part =
      reshape(*source, groups, shapedType(op->getResult(0)).getShape(),
              isa<tensor::ExpandShapeOp, memref::ExpandShapeOp>(op));
  if (!part)
    return fail(op);
  parts[op->getResult(0)] = *part;
  return true;
}

/// If a dimension is split, all parts but the first have the sizes of `tile`:
/// iterations move along the first part.
std::optional<Part> NestReader::reshape(const Part &source,
                                        ArrayRef<ReassociationIndices> groups,
                                        ArrayRef<int64_t> tile, bool expands) {
  Part part = source;
  if (part.extents[TileLevel::Whole].empty()) // the shape is still unknown
    return part;
  size_t rank = source.extents[TileLevel::Whole].size();
  size_t known = expands ? groups.size() : 0;
  for (const ReassociationIndices &group : groups)
    known += expands ? 0 : group.size();
  if (known != rank)
    return std::nullopt;
  part.extents = {};
  part.moving.clear();
  for (auto [dim, group] : llvm::enumerate(groups)) {
    if (!expands) {
      uint64_t moving = 0;
      for (int64_t each : group)
        moving |= source.moving[each];
      part.moving.push_back(moving);
      for (TileLevel level : tileLevels) {
        int64_t size = 1;
        for (int64_t each : group)
          size = saturatingProduct(size, source.extents[level][each]);
        part.extents[level].push_back(size);
      }
      continue;
    }
    int64_t inner = 1;
    for (int64_t each : ArrayRef(group).drop_front()) {
      if (ShapedType::isDynamic(tile[each]) || tile[each] < 1)
        return std::nullopt;
      inner = saturatingProduct(inner, tile[each]);
    }
    for (TileLevel level : tileLevels) {
      int64_t size = source.extents[level][dim];
      if (size % inner != 0)
        return std::nullopt;
      part.extents[level].push_back(size / inner);
      for (int64_t each : ArrayRef(group).drop_front())
        part.extents[level].push_back(tile[each]);
    }
    part.moving.push_back(source.moving[dim]);
    part.moving.append(group.size() - 1, 0);
  }
  if (part.kind == Part::Data) {
    auto type = cast<RankedTensorType>(part.tensor.getType());
    if (type.getShape() != ArrayRef(source.extents[TileLevel::Whole]))
      return std::nullopt;
    type = RankedTensorType::get(part.extents[TileLevel::Whole],
                                 type.getElementType());
    Operation *whole =
        expands ? tensor::ExpandShapeOp::create(builder, nest->getLoc(), type,
                                                part.tensor, groups)
                      .getOperation()
                : tensor::CollapseShapeOp::create(builder, nest->getLoc(), type,
                                                  part.tensor, groups)
                      .getOperation();
    addMember(whole);
    part.tensor = whole->getResult(0);
  }
  return part;
}
