//===- FoldMovement.cpp - Values of small moved and viewed tensors --------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every fold maps each result element to an operand element; unknown operand
// elements stay unknown in the result.
//
//===----------------------------------------------------------------------===//

#include "Inference/Inference.h"
#include <numeric>

using namespace mlir;
using namespace gpucost::onnx;

/// Calls `visit(position, linear index)` for each element of a static shape.
template <typename Fn> static void forEach(ArrayRef<int64_t> shape, Fn visit) {
  int64_t count = productDims(shape);
  Dims position(shape.size(), 0);
  for (int64_t linear = 0; linear < count; ++linear) {
    visit(ArrayRef<int64_t>(position), linear);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++position[d] < shape[d])
        break;
      position[d] = 0;
    }
  }
}

/// Sets result 0 from operand 0: `source(position)` returns the linear index in
/// the operand, or nullopt if the element is unknown.
template <typename Fn>
static void foldIndexed(InferenceContext &context, Fn source) {
  const SmallTensor *in = context.getInputValue(0);
  auto result = context.makeOutput(0, in);
  if (!result)
    return;
  forEach(result->type.getShape(), [&](ArrayRef<int64_t> position, int64_t i) {
    std::optional<int64_t> from = source(position);
    if (from && *from >= 0 && *from < in->size())
      result->copyElement(i, *in, *from);
    else
      result->setUnknown(i);
  });
  context.setValue(0, std::move(*result));
}

static Dims stridesOf(const SmallTensor *tensor) {
  return tensor ? rowMajorStrides(tensor->type.getShape()) : Dims();
}

static int64_t dot(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), int64_t(0));
}

/// The same elements in the same order with a different shape.
void gpucost::onnx::foldCopy(InferenceContext &context) {
  const SmallTensor *in = context.getInputValue(0);
  auto result = context.makeOutput(0, in);
  if (!result || in->size() != result->size())
    return;
  for (int64_t i = 0, e = in->size(); i < e; ++i)
    result->copyElement(i, *in, i);
  context.setValue(0, std::move(*result));
}

void gpucost::onnx::foldTranspose(InferenceContext &context) {
  Dims strides = stridesOf(context.getInputValue(0));
  Dims permuted(strides.rbegin(), strides.rend());
  if (auto perm = context.getInts("perm");
      perm && perm->size() == strides.size())
    for (auto [i, axis] : llvm::enumerate(*perm))
      permuted[i] = strides[axis];
  foldIndexed(context, [&](ArrayRef<int64_t> position) {
    return std::optional<int64_t>(dot(position, permuted));
  });
}

/// Strides of operand 0 for positions in a repeated result of rank `rank`.
template <typename Fn>
static void foldRepeated(InferenceContext &context, Fn wrap) {
  const SmallTensor *in = context.getInputValue(0);
  if (!in)
    return;
  Dims strides = stridesOf(in);
  ArrayRef<int64_t> shape = in->type.getShape();
  foldIndexed(context, [&](ArrayRef<int64_t> position) {
    int64_t index = 0;
    size_t offset = position.size() - shape.size();
    for (size_t d = 0; d < shape.size(); ++d)
      index += wrap(position[offset + d], shape[d]) * strides[d];
    return std::optional<int64_t>(index);
  });
}

void gpucost::onnx::foldExpand(InferenceContext &context) {
  foldRepeated(context, [](int64_t position, int64_t dim) {
    return dim == 1 ? 0 : position;
  });
}

void gpucost::onnx::foldTile(InferenceContext &context) {
  foldRepeated(context, [](int64_t position, int64_t dim) {
    return dim == 0 ? 0 : position % dim;
  });
}

void gpucost::onnx::foldSlice(InferenceContext &context) {
  const SmallTensor *in = context.getInputValue(0);
  auto bounds = getSliceBounds(context);
  if (!in || !bounds)
    return;
  Dims strides = stridesOf(in);
  foldIndexed(context, [&](ArrayRef<int64_t> position) {
    int64_t index = 0;
    for (auto [d, b] : llvm::enumerate(*bounds))
      index += (b.start + position[d] * b.step) * strides[d];
    return std::optional<int64_t>(index);
  });
}

void gpucost::onnx::foldSplit(InferenceContext &context) {
  const SmallTensor *in = context.getInputValue(0);
  if (!in)
    return;
  auto axis = normalizeAxis(context.getInt("axis"), in->type.getRank());
  Dims strides = stridesOf(in);
  int64_t start = 0;
  for (unsigned r = 0; r < context.getNumOutputs(); ++r) {
    auto result = context.makeOutput(r);
    if (!axis || !result)
      return;
    int64_t base = start * strides[*axis];
    forEach(result->type.getShape(),
            [&](ArrayRef<int64_t> position, int64_t i) {
              result->copyElement(i, *in, base + dot(position, strides));
            });
    start += result->type.getDimSize(*axis);
    context.setValue(r, std::move(*result));
    // Inserting the new value may have invalidated the pointer.
    in = context.getInputValue(0);
  }
}

/// Operands without a known value leave their part of the result unknown.
void gpucost::onnx::foldConcat(InferenceContext &context) {
  bool isKnown = false;
  for (unsigned n = 0; n < context.getNumInputs(); ++n)
    isKnown |= context.getInputValue(n) != nullptr;
  if (!isKnown)
    return;
  auto result = context.makeOutput(0);
  if (!result)
    return;
  auto axis = normalizeAxis(context.getInt("axis"), result->type.getRank());
  Dims strides = rowMajorStrides(result->type.getShape());
  int64_t start = 0;
  for (unsigned n = 0; axis && n < context.getNumInputs(); ++n) {
    const SmallTensor *in = context.getInputValue(n);
    RankedTensorType type = context.getInputType(n);
    if (!type || !type.hasStaticShape())
      return;
    int64_t base = start * strides[*axis];
    forEach(type.getShape(), [&](ArrayRef<int64_t> position, int64_t i) {
      int64_t to = base + dot(position, strides);
      if (in)
        result->copyElement(to, *in, i);
      else
        result->setUnknown(to);
    });
    start += type.getDimSize(*axis);
  }
  context.setValue(0, std::move(*result));
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// Element `i` of `indices` as a position along a dimension of size `dim`.
static std::optional<int64_t> readIndex(const SmallTensor &indices, int64_t i,
                                        int64_t dim) {
  return indices.isKnown(i) && !indices.isFloat
             ? normalizeAxis(indices.ints[i], dim)
             : std::nullopt;
}

void gpucost::onnx::foldGather(InferenceContext &context) {
  const SmallTensor *in = context.getInputValue(0);
  const SmallTensor *indices = context.getInputValue(1);
  if (!in || !indices)
    return;
  Dims strides = stridesOf(in), indexStrides = stridesOf(indices);
  size_t axis = *normalizeAxis(context.getInt("axis"), in->type.getRank());
  size_t depth = indexStrides.size();
  foldIndexed(
      context, [&](ArrayRef<int64_t> position) -> std::optional<int64_t> {
        int64_t which = dot(position.slice(axis, depth), indexStrides);
        auto index = readIndex(*indices, which, in->type.getDimSize(axis));
        if (!index)
          return std::nullopt;
        return dot(position.take_front(axis), strides) +
               *index * strides[axis] +
               dot(position.drop_front(axis + depth),
                   ArrayRef(strides).drop_front(axis + 1));
      });
}

void gpucost::onnx::foldGatherElements(InferenceContext &context) {
  const SmallTensor *in = context.getInputValue(0);
  const SmallTensor *indices = context.getInputValue(1);
  auto axis = in ? normalizeAxis(context.getInt("axis"), in->type.getRank())
                 : std::nullopt;
  if (!indices || !axis)
    return;
  Dims strides = stridesOf(in), indexStrides = stridesOf(indices);
  foldIndexed(context,
              [&](ArrayRef<int64_t> position) -> std::optional<int64_t> {
                auto index = readIndex(*indices, dot(position, indexStrides),
                                       in->type.getDimSize(*axis));
                if (!index)
                  return std::nullopt;
                return dot(position, strides) +
                       (*index - position[*axis]) * strides[*axis];
              });
}

/// Linear index of the slice, in a tensor of shape `shape`, that row `row` of
/// `indices` selects in the dimensions from `first`.
static std::optional<int64_t> readRow(const SmallTensor &indices, int64_t row,
                                      ArrayRef<int64_t> shape, size_t first) {
  Dims strides = rowMajorStrides(shape);
  int64_t depth = indices.type.getShape().back(), linear = 0;
  for (int64_t d = 0; d < depth; ++d) {
    auto index = readIndex(indices, row * depth + d, shape[first + d]);
    if (!index)
      return std::nullopt;
    linear += *index * strides[first + d];
  }
  return linear;
}

void gpucost::onnx::foldGatherND(InferenceContext &context) {
  const SmallTensor *in = context.getInputValue(0);
  const SmallTensor *indices = context.getInputValue(1);
  if (!in || !indices || indices->type.getRank() == 0)
    return;
  int64_t batch = context.getInt("batch_dims");
  size_t rows = indices->type.getRank() - 1;
  Dims strides = stridesOf(in);
  Dims rowStrides = rowMajorStrides(indices->type.getShape().drop_back());
  int64_t depth = indices->type.getShape().back();
  foldIndexed(context,
              [&](ArrayRef<int64_t> position) -> std::optional<int64_t> {
                auto start = readRow(*indices,
                                     dot(position.take_front(rows), rowStrides),
                                     in->type.getShape(), batch);
                if (!start)
                  return std::nullopt;
                return *start + dot(position.take_front(batch), strides) +
                       dot(position.drop_front(rows),
                           ArrayRef(strides).drop_front(batch + depth));
              });
}

void gpucost::onnx::foldScatterND(InferenceContext &context) {
  const SmallTensor *in = context.getInputValue(0);
  const SmallTensor *indices = context.getInputValue(1);
  const SmallTensor *updates = context.getInputValue(2);
  auto result = context.makeOutput(0, in);
  if (!indices || !updates || !result || indices->type.getRank() == 0 ||
      context.getString("reduction") != "none")
    return;
  ArrayRef<int64_t> shape = in->type.getShape();
  int64_t depth = indices->type.getShape().back();
  if (depth < 1 || depth > in->type.getRank())
    return;
  for (int64_t i = 0, e = in->size(); i < e; ++i)
    result->copyElement(i, *in, i);
  int64_t rows = indices->size() / depth;
  int64_t width = productDims(shape.drop_front(depth));
  if (updates->size() != rows * width)
    return;
  for (int64_t row = 0; row < rows; ++row) {
    auto start = readRow(*indices, row, shape, 0);
    if (!start)
      return;
    for (int64_t i = 0; i < width; ++i) {
      if (!result->known.empty())
        result->known[*start + i] = true;
      result->copyElement(*start + i, *updates, row * width + i);
    }
  }
  context.setValue(0, std::move(*result));
}

/// One update for each index along `axis`; the other axes follow the position.
void gpucost::onnx::foldScatterElements(InferenceContext &context) {
  const SmallTensor *in = context.getInputValue(0);
  const SmallTensor *indices = context.getInputValue(1);
  const SmallTensor *updates = context.getInputValue(2);
  auto result = context.makeOutput(0, in);
  if (!indices || !updates || !result || in->type.getRank() == 0 ||
      indices->type.getRank() != in->type.getRank() ||
      updates->type.getShape() != indices->type.getShape() ||
      (context.hasAttr("reduction") &&
       context.getString("reduction") != "none"))
    return;
  auto axis = normalizeAxis(context.getInt("axis"), in->type.getRank());
  if (!axis)
    return;
  for (int64_t i = 0, e = in->size(); i < e; ++i)
    result->copyElement(i, *in, i);
  Dims from = stridesOf(indices), to = stridesOf(in);
  for (int64_t i = 0, e = indices->size(); i < e; ++i) {
    auto index = readIndex(*indices, i, in->type.getDimSize(*axis));
    if (!index)
      return;
    int64_t position = 0, rest = i;
    for (int64_t d = 0; d < in->type.getRank(); ++d) {
      int64_t at = rest / from[d];
      rest %= from[d];
      if (d != *axis && at >= in->type.getDimSize(d))
        return;
      position += (d == *axis ? *index : at) * to[d];
    }
    if (!result->known.empty())
      result->known[position] = true;
    result->copyElement(position, *updates, i);
  }
  context.setValue(0, std::move(*result));
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// Constant padding only; the value is operand 2.
void gpucost::onnx::foldPad(InferenceContext &context) {
  const SmallTensor *in = context.getInputValue(0);
  const SmallTensor *fill = context.getInputValue(2);
  auto pads = context.getInputOrAttrInts(1, "pads");
  auto result = context.makeOutput(0, in);
  if (!pads || !result || context.hasInput(3) ||
      context.getString("mode") != "constant" ||
      (context.hasInput(2) && (!fill || fill->size() != 1)))
    return;
  Dims strides = stridesOf(in);
  ArrayRef<int64_t> shape = in->type.getShape();
  forEach(result->type.getShape(), [&](ArrayRef<int64_t> position, int64_t i) {
    int64_t index = 0;
    bool inside = true;
    for (size_t d = 0; d < shape.size(); ++d) {
      int64_t at = position[d] - (*pads)[d];
      inside &= at >= 0 && at < shape[d];
      index += at * strides[d];
    }
    if (inside)
      result->copyElement(i, *in, index);
    else if (fill)
      result->copyElement(i, *fill, 0);
  });
  context.setValue(0, std::move(*result));
}

void gpucost::onnx::foldTrilu(InferenceContext &context) {
  const SmallTensor *in = context.getInputValue(0);
  auto diagonal = context.getInputInts(1);
  auto result = context.makeOutput(0, in);
  if (!result || result->type.getRank() < 2 ||
      (context.hasInput(1) && (!diagonal || diagonal->size() != 1)))
    return;
  int64_t k = diagonal ? (*diagonal)[0] : 0;
  bool upper = context.getInt("upper") != 0;
  forEach(result->type.getShape(), [&](ArrayRef<int64_t> position, int64_t i) {
    int64_t offset = position.back() - position[position.size() - 2];
    if (upper ? offset >= k : offset <= k)
      result->copyElement(i, *in, i);
  });
  context.setValue(0, std::move(*result));
}
