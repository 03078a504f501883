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
#include "../Streaming.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

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

/// Bytes of the widest load.
static constexpr int64_t widestLoad = 16;
/// Channels of a library's tile, which whole groups fill.
static constexpr int64_t tileChannels = 128;
/// Channels of the smallest tile of several groups.
static constexpr int64_t leastBlock = 64;

static bool fillsTiles(int64_t channels) {
  return channels % tileChannels == 0 || tileChannels % channels == 0;
}

bool gpucost::runsGroupsInTurn(const ConvolutionProblem &p) {
  return p.groups > 1 && !(fillsTiles(p.channels / p.groups) &&
                           fillsTiles(p.outChannels / p.groups));
}

/// (C10) Groups that one tile computes: the product of a block has zeros
/// outside its groups.
static double groupsOfBlock(const ConvolutionProblem &p) {
  if (p.groups == 1 || runsGroupsInTurn(p))
    return 1;
  int64_t narrow = std::min(p.channels, p.outChannels) / p.groups;
  return static_cast<double>(std::clamp<int64_t>(
      leastBlock / std::max<int64_t>(narrow, 1), 1, p.groups));
}

/// Whether loads of 16 bytes, which run along a pixel's channels, including all
/// groups, do not fit.
static bool hasOddChannels(const KernelWork &work) {
  constexpr int64_t loadBits = 128;
  return work.as<ConvolutionProblem>().channels * work.inputBits % loadBits !=
         0;
}

/// (C4) m = batch * output pixels, n = output channels, k = channels * taps,
/// one product per group. DRAM sees the real tensors; L2 feeds the im2col
/// tiles.
TensorGemm gpucost::describeImplicitGemm(const KernelWork &work, Steps *steps) {
  const ConvolutionProblem &p = work.as<ConvolutionProblem>();
  TensorGemm g;
  double taps = static_cast<double>(p.kernelHeight) * p.kernelWidth;
  bool inTurn = runsGroupsInTurn(p);
  double ownGroups = static_cast<double>(p.groups);
  // Blocks of groups, each computed as one group.
  double groups = ownGroups / groupsOfBlock(p);
  g.batch = inTurn ? 1 : groups;
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
  g.weightGradient = p.pass == ConvolutionPass::WeightGradient;
  g.windows = taps > 1 && !g.weightGradient;
  g.misaligned = hasOddChannels(work);
  // (L6) Images that are read in place are loaded along their pixels.
  bool inPlace = p.readsImagesInPlace(work.inputBits);
  if (inPlace) {
    g.loadBytes = static_cast<double>(p.imageLoadBytes(work.inputBits));
    g.misaligned = g.loadBytes < widestLoad;
  }
  // (G14) The weight gradient sums over pixels, and neither operand is
  // contiguous along them.
  if (work.format == NumericFormat::TF32 && g.weightGradient)
    g.strided = StridedOperands::Both;
  // The filter of an input gradient is stored along its input channels.
  if (work.format == NumericFormat::TF32 &&
      p.pass == ConvolutionPass::InputGradient)
    g.strided = StridedOperands::One;
  if (steps) {
    if (p.groups > 1 && !inTurn)
      steps->equation("blocks of groups (C10)", "groups = {}/{} = {}",
                      {ownGroups, groupsOfBlock(p), groups});
    bool isInput = p.pass == ConvolutionPass::InputGradient;
    bool isWeight = p.pass == ConvolutionPass::WeightGradient;
    steps->equation("implicit GEMM (C4)",
                    "outputs = {}*{}*{}; inputs = {}*{}*{} = {}; ci = {}/{} = "
                    "{}; co = {}/{} = {}; taps = {}*{} = {}",
                    {p.batch, p.outHeight, p.outWidth, p.batch, p.height,
                     p.width, input, p.channels, groups, channels,
                     p.outChannels, groups, outputs, p.kernelHeight,
                     p.kernelWidth, taps});
    steps->equation(
        isInput || isWeight ? "gradient (C6)" : "implicit GEMM (C4)",
        isInput    ? "b = {}; m = inputs = {}; n = ci = {}; k = max(1, "
                     "outputs*co*taps/max(inputs, 1)) = {}"
        : isWeight ? "b = {}; m = co = {}; n = ci*taps = {}; k = outputs = {}"
                   : "b = {}; m = outputs = {}; n = co = {}; k = ci*taps = {}",
        {g.batch, g.m, g.n, g.k});
  }
  // (L6) A matmul for each image.
  if (inPlace && !g.weightGradient && p.batch > 1) {
    auto images = static_cast<double>(p.batch);
    for (double *part : {&g.m, &g.bytesA, &g.bytesB, &g.bytesC})
      *part /= images;
    g.batch = images;
    if (steps)
      steps->equation("images in place (L6)", "b = {}; m = m/{} = {}",
                      {g.batch, images, g.m});
  }
  return g;
}

/// (C12) Whether the library has kernels that load odd channels one by one at
/// a known rate. Without groups, the first layers of networks for images.
static bool loadsSingleElements(const CostModel &model,
                                const KernelWork &work) {
  const ConvolutionProblem &p = work.as<ConvolutionProblem>();
  const auto &c = model.coefficients().tensorGemm;
  return c && c->singleLoads > 0 && p.groups == 1 && hasOddChannels(work) &&
         p.pass != ConvolutionPass::InputGradient;
}

/// The product that the kernel of `model` computes: its loads are not those of
/// a misaligned matmul where (C12) holds.
static TensorGemm describeOn(const CostModel &model, const KernelWork &work,
                             Steps *steps = nullptr) {
  TensorGemm gemm = describeImplicitGemm(work, steps);
  gemm.misaligned &= !loadsSingleElements(model, work);
  return gemm;
}

/// Whether kernels compute only on channels-last tensors (L6), in 16 bits or
/// fewer.
static bool isNarrow(const KernelWork &work) {
  constexpr int64_t narrowBits = 16;
  return work.inputBits <= narrowBits;
}

static double inputElements(const ConvolutionProblem &p) {
  return static_cast<double>(p.batch) * p.channels * p.height * p.width;
}

static double outputElements(const ConvolutionProblem &p) {
  return static_cast<double>(p.batch) * p.outChannels * p.outHeight *
         p.outWidth;
}

/// Warp-group instructions have kernels only for channels-last tensors, unless
/// the convolution is a matmul of the filter and each image (L6). Other GPUs
/// have kernels for NCHW forward.
bool gpucost::convertsLayout(const CostModel &model, const KernelWork &work) {
  const ConvolutionProblem &p = work.as<ConvolutionProblem>();
  if (work.format != NumericFormat::TF32 || p.channelsLast)
    return false;
  if (model.gpu().warpMatrixShare >= 1)
    return p.pass != ConvolutionPass::Forward;
  return !p.isImageProduct() || p.imageLoadBytes(work.inputBits) < widestLoad;
}

/// Elements of input, output and filter.
static double convertedElements(const ConvolutionProblem &p, double filter) {
  return inputElements(p) + outputElements(p) + filter;
}
static double filterElements(const ConvolutionProblem &p) {
  return static_cast<double>(p.outChannels) * p.channels / p.groups *
         p.kernelHeight * p.kernelWidth;
}

std::optional<LaunchTerms>
gpucost::layoutConversions(const CostModel &model, const KernelWork &work,
                           const KernelQuery &query) {
  const auto &c = model.coefficients().streaming;
  if (!c)
    return std::nullopt;
  const ConvolutionProblem &p = work.as<ConvolutionProblem>();
  double elements = convertedElements(p, filterElements(p));
  // Tiles are transposed on chip: vectors in, vectors out.
  Stream s;
  s.readBytes = elements * work.inputBytes();
  s.writeBytes = s.readBytes;
  countInstructions(model, *c, InstructionClass::None, elements,
                    /*strided=*/false, query, s);
  if (isNarrow(work)) // (M22)
    s.smCycles = elements * c->layoutCycles;
  return streamTerms(model, *c, s, query);
}

void gpucost::addConversions(const ConvolutionProblem &p, LaunchTerms copies,
                             LaunchTerms &terms, Steps *steps) {
  constexpr double launches = 3;
  Seconds fixed = copies.fixed;
  copies.fixed = Seconds(0);
  Seconds busy = timeAt(copies, 1);
  bool scales = copies.l2 > copies.dram;
  Seconds &serial = scales ? terms.serialIssue : terms.serialDram;
  Seconds before = serial, fixedBefore = terms.fixed;
  serial += busy;
  terms.fixed += fixed * launches;
  terms.events.dramBytes += copies.events.dramBytes;
  terms.events.instructions += copies.events.instructions;
  terms.groups |= groupSet(CoefficientGroup::streaming);
  if (steps) {
    double filter = filterElements(p);
    steps->equation(scales ? "layout conversions, SM-bound (C9)"
                           : "layout conversions, DRAM-bound (C9)",
                    std::string("elements = {} + {} + {} = {}; ") +
                        (scales ? "serialIssue" : "serialDram") +
                        " = {} + {} = {}; fixed = {} + 3*{} = {}",
                    {inputElements(p), outputElements(p), filter,
                     convertedElements(p, filter), before, busy, serial,
                     fixedBefore, fixed, terms.fixed});
  }
}

/// (C10) The terms of one group, `count` times.
static void repeat(LaunchTerms &t, double count, Steps *steps) {
  for (Seconds *part :
       {&t.compute, &t.l2, &t.issue, &t.rows, &t.dram, &t.powerRoof,
        &t.exposedL2, &t.exposedDram, &t.serialIssue, &t.serialDram, &t.fixed})
    *part = *part * count;
  t.onChip = t.onChip * count;
  t.offChip = t.offChip * count;
  t.events = t.events * count;
  if (steps)
    steps->equation("groups in turn (C10)",
                    "groups = {}; compute = compute*groups = {}; l2 = "
                    "l2*groups = {}; dram = dram*groups = {}; exposedL2 = "
                    "exposedL2*groups = {}; exposedDram = exposedDram*groups = "
                    "{}; serialDram = serialDram*groups = {}; fixed = "
                    "fixed*groups = {}",
                    {count, t.compute, t.l2, t.dram, t.exposedL2, t.exposedDram,
                     t.serialDram, t.fixed});
}

/// (C10) The conversions around the call, which count as one launch for each
/// tensor, run for each group, whose channels are a slice of every image.
static void addGroupConversions(const CostModel &model,
                                const ConvolutionProblem &p, LaunchTerms &t,
                                Steps *steps) {
  const auto &c = model.coefficients().streaming;
  if (!c)
    return;
  constexpr double conversions = 3;
  double others = static_cast<double>(p.groups - 1);
  t.fixed += c->latency * (conversions * others);
  const Gpu &gpu = model.gpu();
  double elements = inputElements(p) + outputElements(p);
  Seconds before = t.serialIssue;
  t.serialIssue +=
      Seconds(elements * c->sliceCycles / (gpu.smCount * gpu.maxClock.value()));
  if (steps)
    steps->equation("conversions of each group (C10)",
                    "fixed = fixed + 3*{}*{} = {}; serialIssue = {} + "
                    "({} + {})*{}/({}*{}) = {}",
                    {others, c->latency, t.fixed, before, inputElements(p),
                     outputElements(p), c->sliceCycles, gpu.smCount,
                     gpu.maxClock, t.serialIssue});
}

/// (C12) Images whose channels are not a multiple of 16 bytes are loaded
/// element by element, again for every 64 output channels.
static void addSingleLoads(const CostModel &model, const KernelWork &work,
                           LaunchTerms &t, Steps *steps) {
  const auto &c = model.coefficients().tensorGemm;
  const ConvolutionProblem &p = work.as<ConvolutionProblem>();
  if (!loadsSingleElements(model, work))
    return;
  double taps = static_cast<double>(p.kernelHeight) * p.kernelWidth;
  double pixels = static_cast<double>(p.batch) * p.outHeight * p.outWidth;
  double blocks = std::ceil(static_cast<double>(p.outChannels) / leastBlock);
  double loads = pixels * taps * p.channels * blocks;
  const Gpu &gpu = model.gpu();
  t.issue =
      Seconds(loads / (gpu.smCount * gpu.maxClock.value() * c->singleLoads));
  if (steps)
    steps->equation("single elements (C12)",
                    "loads = {}*{}*{}*ceil({}/64) = {}; issue = "
                    "loads/({}*{}*{}) = {}",
                    {pixels, taps, p.channels, p.outChannels, loads,
                     gpu.smCount, gpu.maxClock, c->singleLoads, t.issue});
}

static Expected<Tiling> tileConvolution(const CostModel &model,
                                        const KernelWork &work,
                                        const KernelQuery &query) {
  if (auto valid = checkConvolution(work.as<ConvolutionProblem>()); !valid)
    return fail(valid.error());
  return selectTensorTiling(model, describeOn(model, work), query);
}

static Expected<LaunchTerms> convolutionTerms(const CostModel &model,
                                              const KernelWork &work,
                                              const Tiling &tiling,
                                              const KernelQuery &query) {
  if (auto valid = checkConvolution(work.as<ConvolutionProblem>()); !valid)
    return fail(valid.error());
  const ConvolutionProblem &p = work.as<ConvolutionProblem>();
  bool inTurn = runsGroupsInTurn(p);
  bool converts = convertsLayout(model, work);
  std::optional<LaunchTerms> copies;
  if (converts || (inTurn && p.channelsLast))
    copies = layoutConversions(model, work, query);
  auto terms = tensorGemmTerms(model, describeOn(model, work, query.steps),
                               tiling, query);
  if (!terms)
    return terms;
  terms->inCalibratedDomain = false; // no measured table of these kernels yet
  // The energies count no zeros.
  terms->events.tensorFlops /= groupsOfBlock(p);
  addSingleLoads(model, work, *terms, query.steps);
  if (inTurn)
    repeat(*terms, static_cast<double>(p.groups), query.steps);
  if (inTurn && !p.channelsLast && (converts || isNarrow(work)))
    addGroupConversions(model, p, *terms, query.steps);
  if (copies)
    addConversions(p, *copies, *terms, query.steps);
  // (P1) TF32 kernels read and write NCHW: they reorder the tensors, which
  // separate kernels do for other formats.
  const auto &counts = model.coefficients().instructions;
  if (counts && work.format == NumericFormat::TF32 && !converts &&
      p.pass == ConvolutionPass::Forward)
    terms->events.instructions +=
        (inputElements(p) + outputElements(p)) * counts->layoutConversion;
  return terms;
}

static std::vector<Tiling> convolutionCandidates(const CostModel &model,
                                                 const KernelWork &work,
                                                 const Tiling &) {
  return tensorCandidates(model, describeOn(model, work));
}

namespace gpucost::kernels {
extern const KernelModel implicitGemmTensor;
const KernelModel implicitGemmTensor = {tileConvolution, convolutionTerms,
                                        convolutionCandidates};
} // namespace gpucost::kernels
