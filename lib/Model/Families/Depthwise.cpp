//===- Depthwise.cpp - Depthwise convolutions -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cycles of an SM for each image element, equations (C5) and (C7). Source: 143
// kernels measured on H100 and on H200, whose times differ by 0.9 % (median):
// the memory plays no part. Per clock and SM they are taken for every GPU.
//
//===----------------------------------------------------------------------===//

#include "Depthwise.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

static double tapsOf(const ConvolutionProblem &p) {
  return static_cast<double>(p.kernelHeight) * p.kernelWidth;
}

/// Frameworks have code of their own for square filters of 1, 3 and 5.
static bool isUnrolled(const ConvolutionProblem &p) {
  return p.kernelHeight == p.kernelWidth &&
         (p.kernelWidth == 1 || p.kernelWidth == 3 || p.kernelWidth == 5);
}

/// Whether cuDNN computes it and not the framework: channels-last tensors, and
/// in fp16 NCHW images with the filters and steps that PyTorch sends there.
static bool isOfLibrary(const ConvolutionProblem &p, NumericFormat format) {
  constexpr int64_t fewestChannels = 32;
  return p.channelsLast || (format == NumericFormat::FP16 && isUnrolled(p) &&
                            p.strideHeight == 1 && p.strideWidth == 1 &&
                            p.channels >= fewestChannels);
}

static double outputsOf(const ConvolutionProblem &p) {
  return static_cast<double>(p.batch) * p.outChannels * p.outHeight *
         p.outWidth;
}

static double inputsOf(const ConvolutionProblem &p) {
  return static_cast<double>(p.batch) * p.channels * p.height * p.width;
}

/// (C5) cuDNN's kernels; `bytes` of an element.
static double libraryCycles(const ConvolutionProblem &p, NumericFormat format,
                            double bytes) {
  double taps = tapsOf(p);
  switch (p.pass) {
  case ConvolutionPass::Forward:
    return outputsOf(p) *
           (p.channelsLast ? 0.25 + 0.0165 * bytes * taps : 0.1 * taps);
  case ConvolutionPass::InputGradient:
    if (!p.channelsLast)
      return inputsOf(p) * 0.1 * taps;
    return inputsOf(p) * (format == NumericFormat::FP16 && isUnrolled(p)
                              ? 0.87
                              : std::max(0.85, 0.085 * taps));
  case ConvolutionPass::WeightGradient:
    if (!p.channelsLast)
      return outputsOf(p) * (1.1 + 0.047 * taps);
    return outputsOf(p) * (0.25 + (bytes > 2 ? 0.14 : 0.04) * taps);
  }
  return 0;
}

/// (C5), (C7) PyTorch's own kernels; they compute in fp32 whatever the format.
static double frameworkCycles(const ConvolutionProblem &p, double smCount) {
  double taps = tapsOf(p);
  switch (p.pass) {
  case ConvolutionPass::Forward:
    return outputsOf(p) * (1.45 + (isUnrolled(p) ? 0.114 : 0.15) * taps);
  case ConvolutionPass::InputGradient:
    return inputsOf(p) * (4.4 + (isUnrolled(p) ? 0 : 0.14) * taps);
  case ConvolutionPass::WeightGradient: {
    // One CTA per channel and tap sums over the pixels of all images.
    double pixels = static_cast<double>(p.batch) * p.outHeight * p.outWidth;
    double ctasOfAnSm = std::ceil(p.outChannels * taps / smCount);
    return smCount * ctasOfAnSm * (0.39 * pixels + 1600);
  }
  }
  return 0;
}

Expected<LaunchTerms> gpucost::depthwiseTerms(const CostModel &model,
                                              const KernelWork &work,
                                              const KernelQuery &query) {
  auto set = streamingCoefficients(model);
  if (!set)
    return fail(set.error());
  const ConvolutionProblem &p = work.as<ConvolutionProblem>();
  Stream s = streamOf(work);
  bool library = isOfLibrary(p, work.format);
  double bytes = work.inputBits / 8.0;
  s.smCycles = library ? libraryCycles(p, work.format, bytes)
                       : frameworkCycles(p, model.gpu().smCount);
  // (C5) The library loads and multiplies pairs of 16 bits.
  if (const auto &counts = model.coefficients().instructions)
    s.instructions =
        outputsOf(p) *
        (library ? tapsOf(p) * bytes
                 : tapsOf(p) * counts->depthwiseTap + counts->strided);
  LaunchTerms t = streamTerms(model, **set, s, query);
  t.inCalibratedDomain = false;
  return t;
}
