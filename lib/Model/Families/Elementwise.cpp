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
  countInstructions(model, **set, classOf(work, kind), elements, strided,
                    stream);
  return streamTerms(model, **set, stream, query);
}

template <InstructionClass kind>
static Expected<LaunchTerms>
elementTerms(const CostModel &model, const KernelWork &work, const Tiling &,
             const KernelQuery &query) {
  const auto &p = work.as<ElementsProblem>();
  Stream stream = streamOf(work);
  countChannelAccesses(work, p.perChannel, stream);
  return terms(model, work, kind, p.elements, p.strided, stream, query);
}

/// (M13) Cycles of an SM per element that statistics and sums of channels-last
/// tensors in bf16 take: 15 sizes in the `batchnorm` rows of
/// calibration/measurements, equal on H100 and H200 within 5 %.
static constexpr double statisticsCycles = 1.1, gradientSumsCycles = 0.75;

static Expected<LaunchTerms> reductionTerms(const CostModel &model,
                                            const KernelWork &work,
                                            const Tiling &,
                                            const KernelQuery &query) {
  const auto &p = work.as<RowsProblem>();
  double elements = static_cast<double>(p.rows) * p.cols;
  Stream stream = streamOf(work);
  countChannelAccesses(work, p.perChannel, stream);
  stream.channelCtas = p.perChannel ? p.rows : 0;
  if (p.overPixels) {
    bool gradient = stream.readBytes > 1.5 * elements * work.inputBits / 8.0;
    stream.smCycles =
        elements * (gradient ? gradientSumsCycles : statisticsCycles);
  }
  // (M11)
  if (p.resultsPerCta > 0 && elements > 0) {
    double elementBytes = work.inputBits / 8.0;
    stream.slowdown = fewCtasSlowdown(
        model, std::ceil(static_cast<double>(p.rows) / p.resultsPerCta),
        elementBytes, stream.readBytes / (elements * elementBytes));
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
