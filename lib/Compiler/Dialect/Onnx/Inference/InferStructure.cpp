//===- InferStructure.cpp - Types of constants, shapes and views ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "ShapeArithmetic.h"
#include "mlir/IR/Builders.h"
#include <cmath>

using namespace mlir;
using namespace gpucost::onnx;

static Type i64Type(InferenceContext &context) {
  return IntegerType::get(context.getMLIRContext(), 64);
}

LogicalResult gpucost::onnx::inferNothing(InferenceContext &) {
  return success();
}

LogicalResult gpucost::onnx::inferSameAsFirst(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  return type ? context.setType(0, type.getShape(), type.getElementType())
              : success();
}

LogicalResult gpucost::onnx::inferConstant(InferenceContext &context) {
  Operation *op = context.getOperation();
  Builder builder(op->getContext());
  if (auto value = op->getAttrOfType<ElementsAttr>("value"))
    return context.setType(0, value.getShapedType().getShape(),
                           value.getElementType());
  if (context.hasAttr("value_int"))
    return context.setType(0, {}, builder.getI64Type());
  if (context.hasAttr("value_float"))
    return context.setType(0, {}, builder.getF32Type());
  if (auto ints = op->getAttrOfType<DenseI64ArrayAttr>("value_ints"))
    return context.setType(0, ints.size(), builder.getI64Type());
  if (auto floats = op->getAttrOfType<DenseF32ArrayAttr>("value_floats"))
    return context.setType(0, floats.size(), builder.getF32Type());
  if (context.hasAttr("value_string"))
    return context.setType(0, {}, StringType::get(op->getContext()));
  return success();
}

/// Contrib operators named like a different operator in this dialect.
LogicalResult gpucost::onnx::inferCustom(InferenceContext &context) {
  if (context.getString("domain") != "com.microsoft")
    return success();
  StringRef type = context.getString("op_type");
  if (type == "RotaryEmbedding")
    return inferSameAsFirst(context);
  RankedTensorType input = context.getInputType(0);
  RankedTensorType weight = context.getInputType(1);
  if (type != "Attention" || !input || !weight || input.getRank() != 3 ||
      weight.getRank() != 2)
    return success();
  // The weight packs Q, K and V; `qkv_hidden_sizes` contains their sizes.
  auto sizes = context.getInts("qkv_hidden_sizes");
  int64_t size = sizes && sizes->size() == 3
                     ? (*sizes)[2]
                     : floorDivDims(weight.getDimSize(1), 3);
  return context.setType(0, {input.getDimSize(0), input.getDimSize(1), size},
                         input.getElementType());
}

LogicalResult gpucost::onnx::inferShape(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return context.setType(0, unknownDim, i64Type(context));
  SliceBounds bounds = clampSlice(
      context.getInt("start"), context.findInt("end").value_or(type.getRank()),
      1, type.getRank());
  return context.setType(0, bounds.count, i64Type(context));
}

LogicalResult gpucost::onnx::inferSize(InferenceContext &context) {
  return context.setType(0, {}, i64Type(context));
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// The value of -1 if another dimension is 0: computed as for any other size of
/// that dimension, 0 if the result is not an integer.
static int64_t sizeOfEmpty(ArrayRef<int64_t> from, ArrayRef<int64_t> others) {
  auto product = [](ArrayRef<int64_t> dims) {
    Dims sizes;
    llvm::copy_if(dims, std::back_inserter(sizes),
                  [](int64_t dim) { return dim != 0; });
    return productDims(sizes);
  };
  int64_t all = product(from), rest = product(others);
  return llvm::count(from, 0) == llvm::count(others, 0) && all > 0 &&
                 rest > 0 && all % rest == 0
             ? all / rest
             : 0;
}

LogicalResult gpucost::onnx::inferReshape(InferenceContext &context) {
  std::optional<Dims> target =
      context.hasInput(1) ? context.getInputDims(1) : context.getInts("shape");
  Type elementType = context.getInputElementType(0);
  if (!target || !elementType)
    return success();
  RankedTensorType input = context.getInputType(0);
  bool allowZero = context.getInt("allowzero") != 0;
  Dims shape;
  // Position and number of entries that follow from the element count.
  int64_t open = -1, openCount = 0, inferredCount = 0;
  for (auto [i, entry] : llvm::enumerate(*target)) {
    int64_t dim = entry;
    if (dim == 0 && !allowZero) {
      if (input && static_cast<int64_t>(i) >= input.getRank())
        return context.emitError()
               << "copies dimension " << i << " of an operand of shape "
               << formatShape(input.getShape());
      dim = input ? input.getDimSize(i) : unknownDim;
    }
    inferredCount += dim == -1;
    if (dim == -1)
      dim = unknownDim;
    if (dim < 0 && dim != unknownDim)
      return context.emitError() << "has a target shape with entry " << dim;
    if (!isKnownDim(dim)) {
      open = i;
      ++openCount;
    }
    shape.push_back(dim);
  }
  if (inferredCount > 1)
    return context.emitError() << "has more than one -1 in its target shape";

  int64_t total = input ? productDims(input.getShape()) : unknownDim;
  auto mismatch = [&]() {
    return context.emitError()
           << "cannot reshape " << formatShape(input.getShape()) << " to "
           << formatShape(*target);
  };
  if (openCount == 1 && total >= 0) {
    Dims others(shape);
    others[open] = 1;
    int64_t product = productDims(others);
    if (product < 0 || (product == 0 ? total != 0 : total % product != 0))
      return mismatch();
    shape[open] =
        product == 0 ? sizeOfEmpty(input.getShape(), others) : total / product;
  } else if (openCount == 0 && total >= 0 && productDims(shape) != total) {
    return mismatch();
  }
  return context.setType(0, shape, elementType);
}

LogicalResult gpucost::onnx::inferFlatten(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  int64_t rank = type.getRank(), axis = context.getInt("axis");
  if (axis < -rank || axis > rank)
    return emitAxisError(context, axis, type.getShape());
  axis += axis < 0 ? rank : 0;
  return context.setType(0,
                         {productDims(type.getShape().take_front(axis)),
                          productDims(type.getShape().drop_front(axis))},
                         type.getElementType());
}

LogicalResult gpucost::onnx::inferSqueeze(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  auto axes = context.getInputOrAttrInts(1, "axes");
  bool given = context.hasInput(1) || context.hasAttr("axes");
  if (given && !axes)
    return success();
  llvm::SmallVector<bool> removed(type.getRank(), false);
  for (int64_t axis : axes.value_or(Dims())) {
    auto normal = normalizeAxis(axis, type.getRank());
    if (!normal ||
        (type.getDimSize(*normal) != 1 && isKnownDim(type.getDimSize(*normal))))
      return context.emitError() << "cannot squeeze axis " << axis << " of "
                                 << formatShape(type.getShape());
    removed[*normal] = true;
  }
  Dims shape;
  for (auto [i, dim] : llvm::enumerate(type.getShape())) {
    // Without axes, every 1 is removed; an unknown size makes the rank unknown.
    if (!given && !isKnownDim(dim))
      return success();
    if (!(given ? removed[i] : dim == 1))
      shape.push_back(dim);
  }
  return context.setType(0, shape, type.getElementType());
}

LogicalResult gpucost::onnx::inferUnsqueeze(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  auto axes = context.getInputOrAttrInts(1, "axes");
  if (!type || !axes)
    return success();
  int64_t rank = type.getRank() + axes->size();
  Dims shape(rank, -1);
  for (int64_t axis : *axes) {
    auto normal = normalizeAxis(axis, rank);
    if (!normal || shape[*normal] == 1)
      return context.emitError() << "cannot insert axis " << axis << " into "
                                 << formatShape(type.getShape());
    shape[*normal] = 1;
  }
  const int64_t *next = type.getShape().begin();
  for (int64_t &dim : shape)
    if (dim == -1)
      dim = *next++;
  return context.setType(0, shape, type.getElementType());
}

LogicalResult gpucost::onnx::inferTranspose(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  int64_t rank = type.getRank();
  Dims shape;
  auto perm = context.getInts("perm");
  if (!perm) {
    shape.assign(type.getShape().rbegin(), type.getShape().rend());
    return context.setType(0, shape, type.getElementType());
  }
  llvm::SmallVector<bool> seen(rank, false);
  for (int64_t axis : *perm) {
    if (axis < 0 || axis >= rank || seen[axis])
      break;
    seen[axis] = true;
    shape.push_back(type.getDimSize(axis));
  }
  if (static_cast<int64_t>(shape.size()) != rank ||
      static_cast<int64_t>(perm->size()) != rank)
    return context.emitError() << "perm " << formatShape(*perm)
                               << " does not fit an operand of shape "
                               << formatShape(type.getShape());
  return context.setType(0, shape, type.getElementType());
}

LogicalResult gpucost::onnx::inferExpand(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  auto target = context.getInputDims(1);
  if (!type || !target)
    return success();
  auto shape = broadcastShapes(type.getShape(), *target);
  if (!shape)
    return context.emitError()
           << "cannot expand " << formatShape(type.getShape()) << " to "
           << formatShape(*target);
  return context.setType(0, *shape, type.getElementType());
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

std::optional<Dims> gpucost::onnx::getSplitSizes(InferenceContext &context,
                                                 int64_t dim) {
  if (context.hasInput(1) || context.hasAttr("split"))
    return context.getInputOrAttrInts(1, "split");
  if (!isKnownDim(dim))
    return std::nullopt;
  int64_t parts = context.getNumOutputs();
  int64_t chunk = ceilDivDims(dim, parts);
  Dims sizes;
  for (int64_t i = 0; i < parts; ++i)
    sizes.push_back(std::clamp<int64_t>(dim - i * chunk, 0, chunk));
  return sizes;
}

LogicalResult gpucost::onnx::inferSplit(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  auto axis = normalizeAxis(context.getInt("axis"), type.getRank());
  if (!axis)
    return emitAxisError(context, context.getInt("axis"), type.getShape());
  int64_t dim = type.getDimSize(*axis), sum = 0;
  std::optional<Dims> sizes = getSplitSizes(context, dim);
  for (int64_t size : sizes.value_or(Dims()))
    sum = size < 0 ? badDim : addDims(sum, size);
  if (sizes && (sizes->size() != context.getNumOutputs() ||
                (isKnownDim(dim) && sum != dim)))
    return context.emitError()
           << "cannot split axis " << *axis << " of "
           << formatShape(type.getShape()) << " into " << formatShape(*sizes)
           << " for " << context.getNumOutputs() << " results";
  for (unsigned i = 0; i < context.getNumOutputs(); ++i) {
    Dims shape(type.getShape());
    shape[*axis] = sizes ? (*sizes)[i] : unknownDim;
    if (failed(context.setType(i, shape, type.getElementType())))
      return failure();
  }
  return success();
}

namespace {
/// The operands (since opset 10) or attributes of a Slice.
struct SliceArguments {
  explicit SliceArguments(InferenceContext &context, int64_t rank) {
    starts = context.hasInput(1) ? context.getInputDims(1)
                                 : context.getInts("starts");
    ends =
        context.hasInput(2) ? context.getInputDims(2) : context.getInts("ends");
    bool hasAxes = context.hasInput(3) || context.hasAttr("axes");
    auto given = context.getInputOrAttrInts(3, "axes");
    size_t count = starts ? starts->size() : 0;
    for (size_t i = 0; i < (hasAxes ? given ? given->size() : 0 : count); ++i) {
      auto axis = normalizeAxis(given ? (*given)[i] : i, rank);
      outOfRange |= !axis;
      axes.push_back(axis.value_or(0));
    }
    axesKnown = starts && ends && (!hasAxes || given) && axes.size() == count &&
                ends->size() == count;
    steps = context.hasInput(4) ? context.getInputDims(4).value_or(Dims())
                                : Dims(count, 1);
    axesKnown &= steps.size() == count;
  }
  std::optional<Dims> starts, ends;
  Dims axes, steps;
  bool axesKnown = false, outOfRange = false;
};
} // namespace

LogicalResult gpucost::onnx::inferSlice(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  SliceArguments arguments(context, type.getRank());
  if (arguments.outOfRange)
    return context.emitError()
           << "has an axis out of range for " << formatShape(type.getShape());
  Dims shape(type.getShape());
  if (!arguments.axesKnown) {
    // If only the axes are known, the other dimensions are known as well.
    for (auto [i, dim] : llvm::enumerate(shape))
      if (arguments.axes.empty() || llvm::is_contained(arguments.axes, i))
        dim = unknownDim;
    return context.setType(0, shape, type.getElementType());
  }
  for (auto [i, axis] : llvm::enumerate(arguments.axes)) {
    int64_t start = (*arguments.starts)[i], end = (*arguments.ends)[i];
    int64_t step = arguments.steps[i], &dim = shape[axis];
    if (step == 0)
      return context.emitError() << "has a step of 0";
    // Also valid for an unknown size.
    if (start == 0 && step == 1 && end >= INT32_MAX)
      continue;
    if (llvm::all_of(ArrayRef<int64_t>{dim, start, end, step}, isKnownDim))
      dim = clampSlice(start, end, step, dim).count;
    else
      dim = unknownDim;
  }
  return context.setType(0, shape, type.getElementType());
}

std::optional<llvm::SmallVector<SliceBounds>>
gpucost::onnx::getSliceBounds(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  RankedTensorType result = context.getOutputType(0);
  if (!type || !type.hasStaticShape() || !result || !result.hasStaticShape())
    return std::nullopt;
  SliceArguments arguments(context, type.getRank());
  if (!arguments.axesKnown || arguments.outOfRange)
    return std::nullopt;
  llvm::SmallVector<SliceBounds> bounds;
  for (int64_t dim : type.getShape())
    bounds.push_back({0, 1, dim});
  for (auto [i, axis] : llvm::enumerate(arguments.axes)) {
    int64_t start = (*arguments.starts)[i], end = (*arguments.ends)[i];
    int64_t step = arguments.steps[i];
    if (!llvm::all_of(ArrayRef<int64_t>{start, end, step}, isKnownDim))
      return std::nullopt;
    bounds[axis] = clampSlice(start, end, step, type.getDimSize(axis));
  }
  return bounds;
}

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

LogicalResult gpucost::onnx::inferRange(InferenceContext &context) {
  Type elementType = context.getInputElementType(0);
  const SmallTensor *start = context.getInputValue(0);
  const SmallTensor *limit = context.getInputValue(1);
  const SmallTensor *delta = context.getInputValue(2);
  for (const SmallTensor *value : {start, limit, delta})
    if (!value || value->size() != 1 || !value->allKnown() ||
        value->isFloat != start->isFloat)
      return context.setType(0, unknownDim, elementType);
  if (delta->getDouble(0) == 0)
    return context.emitError() << "has a step of 0";
  int64_t count;
  if (start->isFloat) {
    double exact = std::ceil((limit->getDouble(0) - start->getDouble(0)) /
                             delta->getDouble(0));
    // Also false for NaN.
    count =
        exact < 0x1p62 ? static_cast<int64_t>(std::max(exact, 0.0)) : badDim;
  } else {
    count =
        ceilDivDims(subDims(limit->ints[0], start->ints[0]), delta->ints[0]);
    count = count <= badDim ? badDim : std::max<int64_t>(count, 0);
  }
  return context.setType(0, count, elementType);
}

LogicalResult gpucost::onnx::inferConstantOfShape(InferenceContext &context) {
  auto value = context.getOperation()->getAttrOfType<ElementsAttr>("value");
  Type elementType = value ? value.getElementType()
                           : Type(Float32Type::get(context.getMLIRContext()));
  auto shape = context.getInputDims(0);
  return shape ? context.setType(0, *shape, elementType) : success();
}

LogicalResult gpucost::onnx::inferEyeLike(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  Type elementType =
      getElementType(context.getMLIRContext(), context.getInt("dtype"));
  return context.setType(0, type.getShape(),
                         elementType ? elementType : type.getElementType());
}
