//===- ConvolutionWork.cpp - Exact work of convolutions -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpShapes.h"
#include "WorkRules.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

namespace {
/// Variant of a convolution op.
struct Convolution {
  ConvolutionPass pass = ConvolutionPass::Forward;
  bool transposed = false;
  /// Layouts of operand and result, and of filters.
  bool channelsLast = false, filterChannelsLast = false;
  /// Deformable convolution, which samples its operand first.
  bool samples = false;
};
} // namespace

/// Convolutions with 1 to 3 spatial dimensions; the third one is folded into
/// the batch (output positions) and the kernel height (taps). A transposed
/// convolution is costed as the convolution whose gradient it is.
static FailureOr<WorkAttr> workOf(Operation *op, CostClass shape,
                                  Convolution form = {}) {
  auto measured = OpShapes::measure(op, shape);
  if (!measured)
    return failure();
  OpShapes &s = *measured;
  RankedTensorType in = s.input(0), out = s.output();
  RankedTensorType weight = s.input(getOpInfo(op)->weight);
  // (B2) The sizes are those of the forward convolution.
  ConvolutionPass pass = form.pass;
  if (pass != ConvolutionPass::Forward)
    std::swap(in, out);
  if (pass == ConvolutionPass::WeightGradient)
    std::swap(in, weight);
  if (!in || !weight || !out || !in.hasStaticShape() ||
      !weight.hasStaticShape() || !out.hasStaticShape() || in.getRank() < 3 ||
      in.getRank() > 5 || weight.getRank() != in.getRank())
    return failure();
  SmallVector<int64_t> inShape(in.getShape()), outShape(out.getShape()),
      taps(weight.getShape().drop_front(2));
  if (form.channelsLast) {
    auto toFront = [](SmallVector<int64_t> &shape) {
      std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
    };
    toFront(inShape);
    toFront(outShape);
    // Also in the filter.
    if (form.filterChannelsLast)
      taps.assign(weight.getShape().begin() + 1, weight.getShape().end() - 1);
  }
  bool transposed = form.transposed || s.op->hasAttr("transposed");
  if (transposed && pass == ConvolutionPass::InputGradient)
    pass = ConvolutionPass::Forward;
  else if (transposed && pass == ConvolutionPass::Forward)
    pass = ConvolutionPass::InputGradient;
  ArrayRef<int64_t> from = transposed ? outShape : inShape;
  ArrayRef<int64_t> to = transposed ? inShape : outShape;
  unsigned spatial = taps.size();
  auto dim = [&](ArrayRef<int64_t> shape, unsigned fromEnd) {
    return spatial > fromEnd ? shape[shape.size() - 1 - fromEnd] : 1;
  };
  std::optional<int64_t> batch =
      checkedProduct({to[0], spatial == 3 ? to[2] : 1});
  std::optional<int64_t> kernelHeight =
      checkedProduct({dim(taps, 1), spatial == 3 ? taps[0] : 1});
  int64_t groups = s.getInt("group");
  if (!batch || !kernelHeight || groups <= 0 || from[1] % groups)
    return failure();
  // Entry of "strides" or "dilations".
  auto along = [&](StringRef name, unsigned fromEnd) -> int64_t {
    auto steps = findInts(s.op, name);
    size_t i = spatial - 1 - fromEnd;
    return spatial > fromEnd && steps && i < steps->size() ? (*steps)[i] : 1;
  };
  ConvolutionProblem problem{*batch,
                             from[1],
                             dim(from, 1),
                             dim(from, 0),
                             to[1],
                             dim(to, 1),
                             dim(to, 0),
                             *kernelHeight,
                             dim(taps, 0),
                             along("strides", 1),
                             along("strides", 0),
                             groups,
                             form.channelsLast ||
                                 s.op->hasAttr(channelsLastAttrName),
                             pass,
                             along("dilations", 1),
                             along("dilations", 0),
                             spatial == 3 ? 3 : 2,
                             form.samples};
  // A deformable convolution samples 4 neighbours for each tap and channel.
  std::optional<int64_t> sampling = 0;
  if (form.samples)
    sampling = checkedProduct({8, *batch, dim(to, 1), dim(to, 0), from[1],
                               *kernelHeight, dim(taps, 0)});
  return makeWork(
      s, KernelFamily::Convolution, {InstructionClass::None, 0, 0}, problem,
      checkedProduct({2, *batch, dim(to, 1), dim(to, 0), to[1],
                      from[1] / groups, *kernelHeight, dim(taps, 0)}),
      sampling, 0);
}

FailureOr<WorkAttr>
gpucost::onnx::convolutionWork(Operation *op, CostClass shape, ElementCost) {
  return workOf(op, shape);
}

FailureOr<WorkAttr>
gpucost::onnx::convInputGradWork(Operation *op, CostClass shape, ElementCost) {
  Convolution form;
  form.pass = ConvolutionPass::InputGradient;
  return workOf(op, shape, form);
}

FailureOr<WorkAttr>
gpucost::onnx::convWeightGradWork(Operation *op, CostClass shape, ElementCost) {
  Convolution form;
  form.pass = ConvolutionPass::WeightGradient;
  return workOf(op, shape, form);
}

FailureOr<WorkAttr>
gpucost::onnx::transposedConvWork(Operation *op, CostClass shape, ElementCost) {
  Convolution form;
  form.transposed = true;
  return workOf(op, shape, form);
}

FailureOr<WorkAttr> gpucost::onnx::nhwcConvWork(Operation *op, CostClass shape,
                                                ElementCost) {
  Convolution form;
  form.channelsLast = form.filterChannelsLast = true;
  return workOf(op, shape, form);
}

FailureOr<WorkAttr>
gpucost::onnx::quantizedConvWork(Operation *op, CostClass shape, ElementCost) {
  Convolution form;
  form.channelsLast = onnx::getInt(op, "channels_last") != 0;
  return workOf(op, shape, form);
}

FailureOr<WorkAttr>
gpucost::onnx::deformConvWork(Operation *op, CostClass shape, ElementCost) {
  Convolution form;
  form.samples = true;
  return workOf(op, shape, form);
}
