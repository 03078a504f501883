//===- Elementwise.cpp - Element-parallel kernels -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise, data movement, embedding, pooling, optimizer and reduction: one
// thread-level item per element and nothing but the equations (M1)-(M4). Opaque
// kernels count their bytes only: a lower bound.
//
//===----------------------------------------------------------------------===//

#include "../Streaming.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

static Expected<LaunchTerms>
terms(const CostModel &model, const KernelWork &work, InstructionClass kind,
      double elements, bool strided, Stream stream, const KernelQuery &query) {
  auto set = streamingCoefficients(model);
  if (!set)
    return fail(set.error());
  if (elements < 0)
    return fail("expected a non-negative element count");
  stream.fp32Flops =
      std::max(work.count.fp32Flops - (*set)->operatorFlops * elements, 0.0);
  stream.specialOps = std::max(
      work.count.specialOps - (*set)->operatorSpecialOps * elements, 0.0);
  countInstructions(model, **set, classOf(work, kind), elements, strided, query,
                    stream);
  if (query.steps && (stream.fp32Flops > 0 || stream.specialOps > 0))
    query.steps->equation("loop body (M8)",
                          "fp32 = max({} - {}*{}, 0) = {}; special = max({} - "
                          "{}*{}, 0) = {}",
                          {work.count.fp32Flops, (*set)->operatorFlops,
                           elements, stream.fp32Flops, work.count.specialOps,
                           (*set)->operatorSpecialOps, elements,
                           stream.specialOps});
  return streamTerms(model, **set, stream, query);
}

/// (M15) One of the two passes, over statistics or sums and over results, that
/// cuDNN makes in one kernel with a CTA for each of `channels`: half of its
/// cycles, and a channel that stays on chip is read by the first one only.
static Expected<void> countCudnnBatchNorm(const CostModel &model,
                                          const KernelWork &work,
                                          double channels, double elements,
                                          bool isFirst, Steps *steps,
                                          Stream &stream) {
  if (channels <= 0 || elements <= 0)
    return {};
  if (!model.coefficients().cudnnBatchNorm)
    return missingGroup(model, "cudnn_batch_norm");
  const CudnnBatchNormCoefficients &c = *model.coefficients().cudnnBatchNorm;
  stream.refinements |= groupSet(CoefficientGroup::cudnnBatchNorm);
  double smCount = model.gpu().smCount;
  double elementBytes = work.inputBytes();
  double operands = std::round(stream.readBytes / (elements * elementBytes));
  bool backward = operands > 1;
  double channelElements = elements / channels;
  double channelBytes =
      channelElements * elementBytes * std::max(operands, 1.0);
  double perSm = std::ceil(channels / smCount);
  double cycles;
  if (channelBytes <= c.chipBytes.value()) {
    cycles = perSm * (c.channelCycles + c.byteCycles * channelBytes);
    if (steps)
      steps->equation("cuDNN batch norm (M15)",
                      "cy = ceil({}/{})*({} + {}*{}/{}*{}*max({}, 1)) = {} "
                      "cycles",
                      {channels, smCount, c.channelCycles, c.byteCycles,
                       elements, channels, elementBytes, operands, cycles});
    if (!isFirst)
      stream.readBytes -= operands * elements * elementBytes;
  } else {
    double first = backward               ? c.backward
                   : work.inputBits >= 32 ? c.forward32
                                          : c.forward16;
    double next = backward ? c.backwardNext : c.forwardNext;
    cycles = channelElements * (first + (perSm - 1) * next);
    if (steps)
      steps->equation(
          "cuDNN batch norm (M15)",
          "cy = {}/{}*({} + (ceil({}/{}) - 1)*{}) = {} cycles",
          {elements, channels, first, channels, smCount, next, cycles});
  }
  stream.readBytes = std::max(stream.readBytes, 0.0);
  stream.smCycles = smCount * cycles / 2;
  if (steps)
    steps->equation("cuDNN batch norm (M15)", "SM = {}*cy/2 = {} cycles",
                    {smCount, stream.smCycles});
  return {};
}

template <InstructionClass kind>
static Expected<LaunchTerms>
elementTerms(const CostModel &model, const KernelWork &work, const Tiling &,
             const KernelQuery &query) {
  const auto &p = work.as<ElementsProblem>();
  Stream stream = streamOf(work);
  countChannelAccesses(work, p.perChannel, stream);
  if (auto counted =
          countCudnnBatchNorm(model, work, p.cudnnChannels, p.elements,
                              /*isFirst=*/false, query.steps, stream);
      !counted)
    return fail(counted.error());
  return terms(model, work, kind, p.elements, p.strided, stream, query);
}

static Expected<LaunchTerms> reductionTerms(const CostModel &model,
                                            const KernelWork &work,
                                            const Tiling &,
                                            const KernelQuery &query) {
  const auto &p = work.as<RowsProblem>();
  double elements = static_cast<double>(p.rows) * p.cols;
  Stream stream = streamOf(work);
  countChannelAccesses(work, p.perChannel, stream);
  stream.channelCtas = p.perChannel ? p.rows : 0;
  if (auto counted = countCudnnBatchNorm(model, work, p.cudnnChannels, elements,
                                         /*isFirst=*/true, query.steps, stream);
      !counted)
    return fail(counted.error());
  // (M13) Statistics read one tensor, sums of gradients two.
  if (p.overPixels) {
    const auto &c = model.coefficients().batchNormOverPixels;
    if (!c)
      return missingGroup(model, "batch_norm_over_pixels");
    constexpr double oneOrTwo = 1.5; // tensors
    bool gradient = stream.readBytes > oneOrTwo * elements * work.inputBytes();
    double each = gradient ? c->gradientSums : c->statistics;
    stream.smCycles = elements * each;
    if (query.steps)
      query.steps->equation("batch norm over pixels (M13)",
                            "SM = {}*{} = {} cycles",
                            {elements, each, stream.smCycles});
    stream.refinements |= groupSet(CoefficientGroup::batchNormOverPixels);
  }
  // (M11)
  if (p.resultsPerCta > 0 && elements > 0) {
    stream.refinements |= groupSet(CoefficientGroup::streamLimits);
    double elementBytes = work.inputBytes();
    stream.slowdown = fewCtasSlowdown(
        model, std::ceil(static_cast<double>(p.rows) / p.resultsPerCta),
        elementBytes, stream.readBytes / (elements * elementBytes),
        query.steps);
  }
  return terms(model, work, InstructionClass::Reduce, elements,
               /*strided=*/false, stream, query);
}

static Expected<LaunchTerms> opaqueTerms(const CostModel &model,
                                         const KernelWork &work, const Tiling &,
                                         const KernelQuery &query) {
  auto bound = terms(model, work, InstructionClass::None, /*elements=*/0,
                     /*strided=*/false, streamOf(work), query);
  if (bound)
    bound->inCalibratedDomain = false;
  return bound;
}

namespace gpucost {
#define STREAM_FAMILY(name, function)                                          \
  extern const KernelFamilyModel name;                                         \
  const KernelFamilyModel name = {tileStream, function};
STREAM_FAMILY(elementwiseFamily, elementTerms<InstructionClass::None>)
STREAM_FAMILY(dataMovementFamily, elementTerms<InstructionClass::Copy>)
STREAM_FAMILY(embeddingFamily, elementTerms<InstructionClass::Gather>)
STREAM_FAMILY(poolingFamily, elementTerms<InstructionClass::Pool>)
STREAM_FAMILY(optimizerFamily, elementTerms<InstructionClass::Optimizer>)
STREAM_FAMILY(reductionFamily, reductionTerms)
STREAM_FAMILY(opaqueFamily, opaqueTerms)
#undef STREAM_FAMILY
} // namespace gpucost
