//===- Convolution.cpp - Convolutions on tensor cores ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An implicit GEMM (C4). Depthwise convolutions (C5) and those on CUDA cores
// (C1)-(C3) have separate files.
//
//===----------------------------------------------------------------------===//

#include "Convolution.h"
#include "TensorGemm.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>

using namespace gpucost;

Expected<void> gpucost::checkConvolution(const ConvolutionProblem &p) {
  if (p.groups <= 0 || p.channels % p.groups != 0 ||
      p.outChannels % p.groups != 0)
    return fail("expected channels that are a multiple of the groups of a "
                "convolution, but got " +
                std::to_string(p.channels) + " and " +
                std::to_string(p.outChannels) + " channels in " +
                std::to_string(p.groups) + " groups");
  if (p.batch < 0 || p.channels < 0 || p.outChannels < 0 || p.outHeight < 0 ||
      p.outWidth < 0 || p.height < 0 || p.width < 0 || p.kernelHeight <= 0 ||
      p.kernelWidth <= 0)
    return fail("expected a convolution with non-negative sizes");
  return {};
}

/// (C4) m = batch * output pixels, n = output channels, k = channels * taps,
/// one product per group. DRAM sees the real tensors; L2 feeds the im2col
/// tiles.
static TensorGemm describeTensor(const KernelWork &work,
                                 Steps *steps = nullptr) {
  const ConvolutionProblem &p = work.as<ConvolutionProblem>();
  TensorGemm g;
  double taps = static_cast<double>(p.kernelHeight) * p.kernelWidth;
  double groups = p.groups;
  g.batch = groups;
  g.m = static_cast<double>(p.batch) * p.outHeight * p.outWidth;
  g.n = p.outChannels / groups;
  g.k = p.channels / groups * taps;
  double input = static_cast<double>(p.batch) * p.height * p.width;
  double outputs = static_cast<double>(p.outChannels) / groups;
  double channels = static_cast<double>(p.channels) / groups;
  double inputBytes = work.inputBytes(), outputBytes = work.outputBytes();
  // (C6) The gradients have the same multiply-adds, summed over other axes.
  if (p.pass == ConvolutionPass::InputGradient) {
    g.k = std::max(1.0, g.m * outputs * taps / std::max(input, 1.0));
    g.bytesA = g.m * outputs * inputBytes;
    g.m = input;
    g.n = channels;
    g.bytesB = outputs * channels * taps * inputBytes;
  } else if (p.pass == ConvolutionPass::WeightGradient) {
    g.bytesA = g.m * outputs * inputBytes;
    g.bytesB = input * channels * inputBytes;
    g.k = g.m;
    g.m = outputs;
    g.n = channels * taps;
  } else {
    g.bytesA = input * channels * inputBytes;
    g.bytesB = g.n * g.k * inputBytes;
  }
  g.format = work.format;
  g.inputBytes = g.weightBytes = inputBytes;
  g.outputBytes = outputBytes;
  g.bytesC = g.m * g.n * g.outputBytes;
  g.rereads = false;
  g.convolution = true;
  // Loads of 16 bytes run along a pixel's channels, including all groups.
  constexpr int64_t loadBits = 128;
  g.misaligned = p.channels * work.inputBits % loadBits != 0;
  // (G14) The weight gradient sums over pixels, and neither operand is
  // contiguous along them.
  if (work.format == NumericFormat::TF32 &&
      p.pass == ConvolutionPass::WeightGradient)
    g.strided = StridedOperands::Both;
  if (steps) {
    bool isInput = p.pass == ConvolutionPass::InputGradient;
    bool isWeight = p.pass == ConvolutionPass::WeightGradient;
    steps->equation("implicit GEMM (C4)",
                    "outputs = {}*{}*{}; inputs = {}*{}*{} = {}; ci = {}/{} = "
                    "{}; co = {}/{} = {}; taps = {}*{} = {}",
                    {p.batch, p.outHeight, p.outWidth, p.batch, p.height,
                     p.width, input, p.channels, p.groups, channels,
                     p.outChannels, p.groups, outputs, p.kernelHeight,
                     p.kernelWidth, taps});
    steps->equation(
        isInput || isWeight ? "gradient (C6)" : "implicit GEMM (C4)",
        isInput    ? "b = {}; m = inputs = {}; n = ci = {}; k = max(1, "
                     "outputs*co*taps/max(inputs, 1)) = {}"
        : isWeight ? "b = {}; m = co = {}; n = ci*taps = {}; k = outputs = {}"
                   : "b = {}; m = outputs = {}; n = co = {}; k = ci*taps = {}",
        {g.batch, g.m, g.n, g.k});
  }
  return g;
}

static Expected<Tiling> tileConvolution(const CostModel &model,
                                        const KernelWork &work,
                                        const KernelQuery &query) {
  if (auto valid = checkConvolution(work.as<ConvolutionProblem>()); !valid)
    return fail(valid.error());
  return selectTensorTiling(model, describeTensor(work), query);
}

static Expected<LaunchTerms> convolutionTerms(const CostModel &model,
                                              const KernelWork &work,
                                              const Tiling &tiling,
                                              const KernelQuery &query) {
  if (auto valid = checkConvolution(work.as<ConvolutionProblem>()); !valid)
    return fail(valid.error());
  auto terms =
      tensorGemmTerms(model, describeTensor(work, query.steps), tiling, query);
  if (!terms)
    return terms;
  terms->inCalibratedDomain = false; // no measured table of these kernels yet
  // (P1) TF32 kernels read and write NCHW: they reorder the tensors, which
  // separate kernels do for other formats.
  const auto &counts = model.coefficients().instructions;
  if (counts && work.format == NumericFormat::TF32 &&
      work.as<ConvolutionProblem>().pass == ConvolutionPass::Forward) {
    const ConvolutionProblem &p = work.as<ConvolutionProblem>();
    double elements =
        static_cast<double>(p.batch) * p.channels * p.height * p.width +
        static_cast<double>(p.batch) * p.outChannels * p.outHeight * p.outWidth;
    terms->events.instructions += elements * counts->layoutConversion;
  }
  return terms;
}

static std::vector<Tiling> convolutionCandidates(const CostModel &model,
                                                 const KernelWork &work,
                                                 const Tiling &) {
  return tensorCandidates(model, describeTensor(work));
}

namespace gpucost::kernels {
extern const KernelModel implicitGemmTensor;
const KernelModel implicitGemmTensor = {tileConvolution, convolutionTerms,
                                        convolutionCandidates};
} // namespace gpucost::kernels
