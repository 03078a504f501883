//===- Depthwise.cpp - Depthwise convolutions -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SM cycles per image element, equations (C5) and (C7).
//
//===----------------------------------------------------------------------===//

#include "../Streaming.h"
#include "Convolution.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

static double tapsOf(const ConvolutionProblem &p) {
  return static_cast<double>(p.kernelHeight) * p.kernelWidth;
}

/// Frameworks have separate code for square filters of 1, 3 and 5.
static bool isUnrolled(const ConvolutionProblem &p) {
  constexpr int64_t unrolled[] = {1, 3, 5};
  return p.kernelHeight == p.kernelWidth &&
         std::find(std::begin(unrolled), std::end(unrolled), p.kernelWidth) !=
             std::end(unrolled);
}

static double outputsOf(const ConvolutionProblem &p) {
  return static_cast<double>(p.batch) * p.outChannels * p.outHeight *
         p.outWidth;
}

static double inputsOf(const ConvolutionProblem &p) {
  return static_cast<double>(p.batch) * p.channels * p.height * p.width;
}

/// Cycles of `elements`. An element takes `base` plus `tap` for each of `taps`,
/// but at least `least`.
static double cyclesOf(double elements, double base, double tap, double taps,
                       Steps *steps, double least = 0) {
  double cycles = elements * std::max(least, base + tap * taps);
  if (steps)
    steps->equation("depthwise convolution (C5)",
                    "SM = {}*max({}, {} + {}*{}) = {} cycles",
                    {elements, least, base, tap, taps, cycles});
  return cycles;
}

/// (C5) SM cycles of cuDNN's kernels for channels-last or NCHW tensors with
/// elements of `bytes`.
static double libraryCycles(const DepthwiseCoefficients &c,
                            const ConvolutionProblem &p, bool channelsLast,
                            NumericFormat format, double bytes, Steps *steps) {
  double taps = tapsOf(p);
  switch (p.pass) {
  case ConvolutionPass::Forward:
    return channelsLast ? cyclesOf(outputsOf(p), c.libraryOutput,
                                   c.libraryByteTap * bytes, taps, steps)
                        : cyclesOf(outputsOf(p), 0, c.libraryTap, taps, steps);
  case ConvolutionPass::InputGradient:
    if (!channelsLast) {
      double cycles = inputsOf(p) * c.libraryInputTap * taps;
      if (steps)
        steps->equation("depthwise convolution (C5)",
                        "SM = {}*{}*{} = {} cycles",
                        {inputsOf(p), c.libraryInputTap, taps, cycles});
      return cycles;
    }
    return format == NumericFormat::FP16 && isUnrolled(p)
               ? cyclesOf(inputsOf(p), c.libraryInputUnrolled, 0, taps, steps)
               : cyclesOf(inputsOf(p), 0, c.libraryInputTapLast, taps, steps,
                          c.libraryInputLeast);
  case ConvolutionPass::WeightGradient:
    if (!channelsLast)
      return cyclesOf(outputsOf(p), c.libraryFilterOutput, c.libraryFilterTap,
                      taps, steps);
    return cyclesOf(outputsOf(p), c.libraryFilterOutputLast,
                    bytes > 2 ? c.libraryFilterTapWide
                              : c.libraryFilterTapNarrow,
                    taps, steps);
  }
  return 0;
}

/// (C8) SM cycles of the grouped product that has one group per CTA: the output
/// channels of a group fill a tile in part.
static double genericCycles(const DepthwiseCoefficients &c,
                            const ConvolutionProblem &p, const Gpu &gpu,
                            Steps *steps) {
  constexpr double tileChannels = 128, lanes = 128;
  double tap = p.pass == ConvolutionPass::Forward         ? c.genericTap
               : p.pass == ConvolutionPass::InputGradient ? c.genericInputTap
                                                          : c.genericFilterTap;
  double channels = static_cast<double>(p.outChannels) / p.groups;
  double pixels = static_cast<double>(p.batch) * p.outHeight * p.outWidth;
  double tiles = std::ceil(channels / tileChannels);
  double ownLanes = gpu.flopsPerClock(NumericFormat::FP32) / 2;
  double cycles =
      pixels * p.groups * tapsOf(p) * tiles * tap * lanes / ownLanes;
  if (steps)
    steps->equation("grouped product (C8)",
                    "SM = {}*{}*{}*ceil({}/{})*{}*{}/{} = {} cycles",
                    {pixels, p.groups, tapsOf(p), channels, tileChannels, tap,
                     lanes, ownLanes, cycles});
  return cycles;
}

/// (C5), (C7) SM cycles of PyTorch's native kernels, which compute in fp32 for
/// every format.
static double frameworkCycles(const DepthwiseCoefficients &c,
                              const ConvolutionProblem &p, double smCount,
                              Steps *steps) {
  double taps = tapsOf(p);
  switch (p.pass) {
  case ConvolutionPass::Forward:
    return cyclesOf(outputsOf(p), c.nativeOutput,
                    isUnrolled(p) ? c.nativeTapUnrolled : c.nativeTap, taps,
                    steps);
  case ConvolutionPass::InputGradient:
    return cyclesOf(inputsOf(p), c.nativeInput,
                    isUnrolled(p) ? 0 : c.nativeInputTap, taps, steps);
  case ConvolutionPass::WeightGradient: {
    // One CTA per channel and tap sums over the pixels of all images.
    double pixels = static_cast<double>(p.batch) * p.outHeight * p.outWidth;
    double ctasOfAnSm = std::ceil(p.outChannels * taps / smCount);
    double cycles = smCount * ctasOfAnSm *
                    (c.nativeFilterPixel * pixels + c.nativeFilterCta);
    if (steps)
      steps->equation("depthwise weight gradient (C7)",
                      "SM = {}*ceil({}*{}/{})*({}*{} + {}) = {} cycles",
                      {smCount, p.outChannels, taps, smCount,
                       c.nativeFilterPixel, pixels, c.nativeFilterCta, cycles});
    return cycles;
  }
  }
  return 0;
}

namespace {
/// The library of the kernel, and its layout.
enum class Origin { Native, Cudnn, CudnnNhwc, Generic };
} // namespace

template <Origin origin>
static Expected<LaunchTerms>
depthwiseTerms(const CostModel &model, const KernelWork &work, const Tiling &,
               const KernelQuery &query) {
  const Coefficients &all = model.coefficients();
  const DepthwiseCoefficients &own = *all.depthwise;
  const ConvolutionProblem &p = work.as<ConvolutionProblem>();
  if (auto valid = checkConvolution(p); !valid)
    return fail(valid.error());
  constexpr bool library = origin != Origin::Native;
  Stream s = streamOf(work);
  double bytes = work.inputBytes();
  s.smCycles = origin == Origin::Generic
                   ? genericCycles(own, p, model.gpu(), query.steps)
               : library
                   ? libraryCycles(own, p, origin == Origin::CudnnNhwc,
                                   work.format, bytes, query.steps)
                   : frameworkCycles(own, p, model.gpu().smCount, query.steps);
  // (C5) cuDNN loads and multiplies pairs of 16-bit values.
  if (const auto &counts = all.instructions)
    s.instructions =
        outputsOf(p) *
        (library ? tapsOf(p) * bytes
                 : tapsOf(p) * counts->depthwiseTap + counts->strided);
  return streamTerms(model, *all.streaming, s, query);
}

static Expected<Tiling> tileDepthwise(const CostModel &, const KernelWork &work,
                                      const KernelQuery &) {
  if (auto valid = checkConvolution(work.as<ConvolutionProblem>()); !valid)
    return fail(valid.error());
  return Tiling();
}

namespace gpucost::kernels {
extern const KernelModel nativeDepthwise, cudnnDepthwise, cudnnDepthwiseNhwc,
    genericDepthwiseNhwc;
const KernelModel nativeDepthwise = {tileDepthwise,
                                     depthwiseTerms<Origin::Native>};
const KernelModel cudnnDepthwise = {tileDepthwise,
                                    depthwiseTerms<Origin::Cudnn>};
const KernelModel cudnnDepthwiseNhwc = {tileDepthwise,
                                        depthwiseTerms<Origin::CudnnNhwc>};
const KernelModel genericDepthwiseNhwc = {tileDepthwise,
                                          depthwiseTerms<Origin::Generic>};

GPUCOST_CONDITION(
    genericNhwc,
    "a depthwise convolution of channels-last tensors with a filter other than "
    "1, 3 and 5: its gradient of the filter, up to PyTorch 2.7 all passes",
    {
      const auto &p = work.as<ConvolutionProblem>();
      const auto &own = model.coefficients().depthwise;
      bool old = isBefore(model.software(), Software::PyTorch, version(2, 8));
      return p.isDepthwise() && p.channelsLast && !isUnrolled(p) && own &&
             own->genericTap > 0 &&
             (old || p.pass == ConvolutionPass::WeightGradient);
    })
GPUCOST_CONDITION(depthwise, "a depthwise convolution",
                  { return work.as<ConvolutionProblem>().isDepthwise(); })
GPUCOST_CONDITION(depthwiseNhwc,
                  "a depthwise convolution of channels-last tensors", {
                    const auto &p = work.as<ConvolutionProblem>();
                    return p.isDepthwise() && p.channelsLast;
                  })
GPUCOST_CONDITION(
    cudnnDepthwiseShape,
    "a depthwise convolution of 32 or more channels with filters of 1, 3 or 5 "
    "and stride 1",
    {
      constexpr int64_t fewestChannels = 32;
      const auto &p = work.as<ConvolutionProblem>();
      return p.isDepthwise() && isUnrolled(p) && p.strideHeight == 1 &&
             p.strideWidth == 1 && p.channels >= fewestChannels;
    })
} // namespace gpucost::kernels
