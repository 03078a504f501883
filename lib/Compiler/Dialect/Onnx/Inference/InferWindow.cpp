//===- InferWindow.cpp - Types of convolutions and pools ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost::onnx;

namespace {
/// A sliding window over spatial dimensions, from the attributes of an op.
struct Window {
  Dims kernel, strides, dilations, padBegin, padEnd;
  StringRef autoPad;

  /// Reads the attributes; false after a diagnostic. `weight` defines the
  /// kernel if `kernel_shape` is absent.
  bool read(InferenceContext &context, unsigned rank, ArrayRef<int64_t> weight);
  /// Extent of the dilated kernel along spatial dimension `i`.
  int64_t extent(unsigned i) const {
    return addDims(mulDims(subDims(kernel[i], 1), dilations[i]), 1);
  }
  /// Result size along spatial dimension `i` of operand size `in`.
  int64_t outputSize(unsigned i, int64_t in, bool ceilMode) const;
};
} // namespace

bool Window::read(InferenceContext &context, unsigned rank,
                  ArrayRef<int64_t> weight) {
  kernel = context.getInts("kernel_shape").value_or(Dims(weight));
  strides = context.getInts("strides").value_or(Dims(rank, 1));
  dilations = context.getInts("dilations").value_or(Dims(rank, 1));
  Dims pads = context.getInts("pads").value_or(Dims(2 * rank, 0));
  if (isa<ConvTransposeWithDynamicPadsOp>(context.getOperation()) &&
      context.hasInput(2))
    pads = context.getInputDims(2).value_or(Dims(2 * rank, unknownDim));
  autoPad = context.getString("auto_pad");
  bool fits = kernel.size() == rank && strides.size() == rank &&
              dilations.size() == rank && pads.size() == 2 * rank;
  auto isPositive = [](int64_t v) { return v > 0 || v == unknownDim; };
  if (!fits || !llvm::all_of(kernel, isPositive) ||
      !llvm::all_of(strides, isPositive) ||
      !llvm::all_of(dilations, isPositive)) {
    context.emitError() << "has a window with kernel " << formatShape(kernel)
                        << ", strides " << formatShape(strides)
                        << ", dilations " << formatShape(dilations) << ", pads "
                        << formatShape(pads) << " for " << rank
                        << " spatial dimensions";
    return false;
  }
  padBegin.assign(pads.begin(), pads.begin() + rank);
  padEnd.assign(pads.begin() + rank, pads.end());
  if (autoPad == "VALID")
    padBegin = padEnd = Dims(rank, 0);
  return true;
}

int64_t Window::outputSize(unsigned i, int64_t in, bool ceilMode) const {
  if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER")
    return ceilDivDims(in, strides[i]);
  int64_t padded = addDims(addDims(in, padBegin[i]), padEnd[i]);
  int64_t positions = subDims(padded, extent(i));
  if (!ceilMode || positions < 0)
    return addDims(floorDivDims(positions, strides[i]), 1);
  int64_t out = addDims(ceilDivDims(positions, strides[i]), 1);
  // A last window that would start in the end padding is dropped.
  if (mulDims(subDims(out, 1), strides[i]) >= addDims(in, padBegin[i]))
    --out;
  return out;
}

/// Result [N, M, ...] of a convolution of `input` [N, C, ...] with `weight`
/// [M, C / group, ...]; [N, ..., M] and [N, ..., C] with `channelsLast`.
static LogicalResult inferConvolution(InferenceContext &context,
                                      unsigned inputIndex, unsigned weightIndex,
                                      Type elementType,
                                      bool channelsLast = false) {
  RankedTensorType input = context.getInputType(inputIndex);
  RankedTensorType weight = context.getInputType(weightIndex);
  if (!input || !weight)
    return success();
  int64_t rank = input.getRank(), group = context.getInt("group");
  Dims in(input.getShape());
  if (channelsLast && rank >= 3)
    std::rotate(in.begin() + 1, in.end() - 1, in.end());
  bool fits = rank >= 3 && weight.getRank() == rank && group > 0;
  if (fits && isKnownDim(in[1]) && isKnownDim(weight.getDimSize(1)))
    fits = mulDims(weight.getDimSize(1), group) == in[1] &&
           (!isKnownDim(weight.getDimSize(0)) ||
            weight.getDimSize(0) % group == 0);
  if (!fits)
    return context.emitError()
           << "cannot convolve " << formatShape(input.getShape()) << " with "
           << formatShape(weight.getShape()) << " in " << group << " groups";
  Window window;
  if (!window.read(context, rank - 2, weight.getShape().drop_front(2)))
    return failure();
  Dims shape = {in[0], weight.getDimSize(0)};
  for (int64_t i = 0; i < rank - 2; ++i) {
    shape.push_back(window.outputSize(i, in[i + 2], false));
    if (shape.back() < 0 && isKnownDim(shape.back()))
      return context.emitError()
             << "kernel " << formatShape(window.kernel) << " is larger than "
             << formatShape(input.getShape()) << " with its padding";
  }
  if (channelsLast)
    std::rotate(shape.begin() + 1, shape.begin() + 2, shape.end());
  return context.setType(0, shape, elementType);
}

LogicalResult gpucost::onnx::inferConv(InferenceContext &context) {
  return inferConvolution(context, 0, 1, context.getInputElementType(0));
}

LogicalResult gpucost::onnx::inferConvInteger(InferenceContext &context) {
  return inferConvolution(context, 0, 1,
                          IntegerType::get(context.getMLIRContext(), 32));
}

/// Operands X, scale, zero point, W, scale, zero point, scale, zero point, B.
LogicalResult gpucost::onnx::inferQLinearConv(InferenceContext &context) {
  Type elementType = context.getInputElementType(7);
  return inferConvolution(
      context, 0, 3, elementType ? elementType : context.getInputElementType(0),
      context.getInt("channels_last") != 0);
}

/// Operand and result are [N, ..., C]; the weight stays [M, ..., C / group].
LogicalResult gpucost::onnx::inferNhwcConv(InferenceContext &context) {
  RankedTensorType input = context.getInputType(0);
  RankedTensorType weight = context.getInputType(1);
  if (!input || !weight)
    return success();
  int64_t rank = input.getRank();
  if (rank < 3 || weight.getRank() != rank)
    return context.emitError()
           << "cannot convolve " << formatShape(input.getShape()) << " with "
           << formatShape(weight.getShape());
  Window window;
  if (!window.read(context, rank - 2, weight.getShape().slice(1, rank - 2)))
    return failure();
  Dims shape = {input.getDimSize(0)};
  for (int64_t i = 0; i < rank - 2; ++i)
    shape.push_back(window.outputSize(i, input.getDimSize(i + 1), false));
  shape.push_back(weight.getDimSize(0));
  return context.setType(0, shape, input.getElementType());
}

/// Result size: stride * (in - 1) + output_padding + extent - pads;
/// `output_shape` or auto_pad SAME overrides it and determines the pads.
LogicalResult gpucost::onnx::inferConvTranspose(InferenceContext &context) {
  RankedTensorType input = context.getInputType(0);
  RankedTensorType weight = context.getInputType(1);
  if (!input || !weight)
    return success();
  int64_t rank = input.getRank(), group = context.getInt("group");
  if (rank < 3 || weight.getRank() != rank || group <= 0 ||
      (isKnownDim(input.getDimSize(1)) && isKnownDim(weight.getDimSize(0)) &&
       input.getDimSize(1) != weight.getDimSize(0)))
    return context.emitError()
           << "cannot convolve " << formatShape(input.getShape()) << " with "
           << formatShape(weight.getShape()) << " in " << group << " groups";
  int64_t spatial = rank - 2;
  Window window;
  if (!window.read(context, spatial, weight.getShape().drop_front(2)))
    return failure();
  Dims extra = context.getInts("output_padding").value_or(Dims(spatial, 0));
  auto given = context.getInts("output_shape");
  Dims shape = {input.getDimSize(0), mulDims(weight.getDimSize(1), group)};
  bool same = window.autoPad == "SAME_UPPER" || window.autoPad == "SAME_LOWER";
  for (int64_t i = 0; i < spatial; ++i) {
    int64_t in = input.getDimSize(i + 2);
    if (given && static_cast<int64_t>(given->size()) >= spatial) {
      // Old exporters include batch and channels.
      shape.push_back((*given)[given->size() - spatial + i]);
    } else if (same) {
      shape.push_back(mulDims(in, window.strides[i]));
    } else {
      int64_t size = mulDims(subDims(in, 1), window.strides[i]);
      size = addDims(size, window.extent(i));
      if (i < static_cast<int64_t>(extra.size()))
        size = addDims(size, extra[i]);
      shape.push_back(
          subDims(subDims(size, window.padBegin[i]), window.padEnd[i]));
    }
  }
  return context.setType(0, shape, input.getElementType());
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

LogicalResult gpucost::onnx::inferPool(InferenceContext &context) {
  RankedTensorType input = context.getInputType(0);
  if (!input)
    return success();
  int64_t rank = input.getRank();
  if (rank < 3)
    return context.emitError()
           << "cannot pool a tensor of shape " << formatShape(input.getShape());
  Window window;
  if (!window.read(context, rank - 2, {}))
    return failure();
  bool ceilMode = context.getInt("ceil_mode") != 0;
  Dims shape(input.getShape());
  for (int64_t i = 0; i < rank - 2; ++i) {
    shape[i + 2] = window.outputSize(i, shape[i + 2], ceilMode);
    if (shape[i + 2] < 0 && isKnownDim(shape[i + 2]))
      return context.emitError()
             << "kernel " << formatShape(window.kernel) << " is larger than "
             << formatShape(input.getShape()) << " with its padding";
  }
  // MaxPool may also return the indices.
  if (failed(context.setType(1, shape,
                             IntegerType::get(context.getMLIRContext(), 64))))
    return failure();
  return context.setType(0, shape, input.getElementType());
}

/// Contrib: the image may be [N, ..., C].
LogicalResult gpucost::onnx::inferQLinearPool(InferenceContext &context) {
  return context.getInt("channels_last") ? inferNhwcPool(context)
                                         : inferPool(context);
}

/// Operand and result are [N, ..., C].
LogicalResult gpucost::onnx::inferNhwcPool(InferenceContext &context) {
  RankedTensorType input = context.getInputType(0);
  if (!input || input.getRank() < 3)
    return success();
  int64_t spatial = input.getRank() - 2;
  Window window;
  if (!window.read(context, spatial, {}))
    return failure();
  Dims shape(input.getShape());
  for (int64_t i = 0; i < spatial; ++i)
    shape[i + 1] =
        window.outputSize(i, shape[i + 1], context.getInt("ceil_mode") != 0);
  return context.setType(0, shape, input.getElementType());
}

LogicalResult gpucost::onnx::inferGlobalPool(InferenceContext &context) {
  RankedTensorType input = context.getInputType(0);
  if (!input)
    return success();
  Dims shape(input.getShape());
  for (size_t i = 2; i < shape.size(); ++i)
    shape[i] = 1;
  return context.setType(0, shape, input.getElementType());
}
