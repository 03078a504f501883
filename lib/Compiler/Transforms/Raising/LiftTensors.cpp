//===- LiftTensors.cpp - Ops of the tensor dialect as operators -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lifting.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// The axis along which slices with unit strides and offset 0 elsewhere fill a
/// tensor; nullopt if they fill something else.
static std::optional<int64_t> findConcatAxis(tensor::InsertSliceOp insert) {
  ArrayRef<int64_t> out = insert.getDestType().getShape();
  if (insert.getSourceType().getRank() != insert.getDestType().getRank() ||
      !insert.hasUnitStride() ||
      llvm::any_of(insert.getStaticOffsets(), ShapedType::isDynamic))
    return std::nullopt;
  std::optional<int64_t> axis;
  for (auto [i, size] : llvm::enumerate(insert.getSourceType().getShape()))
    if (size != out[i]) {
      if (axis)
        return std::nullopt;
      axis = i;
    }
  return axis;
}

/// Slices that fill an empty tensor one after the other.
static Value liftConcat(tensor::InsertSliceOp last, LiftBuilder &builder) {
  std::optional<int64_t> axis = findConcatAxis(last);
  if (!axis)
    return {};
  int64_t end = last.getDestType().getDimSize(*axis);
  SmallVector<Value> sources;
  Value whole = last.getResult();
  while (auto insert = whole.getDefiningOp<tensor::InsertSliceOp>()) {
    if (findConcatAxis(insert) != axis)
      return {};
    end -= insert.getSourceType().getDimSize(*axis);
    if (insert.getStaticOffsets()[*axis] != end)
      return {};
    sources.push_back(insert.getSource());
    whole = insert.getDest();
  }
  if (end != 0 ||
      !isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(whole.getDefiningOp()))
    return {};
  std::reverse(sources.begin(), sources.end());
  return builder.create<onnx::ConcatOp>(last.getDestType(), sources,
                                        builder.integer("axis", *axis));
}

/// A view of a tensor; a slice that an op updates is part of a tiled loop.
static Value liftSlice(tensor::ExtractSliceOp slice, LiftBuilder &builder) {
  bool isUpdated = llvm::any_of(slice->getUses(), [](OpOperand &use) {
    auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return op && op.isDpsInit(&use);
  });
  if (isUpdated || !slice.hasUnitStride())
    return {};
  RankedTensorType source = slice.getSourceType();
  SmallVector<int64_t> sizes(slice.getStaticSizes());
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return {};
  SmallVector<int64_t> starts(slice.getStaticOffsets()), ends;
  if (llvm::any_of(starts, ShapedType::isDynamic))
    return {};
  for (auto [start, size] : llvm::zip_equal(starts, sizes))
    ends.push_back(start + size);
  Value view = builder.create<onnx::SliceOp>(
      source.clone(sizes), {slice.getSource(), builder.createIntegers(starts),
                            builder.createIntegers(ends)});
  return builder.createReshape(view, slice.getResultType().getShape());
}

Value raising::liftTensorOp(Operation *op, LiftBuilder &builder) {
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return builder.create<onnx::SoftmaxOp>(
        softmax.getResult()[0].getType(), softmax.getInput(),
        builder.integer("axis", softmax.getDimension()));
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return liftSlice(slice, builder);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return liftConcat(insert, builder);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return builder.create<onnx::ConcatOp>(
        concat.getResultType(), concat.getInputs(),
        builder.integer("axis", concat.getDim()));
  if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return {};
  return builder.createReshape(
      op->getOperand(0),
      cast<RankedTensorType>(op->getResult(0).getType()).getShape());
}
