//===- SimtConvolution.cpp - fp32 convolution equations (C1)-(C3) ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Convolution.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

static constexpr int32_t noSplit[] = {1};
/// A weight gradient reduces over all pixels, so the reduction may be split.
static constexpr int32_t pixelSplits[] = {1, 2, 4, 8, 16, 32, 64, 128};

namespace {

/// Sizes as doubles and the bytes of the real tensors.
struct Shape {
  double batch, channels, height, width, outChannels, outHeight, outWidth;
  double taps, groups, elementBytes;
  ConvolutionPass pass;
  double inputBytes, filterBytes, outputBytes;
  double bytes() const { return inputBytes + filterBytes + outputBytes; }
};

/// Images, rows and columns of a fused Winograd CTA's outputs (128 in all),
/// from recorded grids of cuDNN's kernels.
struct Box {
  double images, rows, columns;
};

} // namespace

static constexpr Box boxes[] = {{1, 8, 16}, {1, 16, 8}, {2, 4, 16}, {2, 16, 4},
                                {2, 8, 8},  {4, 4, 8},  {4, 8, 4},  {4, 2, 16}};
/// Outputs and output channels of one fused Winograd CTA.
static constexpr double fusedOutputs = 128, fusedChannels = 32;
/// F(2x2, 3x3) needs 1 / 2.25 of the multiplications.
static constexpr double fusedSaving = 2.25;
/// Outputs along an edge of F(4x4, 3x3), and its matmuls: (4 + 3 - 1)^2.
static constexpr double nonFusedEdge = 4, nonFusedProducts = 36;
/// Edge and elements of a filter; elements of its transform for F(2x2, 3x3).
static constexpr int64_t filterEdge = 3;
static constexpr double filterTaps = 9, fusedFilter = 16;

static Shape describe(const KernelWork &work) {
  const ConvolutionProblem &p = work.as<ConvolutionProblem>();
  Shape s;
  s.batch = p.batch;
  s.channels = p.channels;
  s.height = p.height;
  s.width = p.width;
  s.outChannels = p.outChannels;
  s.outHeight = p.outHeight;
  s.outWidth = p.outWidth;
  s.taps = static_cast<double>(p.kernelHeight) * p.kernelWidth;
  s.groups = p.groups;
  s.pass = p.pass;
  s.elementBytes = work.inputBytes();
  s.inputBytes = s.batch * s.channels * s.height * s.width * s.elementBytes;
  s.filterBytes =
      s.outChannels * s.channels / s.groups * s.taps * s.elementBytes;
  s.outputBytes =
      s.batch * s.outChannels * s.outHeight * s.outWidth * work.outputBytes();
  // (C6) dX of stride 1 is a convolution of dY: swap inputs and outputs.
  if (s.pass == ConvolutionPass::InputGradient) {
    std::swap(s.channels, s.outChannels);
    std::swap(s.height, s.outHeight);
    std::swap(s.width, s.outWidth);
    std::swap(s.inputBytes, s.outputBytes);
  }
  return s;
}

Span<int32_t> gpucost::filterGradientSplits() {
  return Span<int32_t>(pixelSplits);
}

static bool sumsOverPixels(const Shape &s) {
  return s.pass == ConvolutionPass::WeightGradient;
}

static SimtGemmParameters parameters(const SimtConvCoefficients &c,
                                     double efficiency, Span<Tile> tiles,
                                     bool split = false) {
  return {efficiency,
          c.k0,
          c.saturationWarps,
          c.dramEfficiency,
          c.l2BytesPerClock,
          c.l2Fraction,
          c.l2Speedup,
          c.latency,
          JoulesPerEvent(0),
          0.0,
          tiles,
          split ? Span<int32_t>(pixelSplits) : Span<int32_t>(noSplit)};
}

/// (C1) One GEMM per group over the real tensors.
static SimtGemm implicitShape(const Shape &s, Steps *steps = nullptr) {
  SimtGemm g;
  g.batch = s.groups;
  g.m = s.batch * s.outHeight * s.outWidth;
  g.n = s.outChannels / s.groups;
  g.k = s.channels / s.groups * s.taps;
  // (C6) A strided dX has outputs that only some taps reach; dW sums over all
  // pixels.
  if (s.pass == ConvolutionPass::InputGradient) {
    double reached = s.height * s.width / (s.outHeight * s.outWidth);
    g.k = std::max(1.0, g.k * std::min(1.0, reached));
  } else if (s.pass == ConvolutionPass::WeightGradient) {
    double pixels = g.m;
    g.m = s.outChannels / s.groups;
    g.n = g.k;
    g.k = pixels;
  }
  g.inputBytes = s.elementBytes;
  g.outputBytes = s.elementBytes;
  g.bytes = s.bytes();
  if (steps) {
    steps->equation("implicit GEMM (C1)",
                    "outputs = {}*{}*{}; inputs = {}*{}*{}; taps = {}; ci = "
                    "{}/{}; co = {}/{}",
                    {s.batch, s.outHeight, s.outWidth, s.batch, s.height,
                     s.width, s.taps, s.channels, s.groups, s.outChannels,
                     s.groups});
    bool isInput = s.pass == ConvolutionPass::InputGradient;
    steps->equation(
        isInput || sumsOverPixels(s) ? "gradient (C6)" : "implicit GEMM (C1)",
        isInput ? "b = {}; m = outputs = {}; n = co = {}; k = max(1, "
                  "ci*taps*min(1, inputs/outputs)) = {}"
        : sumsOverPixels(s)
            ? "b = {}; m = co = {}; n = ci*taps = {}; k = outputs = {}"
            : "b = {}; m = outputs = {}; n = co = {}; k = ci*taps = {}",
        {g.batch, g.m, g.n, g.k});
  }
  return g;
}

SimtGemm gpucost::describeSimtImplicitGemm(const KernelWork &work) {
  return implicitShape(describe(work));
}

/// (C3) 36 matmuls over the transformed tiles of 4 x 4 outputs. (C6) A weight
/// gradient sums over these tiles.
static SimtGemm transformedShape(const Shape &s, Steps *steps = nullptr) {
  SimtGemm g;
  double tiles = s.batch * std::ceil(s.outHeight / nonFusedEdge) *
                 std::ceil(s.outWidth / nonFusedEdge);
  g.batch = nonFusedProducts;
  g.m = sumsOverPixels(s) ? s.outChannels : tiles;
  g.n = sumsOverPixels(s) ? s.channels : s.outChannels;
  g.k = sumsOverPixels(s) ? tiles : s.channels;
  g.inputBytes = s.elementBytes;
  g.outputBytes = s.elementBytes;
  g.bytes = g.batch * (g.m * g.k + g.k * g.n + g.m * g.n) * s.elementBytes;
  g.footprint = g.bytes; // written just before
  if (steps)
    steps->equation(
        "transformed tiles (C3)",
        "b = {}; tiles = {}*ceil({}/4)*ceil({}/4) = {}; m = {}; n "
        "= {}; k = {}",
        {g.batch, s.batch, s.outHeight, s.outWidth, tiles, g.m, g.n, g.k});
  return g;
}

static double fusedCtas(const Shape &s, Steps *steps = nullptr) {
  double least = std::numeric_limits<double>::infinity();
  Box best = boxes[0];
  for (const Box &box : boxes) {
    double ctas = std::ceil(s.batch / box.images) *
                  std::ceil(s.outHeight / box.rows) *
                  std::ceil(s.outWidth / box.columns);
    if (ctas < least) {
      least = ctas;
      best = box;
    }
  }
  double ctas = least * std::ceil(s.outChannels / fusedChannels);
  if (steps)
    steps->equation("fused Winograd (C2)",
                    "T = ceil({}/{})*ceil({}/{})*ceil({}/{})*ceil({}/{}) = {}",
                    {s.batch, best.images, s.outHeight, best.rows, s.outWidth,
                     best.columns, s.outChannels, fusedChannels, ctas});
  return ctas;
}

/// (C2) One CTA per SM computes 128 outputs of 32 channels.
static LaunchTerms fusedTerms(const CostModel &model,
                              const SimtConvCoefficients &c, const Shape &s,
                              const KernelQuery &query) {
  const Gpu &gpu = model.gpu();
  SimtGemmParameters p = parameters(c, c.fusedEfficiency, c.implicitTiles);
  double multiplyAdds = fusedOutputs * fusedChannels * filterTaps / fusedSaving;
  LaunchTerms t;
  t.computeBound = Bound::FP32;
  t.compute =
      Seconds(std::ceil(fusedCtas(s, query.steps) / gpu.smCount) *
              (s.channels + c.fusedPrologue) * 2 * multiplyAdds /
              (gpu.flopsPerClock(NumericFormat::FP32) * c.fusedEfficiency) /
              gpu.maxClock.value());
  t.dram = Seconds(simtMemoryTime(
      gpu, p, s.bytes(), std::max(query.reuseBytesA, query.reuseBytesB),
      query.steps));
  // A separate pass reads the filter and writes its transform.
  double filter =
      (filterTaps + fusedFilter) * s.channels * s.outChannels * s.elementBytes;
  t.serialDram = Seconds(c.filterPasses * filter /
                         (gpu.dramBandwidth.value() * c.dramEfficiency));
  t.fixed = c.latency;
  if (query.steps) {
    query.steps->equation(
        "fused Winograd (C2)",
        "compute = ceil(T/{})*({} + {})*2*{}*{}*{}/{}/({}*{})/{} = {}; dram = "
        "tM = {}",
        {gpu.smCount, s.channels, c.fusedPrologue, fusedOutputs, fusedChannels,
         filterTaps, fusedSaving, gpu.flopsPerClock(NumericFormat::FP32),
         c.fusedEfficiency, gpu.maxClock, t.compute, t.dram});
    query.steps->equation(
        "filter transform (C2)",
        "serialDram = {}*({} + {})*{}*{}*{}/({}*{}) = {}; fixed = {}",
        {c.filterPasses, filterTaps, fusedFilter, s.channels, s.outChannels,
         s.elementBytes, gpu.dramBandwidth, c.dramEfficiency, t.serialDram,
         t.fixed});
  }
  return t;
}

/// (C3) Input, filter and output transforms before and after the matmuls.
static Expected<LaunchTerms> nonFusedTerms(const CostModel &model,
                                           const SimtConvCoefficients &c,
                                           const Shape &s, const Tiling &tiling,
                                           const KernelQuery &query) {
  SimtGemmParameters p =
      parameters(c, c.nonFusedEfficiency, c.batchedTiles, sumsOverPixels(s));
  SimtGemm products = transformedShape(s, query.steps);
  double tiles = sumsOverPixels(s) ? products.k : products.m;
  auto t = simtGemmTerms(model, p, products, tiling, query);
  if (!t)
    return t;
  double transforms =
      s.inputBytes + s.outputBytes +
      (nonFusedProducts * tiles * (s.channels + s.outChannels) +
       (filterTaps + nonFusedProducts) * s.channels * s.outChannels) *
          s.elementBytes;
  t->serialDram = Seconds(
      simtMemoryTime(model.gpu(), p, transforms, transforms, query.steps));
  t->fixed += c.transformLatency * 2;
  if (query.steps)
    query.steps->equation(
        "transforms (C3)",
        "bytes = {} + {} + (36*{}*({} + {}) + ({} + 36)*{}*{})*{} = {}; "
        "serialDram = tM = {}; fixed = fixed + {}*2 = {}",
        {s.inputBytes, s.outputBytes, tiles, s.channels, s.outChannels,
         filterTaps, s.channels, s.outChannels, s.elementBytes, transforms,
         t->serialDram, c.transformLatency, t->fixed});
  return t;
}

namespace {
enum class Algorithm { ImplicitGemm, FusedWinograd, NonFusedWinograd };
} // namespace

template <Algorithm algorithm>
static Expected<Tiling> tileSimt(const CostModel &model, const KernelWork &work,
                                 const KernelQuery &query) {
  if (auto valid = checkConvolution(work.as<ConvolutionProblem>()); !valid)
    return fail(valid.error());
  const SimtConvCoefficients &c = *model.coefficients().simtConv;
  Shape s = describe(work);
  if (algorithm == Algorithm::ImplicitGemm)
    return selectSimtTiling(
        model,
        parameters(c, c.implicitEfficiency, c.implicitTiles, sumsOverPixels(s)),
        implicitShape(s), query);
  if (algorithm == Algorithm::NonFusedWinograd)
    return selectSimtTiling(
        model,
        parameters(c, c.nonFusedEfficiency, c.batchedTiles, sumsOverPixels(s)),
        transformedShape(s), query);
  Tiling fused;
  fused.tile.ctasPerSm = 1;
  countWaves(fused, fusedCtas(s), model.gpu().smCount);
  return fused;
}

template <Algorithm algorithm>
static Expected<LaunchTerms>
simtTerms(const CostModel &model, const KernelWork &work, const Tiling &tiling,
          const KernelQuery &query) {
  if (auto valid = checkConvolution(work.as<ConvolutionProblem>()); !valid)
    return fail(valid.error());
  const SimtConvCoefficients &c = *model.coefficients().simtConv;
  Shape s = describe(work);
  const ConvolutionProblem &p = work.as<ConvolutionProblem>();
  // (C9) The kernels of CUDA cores read and write NCHW.
  std::optional<LaunchTerms> copies;
  if (p.channelsLast && p.pass == ConvolutionPass::Forward)
    copies = layoutConversions(model, work, query);
  auto algorithmTerms = [&]() -> Expected<LaunchTerms> {
    if (algorithm == Algorithm::ImplicitGemm)
      return simtGemmTerms(model,
                           parameters(c, c.implicitEfficiency, c.implicitTiles,
                                      sumsOverPixels(s)),
                           implicitShape(s, query.steps), tiling, query);
    if (algorithm == Algorithm::FusedWinograd)
      return fusedTerms(model, c, s, query);
    return nonFusedTerms(model, c, s, tiling, query);
  };
  auto t = algorithmTerms();
  if (!t)
    return t;
  // The energies were fitted with the events of the direct algorithm.
  t->events.fp32Flops = static_cast<double>(countFlops(p));
  t->events.dramBytes = s.bytes();
  if (copies)
    addConversions(p, *copies, *t, query.steps);
  return t;
}

template <Algorithm algorithm>
static std::vector<Tiling> simtTilings(const CostModel &model,
                                       const KernelWork &work, const Tiling &) {
  const SimtConvCoefficients &c = *model.coefficients().simtConv;
  Shape s = describe(work);
  if (algorithm == Algorithm::ImplicitGemm)
    return simtCandidates(
        model,
        parameters(c, c.implicitEfficiency, c.implicitTiles, sumsOverPixels(s)),
        implicitShape(s));
  if (algorithm == Algorithm::NonFusedWinograd)
    return simtCandidates(
        model,
        parameters(c, c.nonFusedEfficiency, c.batchedTiles, sumsOverPixels(s)),
        transformedShape(s));
  Tiling fused;
  fused.tile.ctasPerSm = 1;
  return {fused};
}

namespace gpucost::kernels {
#define SIMT_CONVOLUTION(name, algorithm)                                      \
  extern const KernelModel name;                                               \
  const KernelModel name = {tileSimt<algorithm>, simtTerms<algorithm>,         \
                            simtTilings<algorithm>};
SIMT_CONVOLUTION(implicitGemmSimt, Algorithm::ImplicitGemm)
SIMT_CONVOLUTION(winogradFused, Algorithm::FusedWinograd)
SIMT_CONVOLUTION(winogradTransforms, Algorithm::NonFusedWinograd)
#undef SIMT_CONVOLUTION

/// A dense 3 x 3 convolution of images with stride 1 in one group.
static bool hasWinogradShape(const ConvolutionProblem &p) {
  return p.dims == 2 && !p.sampled && p.dilationHeight == 1 &&
         p.dilationWidth == 1 && p.kernelHeight == filterEdge &&
         p.kernelWidth == filterEdge && p.strideHeight == 1 &&
         p.strideWidth == 1 && p.groups == 1;
}

/// (C9) Whether the library computes `p` with Winograd where it can. Channels
/// do not matter to the gradient of the input.
static bool prefersWinograd(const CostModel &model,
                            const ConvolutionProblem &p) {
  const auto &c = model.coefficients().simtConv;
  if (!c)
    return p.pass != ConvolutionPass::WeightGradient;
  double images = static_cast<double>(p.batch);
  double channels = static_cast<double>(std::min(p.channels, p.outChannels));
  if (p.pass == ConvolutionPass::WeightGradient)
    return c->winogradChannels > 0 && channels >= c->winogradChannels;
  return images >= c->winogradImages &&
         images * p.outHeight * p.outWidth >= c->winogradPixels &&
         (p.pass != ConvolutionPass::Forward ||
          channels >= c->winogradChannels);
}

GPUCOST_CONDITION(
    winograd,
    "a dense 3 x 3 convolution of images with stride 1, not sampled, in one "
    "group, and no gradient of the filter; on Hopper many images and pixels",
    {
      const auto &p = work.as<ConvolutionProblem>();
      return p.pass != ConvolutionPass::WeightGradient && hasWinogradShape(p) &&
             prefersWinograd(model, p);
    })
GPUCOST_CONDITION(
    transformedWinograd,
    "likewise; on Hopper also the gradient of a filter of many channels", {
      const auto &p = work.as<ConvolutionProblem>();
      return hasWinogradShape(p) && prefersWinograd(model, p);
    })
} // namespace gpucost::kernels
