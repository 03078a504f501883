//===- InferSignal.cpp - Types of transforms and image sampling -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost::onnx;

static Type integerType(InferenceContext &context, unsigned bits) {
  return IntegerType::get(context.getMLIRContext(), bits);
}

//===----------------------------------------------------------------------===//
// Fourier transforms and windows
//===----------------------------------------------------------------------===//

/// floor(n / 2) + 1 values of a real transform determine the others.
static int64_t halfSpectrum(int64_t length) {
  return addDims(floorDivDims(length, 2), 1);
}

/// Signal [..., 1 or 2]; the axis is an attribute (default 1) up to opset 19,
/// then operand 2 (default -2). A one-sided inverse transform is real.
LogicalResult gpucost::onnx::inferDFT(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type || type.getRank() < 2)
    return success();
  int64_t given = context.getOpset() < 20 ? 1 : -2;
  if (context.hasInput(2))
    given = scalarInput(context, 2);
  else if (context.hasAttr("axis"))
    given = context.getInt("axis");
  bool onesided = context.getInt("onesided") != 0;
  bool inverse = context.getInt("inverse") != 0;
  Dims shape(type.getShape());
  shape.back() = onesided && inverse ? 1 : 2;
  if (!isKnownDim(given)) {
    for (int64_t &dim : llvm::MutableArrayRef(shape).drop_back())
      dim = unknownDim;
    return context.setType(0, shape, type.getElementType());
  }
  auto axis = normalizeAxis(given, type.getRank());
  if (!axis || *axis == type.getRank() - 1)
    return emitAxisError(context, given, type.getShape());
  int64_t length = shape[*axis];
  if (context.hasInput(1))
    length = scalarInput(context, 1);
  else if (onesided && inverse)
    length = mulDims(2, subDims(length, 1));
  shape[*axis] = onesided && !inverse ? halfSpectrum(length) : length;
  return context.setType(0, shape, type.getElementType());
}

/// Operands: signal [batch, length, 1 or 2], frame step, window, frame length.
LogicalResult gpucost::onnx::inferSTFT(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type || type.getRank() < 2)
    return success();
  int64_t length = type.getDimSize(1), frame = length;
  RankedTensorType window = context.getInputType(2);
  if (context.hasInput(3))
    frame = scalarInput(context, 3);
  else if (context.hasInput(2))
    frame = window && window.getRank() == 1 ? window.getDimSize(0) : unknownDim;
  int64_t step = scalarInput(context, 1);
  if (isKnownDim(step) && step < 1)
    return context.emitError() << "has a frame step of " << step;
  int64_t frames = addDims(floorDivDims(subDims(length, frame), step), 1);
  int64_t bins = context.getInt("onesided") != 0 ? halfSpectrum(frame) : frame;
  return context.setType(0, {type.getDimSize(0), frames, bins, 2},
                         type.getElementType());
}

/// Contrib: [..., n] -> [..., n / 2 + 1, 2].
LogicalResult gpucost::onnx::inferRfft(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type || type.getRank() < 1)
    return success();
  Dims shape(type.getShape());
  shape.back() = halfSpectrum(shape.back());
  shape.push_back(2);
  return context.setType(0, shape, type.getElementType());
}

/// Contrib: [..., n / 2 + 1, 2] -> [..., n].
LogicalResult gpucost::onnx::inferIrfft(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type || type.getRank() < 2)
    return success();
  Dims shape(type.getShape().drop_back());
  shape.back() = mulDims(2, subDims(shape.back(), 1));
  return context.setType(0, shape, type.getElementType());
}

/// Operand: the size.
LogicalResult gpucost::onnx::inferWindow(InferenceContext &context) {
  Type elementType = getElementType(context.getMLIRContext(),
                                    context.getInt("output_datatype"));
  return context.setType(0, scalarInput(context, 0), elementType);
}

/// Operands: bins, DFT length, sample rate, edges.
LogicalResult gpucost::onnx::inferMelWeightMatrix(InferenceContext &context) {
  Type elementType = getElementType(context.getMLIRContext(),
                                    context.getInt("output_datatype"));
  return context.setType(
      0, {halfSpectrum(scalarInput(context, 1)), scalarInput(context, 0)},
      elementType);
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

/// theta [N, d, d + 1], size [N, C, spatial...] -> [N, spatial..., d].
LogicalResult gpucost::onnx::inferAffineGrid(InferenceContext &context) {
  RankedTensorType theta = context.getInputType(0);
  if (!theta || theta.getRank() != 3)
    return success();
  int64_t spatial = theta.getDimSize(1);
  auto size = context.getInputDims(1);
  if (!size && isKnownDim(spatial) && spatial < 8)
    size = Dims(spatial + 2, unknownDim);
  if (!size || size->size() < 3)
    return success();
  Dims shape = {theta.getDimSize(0)};
  shape.append(size->begin() + 2, size->end());
  shape.push_back(size->size() - 2);
  return context.setType(0, shape, theta.getElementType());
}

/// [N, C * block..., L], image shape, block shape -> [N, C, image...].
LogicalResult gpucost::onnx::inferCol2Im(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  auto image = context.getInputDims(1), block = context.getInputDims(2);
  if (!type || type.getRank() != 3 || !image)
    return success();
  Dims shape = {type.getDimSize(0), unknownDim};
  if (block)
    shape[1] = floorDivDims(type.getDimSize(1), productDims(*block));
  llvm::append_range(shape, *image);
  return context.setType(0, shape, type.getElementType());
}

/// Without an output shape (operand 2): (in - 1) * stride - pads + kernel.
LogicalResult gpucost::onnx::inferMaxUnpool(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  auto kernel = context.getInts("kernel_shape");
  if (!type || type.getRank() < 3)
    return success();
  size_t spatial = type.getRank() - 2;
  if (context.hasInput(2)) {
    auto given = context.getInputDims(2);
    return context.setType(0, given ? *given : Dims(type.getRank(), unknownDim),
                           type.getElementType());
  }
  Dims strides = context.getInts("strides").value_or(Dims(spatial, 1));
  Dims pads = context.getInts("pads").value_or(Dims(2 * spatial, 0));
  if (!kernel || kernel->size() != spatial || strides.size() != spatial ||
      pads.size() != 2 * spatial)
    return context.emitError()
           << "has a window that does not fit " << formatShape(type.getShape());
  Dims shape(type.getShape());
  for (size_t i = 0; i < spatial; ++i) {
    int64_t size = mulDims(subDims(shape[i + 2], 1), strides[i]);
    size = subDims(size, addDims(pads[i], pads[spatial + i]));
    shape[i + 2] = addDims(size, (*kernel)[i]);
  }
  return context.setType(0, shape, type.getElementType());
}

/// X [N, C, H, W] and rois [count, 5].
LogicalResult gpucost::onnx::inferMaxRoiPool(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  RankedTensorType rois = context.getInputType(1);
  auto pooled = context.getInts("pooled_shape");
  if (!type || !rois || type.getRank() != 4 || rois.getRank() != 2 || !pooled ||
      pooled->size() != 2)
    return success();
  return context.setType(
      0, {rois.getDimSize(0), type.getDimSize(1), (*pooled)[0], (*pooled)[1]},
      type.getElementType());
}

/// Contrib: X [N, C, H, W], rois [count, 4], batch indices, size [2].
LogicalResult gpucost::onnx::inferCropAndResize(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  RankedTensorType rois = context.getInputType(1);
  if (!type || !rois || type.getRank() != 4 || rois.getRank() != 2)
    return success();
  Dims size = context.getInputDims(3).value_or(Dims(2, unknownDim));
  if (size.size() != 2)
    return success();
  return context.setType(
      0, {rois.getDimSize(0), type.getDimSize(1), size[0], size[1]},
      type.getElementType());
}

/// Contrib: windows of `size` every `step` along `dim`, as a last dimension.
LogicalResult gpucost::onnx::inferUnfold(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  auto axis = normalizeAxis(context.getInt("dim"), type.getRank());
  int64_t size = context.getInt("size"), step = context.getInt("step");
  if (!axis || step < 1)
    return success();
  Dims shape(type.getShape());
  shape[*axis] = addDims(floorDivDims(subDims(shape[*axis], size), step), 1);
  shape.push_back(size);
  return context.setType(0, shape, type.getElementType());
}

/// Probabilities [batch, classes] -> class numbers [batch, samples].
LogicalResult gpucost::onnx::inferMultinomial(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type || type.getRank() != 2)
    return success();
  Type elementType =
      getElementType(context.getMLIRContext(), context.getInt("dtype"));
  return context.setType(0, {type.getDimSize(0), context.getInt("sample_size")},
                         elementType ? elementType : integerType(context, 32));
}
