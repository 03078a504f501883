//===- InferMovement.cpp - Types of ops that move elements ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/IR/Builders.h"
#include <cmath>

using namespace mlir;
using namespace gpucost::onnx;

LogicalResult gpucost::onnx::inferConcat(InferenceContext &context) {
  RankedTensorType first = context.getInputType(0);
  if (!first)
    return success();
  int64_t given = context.getInt("axis");
  auto axis = normalizeAxis(given, first.getRank());
  if (!axis)
    return emitAxisError(context, given, first.getShape());
  Dims shape(first.getShape());
  for (unsigned i = 1; i < context.getNumInputs(); ++i) {
    RankedTensorType type = context.getInputType(i);
    if (!type)
      return success();
    auto mismatch = [&]() {
      return context.emitError()
             << "cannot concatenate " << formatShape(first.getShape())
             << " and " << formatShape(type.getShape()) << " along axis "
             << *axis;
    };
    if (type.getRank() != first.getRank())
      return mismatch();
    for (auto [d, dim] : llvm::enumerate(type.getShape())) {
      if (static_cast<int64_t>(d) == *axis)
        shape[d] = addDims(shape[d], dim);
      else if (!isKnownDim(shape[d]))
        shape[d] = dim;
      else if (isKnownDim(dim) && dim != shape[d])
        return mismatch();
    }
  }
  return context.setType(0, shape, first.getElementType());
}

//===----------------------------------------------------------------------===//
// Indexing
//===----------------------------------------------------------------------===//

LogicalResult gpucost::onnx::inferGather(InferenceContext &context) {
  RankedTensorType data = context.getInputType(0);
  RankedTensorType indices = context.getInputType(1);
  if (!data || !indices)
    return success();
  auto axis = normalizeAxis(context.getInt("axis"), data.getRank());
  if (!axis)
    return emitAxisError(context, context.getInt("axis"), data.getShape());
  Dims shape(data.getShape().take_front(*axis));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, data.getShape().drop_front(*axis + 1));
  return context.setType(0, shape, data.getElementType());
}

LogicalResult gpucost::onnx::inferGatherElements(InferenceContext &context) {
  RankedTensorType data = context.getInputType(0);
  RankedTensorType indices = context.getInputType(1);
  if (!data || !indices)
    return success();
  if (data.getRank() != indices.getRank())
    return context.emitError()
           << "cannot gather from " << formatShape(data.getShape())
           << " at indices of shape " << formatShape(indices.getShape());
  return context.setType(0, indices.getShape(), data.getElementType());
}

/// Result: batch dimensions and rows of the indices, then the data dimensions
/// that one index does not select.
LogicalResult gpucost::onnx::inferGatherND(InferenceContext &context) {
  RankedTensorType data = context.getInputType(0);
  RankedTensorType indices = context.getInputType(1);
  if (!data || !indices)
    return success();
  int64_t batch = context.getInt("batch_dims");
  int64_t depth = indices.getRank() ? indices.getShape().back() : 0;
  if (!isKnownDim(depth))
    return success();
  if (batch < 0 || indices.getRank() <= batch || depth < 1 ||
      depth > data.getRank() - batch)
    return context.emitError()
           << "cannot gather from " << formatShape(data.getShape())
           << " at indices of shape " << formatShape(indices.getShape());
  Dims shape(indices.getShape().drop_back());
  llvm::append_range(shape, data.getShape().drop_front(batch + depth));
  return context.setType(0, shape, data.getElementType());
}

/// Operands: indices, depth, [off value, on value].
LogicalResult gpucost::onnx::inferOneHot(InferenceContext &context) {
  RankedTensorType indices = context.getInputType(0);
  Type elementType = context.getInputElementType(2);
  if (!indices)
    return success();
  int64_t depth = unknownDim;
  const SmallTensor *value = context.getInputValue(1);
  if (value && value->size() == 1 && value->isKnown(0))
    depth = static_cast<int64_t>(
        std::clamp(value->getDouble(0), 0.0, 9007199254740992.0));
  auto axis = normalizeAxis(context.getInt("axis"), indices.getRank() + 1);
  if (!axis)
    return emitAxisError(context, context.getInt("axis"), indices.getShape());
  Dims shape(indices.getShape());
  shape.insert(shape.begin() + *axis, depth);
  return context.setType(0, shape, elementType);
}

/// X [N, C, ...] at grid [N, ..., rank - 2].
LogicalResult gpucost::onnx::inferGridSample(InferenceContext &context) {
  RankedTensorType input = context.getInputType(0);
  RankedTensorType grid = context.getInputType(1);
  if (!input || !grid)
    return success();
  if (input.getRank() < 3 || grid.getRank() != input.getRank())
    return context.emitError()
           << "cannot sample " << formatShape(input.getShape())
           << " with a grid of shape " << formatShape(grid.getShape());
  Dims shape(input.getShape().take_front(2));
  llvm::append_range(shape, grid.getShape().slice(1, grid.getRank() - 2));
  return context.setType(0, shape, input.getElementType());
}

LogicalResult gpucost::onnx::inferRoiAlign(InferenceContext &context) {
  RankedTensorType input = context.getInputType(0);
  RankedTensorType rois = context.getInputType(1);
  if (!input || !rois || input.getRank() != 4 || rois.getRank() != 2)
    return success();
  return context.setType(0,
                         {rois.getDimSize(0), input.getDimSize(1),
                          context.getInt("output_height"),
                          context.getInt("output_width")},
                         input.getElementType());
}

//===----------------------------------------------------------------------===//
// Size changes
//===----------------------------------------------------------------------===//

LogicalResult gpucost::onnx::inferPad(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  int64_t rank = type.getRank();
  std::optional<Dims> pads = context.hasInput(1) ? context.getInputDims(1)
                             : context.hasAttr("pads")
                                 ? context.getInts("pads")
                                 : context.getInts("paddings");
  auto axes = context.hasInput(3) ? context.getInputInts(3) : std::nullopt;
  if (!pads || (context.hasInput(3) && !axes))
    return context.setType(0, Dims(rank, unknownDim), type.getElementType());
  size_t count = axes ? axes->size() : rank;
  if (pads->size() != 2 * count)
    return context.emitError()
           << "has pads " << formatShape(*pads) << " for an operand of shape "
           << formatShape(type.getShape());
  Dims shape(type.getShape());
  for (size_t i = 0; i < count; ++i) {
    auto axis = normalizeAxis(axes ? (*axes)[i] : i, rank);
    if (!axis)
      return emitAxisError(context, (*axes)[i], type.getShape());
    shape[*axis] =
        addDims(addDims(shape[*axis], (*pads)[i]), (*pads)[count + i]);
  }
  return context.setType(0, shape, type.getElementType());
}

LogicalResult gpucost::onnx::inferTile(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  Dims shape(type.getShape());
  auto repeats = context.getInputDims(1);
  // Opset 1: operands are the number of repetitions and the axis.
  if (context.getNumInputs() == 3) {
    auto axis = context.getInputInts(2);
    if (!repeats || !axis || repeats->size() != 1 || axis->size() != 1 ||
        !normalizeAxis((*axis)[0], type.getRank()))
      return context.setType(0, Dims(type.getRank(), unknownDim),
                             type.getElementType());
    Dims all(type.getRank(), 1);
    all[*normalizeAxis((*axis)[0], type.getRank())] = (*repeats)[0];
    repeats = all;
  }
  if (!repeats)
    repeats = Dims(type.getRank(), unknownDim);
  if (static_cast<int64_t>(repeats->size()) != type.getRank())
    return context.emitError()
           << "has repeats " << formatShape(*repeats)
           << " for an operand of shape " << formatShape(type.getShape());
  for (auto [dim, factor] : llvm::zip_equal(shape, *repeats))
    dim = mulDims(dim, factor);
  return context.setType(0, shape, type.getElementType());
}

/// floor(in * scale), with scales given as floats.
static int64_t scaleDim(int64_t dim, double scale) {
  if (!isKnownDim(dim))
    return dim;
  double scaled = std::floor(static_cast<double>(dim) * scale);
  return scaled >= 0 && scaled < 0x1p62 ? static_cast<int64_t>(scaled) : badDim;
}

/// Applies `keep_aspect_ratio_policy`: one scale for all resized axes.
static void keepAspectRatio(InferenceContext &context, ArrayRef<int64_t> in,
                            ArrayRef<int64_t> axes, Dims &sizes) {
  StringRef policy = context.getString("keep_aspect_ratio_policy");
  if (policy == "stretch" || axes.empty())
    return;
  std::optional<double> scale;
  for (auto [axis, size] : llvm::zip_equal(axes, sizes)) {
    if (!isKnownDim(size) || in[axis] <= 0)
      return;
    double own = static_cast<double>(size) / static_cast<double>(in[axis]);
    scale = !scale                   ? own
            : policy == "not_larger" ? std::min(*scale, own)
                                     : std::max(*scale, own);
  }
  for (auto [axis, size] : llvm::zip_equal(axes, sizes))
    size = gpucost::saturatingInt(
        std::floor(*scale * static_cast<double>(in[axis]) + 0.5));
}

/// Combined crop and resize: scales only the region (operand 1: starts, ends).
static void scaleByRegion(InferenceContext &context, size_t axes,
                          std::optional<llvm::SmallVector<double>> &scales) {
  if (context.getString("coordinate_transformation_mode") !=
          "tf_crop_and_resize" ||
      !scales)
    return;
  const SmallTensor *region = context.getInputValue(1);
  if (!region || !region->allKnown() ||
      region->size() != static_cast<int64_t>(2 * axes))
    return scales.reset();
  for (size_t i = 0; i < axes; ++i)
    (*scales)[i] *= region->getDouble(axes + i) - region->getDouble(i);
}

/// Operands X, roi, scales, sizes (opset 11 and later) or X, scales (10;
/// Upsample 9); Upsample 7 has the attribute `scales`.
LogicalResult gpucost::onnx::inferResize(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  Dims axes = context.getInts("axes").value_or(Dims());
  if (axes.empty())
    axes = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  for (int64_t &axis : axes) {
    auto normal = normalizeAxis(axis, type.getRank());
    if (!normal)
      return emitAxisError(context, axis, type.getShape());
    axis = *normal;
  }
  Dims shape(type.getShape());
  auto mismatch = [&](size_t count) {
    return context.emitError()
           << "has " << count << " scales or sizes for " << axes.size()
           << " axes of " << formatShape(type.getShape());
  };
  if (context.hasInput(3)) {
    if (auto sizes = context.getInputDims(3)) {
      if (sizes->size() != axes.size())
        return mismatch(sizes->size());
      keepAspectRatio(context, type.getShape(), axes, *sizes);
      for (auto [axis, size] : llvm::zip_equal(axes, *sizes))
        shape[axis] = size;
      return context.setType(0, shape, type.getElementType());
    }
  }
  std::optional<llvm::SmallVector<double>> scales;
  const SmallTensor *value =
      context.getInputValue(context.getNumInputs() == 2 ? 1 : 2);
  if (value && value->allKnown()) {
    scales.emplace();
    for (int64_t i = 0; i < value->size(); ++i)
      scales->push_back(value->getDouble(i));
  } else if (auto attr =
                 context.getOperation()->getAttrOfType<DenseF32ArrayAttr>(
                     "scales")) {
    scales.emplace(attr.asArrayRef().begin(), attr.asArrayRef().end());
  }
  // Upsample 1.
  if (!scales && context.hasAttr("height_scale") && type.getRank() == 4)
    scales = {1, 1, context.getFloat("height_scale"),
              context.getFloat("width_scale")};
  if (scales && scales->size() != axes.size())
    return mismatch(scales->size());
  scaleByRegion(context, axes.size(), scales);
  for (auto [i, axis] : llvm::enumerate(axes))
    shape[axis] = scales ? scaleDim(shape[axis], (*scales)[i]) : unknownDim;
  return context.setType(0, shape, type.getElementType());
}

/// [N, C, H, W] with blocks of `blocksize`^2: channels to space or reverse.
static LogicalResult inferBlocks(InferenceContext &context, bool toSpace) {
  RankedTensorType type = context.getInputType(0);
  int64_t block = context.getInt("blocksize");
  if (!type)
    return success();
  auto isMultiple = [](int64_t dim, int64_t of) {
    return !isKnownDim(dim) || dim % of == 0;
  };
  int64_t area = mulDims(block, block);
  bool fits = type.getRank() == 4 && block > 0 && area > 0;
  if (fits)
    fits = toSpace ? isMultiple(type.getDimSize(1), area)
                   : isMultiple(type.getDimSize(2), block) &&
                         isMultiple(type.getDimSize(3), block);
  if (!fits)
    return context.emitError()
           << "has blocksize " << block << " for an operand of shape "
           << formatShape(type.getShape());
  Dims shape(type.getShape());
  shape[1] = toSpace ? floorDivDims(shape[1], area) : mulDims(shape[1], area);
  for (int64_t &dim : llvm::MutableArrayRef(shape).drop_front(2))
    dim = toSpace ? mulDims(dim, block) : floorDivDims(dim, block);
  return context.setType(0, shape, type.getElementType());
}

LogicalResult gpucost::onnx::inferDepthToSpace(InferenceContext &context) {
  return inferBlocks(context, /*toSpace=*/true);
}

LogicalResult gpucost::onnx::inferSpaceToDepth(InferenceContext &context) {
  return inferBlocks(context, /*toSpace=*/false);
}

LogicalResult gpucost::onnx::inferCenterCropPad(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  Dims axes = context.getInts("axes").value_or(
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
  auto sizes = context.getInputDims(1);
  Dims shape(type.getShape());
  if (sizes && sizes->size() != axes.size())
    return context.emitError() << "has sizes " << formatShape(*sizes) << " for "
                               << axes.size() << " axes";
  for (auto [i, given] : llvm::enumerate(axes)) {
    auto axis = normalizeAxis(given, type.getRank());
    if (!axis)
      return emitAxisError(context, given, type.getShape());
    shape[*axis] = sizes ? (*sizes)[i] : unknownDim;
  }
  return context.setType(0, shape, type.getElementType());
}

/// Contrib: `scale` (height, width), `border` left, top, right, bottom.
LogicalResult gpucost::onnx::inferCrop(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  auto scale = context.getInts("scale"), border = context.getInts("border");
  if (!type || type.getRank() != 4)
    return success();
  Dims shape(type.getShape());
  if (scale && scale->size() == 2) {
    shape[2] = (*scale)[0];
    shape[3] = (*scale)[1];
  } else if (border && border->size() == 4) {
    shape[2] = subDims(shape[2], addDims((*border)[1], (*border)[3]));
    shape[3] = subDims(shape[3], addDims((*border)[0], (*border)[2]));
  } else {
    return success();
  }
  return context.setType(0, shape, type.getElementType());
}
